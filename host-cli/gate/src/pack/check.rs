//! Checks every object's content once: its id, its format, and the objects it names.

use std::collections::HashSet;

use gix_hash::ObjectId;
use gix_object::Kind;
use sha2::{Digest as _, Sha256};

use super::Origin;
use crate::{
    error::{Fault, FaultKind},
    format,
};

/// An object whose content was checked.
pub(super) struct Seen {
    /// Its entry in the pack.
    pub entry: u32,
    pub id: ObjectId,
    pub kind: Kind,
    pub size: u64,
}

/// Collects the results of one thread. Faults are kept by entry, so that the same pack always gives
/// the same fault however the threads divide the work.
pub(super) struct Checker<'a> {
    origin: Origin,
    /// That of each object, of which some may have another than the rest.
    of: &'a (dyn Fn(&ObjectId) -> Origin + Sync),
    pub seen: Vec<Seen>,
    /// The objects that trees, commits and tags name, with their kinds; without parents.
    pub links: HashSet<(ObjectId, Kind)>,
    /// A commit and one of its parents.
    pub parents: Vec<(ObjectId, ObjectId)>,
    /// The SHA-256 of every content, the input of a digest; kept only for new objects.
    pub sha256: Vec<(ObjectId, [u8; 32])>,
    pub fault: Option<(u32, Fault)>,
}

impl<'a> Checker<'a> {
    pub fn new(origin: Origin, of: &'a (dyn Fn(&ObjectId) -> Origin + Sync)) -> Self {
        Checker {
            origin,
            of,
            seen: Vec::new(),
            links: HashSet::new(),
            parents: Vec::new(),
            sha256: Vec::new(),
            fault: None,
        }
    }

    /// Checks one object and returns its id. On a fault, keeps it and returns `None`.
    pub fn object(&mut self, entry: u32, kind: Kind, data: &[u8]) -> Option<ObjectId> {
        match self.checked(kind, data) {
            Ok(id) => {
                if self.origin == Origin::New {
                    self.sha256.push((id, Sha256::digest(data).into()));
                }
                self.seen.push(Seen { entry, id, kind, size: data.len() as u64 });
                Some(id)
            }
            Err(fault) => {
                self.fail(entry, fault);
                None
            }
        }
    }

    /// Keeps the fault of the earliest entry.
    pub fn fail(&mut self, entry: u32, fault: Fault) {
        if self.fault.as_ref().is_none_or(|(earlier, _)| entry < *earlier) {
            self.fault = Some((entry, fault));
        }
    }

    fn checked(&mut self, kind: Kind, data: &[u8]) -> Result<ObjectId, Fault> {
        let id = gix_object::compute_hash(gix_hash::Kind::Sha1, kind, data).map_err(|error| {
            Fault::new(
                FaultKind::MalformedObject,
                format!("an object of the pack is a SHA-1 collision attack: {error}"),
            )
        })?;
        let origin = (self.of)(&id);
        let (links, parents) = (&mut self.links, &mut self.parents);
        format::check(kind, data, origin, &mut |link| match link {
            format::Link::Parent(parent) => parents.push((id, parent)),
            format::Link::To(to, kind) => {
                links.insert((to, kind));
            }
        })
        .map_err(|broken| broken.of(kind, &id))?;
        Ok(id)
    }

    /// Merges the results of two threads.
    pub fn join(mut self, other: Self) -> Self {
        self.seen.extend(other.seen);
        if self.links.is_empty() {
            self.links = other.links;
        } else {
            self.links.extend(other.links);
        }
        self.parents.extend(other.parents);
        self.sha256.extend(other.sha256);
        if let Some((entry, fault)) = other.fault {
            self.fail(entry, fault);
        }
        self
    }
}
