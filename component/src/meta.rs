//! The facts that a journal record keeps about its call.

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
    /// The first paths that the call changed.
    pub changed: Vec<String>,
    /// The number of the other changed paths.
    #[serde(default)]
    pub unnamed: u64,
    /// Whether undo cannot go back past it.
    #[serde(default)]
    pub settled: bool,
}

impl Meta {
    /// A call with the result `text`.
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
            unnamed: 0,
            settled: false,
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
            unnamed: 0,
            settled: false,
        }
    }

    /// The same, with the paths that differ between two trees. It counts all and names the first.
    /// The repository's own files are left out.
    pub fn with_changes(mut self, old: &Root, new: &Root) -> Meta {
        let mut paths = changed_paths(old, new, |path| path != GIT).map(|(path, _)| path);
        let named = paths.by_ref().take(NAMED_PATHS);
        self.changed = named.map(|path| String::from_utf8_lossy(&path).into_owned()).collect();
        self.unnamed = paths.count() as u64;
        self
    }

    /// The same, for a call that undo cannot go back past.
    pub fn settled(self) -> Meta {
        Meta { settled: true, ..self }
    }

    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("it has no maps")
    }

    pub fn decode(bytes: &[u8]) -> Option<Meta> {
        serde_json::from_slice(bytes).ok()
    }
}
