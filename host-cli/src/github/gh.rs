//! Asks the GitHub CLI for the person's token.

use std::process::Command;
use std::time::Duration;

use super::environment::{Environment, OF_GH, PATH};
use crate::error::Result;
use crate::program;
use crate::sandbox::Clock;

/// How long it may take. A keyring may ask the person to unlock it.
pub(super) const LIMIT: Duration = Duration::from_secs(20);

/// What `gh auth token` prints for `host`, or `None` if there is no such program, it has no token,
/// or it does not end in time.
///
/// # Errors
/// The person called it off.
pub(super) fn token(environment: &Environment, host: &str, limit: Duration, clock: &Clock) -> Result<Option<String>> {
    let Some(program) = program::find("gh", environment.get(PATH)) else { return Ok(None) };
    let mut command = Command::new(program);
    command.args(["auth", "token", "--hostname", host]);
    command.env_clear().envs(OF_GH.into_iter().filter_map(|name| Some((name, environment.get(name)?))));
    command.envs([("GH_PROMPT_DISABLED", "1"), ("GH_NO_UPDATE_NOTIFIER", "1")]);
    program::ask(command, "", limit, clock)
}
