//! What the tools need of the code around them.

use std::path::Path;

use crate::error::ToolError;

/// The code around the tools: the component in the sandbox, a test on a real directory.
pub trait Embedding {
    /// The calls that have changed something, latest first, at most `limit`.
    fn history(&self, limit: usize) -> Vec<Past>;

    /// The calls that undoing `steps` of them takes back, latest first. Others can lie between them, and stay.
    ///
    /// # Errors
    ///
    /// [`ToolError::cannot_undo`], where fewer can be taken back.
    fn calls_to_undo(&self, steps: usize) -> Result<Vec<Past>, ToolError>;

    /// Makes the attachment named `id` the file `path`, without copying it where that can be avoided.
    fn place_attachment(&mut self, id: &[u8; 32], path: &Path) -> Result<(), ToolError>;

    /// From when on the deadline's clock the filesystem is to fail, so that no library goes on after the call's time.
    fn stop_at(&mut self, _at: u64) {}

    /// Lets the tree grow beyond its limits until the call ends.
    fn lift_limits(&mut self) {}

    /// Whether the filesystem has failed for that reason: whatever a tool made of it, its time was over.
    fn was_stopped(&self) -> bool {
        false
    }
}

/// A call that has changed something.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Past {
    /// The host's name for the call.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// What it did, in a line.
    pub summary: String,
    /// `agent` or `user`.
    pub caller: String,
    /// When, in RFC 3339.
    pub at: String,
    /// Whether an undo would take it back: it is a call that can be undone, and the tree before it is still kept.
    pub undoable: bool,
    /// The first of the paths that it added, modified or deleted: as many as are noted.
    pub changed: Vec<String>,
    /// How many paths that were.
    pub changed_count: u64,
}

/// What an undo does not go back beyond.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Horizon {
    /// The beginning of the sandbox.
    Beginning,
    /// Calls whose trees are no longer kept.
    Kept,
    /// A call of this tool, which brought what no tree before it has.
    Call(String),
    /// The sandbox's opening with zones that it did not have before.
    Zones,
}
