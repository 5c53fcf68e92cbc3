//! What git's configuration says of a server (git-config, `http.<url>.*`).

use std::collections::HashMap;
use std::process::Command;
use std::time::Duration;

use crate::error::{ErrorKind, HostError, Result};
use crate::program::{self, Environment};
use crate::sandbox::Clock;

/// git reads a few files.
const LIMIT: Duration = Duration::from_secs(20);

/// The settings for one server.
#[derive(Clone, Default)]
pub struct Settings(HashMap<String, String>);

impl Settings {
    /// Those of `http` for the repository at `url`. Without git there are none.
    pub fn of(url: &str, environment: &Environment, clock: &Clock) -> Result<Self> {
        let Some(mut git) = environment.git() else { return Ok(Settings::default()) };
        git.args(["config", "--includes", "--null", "--get-urlmatch", "http", url]);
        let said = said(git, clock)?.unwrap_or_default();
        let settings = said.split('\0').filter_map(|entry| {
            let (name, value) = entry.split_once('\n').unwrap_or((entry, "true"));
            Some((name.strip_prefix("http.")?.to_ascii_lowercase(), value.to_owned()))
        });
        Ok(Settings(settings.collect()))
    }

    /// A setting by its name in lower case, if it is set and not empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether it is set to nothing, which takes back what is said elsewhere.
    pub fn is_emptied(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(String::is_empty)
    }
}

/// What `git config` prints, `None` if it finds nothing. What it cannot read may be the person's own certificates or
/// proxy, without which nothing may be sent.
fn said(git: Command, clock: &Clock) -> Result<Option<String>> {
    match program::run(git, "", LIMIT, clock)? {
        Some((0, said)) => Ok(Some(said)),
        Some((1, _)) => Ok(None),
        _ => Err(HostError::new(ErrorKind::Usage, "git cannot read its configuration")
            .hint("see what `git config --list` says")),
    }
}

/// One setting of git's that is about no server.
pub fn one(name: &str, environment: &Environment, clock: &Clock) -> Result<Option<String>> {
    let Some(mut git) = environment.git() else { return Ok(None) };
    git.args(["config", "--includes", "--null", "--get", name]);
    Ok(said(git, clock)?.map(|said| said.trim_end_matches('\0').to_owned()).filter(|value| !value.is_empty()))
}
