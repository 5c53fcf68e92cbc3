//! What git's helpers know of the person at a server (git-credential).

use std::fmt;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use http::Uri;

use super::netrc;
use crate::error::Result;
use crate::program::{self, Environment};
use crate::sandbox::Clock;

/// How long a helper may take. It may ask the person in a window of its own.
const LIMIT: Duration = Duration::from_secs(120);

/// A name and a password for one server.
pub struct Credentials {
    name: String,
    password: String,
    /// What git's helpers know it by, if they gave it.
    asked: Option<String>,
}

impl Credentials {
    /// What there is for the repository at `url`: `.netrc` first, as git does, then the helpers. `is_known_wrong` says
    /// that the first was tried.
    pub fn find(url: &Uri, is_known_wrong: bool, environment: &Environment, clock: &Clock) -> Result<Option<Self>> {
        let host = url.host().unwrap_or_default();
        let file = environment.home().map(|home| home.join(".netrc"));
        if let Some(login) = file.filter(|_| !is_known_wrong).and_then(|file| netrc::find(&file, host)) {
            return Ok(Some(Credentials { name: login.name, password: login.password, asked: None }));
        }
        let authority = url.authority().map_or("", |authority| authority.as_str());
        let path = url.path().trim_start_matches('/');
        let asked = format!("protocol={}\nhost={authority}\npath={path}\n", url.scheme_str().unwrap_or_default());
        let Some(said) = run("fill", &asked, environment, clock)? else { return Ok(None) };
        let value = |name: &str| {
            let mut lines = said.lines().filter_map(|line| line.split_once('='));
            lines.find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
        };
        let (Some(name), Some(password)) = (value("username"), value("password")) else { return Ok(None) };
        Ok(Some(Credentials { name, password, asked: Some(said) }))
    }

    /// The header that signs a request.
    pub fn header(&self) -> Option<HeaderValue> {
        let pair = STANDARD.encode(format!("{}:{}", self.name, self.password));
        let mut header = HeaderValue::from_str(&format!("Basic {pair}")).ok()?;
        header.set_sensitive(true);
        Some(header)
    }

    /// Whether git's helpers gave it.
    pub fn is_of_helper(&self) -> bool {
        self.asked.is_some()
    }

    /// Tells the helpers that the server takes it, or does not.
    pub fn tell(&self, is_right: bool, environment: &Environment, clock: &Clock) -> Result<()> {
        let Some(asked) = &self.asked else { return Ok(()) };
        run(if is_right { "approve" } else { "reject" }, asked, environment, clock).map(drop)
    }

    /// `text` without the password.
    pub fn redact(&self, text: &str) -> String {
        if self.password.is_empty() { text.to_owned() } else { text.replace(&self.password, "***") }
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(***)")
    }
}

fn run(command: &str, input: &str, environment: &Environment, clock: &Clock) -> Result<Option<String>> {
    let Some(mut git) = environment.git() else { return Ok(None) };
    git.args(["credential", command]);
    program::ask(git, input, LIMIT, clock)
}
