//! Serves sandboxes over HTTP: what the crate `api` describes, on the sandboxes of a home.
//!
//! | file | what it does |
//! |---|---|
//! | `answer` | from a request to its answer |
//! | `events` | tells listeners what waits |
//! | `rooms` | the sandboxes that are open |
//! | `directory` | makes, copies and removes sandboxes |

mod answer;
mod directory;
mod events;
mod rooms;

use std::net::SocketAddr;
use std::sync::Arc;

use api::{Operator, token};

use self::answer::Office;
use self::rooms::Rooms;
use crate::around::Native;
use crate::command::Context;
use crate::desk::Desks;
use crate::error::Result;
use crate::listen;

/// The environment's variable with the operator's token.
pub const TOKEN: &str = "GITGATE_SERVE_TOKEN";

/// Where sandboxes are served.
#[derive(Clone, Debug)]
pub struct Listening {
    /// The address of all of them.
    pub url: String,
    /// The operator's token.
    pub token: String,
}

/// Serves until the process ends. Tells `listening` where.
///
/// # Errors
/// If the address cannot be had.
pub fn over_http(
    context: &Context,
    address: SocketAddr,
    listening: impl FnOnce(&Listening) -> Result<()>,
) -> anyhow::Result<()> {
    let given = std::env::var(TOKEN).ok().filter(|token| !token.is_empty());
    let token = given.map_or_else(|| token::of_operator(&Native::new(context.clock.clone())), Ok)?;
    Desks::new().serve(async |desks| {
        let (listener, address) = listen::bind(address).await?;
        let rooms = Rooms::new(context.home.clone(), context.clock.clone(), desks.opener());
        let office = Arc::new(Office::new(rooms, Operator(token::hash(&token))));
        listening(&Listening { url: format!("http://{address}"), token: token.clone() })?;
        let answer = move |request| {
            let office = Arc::clone(&office);
            async move { office.answer(request).await }
        };
        listen::serve(listener, desks.ended(), answer).await;
        Ok(())
    })
}
