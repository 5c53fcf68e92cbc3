//! The embedding code of a test.

use std::collections::BTreeMap;
use std::path::Path;

use crate::embedding::Embedding;
use crate::error::ToolError;
use crate::past::{Horizon, Past};
use crate::platform;

/// A history and attachments that a test fills in.
pub struct FakeEmbedding {
    /// Latest first.
    pub past: Vec<Past>,
    /// Where undo has to stop.
    pub horizon: Horizon,
    /// Whether the tree may grow beyond its limits.
    pub limits_lifted: bool,
    /// Contents by SHA-256.
    pub attachments: BTreeMap<[u8; 32], Vec<u8>>,
}

impl Default for FakeEmbedding {
    fn default() -> FakeEmbedding {
        FakeEmbedding {
            past: Vec::new(),
            horizon: Horizon::Beginning,
            limits_lifted: false,
            attachments: BTreeMap::new(),
        }
    }
}

impl Embedding for FakeEmbedding {
    fn history(&self, limit: usize) -> Vec<Past> {
        self.past.iter().take(limit).cloned().collect()
    }

    fn calls_to_undo(&self, steps: usize) -> Result<Vec<Past>, ToolError> {
        let calls: Vec<Past> = self.past.iter().filter(|call| call.undoable).take(steps).cloned().collect();
        if calls.len() == steps { Ok(calls) } else { Err(ToolError::cannot_undo(calls.len(), &self.horizon)) }
    }

    fn lift_limits(&mut self) {
        self.limits_lifted = true;
    }

    fn read_attachment(&self, id: &[u8; 32]) -> Result<Vec<u8>, ToolError> {
        self.attachments.get(id).cloned().ok_or_else(|| ToolError::not_found("No such attachment"))
    }

    fn place_attachment(&mut self, id: &[u8; 32], path: &Path) -> Result<(), ToolError> {
        let content = self.attachments.get(id).ok_or_else(|| ToolError::not_found("No such attachment"))?;
        let shown = path.display().to_string();
        platform::put_file(path, content.clone(), None).map_err(|error| ToolError::io(&shown, &error))
    }
}
