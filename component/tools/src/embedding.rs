//! What the tools need of the code around them.

use std::path::Path;

use crate::error::ToolError;
use crate::past::Past;

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
