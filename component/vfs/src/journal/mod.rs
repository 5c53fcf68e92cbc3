//! The journal: the history of a tree as bytes, append-only.
//!
//! A journal is a header and records. The header names the sandbox. A record holds its length, its
//! sequence number, the sandbox, a checksum of these fields, and one of the whole record. So replay
//! finds records that are damaged, duplicated, misplaced or foreign, and can tell a record cut off
//! at the end from one damaged in the middle.
//!
//! A record holds the difference of two trees. [`crate::timeline`] gives it its meaning.

mod apply;
mod attachments;
mod chunks;
mod difference;
mod error;
mod frame;
mod rope;

pub use attachments::Attachments;
pub use error::{JournalError, JournalErrorKind};
pub use frame::{HEADER_BYTES, SandboxId, VERSION};

pub(crate) use apply::apply;
pub(crate) use chunks::{Chunks, ChunksReader};
pub(crate) use difference::encode;
pub(crate) use frame::{Frame, FrameError, Header, Link, RECORD_BYTES, RecordKind};
pub(crate) use rope::Rope;
