//! Packs: reading one that nobody vouches for, and using it once it has been verified.
//!
//! [`verify`] goes over a pack twice. The first pass (`scan`) finds the entries, inflates them and checks
//! whole objects; the second (`resolve`) applies the deltas. Every object's content is checked once
//! (`check`), by the rules in [`crate::format`].

mod cache;
mod check;
mod delta;
mod entry;
mod index;
mod inflate;
mod limits;
mod resolve;
mod scan;
mod verified;
mod verify;
mod write;

pub use limits::{Origin, PackLimits};
pub use verified::{Object, VerifiedPack};
pub use verify::{Watch, verify};
pub(crate) use verify::{verify_push, verify_watched};
pub use write::PackWriter;
