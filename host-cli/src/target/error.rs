//! Errors of a target before anything is pushed to it.

use std::error::Error;

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

    pub(super) fn caused_by(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    pub(super) fn damaged(what: impl Into<String>, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        TargetError::new(TargetErrorKind::Damaged, what).hint("run `git fsck` in that repository").caused_by(source)
    }

    pub(super) fn io(what: &str, path: &std::path::Path, source: std::io::Error) -> Self {
        TargetError::system(format!("cannot {what} {}", path.display()), source)
    }

    /// A failure of the filesystem. `what` says what was being done.
    pub(super) fn system(what: String, source: std::io::Error) -> Self {
        use std::io::ErrorKind;
        let (kind, hint) = match source.kind() {
            ErrorKind::PermissionDenied => {
                (TargetErrorKind::ReadOnly, Some("check who owns the repository and may write there"))
            }
            ErrorKind::ReadOnlyFilesystem => (TargetErrorKind::ReadOnly, Some("use a repository on a writable disk")),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                (TargetErrorKind::Io, Some("free some space, then try again"))
            }
            _ => (TargetErrorKind::Io, None),
        };
        let error = TargetError::new(kind, format!("{what}: {source}")).caused_by(source);
        TargetError { hint: hint.map(str::to_owned), ..error }
    }
}
