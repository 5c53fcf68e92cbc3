//! The journal: what happened to a tree, as bytes that are only ever appended to.
//!
//! A journal is a header and records. The header names the sandbox; a record says its length, its
//! sequence number, the sandbox, the checksum of what stands before it, and its own. So a record that
//! is damaged, doubled, in the wrong place or from elsewhere is found, and one that was cut off at
//! the end can be told from one that was damaged in the middle.
//!
//! What the records say is the difference of two trees: [`crate::timeline`] gives it its meaning.

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
