//! Describes a call of a tool: who may make it, what it does, how risky it is, and the line that a person reads before allowing it.
//!
//! Each tool declares this in its own file (SRD appendix A and section 2.16; the git toolset's reference for its own tools). The component
//! only describes a call. The host's policy decides whether to ask anybody.

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
    /// People, and agents if the sandbox's options let them propose a push.
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

/// What a policy needs to know about a tool. The names are those of MCP's tool annotations.
pub struct Annotations {
    /// Who may call the tool.
    pub mode: Mode,
    /// Whether the tool never changes anything, whatever its arguments.
    pub read_only: bool,
    /// Whether the tool may remove or replace existing data.
    pub destructive: bool,
    /// Whether repeating a call changes nothing more.
    pub idempotent: bool,
    /// Whether the tool reaches beyond the sandbox.
    pub open_world: bool,
    /// The approval that a call needs before it runs, if it needs one.
    asks: fn(&Value) -> Option<Approval>,
}

impl Annotations {
    /// Annotations of a tool that only reads.
    pub const fn reads() -> Annotations {
        Annotations { read_only: true, ..Annotations::writes() }.idempotent()
    }

    /// Annotations of a tool that changes something without asking anybody first.
    pub const fn writes() -> Annotations {
        Annotations::asks(|_| None)
    }

    /// Annotations of a tool that changes something. The arguments decide which approval a call needs.
    pub const fn asks(asks: fn(&Value) -> Option<Approval>) -> Annotations {
        let mode = Mode::Both;
        Annotations { mode, read_only: false, destructive: false, idempotent: false, open_world: false, asks }
    }

    /// Restricts the tool to callers of `mode`.
    pub const fn only(self, mode: Mode) -> Annotations {
        Annotations { mode, ..self }
    }

    /// Says that the tool may remove or replace existing data.
    pub const fn destructive(self) -> Annotations {
        Annotations { destructive: true, ..self }
    }

    /// Says that repeating a call changes nothing more.
    pub const fn idempotent(self) -> Annotations {
        Annotations { idempotent: true, ..self }
    }

    /// Says that the tool reaches beyond the sandbox.
    pub const fn open_world(self) -> Annotations {
        Annotations { open_world: true, ..self }
    }

    /// The approval that a call with these arguments needs before it runs.
    pub fn approval(&self, arguments: &Value) -> Option<Approval> {
        (self.asks)(arguments)
    }
}
