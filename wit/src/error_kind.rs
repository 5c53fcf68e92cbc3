//! The names of the kinds of error.

use crate::ErrorKind;

impl ErrorKind {
    /// Its name in the interface and in `--json` output, which programs act on.
    pub fn name(&self) -> &'static str {
        match self {
            ErrorKind::BadArgs => "bad-args",
            ErrorKind::UnknownTool => "unknown-tool",
            ErrorKind::NotARepository => "not-a-repository",
            ErrorKind::SandboxViolation => "sandbox-violation",
            ErrorKind::NotFound => "not-found",
            ErrorKind::Conflict => "conflict",
            ErrorKind::ExecutionFailed => "execution-failed",
            ErrorKind::Timeout(_) => "timeout",
            ErrorKind::Cancelled => "cancelled",
            ErrorKind::Rejected(_) => "rejected",
            ErrorKind::NotPermitted => "not-permitted",
            ErrorKind::OutOfSpace => "out-of-space",
        }
    }
}
