//! Errors of a target before anything is pushed to it.

use std::error::Error;

use gate::forge::{self, Forge};

/// Why a target cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetErrorKind {
    /// The text does not name a target.
    BadSpec,
    /// That place holds no repository.
    NotARepository,
    /// The repository exists, but cannot be read.
    Damaged,
    /// An object that others refer to is missing.
    MissingObject,
    /// The branch that was named does not exist.
    NoSuchBranch,
    /// The repository is not writable.
    ReadOnly,
    /// A kind of target or repository format that gitgate does not handle.
    Unsupported,
    /// Another program holds a lock that is needed.
    Locked,
    /// The repository belongs to another user, so its configuration cannot be trusted.
    Untrusted,
    /// The gate refused the repository's content.
    Refused,
    /// The operating system refused.
    Io,
}

/// An error with its kind, a sentence and an optional hint.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct TargetError {
    /// What programs act on.
    pub kind: TargetErrorKind,
    /// What went wrong, in one sentence without a full stop.
    pub message: String,
    /// What the person can do about it.
    pub hint: Option<String>,
    #[source]
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// What clients of a server can use.
pub const NOT_OVER_HTTP: &str =
    "name a repository on GitHub; of the machine that serves, only what the sandbox was made from can be reached";

impl TargetError {
    /// An error without a hint.
    pub fn new(kind: TargetErrorKind, message: impl Into<String>) -> Self {
        TargetError { kind, message: message.into(), hint: None, source: None }
    }

    /// The same error with what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same error with what caused it.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// A repository that this body cannot reach, however it is named.
    pub fn not_near(target: &str) -> Self {
        TargetError::new(TargetErrorKind::Unsupported, format!("cannot reach {target} from here"))
            .hint("export the commits to a bundle, or push from the machine that has the repository")
    }

    /// A repository on the machine of a server, which its clients may not name.
    pub fn not_over_http(target: &str) -> Self {
        TargetError::new(
            TargetErrorKind::Unsupported,
            format!("local repositories are not allowed over HTTP: {target}"),
        )
        .hint(NOT_OVER_HTTP)
    }

    /// The text of a target is wrong. The hint has the ways to write one.
    pub fn bad_spec(message: impl Into<String>) -> Self {
        let forges: Vec<String> = Forge::ALL.map(Forge::usage).into();
        TargetError::new(TargetErrorKind::BadSpec, message).hint(format!(
            "name a repository's folder, or write local:PATH, bare:PATH, {}, with #BRANCH if it is not the default",
            forges.join(" or ")
        ))
    }

    /// A forge does not know such a name.
    pub fn bad_name(fault: forge::Fault) -> Self {
        TargetError::new(TargetErrorKind::BadSpec, fault.message).hint(fault.hint)
    }

    /// A repository that exists and cannot be read.
    pub fn damaged(what: impl Into<String>, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        TargetError::new(TargetErrorKind::Damaged, what).hint("run `git fsck` in that repository").caused_by(source)
    }
}
