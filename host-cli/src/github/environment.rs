//! The variables that say where GitHub is and who the person is there.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::time::Duration;

use crate::error::{ErrorKind, HostError, Result};

/// The person's token.
pub(super) const TOKEN: &str = "GITHUB_TOKEN";
/// The address of the API.
pub(super) const API_URL: &str = "GITHUB_API_URL";
/// Seconds after which a silent request is given up.
const TIMEOUT: &str = "GITHUB_TIMEOUT";
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
        let names = OF_GH.into_iter().chain([TOKEN, API_URL, TIMEOUT]);
        Environment(names.filter_map(|name| Some((name, std::env::var_os(name)?))).collect())
    }

    /// These and no others.
    #[cfg(test)]
    pub fn of<V: Into<OsString>>(variables: impl IntoIterator<Item = (&'static str, V)>) -> Self {
        Environment(variables.into_iter().map(|(name, value)| (name, value.into())).collect())
    }

    /// The longest silence of a request, if the person has set it.
    ///
    /// # Errors
    /// It is none that a request can have.
    pub(super) fn silence(&self) -> Result<Option<Duration>> {
        let Some(value) = self.get(TIMEOUT) else { return Ok(None) };
        let seconds = value.to_str().and_then(|text| text.parse().ok()).filter(|seconds| (1..=600).contains(seconds));
        let wrong = || {
            HostError::new(ErrorKind::Usage, format!("{TIMEOUT} is no number of seconds from 1 to 600"))
                .hint("set it to such a number, or unset it")
        };
        seconds.map(|seconds| Some(Duration::from_secs(seconds))).ok_or_else(wrong)
    }

    pub(super) fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.get(name).map(OsString::as_os_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silence_is_a_number_of_seconds_or_an_error() {
        let silence = |value: &str| Environment::of([(TIMEOUT, value)]).silence();
        assert_eq!(Environment::of::<&str>([]).silence().unwrap(), None);
        assert_eq!(silence("1").unwrap(), Some(Duration::from_secs(1)));
        assert_eq!(silence("600").unwrap(), Some(Duration::from_secs(600)));
        for wrong in ["", "0", "601", "-1", "1.5", "soon"] {
            assert_eq!(silence(wrong).unwrap_err().kind, ErrorKind::Usage, "{wrong:?}");
        }
    }
}
