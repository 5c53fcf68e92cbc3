//! Packs: verifies untrusted ones, and reads from verified ones.
//!
//! [`verify`] makes two passes over a pack. The first (`scan`) finds and inflates the entries and checks whole objects. The second
//! (`resolve`) applies the deltas. Every object's content is checked once (`check`), by the rules in [`crate::format`].

mod cache;
mod check;
mod delta;
mod entry;
mod index;
mod indexed;
mod inflate;
mod limits;
mod parts;
mod reader;
mod resolve;
mod scan;
mod verified;
mod verify;
mod write;

pub use indexed::{IndexedPack, checksum};
pub use limits::{Origin, PackLimits};
pub use parts::PackParts;
pub use verified::{Object, VerifiedPack};
pub use verify::{Watch, verify};
pub(crate) use verify::{verify_push, verify_watched};
pub use write::PackWriter;
