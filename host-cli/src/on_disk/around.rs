//! What the tools need of the host: the history, and attachments as files.

use std::path::Path;

use tools::{Embedding, Past, ToolError, platform};

use super::history::Line;
use super::place::Place;
use crate::error::HostError;
use crate::store::Attachments;

/// The bytes of an attachment that are read at once.
const PART: usize = 1 << 20;

/// The host, as the tools see it during one call.
pub struct Around<'a> {
    pub place: &'a Place,
    /// The latest first.
    pub history: Vec<Line>,
    pub attachments: &'a Attachments,
}

impl Embedding for Around<'_> {
    fn history(&self, limit: usize) -> Vec<Past> {
        self.history.iter().take(limit).cloned().map(Past::from).collect()
    }

    fn calls_to_undo(&self, _steps: usize) -> Result<Vec<Past>, ToolError> {
        let workspace = self.place.workspace();
        Err(ToolError::failed("Cannot undo on disk").hint(format!(
            "Nothing has changed. `git -C {} reflog` shows where branches were before; a sandbox that is opened without --on-disk can undo.",
            workspace.display()
        )))
    }

    fn place_attachment(&mut self, id: &[u8; 32], path: &Path) -> Result<(), ToolError> {
        let mut content = Vec::new();
        let read = self.attachments.read(id, PART, |_, part| {
            content.extend_from_slice(part);
            Ok(())
        });
        read.map_err(|HostError { message, hint, .. }| ToolError::failed(message).hint(hint))?;
        platform::put_file(path, content, None).map_err(|error| ToolError::io(&path.display().to_string(), &error))
    }
}
