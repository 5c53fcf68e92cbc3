//! `yes`

use bstr::BString;

use super::arguments::{Reading, read};
use crate::exec::{Call, Ended};

/// Prints a line until nobody reads it.
pub async fn run(call: &mut Call<'_>) -> Result<i32, Ended> {
    let given = read(call, Reading { flags: &[], status: 1, stops: false }).await?;
    let mut line = BString::from(bstr::join(" ", &given.operands));
    if given.operands.is_empty() {
        line.push(b'y');
    }
    loop {
        call.work(1)?;
        call.line(&line).await?;
    }
}
