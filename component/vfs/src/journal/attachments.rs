//! Large contents that are stored beside the journal.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::content::{AttachmentId, Content};

/// The attachments that a journal's records refer to, by the id that the host stores them under.
#[derive(Clone, Debug, Default)]
pub struct Attachments(BTreeMap<AttachmentId, Bytes>);

impl Attachments {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Add one. That `id` belongs to these bytes is for the host to know.
    pub fn add(&mut self, id: AttachmentId, bytes: Bytes) {
        self.0.insert(id, bytes);
    }

    /// Whether this one is there.
    pub fn contains(&self, id: &AttachmentId) -> bool {
        self.0.contains_key(id)
    }

    /// A slice as a content that remembers where it is from: `Ok(None)` when it reaches beyond the end.
    pub(crate) fn content(&self, id: AttachmentId, offset: u64, length: u64) -> Result<Option<Content>, Missing> {
        let bytes = self.0.get(&id).ok_or(Missing)?;
        let range = offset.checked_add(length).filter(|&end| end <= bytes.len() as u64);
        Ok(range.map(|end| {
            // Both fit: they are not beyond the length of a buffer.
            let slice = bytes.slice(offset as usize..end as usize);
            Content::from_attachment(id, offset, slice)
        }))
    }
}

/// An attachment that was not given.
#[derive(Debug)]
pub(crate) struct Missing;
