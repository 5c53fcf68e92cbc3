//! What a regular file holds: an immutable, shared run of bytes.

use std::sync::Arc;

use bytes::Bytes;

/// The identity of an attachment: a hash of its bytes, chosen by whoever stores it.
pub type AttachmentId = [u8; 32];

/// Where in which attachment a content lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The attachment.
    pub id: AttachmentId,
    /// Bytes into the attachment.
    pub offset: u64,
}

/// An immutable file content. Cloning shares the buffer.
///
/// A content that is (a slice of) an attachment remembers so, and the journal then names the
/// attachment instead of storing the bytes again.
#[derive(Clone, Default)]
pub struct Content {
    bytes: Bytes,
    origin: Option<Arc<Origin>>,
}

impl Content {
    /// A content of its own.
    pub fn new(bytes: Bytes) -> Self {
        Self { bytes, origin: None }
    }

    /// The content that lies `offset` bytes into the attachment `id`.
    ///
    /// `bytes` must be exactly those bytes: replay takes them from the attachment.
    pub fn from_attachment(id: AttachmentId, offset: u64, bytes: Bytes) -> Self {
        Self { bytes, origin: Some(Arc::new(Origin { id, offset })) }
    }

    /// The shared buffer itself.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The attachment this is a slice of, if it is one.
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_deref()
    }

    /// Length in bytes.
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether both are the same buffer or the same slice of an attachment (not merely equal bytes).
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.bytes.len() == other.bytes.len()
            && self.origin == other.origin
            && (self.origin.is_some() || self.bytes.is_empty() || self.bytes.as_ptr() == other.bytes.as_ptr())
    }

    /// The bytes as a vector to write to: the buffer itself when nobody else holds it, else a copy.
    pub(crate) fn into_vec(self) -> Vec<u8> {
        Vec::from(self.bytes)
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(Bytes::from(bytes))
    }
}

/// Equal bytes and equal origin.
impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        self.ptr_eq(other) || (self.origin == other.origin && self.bytes == other.bytes)
    }
}

impl Eq for Content {}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.origin {
            Some(origin) => write!(f, "Content({} bytes at {} of an attachment)", self.len(), origin.offset),
            None => write!(f, "Content({} bytes)", self.len()),
        }
    }
}
