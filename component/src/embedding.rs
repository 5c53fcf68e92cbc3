//! What the component provides to the tools: the history, the attachments, and a filesystem that
//! stops in time.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use tools::{Embedding, Horizon, Past, ToolError};
use vfs::timeline::{CannotUndo, HistoryEntry, Timeline};
use vfs::{AttachmentId, Content};

use crate::kernel;
use crate::meta::Meta;
use crate::wasi::clocks::monotonic_clock;

/// When the kernel begins to refuse work.
static STOP_AT: AtomicU64 = AtomicU64::new(u64::MAX);

/// The component, as the tools see it during one call.
pub struct ComponentEmbedding<'a> {
    pub timeline: &'a Timeline,
    pub attachments: &'a BTreeMap<AttachmentId, Bytes>,
}

/// A call in the history. Facts that the component recorded are not calls.
pub fn past(entry: HistoryEntry<'_>) -> Option<Past> {
    let Meta { id, tool, summary, caller, at, changed, unnamed, .. } = Meta::decode(entry.meta)?;
    let changed_count = changed.len() as u64 + unnamed;
    Some(Past { id, tool, summary, caller, at, undoable: entry.undoable, changed, changed_count })
}

/// Why `timeline` cannot undo this many calls.
pub fn cannot_undo(timeline: &Timeline, error: CannotUndo) -> ToolError {
    ToolError::cannot_undo(error.possible, &horizon(timeline))
}

/// Where undo ends: at the latest step that it cannot go back past. Facts do not stop it, even if
/// their trees are gone.
fn horizon(timeline: &Timeline) -> Horizon {
    let mut entries = timeline.history();
    let end = entries.find_map(|entry| match Meta::decode(entry.meta) {
        _ if entry.forgotten => Some(Horizon::Kept),
        Some(meta) => meta.settled.then_some(Horizon::Call(meta.tool)),
        None => Some(Horizon::Zones),
    });
    match end {
        // The folders of a new sandbox.
        Some(Horizon::Zones) if !entries.any(|entry| past(entry).is_some()) => Horizon::Beginning,
        end => end.unwrap_or(Horizon::Beginning),
    }
}

impl Embedding for ComponentEmbedding<'_> {
    fn history(&self, limit: usize) -> Vec<Past> {
        self.timeline.history().filter_map(past).take(limit).collect()
    }

    fn calls_to_undo(&self, steps: usize) -> Result<Vec<Past>, ToolError> {
        match self.timeline.steps_to_undo(steps) {
            Ok(entries) => Ok(entries.into_iter().filter_map(past).collect()),
            Err(error) => Err(cannot_undo(self.timeline, error)),
        }
    }

    fn read_attachment(&self, id: &AttachmentId) -> Result<Vec<u8>, ToolError> {
        self.attachments
            .get(id)
            .map(|bytes| bytes.to_vec())
            .ok_or_else(|| ToolError::not_found("An attachment was not attached"))
    }

    fn place_attachment(&mut self, id: &AttachmentId, path: &Path) -> Result<(), ToolError> {
        let bytes = self.attachments.get(id).ok_or_else(|| ToolError::not_found("An attachment was not attached"))?;
        let content = Content::from_attachment(*id, 0, bytes.clone());
        let path = path.as_os_str().as_encoded_bytes();
        vfs::process::put_content(path, content, false)
            .map_err(|errno| ToolError::io(&String::from_utf8_lossy(path), &errno.into()))
    }

    fn stop_at(&mut self, at: u64) {
        STOP_AT.store(at, Ordering::Relaxed);
        vfs::process::with(|kernel| {
            kernel.set_interrupt(Some(|| monotonic_clock::now() >= STOP_AT.load(Ordering::Relaxed)))
        });
    }

    fn lift_limits(&mut self) {
        kernel::lift_limits();
    }

    fn was_stopped(&self) -> bool {
        vfs::process::with(|kernel| kernel.interrupted())
    }
}
