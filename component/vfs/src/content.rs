//! The content of a regular file: an immutable, shared run of bytes.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;

use crate::{
    deflated::{self, Stream},
    errno::Errno,
};

/// The identity of an attachment: a hash of its bytes, chosen by whoever stores it.
pub type AttachmentId = [u8; 32];

/// The journal does not refer to a shorter stream: the reference would hardly be shorter.
const SHORTEST_REFERENCE: usize = 64;

/// The place of a content in an attachment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The attachment.
    pub id: AttachmentId,
    /// The offset in the attachment, in bytes.
    pub offset: u64,
}

/// An immutable file content. Cloning shares the buffer.
///
/// A content may be an attachment, a slice of one, or a zlib stream in one. It then remembers its origin, and the journal names the
/// attachment instead of storing the bytes again. A compressed content stays compressed until it is read.
#[derive(Clone)]
pub struct Content(Form);

#[derive(Clone)]
enum Form {
    Bytes(Bytes),
    Attached(Bytes, Arc<Origin>),
    /// Keeps the length in bytes, so that `stat` reads nothing else.
    Deflated(u64, Arc<Deflated>),
}

struct Deflated {
    stream: Stream,
    /// The place of the stream, if it is part of an attachment.
    origin: Option<Origin>,
    /// The inflated stream once it was read; `None` if it is invalid.
    content: OnceLock<Option<Bytes>>,
}

/// A compressed content cannot be inflated: the author of the journal or the attachment wrote something else.
///
/// Later damage does not lead here: the journal's checksums and the attachment's hash catch it first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

impl From<Unreadable> for Errno {
    fn from(Unreadable: Unreadable) -> Self {
        Errno::Io
    }
}

impl Content {
    /// A content with a buffer of its own.
    pub fn new(bytes: Bytes) -> Self {
        Self(Form::Bytes(bytes))
    }

    /// The content that lies `offset` bytes into the attachment `id`.
    ///
    /// `bytes` must be exactly those bytes: replay takes them from the attachment.
    pub fn from_attachment(id: AttachmentId, offset: u64, bytes: Bytes) -> Self {
        Self(Form::Attached(bytes, Arc::new(Origin { id, offset })))
    }

    /// The content of `stream`. `origin` is the place of the stream, if it is part of an attachment.
    pub(crate) fn deflated(stream: Stream, origin: Option<Origin>) -> Self {
        Self(Form::Deflated(stream.length as u64, Arc::new(Deflated { stream, origin, content: OnceLock::new() })))
    }

    /// The content of `length` bytes in the zlib stream in `range` of this attachment. It is not read here: an invalid stream is
    /// [`Unreadable`] later.
    ///
    /// `None` if this is not an attachment, if a stream this short cannot inflate to `length`, or if the stream is so short that the
    /// content had better be stored itself.
    pub fn inflated(&self, range: Range<usize>, length: u64) -> Option<Self> {
        if range.len() < SHORTEST_REFERENCE { None } else { self.stream_in(range, length) }
    }

    /// As above, however short the stream is.
    pub(crate) fn stream_in(&self, range: Range<usize>, length: u64) -> Option<Self> {
        let Form::Attached(bytes, origin) = &self.0 else { return None };
        if range.start > range.end || range.end > bytes.len() {
            return None;
        }
        let origin = Origin { id: origin.id, offset: origin.offset + range.start as u64 };
        let stream = Stream::zlib(usize::try_from(length).ok()?, bytes.slice(range))?;
        Some(Self::deflated(stream, Some(origin)))
    }

    /// The shared buffer.
    pub fn bytes(&self) -> Result<&Bytes, Unreadable> {
        match &self.0 {
            Form::Bytes(bytes) | Form::Attached(bytes, _) => Ok(bytes),
            Form::Deflated(_, deflated) => {
                let content = deflated.content.get_or_init(|| Some(deflated::inflate(&deflated.stream)?.into()));
                content.as_ref().ok_or(Unreadable)
            }
        }
    }

    /// The place in an attachment, or the stream.
    pub fn origin(&self) -> Option<&Origin> {
        match &self.0 {
            Form::Attached(_, origin) => Some(origin),
            Form::Deflated(_, deflated) => deflated.origin.as_ref(),
            Form::Bytes(_) => None,
        }
    }

    /// Whether this is a slice of an attachment.
    pub fn is_attached(&self) -> bool {
        matches!(self.0, Form::Attached(..))
    }

    /// The stream, if the content is kept compressed.
    pub(crate) fn stream(&self) -> Option<&Stream> {
        match &self.0 {
            Form::Deflated(_, deflated) => Some(&deflated.stream),
            Form::Bytes(_) | Form::Attached(..) => None,
        }
    }

    /// Length in bytes.
    pub fn len(&self) -> u64 {
        match &self.0 {
            Form::Bytes(bytes) | Form::Attached(bytes, _) => bytes.len() as u64,
            Form::Deflated(length, _) => *length,
        }
    }

    /// Whether the content is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether both share a buffer, or are the same slice of or stream in an attachment (equal bytes are not enough).
    pub fn ptr_eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Form::Bytes(a), Form::Bytes(b)) => a.len() == b.len() && (a.is_empty() || a.as_ptr() == b.as_ptr()),
            (Form::Attached(a, from), Form::Attached(b, other)) => a.len() == b.len() && from == other,
            (Form::Deflated(_, a), Form::Deflated(_, b)) => Arc::ptr_eq(a, b) || a.is_same_stream(b),
            _ => false,
        }
    }

    /// Whether both hold the same bytes. An unreadable content equals only itself.
    pub fn is_same(&self, other: &Self) -> bool {
        let read = || Some((self.bytes().ok()?, other.bytes().ok()?));
        self.ptr_eq(other) || self.len() == other.len() && read().is_some_and(|(a, b)| a == b)
    }
}

impl Deflated {
    /// Whether both are the same stream in an attachment.
    fn is_same_stream(&self, other: &Self) -> bool {
        self.origin.is_some() && self.origin == other.origin && self.stream.is_as_long_as(&other.stream)
    }
}

impl Default for Content {
    fn default() -> Self {
        Self::new(Bytes::new())
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
        self.origin() == other.origin() && self.is_same(other)
    }
}

impl Eq for Content {}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.origin() {
            Some(origin) => write!(f, "Content({} bytes at {} of an attachment)", self.len(), origin.offset),
            None => write!(f, "Content({} bytes)", self.len()),
        }
    }
}
