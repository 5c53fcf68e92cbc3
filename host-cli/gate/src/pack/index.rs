//! The index file of a pack, version 2, byte for byte as `git index-pack` writes it.

use super::VerifiedPack;
use crate::error::Fault;

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
        let mut out = Vec::with_capacity(8 + 1024 + objects.len() * 28 + 40);
        out.extend_from_slice(b"\xfftOc\0\0\0\x02");
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
