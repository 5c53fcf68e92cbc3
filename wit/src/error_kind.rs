//! The names of the kinds of error.

use crate::ErrorKind;

/// The name of an error's kind in the interface, which programs act on. The enum `$Kind` has the
/// interface's cases. What they hold is its own.
#[macro_export]
macro_rules! error_kind_name {
    ($kind:expr, $Kind:ident) => {
        match $kind {
            $Kind::BadArgs => "bad-args",
            $Kind::UnknownTool => "unknown-tool",
            $Kind::NotARepository => "not-a-repository",
            $Kind::SandboxViolation => "sandbox-violation",
            $Kind::NotFound => "not-found",
            $Kind::Conflict => "conflict",
            $Kind::ExecutionFailed => "execution-failed",
            $Kind::Timeout { .. } => "timeout",
            $Kind::Cancelled => "cancelled",
            $Kind::Rejected { .. } => "rejected",
            $Kind::NotPermitted => "not-permitted",
            $Kind::OutOfSpace => "out-of-space",
        }
    };
}

impl ErrorKind {
    /// Its name in the interface, which programs act on.
    pub fn name(&self) -> &'static str {
        error_kind_name!(self, ErrorKind)
    }
}
