//! Looks objects up: in the target, and in a verified pack laid over it.

use std::{fmt, sync::Arc};

use gix_hash::oid;
use gix_object::Kind;

use crate::{error::Fault, pack::VerifiedPack};

/// Objects that the host can read, such as a target's. The host vouches for them: nobody verifies
/// them.
pub trait Objects {
    /// Replaces `out` with the content of `id` and returns its kind. Returns `None`, and leaves
    /// `out` in any state, if the object does not exist.
    ///
    /// # Errors
    /// [`FaultKind::Host`](crate::FaultKind::Host) if it exists but cannot be read.
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault>;

    /// The kind and size of `id`, for hosts that know them without reading the content.
    ///
    /// # Errors
    /// As [`Objects::find`].
    fn header(&self, id: &oid) -> Result<Option<(Kind, u64)>, Fault> {
        let mut out = Vec::new();
        Ok(self.find(id, &mut out)?.map(|kind| (kind, out.len() as u64)))
    }

    /// Whether `id` exists.
    ///
    /// # Errors
    /// As [`Objects::find`].
    fn contains(&self, id: &oid) -> Result<bool, Fault> {
        Ok(self.header(id)?.is_some())
    }
}

/// No objects at all: a target that is empty, or a sandbox that has nothing yet.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nothing;

impl Objects for Nothing {
    fn find(&self, _: &oid, _: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        Ok(None)
    }
}

impl Objects for VerifiedPack {
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        VerifiedPack::find(self, id, out)
    }

    fn header(&self, id: &oid) -> Result<Option<(Kind, u64)>, Fault> {
        Ok(self.object(id).map(|object| (object.kind, object.size)))
    }
}

/// A verified pack over the objects of a target. The pack comes first, because it is verified.
#[derive(Clone, Copy)]
pub struct Overlay<'a> {
    /// The new objects.
    pub pack: &'a VerifiedPack,
    /// The target's objects.
    pub below: &'a dyn Objects,
}

impl Objects for Overlay<'_> {
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        match self.pack.find(id, out)? {
            Some(kind) => Ok(Some(kind)),
            None => self.below.find(id, out),
        }
    }

    fn header(&self, id: &oid) -> Result<Option<(Kind, u64)>, Fault> {
        match Objects::header(self.pack, id)? {
            Some(header) => Ok(Some(header)),
            None => self.below.header(id),
        }
    }
}

/// Ids of objects that the host itself verified and gave to the sandbox; none by default.
///
/// Such an object in a push comes from the person and not from the sandbox, because the content
/// determines the id.
#[derive(Clone, Default)]
pub struct Supplied(Option<Arc<IsSupplied>>);

type IsSupplied = dyn Fn(&oid) -> bool + Send + Sync;

impl Supplied {
    /// The objects for which `is_supplied` returns true. Its answers must not change.
    pub fn by(is_supplied: impl Fn(&oid) -> bool + Send + Sync + 'static) -> Self {
        Supplied(Some(Arc::new(is_supplied)))
    }

    /// Whether the host supplied `id`.
    pub fn contains(&self, id: &oid) -> bool {
        self.0.as_ref().is_some_and(|is_supplied| is_supplied(id))
    }
}

impl fmt::Debug for Supplied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Supplied(by the host)" } else { "Supplied(nothing)" })
    }
}
