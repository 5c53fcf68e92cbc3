//! Targets, in the canonical spelling that approvals are bound to.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    error::{Fault, FaultKind},
    forge::Forge,
    text,
};

/// The kinds of target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TargetKind {
    /// A repository with a worktree on this machine.
    Local,
    /// A bare repository on this machine.
    Bare,
    /// A repository on a forge's server.
    Server(Forge),
}

impl TargetKind {
    /// All there are.
    pub fn all() -> impl Iterator<Item = TargetKind> {
        [TargetKind::Local, TargetKind::Bare].into_iter().chain(Forge::ALL.map(TargetKind::Server))
    }

    /// The kind of that word.
    pub fn of_word(word: &str) -> Option<TargetKind> {
        TargetKind::all().find(|kind| kind.as_str() == word)
    }

    /// The forge whose server it is on, if it is on one.
    pub fn forge(self) -> Option<Forge> {
        match self {
            TargetKind::Server(forge) => Some(forge),
            TargetKind::Local | TargetKind::Bare => None,
        }
    }

    /// The word before the colon.
    pub fn as_str(self) -> &'static str {
        match self {
            TargetKind::Local => "local",
            TargetKind::Bare => "bare",
            TargetKind::Server(forge) => forge.word(),
        }
    }
}

/// A target as the host resolved it: `local:/abs/path`, `bare:/abs/path`, or the word of a forge with a
/// location there.
///
/// The same repository must always get the same spelling: a forge puts names whose case it ignores into
/// lower case, and paths have their symlinks resolved by the host.
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
        let spelled = if location.chars().any(char::is_control) || text::has_hidden(location.as_bytes()) {
            Err("it has control or invisible characters")
        } else {
            match kind {
                TargetKind::Local | TargetKind::Bare => path_fault(&location).map_or_else(|| Ok(location.clone()), Err),
                TargetKind::Server(forge) => forge.canonical(&location),
            }
        };
        match spelled {
            Ok(location) => Ok(CanonicalTarget { kind, location }),
            Err(why) => Err(Fault::new(
                FaultKind::BadTarget,
                format!("'{}:{}' is not a target: {why}", kind.as_str(), text::name(location.as_bytes())),
            )
            .with_hint(usage())),
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

/// How to write a target of each kind that can be used.
fn usage() -> String {
    let forges: Vec<String> = Forge::ALL.map(Forge::example).into();
    format!("use local:/path, bare:/path, {}", forges.join(" or "))
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

impl FromStr for CanonicalTarget {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let unknown = || {
            Fault::new(FaultKind::BadTarget, format!("'{}' is not a target", text::name(text.as_bytes())))
                .with_hint(usage())
        };
        let (kind, location) = text.split_once(':').ok_or_else(unknown)?;
        let kind = TargetKind::of_word(kind).ok_or_else(unknown)?;
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
