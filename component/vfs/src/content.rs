//! What a regular file holds: an immutable, shared run of bytes.

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

/// A stream of fewer bytes is not referred to: the reference would hardly be shorter.
const SHORTEST_REFERENCE: usize = 64;

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
/// A content that is (a slice of) an attachment, or that a zlib stream in one is, remembers so, and the journal then names
/// the attachment instead of storing the bytes again. One that is compressed stays so until it is read.
#[derive(Clone)]
pub struct Content(Form);

#[derive(Clone)]
enum Form {
    Bytes(Bytes),
    Attached(Bytes, Arc<Origin>),
    /// With its length in bytes, so that `stat` looks at nothing else.
    Deflated(u64, Arc<Deflated>),
}

struct Deflated {
    stream: Stream,
    /// Where the stream lies, if it is part of an attachment.
    origin: Option<Origin>,
    /// What the stream is, once it was read: nothing if it is none.
    content: OnceLock<Option<Bytes>>,
}

/// The bytes of a content that was compressed are not there: whoever wrote the journal or the attachment has written something else.
///
/// What was written and then damaged is found by the journal's checksums before, and by the attachment's hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

impl From<Unreadable> for Errno {
    fn from(Unreadable: Unreadable) -> Self {
        Errno::Io
    }
}

impl Content {
    /// A content of its own.
    pub fn new(bytes: Bytes) -> Self {
        Self(Form::Bytes(bytes))
    }

    /// The content that lies `offset` bytes into the attachment `id`.
    ///
    /// `bytes` must be exactly those bytes: replay takes them from the attachment.
    pub fn from_attachment(id: AttachmentId, offset: u64, bytes: Bytes) -> Self {
        Self(Form::Attached(bytes, Arc::new(Origin { id, offset })))
    }

    /// The content that `stream` is, which lies at `origin` if it is part of an attachment.
    pub(crate) fn deflated(stream: Stream, origin: Option<Origin>) -> Self {
        Self(Form::Deflated(stream.length as u64, Arc::new(Deflated { stream, origin, content: OnceLock::new() })))
    }

    /// The content of `length` bytes that the zlib stream in `range` of this attachment is. It is not read here: what is no such stream
    /// is [`Unreadable`].
    ///
    /// Nothing where this is no attachment, where no stream of so few bytes can be one of so many, or where it is so short that its
    /// content is better kept by itself.
    pub fn inflated(&self, range: Range<usize>, length: u64) -> Option<Self> {
        if range.len() < SHORTEST_REFERENCE { None } else { self.stream_in(range, length) }
    }

    /// The same, however short the stream is.
    pub(crate) fn stream_in(&self, range: Range<usize>, length: u64) -> Option<Self> {
        let Form::Attached(bytes, origin) = &self.0 else { return None };
        if range.start > range.end || range.end > bytes.len() {
            return None;
        }
        let origin = Origin { id: origin.id, offset: origin.offset + range.start as u64 };
        let stream = Stream::zlib(usize::try_from(length).ok()?, bytes.slice(range))?;
        Some(Self::deflated(stream, Some(origin)))
    }

    /// The shared buffer itself.
    pub fn bytes(&self) -> Result<&Bytes, Unreadable> {
        match &self.0 {
            Form::Bytes(bytes) | Form::Attached(bytes, _) => Ok(bytes),
            Form::Deflated(_, deflated) => {
                let content = deflated.content.get_or_init(|| Some(deflated::inflate(&deflated.stream)?.into()));
                content.as_ref().ok_or(Unreadable)
            }
        }
    }

    /// Where in an attachment this lies, or the stream that this is.
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

    /// The stream that this is kept as, if it is.
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

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether both are the same buffer, or the same slice of or stream in an attachment (not merely equal bytes).
    pub fn ptr_eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Form::Bytes(a), Form::Bytes(b)) => a.len() == b.len() && (a.is_empty() || a.as_ptr() == b.as_ptr()),
            (Form::Attached(a, from), Form::Attached(b, other)) => a.len() == b.len() && from == other,
            (Form::Deflated(_, a), Form::Deflated(_, b)) => Arc::ptr_eq(a, b) || a.is_same_stream(b),
            _ => false,
        }
    }

    /// Whether both hold the same bytes. What cannot be read is like nothing but itself.
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
