//! What a call of a tool is: who may make it, what it does, how risky that is, and the line that a person reads before allowing it.
//!
//! Each tool says so where it stands (SRD appendix A and section 2.16; the git toolset's reference for its own tools). The component only
//! describes a call; the host's policy decides whether anybody is asked.

pub mod summary;

use serde_json::Value;

use crate::call::Caller;
use crate::options::Options;
pub use crate::question::{Approval, Risk};

/// Who may call a tool.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mode {
    /// Agents and people.
    Both,
    /// People; agents where the sandbox's options let them propose a push.
    ManualPush,
    /// People only.
    Manual,
}

impl Mode {
    /// Whether `caller` may call tools of this mode.
    pub fn allows(self, caller: Caller, options: &Options) -> bool {
        match (self, caller) {
            (Mode::Both, _) | (_, Caller::User) => true,
            (Mode::ManualPush, Caller::Agent) => options.agent_may_propose_push,
            (Mode::Manual, Caller::Agent) => false,
        }
    }
}

/// What a tool is to whoever decides about its calls. The words are those of MCP's tool annotations.
pub struct Annotations {
    /// Who may call it.
    pub mode: Mode,
    /// Whether it never changes anything, whatever the arguments.
    pub read_only: bool,
    /// Whether it may remove or replace what is there.
    pub destructive: bool,
    /// Whether the same call made again changes nothing more.
    pub idempotent: bool,
    /// Whether it reaches beyond the sandbox.
    pub open_world: bool,
    /// The approval that this call needs, if it needs one before it runs.
    asks: fn(&Value) -> Option<Approval>,
}

impl Annotations {
    /// Those of a tool that only reads.
    pub const fn reads() -> Annotations {
        Annotations { read_only: true, ..Annotations::writes() }.idempotent()
    }

    /// Those of a tool that changes something and asks nobody before it runs.
    pub const fn writes() -> Annotations {
        Annotations::asks(|_| None)
    }

    /// Those of a tool that changes something, with the approval that a call needs by its arguments.
    pub const fn asks(asks: fn(&Value) -> Option<Approval>) -> Annotations {
        let mode = Mode::Both;
        Annotations { mode, read_only: false, destructive: false, idempotent: false, open_world: false, asks }
    }

    /// The same for callers of `mode` only.
    pub const fn only(self, mode: Mode) -> Annotations {
        Annotations { mode, ..self }
    }

    /// The same of a tool that may remove or replace what is there.
    pub const fn destructive(self) -> Annotations {
        Annotations { destructive: true, ..self }
    }

    /// The same of a tool that changes nothing more when its call is made again.
    pub const fn idempotent(self) -> Annotations {
        Annotations { idempotent: true, ..self }
    }

    /// The same of a tool that reaches beyond the sandbox.
    pub const fn open_world(self) -> Annotations {
        Annotations { open_world: true, ..self }
    }

    /// The approval that a call with these arguments needs before it runs.
    pub fn approval(&self, arguments: &Value) -> Option<Approval> {
        (self.asks)(arguments)
    }
}
