//! The rules for the content of objects. Verification, connectivity and review share one parser, so
//! the host checks exactly what it shows.

pub mod commit;
mod config;
mod dotgit;
mod identity;
pub(crate) mod special;
pub(crate) mod tag;
pub mod tree;

pub use self::dotgit::is_safe_name;

use gix_hash::ObjectId;
use gix_object::Kind;

use crate::{
    error::{Fault, FaultKind},
    pack::Origin,
};

/// An object that another object names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// A commit's parent.
    Parent(ObjectId),
    /// Any other object, and the kind it must have.
    To(ObjectId, Kind),
}

/// Why content was refused, while its object is still unknown.
#[derive(Debug, PartialEq, Eq)]
pub struct Broken {
    kind: FaultKind,
    reason: String,
    hint: &'static str,
}

impl Broken {
    pub(crate) fn format(reason: impl Into<String>) -> Self {
        Broken { kind: FaultKind::MalformedObject, reason: reason.into(), hint: "" }
    }

    pub(crate) fn path(reason: impl Into<String>) -> Self {
        Broken { kind: FaultKind::UnsafePath, reason: reason.into(), hint: "" }
    }

    /// The same refusal with a hint.
    pub(crate) fn with_hint(self, hint: &'static str) -> Self {
        Broken { hint, ..self }
    }

    /// The fault, naming the object.
    pub fn of(self, kind: Kind, id: &gix_hash::oid) -> Fault {
        Fault::new(self.kind, format!("{kind} {id}: {}", self.reason)).with_hint(self.hint)
    }
}

/// Checks the content of an object of `kind` as strictly as `origin` requires, and reports every
/// object it names.
///
/// # Errors
/// The first violated rule.
pub fn check(kind: Kind, data: &[u8], origin: Origin, link: &mut dyn FnMut(Link)) -> Result<(), Broken> {
    match kind {
        Kind::Blob => Ok(()),
        Kind::Tree => tree::check(data, origin, link),
        Kind::Commit => {
            let commit = commit::Commit::parse(data)?;
            if origin != Origin::Supplied {
                commit::strict(data, origin)?;
            }
            link(Link::To(commit.tree, Kind::Tree));
            commit.parents.iter().for_each(|parent| link(Link::Parent(*parent)));
            Ok(())
        }
        Kind::Tag => {
            let (target, kind) = tag::check(data, origin)?;
            link(Link::To(target, kind));
            Ok(())
        }
    }
}
