//! What a call is: who may make it, what it does, how risky that is, and the line that a person reads before allowing it.
//!
//! This table is the one place that says so (SRD appendix A and section 2.16; the git toolset's reference for its own tools). The component
//! only describes a call; the host's policy decides whether anybody is asked.

mod asked;

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

/// One tool's row.
pub struct Row {
    /// The tool's name.
    pub tool: &'static str,
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

impl Row {
    /// The approval that a call with these arguments needs before it runs.
    pub fn approval(&self, arguments: &Value) -> Option<Approval> {
        (self.asks)(arguments)
    }
}

impl Row {
    const fn only(self, mode: Mode) -> Row {
        Row { mode, ..self }
    }

    const fn destructive(self) -> Row {
        Row { destructive: true, ..self }
    }

    const fn idempotent(self) -> Row {
        Row { idempotent: true, ..self }
    }

    const fn open_world(self) -> Row {
        Row { open_world: true, ..self }
    }
}

const fn reads(tool: &'static str) -> Row {
    Row { read_only: true, ..writes(tool) }.idempotent()
}

const fn writes(tool: &'static str) -> Row {
    asks(tool, |_| None)
}

const fn asks(tool: &'static str, asks: fn(&Value) -> Option<Approval>) -> Row {
    let mode = Mode::Both;
    Row { tool, mode, read_only: false, destructive: false, idempotent: false, open_world: false, asks }
}

/// In the order of the registry.
static TABLE: &[Row] = &[
    reads("read_file"),
    writes("write_file").destructive().idempotent(),
    writes("edit_file").destructive(),
    reads("list_files"),
    reads("search_files"),
    writes("move_file"),
    writes("delete_file").destructive().idempotent(),
    // With output_dir it writes patches, but only where a file tool could.
    writes("git_diff").idempotent(),
    reads("git_status"),
    reads("git_log"),
    reads("git_show"),
    reads("git_blame"),
    asks("git_restore", |arguments| Some(asked::restore(arguments))).destructive().idempotent(),
    asks("git_add", |arguments| Some(asked::add(arguments))).idempotent(),
    asks("git_commit", |arguments| Some(asked::commit(arguments))),
    asks("git_branch", asked::branch).destructive(),
    asks("git_checkout", |arguments| Some(asked::checkout(arguments))).destructive().idempotent(),
    asks("git_stash", asked::stash).destructive(),
    asks("git_stage", |arguments| Some(asked::stage(arguments))),
    // What it asks is the push itself, with everything that leaves the sandbox.
    writes("git_push").only(Mode::ManualPush).idempotent().open_world(),
    writes("git_discard").destructive(),
    writes("git_revise").only(Mode::Manual).destructive(),
    writes("git_pull").idempotent().open_world(),
    reads("git_merge"),
    reads("git_branches"),
    asks("task_record", |arguments| Some(asked::task_record(arguments))),
    reads("task_state"),
    reads("task_list"),
    reads("task_next"),
    reads("task_lessons"),
    reads("sandbox_history"),
    writes("sandbox_undo").destructive(),
    writes("sandbox_import").only(Mode::Manual).open_world(),
];

/// The row of `tool`.
pub fn row(tool: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.tool == tool)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_a_row_and_every_row_a_tool() {
        let rows: Vec<&str> = TABLE.iter().map(|row| row.tool).collect();
        let tools: Vec<&str> = crate::REGISTRY.iter().map(|tool| tool.name).collect();
        for tool in &tools {
            assert_eq!(rows.iter().filter(|row| row == &tool).count(), 1, "{tool}");
        }
        assert_eq!(rows.len(), tools.len());
    }
}
