//! Rebuilds git objects, byte for byte, from what the REST API tells of them.
//!
//! The API tells what an object means, not its bytes: dates come in UTC, messages without their
//! last line end. The id says which bytes are right, so all that git commonly writes is tried.
//! Nothing is taken whose id is another.

mod commit;
mod tag;
mod tree;
mod zone;

pub(super) use commit::commit;
pub(super) use tag::tag;
pub(super) use tree::{folders, tree};
pub(super) use zone::Zones;

use gix_hash::ObjectId;
use gix_object::Kind;

use super::{Fault, FaultKind};

/// Whether `content` is the object `id`. An attack on SHA-1 is not.
pub(super) fn is(id: ObjectId, kind: Kind, content: &[u8]) -> bool {
    gix_object::compute_hash(gix_hash::Kind::Sha1, kind, content).is_ok_and(|computed| computed == id)
}

/// The work that may still go into one object, in bytes that are hashed for it: no answer keeps a
/// host busy for long.
struct Trials(usize);

impl Trials {
    fn new() -> Self {
        Trials(128 << 20)
    }

    /// What `write` writes, if it is the object `id`. It has about `bytes`.
    fn of(
        &mut self,
        id: ObjectId,
        kind: Kind,
        bytes: usize,
        write: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<Vec<u8>> {
        self.0 = self.0.checked_sub(bytes)?;
        write().filter(|content| is(id, kind, content))
    }
}

fn inexact(id: ObjectId, kind: Kind) -> Fault {
    Fault::new(
        FaultKind::Inexact { id },
        format!("the {kind} {id} cannot be rebuilt exactly from what GitHub's REST API tells of it"),
    )
    .with_hint("clone the repository with git, and use the clone")
}
