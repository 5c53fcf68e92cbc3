//! A pack that has been verified, and how to read from it.

use std::{collections::HashSet, sync::Mutex};

use bytes::Bytes;
use gix_hash::{ObjectId, oid};
use gix_object::Kind;

use super::{
    cache::Cache,
    delta,
    entry::{self, What},
    inflate::Inflater,
    scan::TRAILER,
    verify,
};
use crate::error::Fault;

/// One object of a verified pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Object {
    /// Computed from the content.
    pub id: ObjectId,
    /// What it is.
    pub kind: Kind,
    /// Bytes of its content.
    pub size: u64,
    /// Where its entry starts in the pack.
    pub offset: u64,
    /// CRC-32 of its entry's bytes in the pack.
    pub crc32: u32,
}

/// A pack whose every object has been verified. Only [`crate::pack::verify`] makes one.
pub struct VerifiedPack {
    bytes: Bytes,
    checksum: ObjectId,
    /// Sorted by id.
    objects: Vec<Object>,
    /// What the objects name, and as what kind; sorted, each once. Parents are apart.
    links: Vec<(ObjectId, Kind)>,
    /// A commit and one parent of it.
    parents: Vec<(ObjectId, ObjectId)>,
    cache: Mutex<Cache>,
}

impl std::fmt::Debug for VerifiedPack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VerifiedPack")
            .field("checksum", &self.checksum)
            .field("objects", &self.objects.len())
            .finish_non_exhaustive()
    }
}

impl VerifiedPack {
    /// Sorts what verification found; an object that stands in the pack twice is a fault.
    pub(super) fn new(
        bytes: Bytes,
        checksum: ObjectId,
        mut objects: Vec<Object>,
        links: HashSet<(ObjectId, Kind)>,
        parents: Vec<(ObjectId, ObjectId)>,
    ) -> Result<Self, Fault> {
        objects.sort_unstable_by_key(|object| (object.id, object.offset));
        if let Some(twice) = objects.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(verify::duplicate(&twice[0].id));
        }
        let mut links: Vec<_> = links.into_iter().collect();
        links.sort_unstable();
        Ok(VerifiedPack { bytes, checksum, objects, links, parents, cache: Mutex::new(Cache::default()) })
    }

    /// The pack's bytes.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The SHA-1 in the pack's trailer, after which git names the file: `pack-<checksum>.pack`.
    pub fn checksum(&self) -> ObjectId {
        self.checksum
    }

    /// All objects, sorted by id.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// All ids, sorted.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ObjectId> + '_ {
        self.objects.iter().map(|object| object.id)
    }

    /// The object with this id, if the pack has it.
    pub fn object(&self, id: &oid) -> Option<&Object> {
        self.position(id).map(|at| &self.objects[at])
    }

    /// Where the object stands in [`VerifiedPack::objects`].
    pub(crate) fn position(&self, id: &oid) -> Option<usize> {
        self.objects.binary_search_by(|object| object.id.as_ref().cmp(id)).ok()
    }

    /// What the objects name, and as what kind, each pair once; parents of commits are not among them.
    pub(crate) fn links(&self) -> &[(ObjectId, Kind)] {
        &self.links
    }

    /// Every commit of the pack with each of its parents.
    pub(crate) fn parents(&self) -> &[(ObjectId, ObjectId)] {
        &self.parents
    }

    /// Replaces `out` with the content of the object `id` and returns its kind; `None`, with `out` as it
    /// was, if the pack does not have it.
    ///
    /// # Errors
    /// A fault would mean that the bytes changed under the pack, as a file that is mapped can.
    pub fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        let Some(object) = self.object(id) else {
            return Ok(None);
        };
        self.decode(object, out).map_err(|reason| Fault::pack(format!("{reason} (object {id})")))?;
        Ok(Some(object.kind))
    }

    fn decode(&self, object: &Object, out: &mut Vec<u8>) -> Result<(), &'static str> {
        let mut inflater = Inflater::new();
        // The deltas from the object to the nearest base that is whole or cached.
        let mut deltas: Vec<(u64, Vec<u8>)> = Vec::new();
        let mut offset = object.offset;
        loop {
            if let Some(cached) = self.cache().get(offset) {
                out.clear();
                out.extend_from_slice(&cached);
                break;
            }
            let head = entry::head(self.rest(offset)?)?;
            let stream = self.rest(offset + head.len as u64)?;
            if head.what == What::Whole(object.kind) {
                inflater.inflate(stream, head.size, out)?;
                self.cache().put(offset, out);
                break;
            }
            let mut delta = Vec::new();
            inflater.inflate(stream, head.size, &mut delta)?;
            if deltas.len() > self.objects.len() {
                return Err("a delta chain is longer than the pack");
            }
            deltas.push((offset, delta));
            offset = match head.what {
                What::Whole(_) => return Err("an object has another kind than before"),
                What::Offset(distance) => offset.checked_sub(distance).ok_or("a delta's base is outside the pack")?,
                What::Reference(base) => self.object(&base).ok_or("a delta's base is not in the pack")?.offset,
            };
        }
        let mut result = Vec::new();
        while let Some((offset, delta)) = deltas.pop() {
            delta::apply(out, &delta, &mut result)?;
            std::mem::swap(out, &mut result);
            self.cache().put(offset, out);
        }
        Ok(())
    }

    fn rest(&self, offset: u64) -> Result<&[u8], &'static str> {
        let end = self.bytes.len().saturating_sub(TRAILER);
        usize::try_from(offset).ok().and_then(|from| self.bytes.get(from..end)).ok_or("an entry is outside the pack")
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, Cache> {
        // A cache stays usable whatever happened to the thread that held it.
        self.cache.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
