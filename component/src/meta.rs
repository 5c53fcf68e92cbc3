//! What a journal record says of the call that made it.

use serde::{Deserialize, Serialize};
use tools::call::Moment;
use tools::{Caller, ToolCall};
use vfs::Root;
use vfs::diff::changed_paths;

/// The repository's own folder, whose files no entry names.
const GIT: &[u8] = b"/workspace/.git";
/// Paths that an entry names.
const NAMED_PATHS: usize = 20;
/// Characters of a summary.
const SUMMARY: usize = 120;

/// The facts of a call, as the history shows them.
#[derive(Deserialize, Serialize)]
pub struct Meta {
    pub id: String,
    pub tool: String,
    pub summary: String,
    pub caller: String,
    pub at: String,
    pub changed: Vec<String>,
}

impl Meta {
    /// A call that gave `text`.
    pub fn of(call: &ToolCall, text: &str) -> Meta {
        let caller = match call.caller {
            Caller::Agent => "agent",
            Caller::User => "user",
        };
        Meta {
            id: call.id.clone(),
            tool: call.tool.clone(),
            summary: text.lines().next().unwrap_or_default().chars().take(SUMMARY).collect(),
            caller: caller.to_owned(),
            at: call.now.rfc3339(),
            changed: Vec::new(),
        }
    }

    /// An undo that the host was asked for.
    pub fn of_undo(steps: u32, now: u64) -> Meta {
        Meta {
            id: String::new(),
            tool: "sandbox_undo".to_owned(),
            summary: format!("Undid {steps} call(s)"),
            caller: "user".to_owned(),
            at: Moment { nanos: now, utc_offset: 0 }.rfc3339(),
            changed: Vec::new(),
        }
    }

    /// The same, with the first paths that differ between two trees. The repository's own are left out.
    pub fn with_changes(mut self, old: &Root, new: &Root) -> Meta {
        let paths = changed_paths(old, new, |path| path != GIT).take(NAMED_PATHS);
        self.changed = paths.map(|(path, _)| String::from_utf8_lossy(&path).into_owned()).collect();
        self
    }

    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("its fields are strings")
    }

    pub fn decode(bytes: &[u8]) -> Option<Meta> {
        serde_json::from_slice(bytes).ok()
    }
}
