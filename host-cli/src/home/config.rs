//! `gitgate.toml`: the person's settings for all sandboxes.

use std::path::Path;

use gate::policy::PushMode;
use serde::{Deserialize, Serialize};

use crate::error::{ErrorKind, HostError, Result};
use crate::limits;

/// The whole file. Every key has a default. An unknown key is an error, because it may be a
/// misspelt limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// True if `--yes` may approve a push, so that nobody reviews the diff.
    #[serde(default)]
    pub unattended: bool,
    #[serde(default)]
    approval: Approval,
    #[serde(default)]
    tools: Tools,
}

/// `[approval]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Approval {
    /// True if options such as `--approve` may answer where no person sits at a terminal.
    without_terminal: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tools {
    #[serde(default)]
    git: GitSettings,
}

/// `[tools.git]`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct GitSettings {
    /// True if the git tools are on.
    pub enabled: bool,
    /// Default time of a git tool in milliseconds, 100 to 600,000.
    #[serde(deserialize_with = "timeout_ms")]
    pub timeout_ms: u64,
    /// Default size of a git tool's text in bytes, 1 to 5,000,000.
    #[serde(deserialize_with = "max_bytes")]
    pub max_bytes: u64,
    /// Who may start a push, unless the sandbox has its own setting.
    pub push: PushMode,
}

impl Default for GitSettings {
    fn default() -> Self {
        let (timeout_ms, max_bytes) = (limits::USUAL_CALL_MS, limits::USUAL_TEXT_BYTES);
        GitSettings { enabled: true, timeout_ms, max_bytes, push: PushMode::Manual }
    }
}

impl Config {
    /// Reads the file at `path`. A missing file gives the defaults.
    pub fn read(path: &Path) -> Result<Self> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
            Err(error) => return Err(HostError::io("read", path, &error)),
        };
        toml::from_str(&text).map_err(|error| misread(path, &text, &error))
    }

    /// Whether a command line may decide, or call as the user, without a person at a terminal. A push
    /// that nobody has to look at needs nobody at a terminal either.
    pub fn without_terminal(&self) -> bool {
        self.approval.without_terminal || self.unattended
    }

    /// `[tools.git]`
    pub fn git(&self) -> &GitSettings {
        &self.tools.git
    }
}

/// The error for a malformed file, with its line.
pub(super) fn misread(path: &Path, text: &str, error: &toml::de::Error) -> HostError {
    let line = error.span().map(|span| 1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count());
    let place = match line {
        Some(line) => format!("{}:{line}", path.display()),
        None => path.display().to_string(),
    };
    HostError::new(ErrorKind::Usage, format!("{place}: {}", error.message().replace('\n', ", ")))
        .hint("correct that line, or remove it to get the default")
}

fn timeout_ms<'de, D: serde::Deserializer<'de>>(value: D) -> Result<u64, D::Error> {
    within(value, "timeout_ms", limits::LEAST_CALL_MS, limits::CALL_MS)
}

fn max_bytes<'de, D: serde::Deserializer<'de>>(value: D) -> Result<u64, D::Error> {
    within(value, "max_bytes", 1, limits::TEXT_BYTES)
}

fn within<'de, D: serde::Deserializer<'de>>(value: D, name: &str, least: u64, most: u64) -> Result<u64, D::Error> {
    let number = i64::deserialize(value)?;
    u64::try_from(number)
        .ok()
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| serde::de::Error::custom(format!("{name} is {number}; it must be between {least} and {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gitgate.toml");
        std::fs::write(&path, text).unwrap();
        Config::read(&path).map_err(|mut error| {
            error.message = error.message.replace(&folder.path().display().to_string(), "");
            error
        })
    }

    #[test]
    fn no_file_and_an_empty_file_are_the_defaults() {
        assert_eq!(Config::read(Path::new("/nowhere/gitgate.toml")).unwrap(), Config::default());
        let config = read("").unwrap();
        assert!(!config.unattended);
        let git = GitSettings { enabled: true, timeout_ms: 30_000, max_bytes: 200_000, push: PushMode::Manual };
        assert_eq!(config.git(), &git);
    }

    #[test]
    fn what_the_file_says_counts() {
        let text = "unattended = true\n[tools.git]\nenabled = false\ntimeout_ms = 100\nmax_bytes = 5000000\npush = \"assisted\"\n";
        let config = read(text).unwrap();
        assert!(config.unattended);
        let git = GitSettings { enabled: false, timeout_ms: 100, max_bytes: 5_000_000, push: PushMode::Assisted };
        assert_eq!(config.git(), &git);
    }

    #[test]
    fn an_error_names_the_file_the_line_and_the_reason() {
        let message = |text| read(text).unwrap_err().message;
        assert_eq!(
            message("unattended = false\n[tools.git]\ntimeout_ms = 99\n"),
            "/gitgate.toml:3: timeout_ms is 99; it must be between 100 and 600000"
        );
        assert_eq!(
            message("[tools.git]\nmax_bytes = 5000001"),
            "/gitgate.toml:2: max_bytes is 5000001; it must be between 1 and 5000000"
        );
        assert_eq!(
            message("[tools.git]\nmax_bytes = -1"),
            "/gitgate.toml:2: max_bytes is -1; it must be between 1 and 5000000"
        );
        assert_eq!(
            message("unattend = true"),
            "/gitgate.toml:1: unknown field `unattend`, expected one of `unattended`, `approval`, `tools`"
        );
        assert_eq!(
            message("[tools.git]\npush = \"agent\""),
            "/gitgate.toml:2: unknown variant `agent`, expected `manual` or `assisted`"
        );
        assert_eq!(message("\nunattended = 1"), "/gitgate.toml:2: invalid type: integer `1`, expected a boolean");
        assert!(message("unattended = ").starts_with("/gitgate.toml:1: "));
    }
}
