//! Large contents stored beside the journal.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::content::{AttachmentId, Content};

/// The attachments that a journal's records refer to, by the id under which the host stores them.
#[derive(Clone, Debug, Default)]
pub struct Attachments(BTreeMap<AttachmentId, Bytes>);

impl Attachments {
    /// No attachments.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an attachment. The host vouches that `id` belongs to these bytes.
    pub fn add(&mut self, id: AttachmentId, bytes: Bytes) {
        self.0.insert(id, bytes);
    }

    /// Whether this attachment was added.
    pub fn contains(&self, id: &AttachmentId) -> bool {
        self.0.contains_key(id)
    }

    /// A slice as a content that remembers its origin. `Ok(None)` if it reaches beyond the end.
    pub(crate) fn content(&self, id: AttachmentId, offset: u64, length: u64) -> Result<Option<Content>, Missing> {
        let bytes = self.0.get(&id).ok_or(Missing)?;
        let range = offset.checked_add(length).filter(|&end| end <= bytes.len() as u64);
        Ok(range.map(|end| {
            // Both fit, since they do not exceed the length of a buffer.
            let slice = bytes.slice(offset as usize..end as usize);
            Content::from_attachment(id, offset, slice)
        }))
    }
}

/// The host did not give this attachment.
#[derive(Debug)]
pub(crate) struct Missing;
