//! A pack that was verified before, read by the index that was made then.

use bytes::Bytes;
use gix_hash::{ObjectId, oid};
use gix_object::Kind;

use super::{index, reader::Reader};
use crate::{error::Fault, objects::Objects};

/// A pack and its index, which this host has made and kept since. The pack as a whole is not verified again. An object is checked when it
/// is read, as in git: whoever keeps the two may lose a bit.
pub struct IndexedPack {
    reader: Reader,
    index: Bytes,
    count: usize,
}

impl IndexedPack {
    /// The pack `pack`, by its `index` of version 2.
    ///
    /// # Errors
    /// [`FaultKind::MalformedPack`](crate::FaultKind::MalformedPack) if that is no index, or one of another pack.
    pub fn new(pack: Bytes, index: Bytes) -> Result<Self, Fault> {
        let count = index::count(&index).ok_or_else(|| Fault::pack("the pack's index is none of version 2"))?;
        match index::checksum(&index).is_some_and(|checksum| pack.ends_with(checksum)) {
            true => Ok(IndexedPack { reader: Reader::new(pack), index, count }),
            false => Err(Fault::pack("the index is one of another pack")),
        }
    }

    /// Where the object begins.
    fn place(&self, id: &oid) -> Option<u64> {
        index::place(&self.index, self.count, id)
    }
}

impl Objects for IndexedPack {
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        let Some(place) = self.place(id) else { return Ok(None) };
        let read = self.reader.decode(place, self.count, &|base| self.place(base), out);
        let kind = read.map_err(|reason| Fault::pack(format!("{reason} (object {id})")))?;
        match gix_object::compute_hash(gix_hash::Kind::Sha1, kind, out).is_ok_and(|computed| *computed == *id) {
            true => Ok(Some(kind)),
            false => Err(Fault::pack(format!("the content is that of another object (object {id})"))),
        }
    }

    fn contains(&self, id: &oid) -> Result<bool, Fault> {
        Ok(self.place(id).is_some())
    }
}

/// The checksum in the trailer of a pack or in its index: what says that they belong together.
pub fn checksum(of: &[u8]) -> Option<ObjectId> {
    let checksum = match of.starts_with(b"PACK") {
        true => of.last_chunk::<20>()?,
        false => index::checksum(of)?,
    };
    Some(ObjectId::from_bytes_or_panic(checksum))
}
