//! The host's own error: what went wrong outside the sandbox, and what a person can do about it.

use crate::hint::Hint;

/// What sort of error it is, in the spelling that `--json` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The command line or a configuration file is invalid.
    Usage,
    /// There is no sandbox of that name.
    NoSuchSandbox,
    /// A sandbox of that name already exists.
    SandboxExists,
    /// Another process holds the sandbox.
    Busy,
    /// The operating system refused to read or write something.
    Storage,
    /// A file in the home folder is not what gitgate wrote.
    Damaged,
    /// The component could not be loaded, or it broke its interface or stopped unexpectedly.
    Component,
    /// The component refused the host's request.
    Session,
    /// A person has not approved the call, or could not be asked.
    NotApproved,
    /// The gate refused data from a sandbox or a repository.
    Refused,
    /// The person interrupted it.
    Interrupted,
    /// An earlier push to the same branch is in doubt.
    InDoubt,
    /// The work to be removed exists nowhere else.
    Unpushed,
}

impl ErrorKind {
    /// The name that `--json` prints.
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

/// An error with its kind, a sentence without a full stop, and what to do about it (empty where
/// nothing can be done).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct HostError {
    /// What programs act on.
    pub kind: ErrorKind,
    /// What went wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Hint,
}

/// A result of the host's own work.
pub type Result<T, E = HostError> = std::result::Result<T, E>;

impl HostError {
    /// An error without a hint.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        HostError { kind, message: message.into(), hint: Hint::default() }
    }

    /// The same error with what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Hint>) -> Self {
        self.hint = hint.into();
        self
    }
}

impl From<gate::Fault> for HostError {
    /// For a fault outside any call: in the ledger, or in what a person entered.
    fn from(fault: gate::Fault) -> Self {
        let kind = match fault.kind {
            gate::FaultKind::DamagedLedger => ErrorKind::Damaged,
            gate::FaultKind::Host => ErrorKind::Storage,
            gate::FaultKind::BadRef | gate::FaultKind::BadTarget | gate::FaultKind::BadComment => ErrorKind::Usage,
            _ => ErrorKind::Refused,
        };
        HostError::new(kind, fault.message).hint(fault.hint)
    }
}
