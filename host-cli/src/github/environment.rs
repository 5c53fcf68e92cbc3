//! The variables that say where GitHub is and who the person is there.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// The person's token.
pub(super) const TOKEN: &str = "GITHUB_TOKEN";
/// The address of the API.
pub(super) const API_URL: &str = "GITHUB_API_URL";
/// Where programs are.
pub(super) const PATH: &str = "PATH";

/// What the GitHub CLI needs to find the person's configuration and keyring. Tokens in variables of
/// its own are not among them: it would give them for any server.
pub(super) const OF_GH: [&str; 11] = [
    PATH,
    "HOME",
    "USER",
    "LOGNAME",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "GH_CONFIG_DIR",
];

/// The variables of a process that count for GitHub. A value may be a secret, so there is no
/// `Debug`.
#[derive(Clone)]
pub struct Environment(BTreeMap<&'static str, OsString>);

impl Environment {
    /// Those of this process.
    pub fn of_process() -> Self {
        let names = OF_GH.into_iter().chain([TOKEN, API_URL]);
        Environment(names.filter_map(|name| Some((name, std::env::var_os(name)?))).collect())
    }

    /// These and no others.
    #[cfg(test)]
    pub fn of<V: Into<OsString>>(variables: impl IntoIterator<Item = (&'static str, V)>) -> Self {
        Environment(variables.into_iter().map(|(name, value)| (name, value.into())).collect())
    }

    pub(super) fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.get(name).map(OsString::as_os_str)
    }
}
