//! The variables that say how git reaches servers and signs.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;

use crate::program;

/// What git and ssh need to find the person's configuration, keys and helpers, and a server. Variables that put
/// configuration into git itself, such as `GIT_CONFIG_COUNT`, are not among them, nor are those of a repository.
const NAMES: [&str; 36] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_CACHE_HOME",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "SSH_AUTH_SOCK",
    "SSH_ASKPASS",
    "SSH_ASKPASS_REQUIRE",
    "GIT_ASKPASS",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_EXEC_PATH",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
    "GNUPGHOME",
    "GPG_TTY",
    "PINENTRY_USER_DATA",
    "SSH_SK_PROVIDER",
    "TERM",
    "SSL_CERT_FILE",
];

/// The variables of a process that count for git servers and signatures. A value may be a secret, so there is no `Debug`.
#[derive(Clone)]
pub struct Environment(BTreeMap<String, OsString>);

impl Environment {
    /// Those of this process.
    pub fn of_process() -> Self {
        Environment::of(std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))))
    }

    /// Those of these that count.
    pub fn of<N: Into<String>, V: Into<OsString>>(variables: impl IntoIterator<Item = (N, V)>) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
        Environment(variables.filter(|(name, _)| NAMES.contains(&name.as_str())).collect())
    }

    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.get(name).map(OsString::as_os_str)
    }

    /// The text of a variable that is set and not empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.to_str().filter(|text| !text.is_empty())
    }

    pub fn home(&self) -> Option<PathBuf> {
        self.get("HOME").map(PathBuf::from).filter(|home| home.is_absolute())
    }

    /// A command that runs the program `name`, by its path or as it is found, with these variables alone.
    pub fn program(&self, name: &str) -> Option<Command> {
        let found = if name.starts_with('/') { Some(name.into()) } else { program::find(name, self.get("PATH")) };
        let mut command = Command::new(found?);
        command.env_clear().envs(&self.0);
        Some(command)
    }

    /// git, which asks nobody on a terminal: what is written there may be a conversation with an agent.
    pub fn git(&self) -> Option<Command> {
        let mut command = self.program("git")?;
        command.env("GIT_TERMINAL_PROMPT", "0");
        Some(command)
    }
}
