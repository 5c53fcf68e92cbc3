//! A verified pack, and reading from it.

use std::collections::HashSet;

use bytes::Bytes;
use gix_hash::{ObjectId, oid};
use gix_object::Kind;

use super::{reader::Reader, verify};
use crate::error::Fault;

/// One object of a verified pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Object {
    /// Computed from the content.
    pub id: ObjectId,
    /// Its kind.
    pub kind: Kind,
    /// Bytes of its content.
    pub size: u64,
    /// Where its entry starts in the pack.
    pub offset: u64,
    /// CRC-32 of its entry's bytes in the pack.
    pub crc32: u32,
}

/// A pack whose every object was verified. Only [`crate::pack::verify`] creates one.
pub struct VerifiedPack {
    reader: Reader,
    checksum: ObjectId,
    /// Sorted by id.
    objects: Vec<Object>,
    /// The objects that others name, with their kinds; sorted, without duplicates and without parents.
    links: Vec<(ObjectId, Kind)>,
    /// A commit and one of its parents.
    parents: Vec<(ObjectId, ObjectId)>,
    /// The SHA-256 of each object's content, sorted by id, if the pack was verified as new.
    sha256: Vec<(ObjectId, [u8; 32])>,
    /// The bytes that reading may produce.
    may_make: u64,
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
    /// How often, on average, reading may produce the bytes of a new pack. Deltas count when they are inflated. Reading in another order
    /// than the pack's rebuilds objects from their bases, and a check and a review read everything a few times. git's delta chains stay far
    /// below this.
    const MAKE_AGAIN: u64 = 64;
    /// Bytes that reading any new pack may produce.
    const MAKE_FREE: u64 = 16 << 30;

    /// Sorts the results of verification. An object that is in the pack twice is a fault.
    pub(super) fn new(
        bytes: Bytes,
        checksum: ObjectId,
        mut objects: Vec<Object>,
        links: HashSet<(ObjectId, Kind)>,
        parents: Vec<(ObjectId, ObjectId)>,
        mut sha256: Vec<(ObjectId, [u8; 32])>,
    ) -> Result<Self, Fault> {
        objects.sort_unstable_by_key(|object| (object.id, object.offset));
        if let Some(twice) = objects.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(verify::duplicate(&twice[0].id));
        }
        let mut links: Vec<_> = links.into_iter().collect();
        links.sort_unstable();
        sha256.sort_unstable_by_key(|(id, _)| *id);
        // Packs that the host supplied may be read without limit.
        let may_make = if sha256.is_empty() {
            u64::MAX
        } else {
            let total = objects.iter().map(|object| object.size).fold(0, u64::saturating_add);
            total.saturating_mul(Self::MAKE_AGAIN).saturating_add(Self::MAKE_FREE)
        };
        Ok(VerifiedPack { reader: Reader::new(bytes), checksum, objects, links, parents, sha256, may_make })
    }

    /// The pack's bytes.
    pub fn bytes(&self) -> &Bytes {
        &self.reader.bytes
    }

    /// The SHA-1 in the pack's trailer. git names the file after it: `pack-<checksum>.pack`.
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

    /// The object's position in [`VerifiedPack::objects`].
    pub(crate) fn position(&self, id: &oid) -> Option<usize> {
        self.objects.binary_search_by(|object| object.id.as_ref().cmp(id)).ok()
    }

    /// The objects that others name, with their kinds, without duplicates and without parents of commits.
    pub(crate) fn links(&self) -> &[(ObjectId, Kind)] {
        &self.links
    }

    /// Every commit of the pack with each of its parents.
    pub(crate) fn parents(&self) -> &[(ObjectId, ObjectId)] {
        &self.parents
    }

    /// Every object's id and the SHA-256 of its content, sorted by id. The pack was verified as new.
    pub(crate) fn sha256(&self) -> &[(ObjectId, [u8; 32])] {
        assert_eq!(self.sha256.len(), self.objects.len(), "a push's pack is verified as new, and keeps them all");
        &self.sha256
    }

    /// Replaces `out` with the content of the object `id` and returns its kind. Returns `None`, and leaves `out` unchanged, if the pack
    /// does not have it.
    ///
    /// # Errors
    /// [`FaultKind::TooLarge`](crate::FaultKind::TooLarge) if a new pack was built to make reading it endless work. Any other fault means
    /// that the bytes changed under the pack, as those of a mapped file can.
    pub fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        let Some(object) = self.object(id) else {
            return Ok(None);
        };
        if self.reader.made() > self.may_make {
            return Err(Fault::too_large("the pack's deltas take too much work to read"));
        }
        let place = |base: &oid| self.object(base).map(|base| base.offset);
        let read = self.reader.decode(object.offset, self.objects.len(), &place, out);
        match read.map_err(|reason| Fault::pack(format!("{reason} (object {id})")))? {
            kind if kind == object.kind => Ok(Some(kind)),
            _ => Err(Fault::pack(format!("an object has another kind than before (object {id})"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::super::cache::Cache;
    use super::*;
    use crate::pack::{Origin, PackLimits};

    fn deflate(content: &[u8]) -> Vec<u8> {
        let mut stream = gix_zlib::stream::deflate::Write::new(Vec::new(), gix_zlib::Compression::DEFAULT);
        stream.write_all(content).unwrap();
        stream.flush().unwrap();
        stream.into_inner()
    }

    /// A verified pack of one blob.
    fn verified(origin: Origin) -> VerifiedPack {
        sealed([b"PACK\0\0\0\x02\0\0\0\x01\x3a", &deflate(b"0123456789")[..]].concat(), origin)
    }

    fn sealed(mut bytes: Vec<u8>, origin: Origin) -> VerifiedPack {
        let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
        hasher.update(&bytes);
        bytes.extend_from_slice(hasher.try_finalize().unwrap().as_slice());
        crate::pack::verify(bytes.into(), &PackLimits::push(), origin).unwrap()
    }

    #[test]
    fn attack_21_a_new_pack_is_not_read_without_end() {
        let mut pack = verified(Origin::New);
        let id = pack.objects()[0].id;
        pack.may_make = 25;
        for _ in 0..3 {
            // Bypass the cache, as if other contents filled it.
            *pack.reader.cache() = Cache::default();
            assert_eq!(pack.find(&id, &mut Vec::new()).unwrap(), Some(Kind::Blob));
        }
        assert_eq!(pack.find(&id, &mut Vec::new()).unwrap_err().kind, crate::FaultKind::TooLarge);
    }

    #[test]
    fn attack_21_deltas_that_are_inflated_to_read_count_as_well() {
        let base = [b"\x3a", &deflate(b"0123456789")[..]].concat();
        // Two copies of one byte, in two bytes each.
        let delta = [&[0x66, base.len() as u8][..], &deflate(&[10, 2, 0x90, 1, 0x90, 1])].concat();
        let pack = sealed([b"PACK\0\0\0\x02\0\0\0\x02", &base[..], &delta].concat(), Origin::New);
        let id = pack.objects().iter().find(|object| object.size == 2).unwrap().id;
        pack.find(&id, &mut Vec::new()).unwrap();
        assert_eq!(pack.reader.made(), 10 + 6 + 2);
    }

    #[test]
    fn what_the_host_supplied_may_be_read_for_ever() {
        assert_eq!(verified(Origin::Supplied).may_make, u64::MAX);
        assert_eq!(verified(Origin::New).may_make, (16 << 30) + 64 * 10);
    }
}
