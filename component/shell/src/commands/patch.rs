//! `patch`

mod backup;
mod context;
mod header;
mod hunk;
mod names;
mod normal;
mod one;
mod options;
mod place;
mod reject;
mod session;
mod target;
mod text;
mod tree;
mod unified;

use self::session::Session;
use crate::exec::{Call, Ended};

/// Applies the differences that a text describes to files.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let options = options::read(call).await?;
    Session::new(call, options).run().await
}
