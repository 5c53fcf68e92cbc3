//! Serves git's clients beside an agent's program, for as long as that runs.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, ExitStatus};
use std::sync::Arc;

use api::{Operator, Site, token};
use tokio_util::sync::CancellationToken;

use super::ADVICE;
use super::answer::Office;
use super::rooms::Rooms;
use crate::command::Context;
use crate::desk::Desks;
use crate::error::{HostError, Result};
use crate::interrupt::{self, Phase};
use crate::platform::Native;
use crate::{listen, report};

/// What is started once the sandboxes are served.
pub struct Programs<'a> {
    /// What has to end well first, if there is such a thing.
    pub first: Option<First<'a>>,
    /// The agent.
    pub agent: Command,
}

/// What prepares an agent's place.
pub struct First<'a> {
    /// The program.
    pub command: Command,
    /// What is done once it has ended well.
    pub then: Box<dyn FnOnce() -> Result<()> + 'a>,
}

/// Runs an agent's program. The sandboxes of the home are served on a loopback address meanwhile, each to its own tokens. `programs` gets
/// that address.
///
/// # Errors
/// If the address cannot be had, or a program cannot be started, or the first of two fails. `explain` explains the second.
pub fn beside<'a>(
    context: &Context,
    programs: impl FnOnce(SocketAddr) -> Result<Programs<'a>>,
    explain: impl FnOnce(std::io::Error) -> HostError,
    failed: impl FnOnce(String) -> HostError,
) -> anyhow::Result<ExitStatus> {
    let operator = token::of_operator(&Native::new(context.clock.clone()))?;
    Desks::new().serve(async |desks| {
        let (listener, address) = listen::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
        let rooms = Rooms::new(context.home.clone(), context.clock.clone(), desks.opener());
        let site = Site::at(address.ip(), ADVICE);
        // Nobody knows the operator's token.
        let office = Arc::new(Office::new(rooms, Operator(token::hash(&operator)), site));
        let answer = move |request| {
            let office = Arc::clone(&office);
            async move { office.answer(request).await }
        };
        let never = CancellationToken::new();
        let served = listen::serve(listener, never, answer);
        tokio::pin!(served);
        let Programs { first, agent } = programs(address)?;
        context.clock.ensure_wanted()?;
        if let Some(First { command, then }) = first {
            let ended = tokio::select! {
                output = tokio::process::Command::from(command).output() => output,
                () = &mut served => unreachable!("nobody ends it"),
            };
            let why = match ended {
                Ok(output) if output.status.success() => None,
                Ok(output) => Some(String::from_utf8_lossy(&output.stderr).trim_end().to_owned()),
                Err(error) => Some(error.to_string()),
            };
            why.map_or(Ok(()), |why| Err(failed(why)))?;
            then()?;
        }
        // The terminal and its keys are the agent's for as long as it runs.
        let _theirs = (interrupt::during(Phase::Outside), report::keep_notes());
        let mut agent = tokio::process::Command::from(agent).spawn().map_err(explain)?;
        tokio::select! {
            exited = agent.wait() => Ok(exited?),
            () = &mut served => unreachable!("nobody ends it"),
        }
    })
}
