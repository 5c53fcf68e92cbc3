//! The index file of a pack, version 2, byte for byte as `git index-pack` writes it.

use gix_hash::oid;

use super::VerifiedPack;
use crate::error::Fault;

/// The magic number and the version.
const HEAD: &[u8] = b"\xfftOc\0\0\0\x02";
/// Where the ids begin, behind 256 counts.
const IDS: usize = 8 + 256 * 4;

/// Offsets from here on go into the table of 64-bit offsets.
const LARGE: u64 = 1 << 31;

impl VerifiedPack {
    /// The `.idx` file of the pack.
    ///
    /// # Errors
    /// [`FaultKind::MalformedPack`](crate::FaultKind::MalformedPack) if the file would be a SHA-1 collision attack: an attacker can choose
    /// the entries' checksums.
    pub fn index(&self) -> Result<Vec<u8>, Fault> {
        let objects = self.objects();
        let mut out = Vec::with_capacity(IDS + objects.len() * 28 + 40);
        out.extend_from_slice(HEAD);
        let mut upto = 0;
        for first in 0..=255u8 {
            upto += objects[upto..].partition_point(|object| object.id.first_byte() <= first);
            // The pack's own header counts its objects in 32 bits.
            out.extend_from_slice(&(upto as u32).to_be_bytes());
        }
        for object in objects {
            out.extend_from_slice(object.id.as_slice());
        }
        for object in objects {
            out.extend_from_slice(&object.crc32.to_be_bytes());
        }
        let mut large: Vec<u64> = Vec::new();
        for object in objects {
            let field = if object.offset < LARGE {
                object.offset
            } else {
                large.push(object.offset);
                LARGE | (large.len() as u64 - 1)
            };
            out.extend_from_slice(&(field as u32).to_be_bytes());
        }
        for offset in large {
            out.extend_from_slice(&offset.to_be_bytes());
        }
        out.extend_from_slice(self.checksum().as_slice());
        let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
        hasher.update(&out);
        let own = hasher
            .try_finalize()
            .map_err(|error| Fault::pack(format!("the pack's index is a SHA-1 collision attack: {error}")))?;
        out.extend_from_slice(own.as_slice());
        Ok(out)
    }
}

fn word(index: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*index.get(at..)?.first_chunk()?))
}

/// How many objects an index has. `None` if it is none, or too short for them.
pub(super) fn count(index: &[u8]) -> Option<usize> {
    let count = word(index, IDS - 4).filter(|_| index.starts_with(HEAD))? as usize;
    (index.len() >= IDS + count.checked_mul(28)? + 40).then_some(count)
}

/// The checksum of the pack that an index is of.
pub(super) fn checksum(index: &[u8]) -> Option<&[u8; 20]> {
    index.get(..index.len().checked_sub(20)?)?.last_chunk()
}

/// Where the entry of an object begins, by an index of so many objects.
pub(super) fn place(index: &[u8], count: usize, id: &oid) -> Option<u64> {
    let first = usize::from(id.first_byte());
    let from = if first == 0 { 0 } else { word(index, 8 + 4 * (first - 1))? as usize };
    let upto = (word(index, 8 + 4 * first)? as usize).min(count);
    let ids = index.get(IDS..IDS + 20 * count)?.as_chunks::<20>().0.get(from..upto)?;
    let at = from + ids.binary_search_by(|one| one[..].cmp(id.as_bytes())).ok()?;
    let offsets = IDS + 24 * count;
    match u64::from(word(index, offsets + 4 * at)?) {
        offset if offset < LARGE => Some(offset),
        large => {
            let at = offsets + 4 * count + 8 * (large - LARGE) as usize;
            Some(u64::from_be_bytes(*index.get(at..)?.first_chunk()?))
        }
    }
}
