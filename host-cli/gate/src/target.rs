//! Targets, in the canonical spelling that approvals are bound to.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    error::{Fault, FaultKind},
    text,
};

/// The kinds of target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetKind {
    /// A repository with a worktree on this machine.
    Local,
    /// A bare repository on this machine.
    Bare,
    /// A repository on GitHub.
    Github,
    /// A repository on any git server.
    Git,
}

impl TargetKind {
    /// The word before the colon.
    pub fn as_str(self) -> &'static str {
        match self {
            TargetKind::Local => "local",
            TargetKind::Bare => "bare",
            TargetKind::Github => "github",
            TargetKind::Git => "git",
        }
    }
}

/// A target as the host resolved it: `local:/abs/path`, `bare:/abs/path`, `github:owner/repo`,
/// `git:url`.
///
/// The same repository must always get the same spelling: names on GitHub are put into lower case,
/// and paths have their symlinks resolved by the host.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CanonicalTarget {
    kind: TargetKind,
    location: String,
}

impl CanonicalTarget {
    /// A target of `kind` at `location`.
    ///
    /// # Errors
    /// [`FaultKind::BadTarget`] if the location is not canonical or uses a transport that could run
    /// something or give a password away.
    pub fn new(kind: TargetKind, location: impl Into<String>) -> Result<Self, Fault> {
        let location = location.into();
        let broken = if location.chars().any(char::is_control) || text::has_hidden(location.as_bytes()) {
            Some("it has control or invisible characters")
        } else {
            match kind {
                TargetKind::Local | TargetKind::Bare => path_fault(&location),
                TargetKind::Github => github_fault(&location),
                TargetKind::Git => url_fault(&location),
            }
        };
        match broken {
            // GitHub ignores case in its names.
            None if kind == TargetKind::Github => Ok(CanonicalTarget { kind, location: location.to_ascii_lowercase() }),
            None => Ok(CanonicalTarget { kind, location }),
            Some(why) => Err(Fault::new(
                FaultKind::BadTarget,
                format!("'{}:{}' is not a target: {why}", kind.as_str(), text::name(location.as_bytes())),
            )
            .with_hint("use local:/path, bare:/path, github:owner/repo or git:https://host/path")),
        }
    }

    /// The kind of target.
    pub fn kind(&self) -> TargetKind {
        self.kind
    }

    /// The part after the colon.
    pub fn location(&self) -> &str {
        &self.location
    }
}

fn path_fault(path: &str) -> Option<&'static str> {
    let drive = path
        .as_bytes()
        .get(..3)
        .is_some_and(|start| start[0].is_ascii_alphabetic() && start[1] == b':' && matches!(start[2], b'\\' | b'/'));
    if !path.starts_with('/') && !drive {
        return Some("its path is not absolute");
    }
    path.split(['/', '\\']).any(|part| part == "." || part == "..").then_some("its path has a component '.' or '..'")
}

/// Why `location` does not name a repository on GitHub, if it does not.
pub(crate) fn github_fault(location: &str) -> Option<&'static str> {
    let is_word = |word: &str, signs: &[u8]| {
        (1..=100).contains(&word.len())
            && !word.starts_with('-')
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || signs.contains(&byte))
    };
    match location.split_once('/') {
        Some((owner, name)) if is_word(owner, b"-_") && is_word(name, b"-_.") && name != "." && name != ".." => {
            // GitHub drops the ending, so two names would stand for one repository.
            name.to_ascii_lowercase().ends_with(".git").then_some("its name ends in .git")
        }
        _ => Some("it is not owner/repository"),
    }
}

fn url_fault(url: &str) -> Option<&'static str> {
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme @ ("https" | "http" | "ssh" | "git"), rest)) => (scheme, rest),
        _ => return Some("it is not an https, http, ssh or git URL"),
    };
    let authority = rest.split('/').next().unwrap_or_default();
    if authority.contains(['?', '#']) {
        // To git all before the slash is the host, with a user before the last '@'; to others the
        // host ends here.
        return Some("its host name has a '?' or '#'");
    }
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    if user.is_some_and(|user| scheme != "ssh" || user.contains(':') || user.is_empty() || user.starts_with('-')) {
        return Some("it carries a user name or password");
    }
    if host.is_empty() || host.starts_with('-') || host.starts_with(':') {
        return Some("it has no host name");
    }
    url.bytes().any(|byte| byte == b' ' || byte == b'\\').then_some("it has a space or backslash")
}

impl FromStr for CanonicalTarget {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let unknown = || {
            Fault::new(FaultKind::BadTarget, format!("'{}' is not a target", text::name(text.as_bytes())))
                .with_hint("use local:/path, bare:/path, github:owner/repo or git:https://host/path")
        };
        let (kind, location) = text.split_once(':').ok_or_else(unknown)?;
        let kind = match kind {
            "local" => TargetKind::Local,
            "bare" => TargetKind::Bare,
            "github" => TargetKind::Github,
            "git" => TargetKind::Git,
            _ => return Err(unknown()),
        };
        CanonicalTarget::new(kind, location)
    }
}

impl TryFrom<String> for CanonicalTarget {
    type Error = Fault;

    fn try_from(text: String) -> Result<Self, Fault> {
        text.parse()
    }
}

impl From<CanonicalTarget> for String {
    fn from(target: CanonicalTarget) -> String {
        target.to_string()
    }
}

impl fmt::Display for CanonicalTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind.as_str(), self.location)
    }
}
