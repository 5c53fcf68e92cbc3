//! What the tools need from the host: the history, and what a call was given.

use std::path::Path;

use tools::{Embedding, Past, ToolError, platform};

use super::history::Line;
use super::place::Place;
use crate::store::Attachment;

/// The host, as the tools see it during one call.
pub struct HostEmbedding<'a> {
    pub place: &'a Place,
    /// The latest first.
    pub history: Vec<Line>,
    /// What the call has been given.
    pub attached: &'a [Attachment],
}

impl Embedding for HostEmbedding<'_> {
    fn history(&self, limit: usize) -> Vec<Past> {
        self.history.iter().take(limit).cloned().map(Past::from).collect()
    }

    fn calls_to_undo(&self, _steps: usize) -> Result<Vec<Past>, ToolError> {
        let workspace = self.place.workspace();
        Err(ToolError::failed("Cannot undo on disk").hint(format!(
            "Run `git -C {} reflog` to see where branches were. A sandbox created without --on-disk can undo. Nothing has changed.",
            workspace.display()
        )))
    }

    fn read_attachment(&self, id: &[u8; 32]) -> Result<Vec<u8>, ToolError> {
        let attached = self.attached.iter().find(|attached| attached.id == *id);
        Ok(attached.ok_or_else(|| ToolError::not_found("An attachment was not attached"))?.content.to_vec())
    }

    fn place_attachment(&mut self, id: &[u8; 32], path: &Path) -> Result<(), ToolError> {
        platform::put_file(path, self.read_attachment(id)?, None)
            .map_err(|error| ToolError::io(&path.display().to_string(), &error))
    }
}
