//! Serves the tools of sandboxes to agents over the Model Context Protocol.
//!
//! An agent's client is not the person: every call is an agent's, and what waits for an approval is
//! answered elsewhere, at a terminal. The protocol itself is `rmcp`'s.
//!
//! | file | what it does |
//! |---|---|
//! | `desk` | the thread that has a sandbox, and makes one call after the other |
//! | `ending` | how a server ends, and what it waits for then |
//! | `ticket` | a call on its way there, which can be called off |
//! | `mount` | other servers, whose tools are offered as well |
//! | `offer` | which tools are offered, and what clients are told of them |
//! | `server` | answers a client's requests |
//! | `calling` | makes a call, and waits for the person if it has to |
//! | `telling` | tells a client that a call waits for the person |
//! | `result` | how a call ended, in the protocol's words |
//! | `resources` | staged commits, files and decisions, to be read |
//! | `whole` | what tools give an agent to read, and a file whole |
//! | `guide` | how to work in a sandbox, for agents |
//! | `stdio`, `http` | the two ways to a client |

mod calling;
mod desk;
mod ending;
mod guide;
mod http;
mod mount;
mod offer;
mod resources;
mod result;
#[cfg(test)]
mod scene;
mod server;
mod stdio;
mod telling;
mod ticket;
mod whole;

pub use http::Listening;
pub use offer::Choice;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gate::id::SandboxId;
use host::settings::McpServer;

use self::desk::Desk;
use self::ending::Desks;
use self::mount::Mount;
use self::server::Server;
use crate::command::Context;
use crate::error::Result;

/// How sandboxes are served.
#[derive(Clone, Debug)]
pub struct Serving {
    /// Which tools are offered.
    pub choice: Choice,
    /// How long a call waits for the person before it comes back as pending.
    pub wait: Duration,
    /// Other servers, whose tools are offered as well.
    pub servers: BTreeMap<String, McpServer>,
}

/// Serves one sandbox to the client at the other end of standard input and output, until it goes.
///
/// # Errors
/// If the sandbox cannot be opened, or the client does not speak the protocol.
pub fn over_stdio(context: &Context, serving: &Serving) -> anyhow::Result<()> {
    Desks::new().serve(async |desks| {
        let mount = Arc::new(Mount::start(&serving.servers).await?);
        stdio::serve(open(context, context.name.clone(), serving, &mount, desks)?, desks.ended()).await
    })
}

/// Serves sandboxes on a loopback address, until the process ends. Tells `listening` where.
///
/// # Errors
/// If a sandbox cannot be opened, or the address cannot be had.
pub fn over_http(
    context: &Context,
    names: &[SandboxId],
    serving: &Serving,
    address: std::net::SocketAddr,
    listening: impl FnOnce(&[Listening]) -> Result<()>,
) -> anyhow::Result<()> {
    Desks::new().serve(async |desks| {
        let mount = Arc::new(Mount::start(&serving.servers).await?);
        let open = |name: &SandboxId| Ok((name.clone(), open(context, name.clone(), serving, &mount, desks)?));
        let servers = names.iter().map(open).collect::<anyhow::Result<Vec<_>>>()?;
        http::serve(servers, address, desks.ended(), listening).await
    })
}

fn open(
    context: &Context,
    name: SandboxId,
    serving: &Serving,
    mount: &Arc<Mount>,
    desks: &Desks,
) -> anyhow::Result<Server> {
    let (desk, tools) = Desk::open(context, name, desks.running())?;
    Ok(Server::new(desk, Arc::clone(mount), serving.choice.of(tools, mount)?, serving.wait))
}
