//! What the tools need from the code that embeds them.

use std::path::Path;

use crate::error::ToolError;
use crate::past::Past;

/// The code that embeds the tools: the component in the sandbox, or a test on a real directory.
pub trait Embedding {
    /// The calls that changed something, latest first, at most `limit`.
    fn history(&self, limit: usize) -> Vec<Past>;

    /// The calls that an undo of `steps` calls takes back, latest first. Calls between them may stay.
    ///
    /// # Errors
    ///
    /// [`ToolError::cannot_undo`], if fewer than `steps` calls can be undone.
    fn calls_to_undo(&self, steps: usize) -> Result<Vec<Past>, ToolError>;

    /// Creates the file `path` from the attachment `id`, without a copy if possible.
    fn place_attachment(&mut self, id: &[u8; 32], path: &Path) -> Result<(), ToolError>;

    /// The content of the attachment `id`, which is not kept beyond the call.
    fn read_attachment(&self, id: &[u8; 32]) -> Result<Vec<u8>, ToolError>;

    /// Makes the filesystem fail from `at` on, on the deadline's clock, so no library continues after the call's time.
    fn stop_at(&mut self, _at: u64) {}

    /// Lets the tree grow beyond its limits until the call ends.
    fn lift_limits(&mut self) {}

    /// Whether the filesystem has failed because of [`stop_at`](Self::stop_at). If so, the call timed out, whatever the tool returned.
    fn was_stopped(&self) -> bool {
        false
    }
}
