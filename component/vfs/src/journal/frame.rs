//! The header of a journal and the frame of a record.
//!
//! Header: magic (8 bytes), version (4), sandbox id (16), checksum of these (8).
//! Record: mark (4), kind (1), payload length (8), sequence number (8), stream (8), checksum of the fields before (8), checksum of all of
//! these and the payload (8), payload. Integers are little-endian, checksums are xxHash64. The stream is the checksum of the sandbox id.

use std::hash::Hasher as _;

use bytes::Bytes;
use twox_hash::XxHash64;

/// The identity of a sandbox. It should be random: programs that write files in the sandbox should not know it.
pub type SandboxId = [u8; 16];

/// The version of the journal format.
pub const VERSION: u32 = 1;
/// Length of a journal's header in bytes.
pub const HEADER_BYTES: usize = 36;
/// Length of a record before its payload, in bytes.
pub(crate) const RECORD_BYTES: usize = 45;

/// The highest sequence number. No sandbox counts that far.
const HIGHEST: u64 = 1 << 62;
const MAGIC: [u8; 8] = *b"\x89ggfs\r\n\x1a";
const MARK: [u8; 4] = [0xf5, b'r', b'e', b'c'];

fn checksum(seed: u64, parts: &[&[u8]]) -> u64 {
    let mut hasher = XxHash64::with_seed(seed);
    for part in parts {
        hasher.write(part);
    }
    hasher.finish()
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// The header of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) sandbox: SandboxId,
}

/// Why bytes are not a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameError {
    NotOne,
    Version(u32),
}

impl Header {
    pub(crate) fn encode(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..28].copy_from_slice(&self.sandbox);
        let sum = checksum(0, &[&bytes[..28]]);
        bytes[28..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &[u8; HEADER_BYTES]) -> Result<Self, FrameError> {
        if bytes[..8] != MAGIC || checksum(0, &[&bytes[..28]]) != u64_at(bytes, 28) {
            return Err(FrameError::NotOne);
        }
        let version = u32::from_le_bytes(bytes[8..12].try_into().expect("four bytes"));
        if version != VERSION {
            return Err(FrameError::Version(version));
        }
        Ok(Self { sandbox: bytes[12..28].try_into().expect("sixteen bytes") })
    }

    /// The link that the first record follows.
    pub(crate) fn link(self) -> Link {
        let stream = checksum(0, &[&self.sandbox]);
        Link { stream, previous: u64_at(&self.encode(), 28), sequence: 0 }
    }
}

/// The end of a journal, which the next record must follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    stream: u64,
    previous: u64,
    /// The sequence number of the last record.
    pub(crate) sequence: u64,
}

/// The kind of a record's payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordKind {
    /// A step.
    Commit = 1,
    /// An undo of some steps.
    Undo = 2,
    /// A whole tree, at the start of a compacted journal.
    Base = 3,
}

/// The frame of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    bytes: [u8; RECORD_BYTES],
}

impl Frame {
    /// Frames a payload, given in pieces, as record `sequence`, and moves the end of the journal after it.
    pub(crate) fn new(link: &mut Link, kind: RecordKind, sequence: u64, payload: &[Bytes]) -> Self {
        let length = payload.iter().map(|piece| piece.len() as u64).sum::<u64>();
        let mut bytes = [0; RECORD_BYTES];
        bytes[..4].copy_from_slice(&MARK);
        bytes[4] = kind as u8;
        bytes[5..13].copy_from_slice(&length.to_le_bytes());
        bytes[13..21].copy_from_slice(&sequence.to_le_bytes());
        bytes[21..29].copy_from_slice(&link.stream.to_le_bytes());
        bytes[29..37].copy_from_slice(&link.previous.to_le_bytes());
        let mut hasher = XxHash64::with_seed(0);
        hasher.write(&bytes[..37]);
        payload.iter().for_each(|piece| hasher.write(piece));
        let sum = hasher.finish();
        bytes[37..].copy_from_slice(&sum.to_le_bytes());
        *link = Link { stream: link.stream, previous: sum, sequence };
        Self { bytes }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The frame in these bytes, if it may be one.
    pub(crate) fn read(bytes: &[u8; RECORD_BYTES]) -> Option<Self> {
        (bytes[..4] == MARK).then_some(Self { bytes: *bytes })
    }

    /// Whether a frame may start with this byte. Few bytes pass.
    pub(crate) fn may_begin_with(byte: u8) -> bool {
        byte == MARK[0]
    }

    /// The length of the payload; `None` if no memory can hold it.
    pub(crate) fn length(&self) -> Option<usize> {
        usize::try_from(u64_at(&self.bytes, 5)).ok()?.checked_add(RECORD_BYTES).map(|whole| whole - RECORD_BYTES)
    }

    pub(crate) fn kind(&self) -> Option<RecordKind> {
        match self.bytes[4] {
            1 => Some(RecordKind::Commit),
            2 => Some(RecordKind::Undo),
            3 => Some(RecordKind::Base),
            _ => None,
        }
    }

    pub(crate) fn sequence(&self) -> u64 {
        u64_at(&self.bytes, 13)
    }

    /// Whether the checksums of frame and payload hold. The payload comes in pieces.
    pub(crate) fn is_whole(&self, payload: &[&[u8]]) -> bool {
        let mut hasher = XxHash64::with_seed(0);
        hasher.write(&self.bytes[..37]);
        payload.iter().for_each(|piece| hasher.write(piece));
        hasher.finish() == u64_at(&self.bytes, 37)
    }

    pub(crate) fn is_of(&self, link: &Link) -> bool {
        u64_at(&self.bytes, 21) == link.stream
    }

    /// The end of the journal after this record; `None` if the record does not follow `link`. `anywhere` is for the first record of a
    /// compacted journal, which may have any sequence number.
    pub(crate) fn follow(&self, link: &Link, anywhere: bool) -> Option<Link> {
        let sequence = self.sequence();
        let follows = u64_at(&self.bytes, 29) == link.previous && (anywhere || sequence > link.sequence);
        let follows = follows && sequence <= HIGHEST;
        follows.then(|| Link { stream: link.stream, previous: u64_at(&self.bytes, 37), sequence })
    }
}
