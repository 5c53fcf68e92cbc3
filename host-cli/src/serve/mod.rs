//! Serves sandboxes over HTTP: what the crate `api` describes, on the sandboxes of a home.
//!
//! | file | what it does |
//! |---|---|
//! | `answer` | from a request to its answer |
//! | `events` | tells listeners what waits |
//! | `rooms` | the sandboxes that are open |
//! | `directory` | makes, copies and removes sandboxes |
//! | `beside` | serves git's clients while an agent's program runs |

mod answer;
mod beside;
mod directory;
mod events;
mod rooms;

pub use beside::{First, Programs, beside};

use std::net::SocketAddr;
use std::sync::Arc;

use api::{Advice, Operator, Site, token};

use self::answer::Office;
use self::rooms::Rooms;
use crate::command::Context;
use crate::desk::Desks;
use crate::error::Result;
use crate::listen;
use crate::platform::Native;

/// The environment's variable with the operator's token.
pub const TOKEN: &str = "GITGATE_SERVE_TOKEN";

const ADVICE: Advice = Advice {
    host: "start the server with `gitgate serve --allow-host NAME` if it is to be reached by that name",
    origin: "start the server with `gitgate serve --allow-origin ORIGIN` if pages from there are to ask it",
};

/// Where sandboxes are served.
#[derive(Clone, Debug)]
pub struct Listening {
    /// The address of all of them.
    pub url: String,
    /// The operator's token.
    pub token: String,
}

/// What a person allows besides what is of this machine.
#[derive(Clone, Debug, Default)]
pub struct Allowed {
    /// Further names by which the server is reached.
    pub hosts: Vec<String>,
    /// Where pages are from that may ask.
    pub origins: Vec<String>,
}

/// Serves until the process ends. Tells `listening` where.
///
/// # Errors
/// If the address cannot be had, or what is allowed is no host or no origin.
pub fn over_http(
    context: &Context,
    address: SocketAddr,
    allowed: &Allowed,
    listening: impl FnOnce(&Listening) -> Result<()>,
) -> anyhow::Result<()> {
    let given = std::env::var(TOKEN).ok().filter(|token| !token.is_empty());
    let token = given.map_or_else(|| token::of_operator(&Native::new(context.clock.clone())), Ok)?;
    let mut site = Site::at(address.ip(), ADVICE);
    allowed.hosts.iter().try_for_each(|host| site.allow_host(host))?;
    allowed.origins.iter().try_for_each(|origin| site.allow_origin(origin))?;
    Desks::new().serve(async |desks| {
        let (listener, address) = listen::bind(address).await?;
        let rooms = Rooms::new(context.home.clone(), context.clock.clone(), desks.opener());
        let office = Arc::new(Office::new(rooms, Operator(token::hash(&token)), site));
        listening(&Listening { url: format!("http://{address}"), token: token.clone() })?;
        let answer = move |request| {
            let office = Arc::clone(&office);
            async move { office.answer(request).await }
        };
        listen::serve(listener, desks.ended(), answer).await;
        Ok(())
    })
}
