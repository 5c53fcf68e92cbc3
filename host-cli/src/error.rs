//! The host's own error: what went wrong outside the sandbox, and what a person can do about it.

use std::path::Path;

/// What sort of error it is, in the spelling that `--json` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The command line, or what stands in a configuration file, makes no sense.
    Usage,
    /// There is no sandbox of that name.
    NoSuchSandbox,
    /// There is a sandbox of that name already.
    SandboxExists,
    /// Another process holds the sandbox.
    Busy,
    /// The operating system refused to read or write something.
    Storage,
    /// What lies in the home folder is not what was put there.
    Damaged,
    /// The component could not be loaded, or it stopped in a way that it never should.
    Component,
    /// The component refused what the host asked of it.
    Session,
    /// A person has not approved the call, or could not be asked.
    NotApproved,
    /// The gate refuses what a sandbox or a repository gave.
    Refused,
    /// The person called it off.
    Interrupted,
    /// An earlier push to the same branch is in doubt.
    InDoubt,
    /// What would be removed is nowhere else.
    Unpushed,
}

impl ErrorKind {
    /// The word that programs act on.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Usage => "usage",
            ErrorKind::NoSuchSandbox => "no-such-sandbox",
            ErrorKind::SandboxExists => "sandbox-exists",
            ErrorKind::Busy => "busy",
            ErrorKind::Storage => "storage",
            ErrorKind::Damaged => "damaged",
            ErrorKind::Component => "component",
            ErrorKind::Session => "session",
            ErrorKind::NotApproved => "not-approved",
            ErrorKind::Refused => "refused",
            ErrorKind::Interrupted => "interrupted",
            ErrorKind::InDoubt => "in-doubt",
            ErrorKind::Unpushed => "unpushed",
        }
    }
}

/// An error with its kind, a sentence without a full stop, and what to do about it (empty where nothing can be done).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct HostError {
    /// What programs act on.
    pub kind: ErrorKind,
    /// What went wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// A result of the host's own work.
pub type Result<T, E = HostError> = std::result::Result<T, E>;

impl HostError {
    /// An error without a hint.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        HostError { kind, message: message.into(), hint: String::new() }
    }

    /// The same error with what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// The filesystem refused to `what` the file or folder at `path`.
    pub fn io(what: &str, path: &Path, error: &std::io::Error) -> Self {
        let hint = match error.kind() {
            std::io::ErrorKind::PermissionDenied => "check who owns the folder, or name another with --home",
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => "free some space, then try again",
            std::io::ErrorKind::ReadOnlyFilesystem => "name a folder on a writable disk with --home",
            _ => "",
        };
        HostError::new(ErrorKind::Storage, format!("cannot {what} {}: {error}", path.display())).hint(hint)
    }
}

impl From<gate::Fault> for HostError {
    /// A fault outside of any call: of the ledger, or of what a person gave.
    fn from(fault: gate::Fault) -> Self {
        let kind = match fault.kind {
            gate::FaultKind::DamagedLedger => ErrorKind::Damaged,
            gate::FaultKind::Host => ErrorKind::Storage,
            gate::FaultKind::BadRef | gate::FaultKind::BadTarget => ErrorKind::Usage,
            _ => ErrorKind::Refused,
        };
        HostError::new(kind, fault.message).hint(fault.hint)
    }
}

/// Names what was being done when the filesystem said no.
pub(crate) trait Doing<T> {
    /// Turns the error into one that says what was being done, and to which path.
    fn doing(self, what: &str, path: &Path) -> Result<T>;
}

impl<T> Doing<T> for std::io::Result<T> {
    fn doing(self, what: &str, path: &Path) -> Result<T> {
        self.map_err(|error| HostError::io(what, path, &error))
    }
}
