//! Serves the tools of sandboxes to agents over the Model Context Protocol.
//!
//! An agent's client is not the person: every call is an agent's, and what waits for an approval is
//! answered elsewhere, at a terminal. The protocol itself is `rmcp`'s, and what a client is told of tools
//! and results is the crate `api`'s, for all bodies.
//!
//! | file | what it does |
//! |---|---|
//! | `mount` | other servers, whose tools are offered as well |
//! | `offer` | which tools are offered, and what clients are told of them |
//! | `server` | answers a client's requests |
//! | `calling` | makes a call, and waits for the person if it has to |
//! | `telling` | tells a client that a call waits for the person |
//! | `resources` | staged commits, files and decisions, to be read |
//! | `whole` | what tools give an agent to read, and a file whole |
//! | `guide` | how to work in a sandbox, for agents |
//! | `message`, `lines` | reads what a client sends, and answers what is no message |
//! | `stdio`, `http`, `private` | the ways to a client |

mod calling;
mod guide;
mod http;
mod lines;
mod message;
mod mount;
mod offer;
mod private;
mod resources;
mod server;
mod stdio;
mod telling;
mod whole;

pub use http::Listening;
pub use offer::Choice;
pub use private::{Socket, connect};

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::time::Duration;

use gate::id::SandboxId;
use host::settings::McpServer;
pub use host::settings::Speaks;

use self::mount::Mount;
use self::server::Server;
use crate::command::Context;
use crate::desk::{Desk, Desks};
use crate::error::{HostError, Result};
use crate::home::Config;
use crate::interrupt::{self, Phase};
use crate::report;

/// How sandboxes are served.
#[derive(Clone, Debug)]
pub struct Serving {
    /// Which tools are offered.
    pub choice: Choice,
    /// How long a call waits for the person before it comes back as pending.
    pub wait: Duration,
    /// Other servers, whose tools are offered as well.
    pub servers: BTreeMap<String, McpServer>,
    /// The names that clients are shown.
    pub speaks: Speaks,
    /// Bytes of text that a client is sent at once.
    pub max_bytes: u64,
    /// The file for their error streams, where this process's own is not for them.
    pub errors: Option<PathBuf>,
}

impl Serving {
    /// As the person's configuration says.
    pub fn of(config: &Config) -> Self {
        let settings = config.mcp();
        Serving {
            choice: Choice {
                read_only: settings.read_only,
                toolsets: settings.toolsets.iter().cloned().collect(),
                prefer_mcp: settings.prefer_mcp,
                structured: settings.structured,
            },
            speaks: settings.dialect,
            max_bytes: settings.max_bytes,
            servers: settings.servers.clone(),
            errors: None,
            wait: Duration::from_secs(settings.wait_seconds),
        }
    }
}

/// Serves one sandbox to the client at the other end of standard input and output, until it goes.
///
/// # Errors
/// If the sandbox cannot be opened, or the client does not speak the protocol.
pub fn over_stdio(context: &Context, serving: &Serving) -> anyhow::Result<()> {
    Desks::new().serve(async |desks| {
        let mount = Arc::new(Mount::start(serving).await?);
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
        let mount = Arc::new(Mount::start(serving).await?);
        let open = |name: &SandboxId| Ok((name.clone(), open(context, name.clone(), serving, &mount, desks)?));
        let servers = names.iter().map(open).collect::<anyhow::Result<Vec<_>>>()?;
        http::serve(servers, address, desks.ended(), listening).await
    })
}

/// Runs an agent's program, and serves the sandbox at `socket` as long as it runs. When this returns,
/// no client is connected any more, and what was being done for one is called off.
///
/// # Errors
/// If the sandbox cannot be opened, or `agent` cannot be started, which `explain` explains.
pub fn beside(
    context: &Context,
    serving: &Serving,
    socket: &Socket,
    agent: Command,
    explain: impl FnOnce(std::io::Error) -> HostError,
) -> anyhow::Result<ExitStatus> {
    Desks::new().serve(async |desks| {
        let mount = Arc::new(Mount::start(serving).await?);
        let server = open(context, context.name.clone(), serving, &mount, desks)?;
        let listener = socket.listen()?;
        context.clock.ensure_wanted()?;
        // The terminal and its keys are the agent's for as long as it runs.
        let _theirs = (interrupt::during(Phase::Outside), report::keep_notes());
        let mut agent = tokio::process::Command::from(agent).spawn().map_err(explain)?;
        tokio::select! {
            exited = agent.wait() => Ok(exited?),
            never = private::serve(listener, server) => match never {},
        }
    })
}

fn open(
    context: &Context,
    name: SandboxId,
    serving: &Serving,
    mount: &Arc<Mount>,
    desks: &Desks,
) -> anyhow::Result<Server> {
    let (desk, tools) = Desk::open(context.home.clone(), context.clock.clone(), name, Context::open, desks.running())?;
    Ok(Server::new(desk, Arc::clone(mount), serving.choice.of(tools, mount)?, serving))
}
