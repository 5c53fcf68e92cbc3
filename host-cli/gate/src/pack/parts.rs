//! Whole packs in parts that stay where they are in memory.

use bytes::Bytes;
use gix_hash::ObjectId;

use super::scan::HEADER;
use super::{PackWriter, write};
use crate::error::Fault;

/// What a pack begins with: a name and a version. The number of objects follows.
const BEGIN: &[u8] = b"PACK\0\0\0\x02";

/// A pack but for its checksum, in parts. The objects in it are not looked at.
#[derive(Clone, Debug)]
pub struct PackParts {
    /// The first has the header.
    parts: Vec<Bytes>,
}

impl PackParts {
    /// The pack of these parts.
    ///
    /// # Errors
    /// [`FaultKind::MalformedPack`](crate::FaultKind::MalformedPack) if the first part does not begin with a header.
    pub fn new(parts: Vec<Bytes>) -> Result<Self, Fault> {
        match parts.first() {
            Some(first) if first.len() >= HEADER && first.starts_with(BEGIN) => Ok(PackParts { parts }),
            _ => Err(Fault::pack("a pack begins with a header")),
        }
    }

    /// Adds these objects behind the others. None of them may be in the pack already.
    ///
    /// # Errors
    /// [`FaultKind::TooLarge`](crate::FaultKind::TooLarge) if a pack cannot count that many objects.
    pub fn with(self, objects: PackWriter) -> Result<Self, Fault> {
        let PackParts { mut parts } = self;
        let first = parts.remove(0);
        let count = &first[BEGIN.len()..HEADER];
        let count = u32::from_be_bytes(count.try_into().expect("it has four bytes"));
        let count = count.checked_add(objects.count()).ok_or_else(write::too_many)?;
        let header = [BEGIN, &count.to_be_bytes()].concat();
        let all = [header.into(), first.slice(HEADER..)].into_iter().chain(parts).chain([objects.entries()]);
        Ok(PackParts { parts: all.filter(|part| !part.is_empty()).collect() })
    }

    /// The whole pack.
    ///
    /// # Errors
    /// [`FaultKind::MalformedPack`](crate::FaultKind::MalformedPack) if its bytes are a SHA-1 collision attack.
    pub fn sealed(self) -> Result<Vec<Bytes>, Fault> {
        let PackParts { mut parts } = self;
        let checksum = seal(&parts)?;
        parts.push(Bytes::copy_from_slice(checksum.as_slice()));
        Ok(parts)
    }
}

/// The checksum of a pack of these parts.
pub(super) fn seal<T: AsRef<[u8]>>(parts: &[T]) -> Result<ObjectId, Fault> {
    let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
    parts.iter().for_each(|part| hasher.update(part.as_ref()));
    hasher.try_finalize().map_err(|error| Fault::pack(format!("the pack cannot be sealed: {error}")))
}

#[cfg(test)]
mod tests {
    use gix_object::Kind;

    use super::*;
    use crate::pack::scan::TRAILER;
    use crate::pack::{Origin, PackLimits, verify};

    fn writer(contents: &[&[u8]]) -> PackWriter {
        let mut writer = PackWriter::new();
        contents.iter().for_each(|content| writer.add(Kind::Blob, content).unwrap());
        writer
    }

    fn without_checksum(pack: &Bytes) -> Bytes {
        pack.slice(..pack.len() - TRAILER)
    }

    #[test]
    fn a_pack_in_parts_is_gone_on_with() {
        let one = without_checksum(&writer(&[b"one", b"two"]).finish().unwrap());
        for at in [HEADER, HEADER + 1, one.len() - 1] {
            let parts = PackParts::new(vec![one.slice(..at), one.slice(at..)]).unwrap();
            let whole = parts.clone().sealed().unwrap().concat();
            assert_eq!(whole, writer(&[b"one", b"two"]).finish().unwrap());
            let more = parts.with(writer(&[b"three"])).unwrap().sealed().unwrap().concat();
            let pack = verify(more.into(), &PackLimits::push(), Origin::New).unwrap();
            assert_eq!(pack.objects().len(), 3);
        }
    }

    #[test]
    fn what_has_no_header_is_no_pack() {
        for parts in [vec![], vec![Bytes::from_static(b"PACK")], vec![Bytes::from_static(&[0; 100])]] {
            assert!(PackParts::new(parts).is_err());
        }
    }
}
