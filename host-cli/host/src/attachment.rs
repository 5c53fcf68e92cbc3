//! One attachment in memory.

use bytes::Bytes;
use sha2::{Digest, Sha256};

/// The SHA-256 that names an attachment.
pub type AttachmentId = [u8; 32];

/// The magic number and version 2 that begin a pack's index (git's gitformat-pack).
pub const INDEX_HEAD: [u8; 8] = *b"\xfftOc\0\0\0\x02";

/// A pack or an index, with its name.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// The SHA-256 of the content.
    pub id: AttachmentId,
    /// All of it.
    pub content: Bytes,
    /// Whether it is kept, as what the host has given to the sandbox and vouches for. What an agent gives to its own sandbox is
    /// only handed on.
    pub is_kept: bool,
}

impl Attachment {
    /// Names the content.
    pub fn new(content: impl Into<Bytes>) -> Self {
        let content = content.into();
        Attachment { id: Sha256::digest(&content).into(), content, is_kept: true }
    }

    /// Names content that an agent gives to its own sandbox.
    pub fn of_agent(content: impl Into<Bytes>) -> Self {
        Attachment { is_kept: false, ..Attachment::new(content) }
    }

    /// Whether it is a pack's index.
    pub fn is_index(&self) -> bool {
        self.content.starts_with(&INDEX_HEAD)
    }
}
