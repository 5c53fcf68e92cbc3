//! Errors of the interface: how a host makes one, and the names of their kinds.

use crate::{ErrorKind, ToolError};

impl ToolError {
    /// An error of the host itself, with nothing below it.
    pub fn new(kind: ErrorKind, message: impl Into<String>, hint: impl Into<String>) -> ToolError {
        ToolError { kind, message: message.into(), hint: hint.into(), causes: Vec::new() }
    }
}

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
