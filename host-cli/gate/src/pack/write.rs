//! Writes whole packs without deltas, one object after another.

use std::io::Write;

use bytes::Bytes;
use gix_object::Kind;
use gix_zlib::{Compression, stream::deflate};

use super::{parts, scan::HEADER};
use crate::error::Fault;

/// The level of compression. At level 1, zlib-rs uses fixed codes, which make source code half as
/// large again. Levels above 3 hardly save more. A sandbox keeps these bytes, and reads them every
/// time it opens.
const LEVEL: i32 = 2;

/// A pack under construction.
#[derive(Debug)]
pub struct PackWriter {
    bytes: Vec<u8>,
    count: u32,
}

impl Default for PackWriter {
    fn default() -> Self {
        PackWriter::new()
    }
}

impl PackWriter {
    /// A pack without objects.
    pub fn new() -> Self {
        // `finish` fills in the count.
        PackWriter { bytes: b"PACK\0\0\0\x02\0\0\0\0".to_vec(), count: 0 }
    }

    /// Adds an object. It must not be in the pack already.
    ///
    /// # Errors
    /// [`FaultKind::TooLarge`](crate::FaultKind::TooLarge) if a pack cannot count that many
    /// objects.
    pub fn add(&mut self, kind: Kind, content: &[u8]) -> Result<(), Fault> {
        self.count = self.count.checked_add(1).ok_or_else(too_many)?;
        let bits = match kind {
            Kind::Commit => 1,
            Kind::Tree => 2,
            Kind::Blob => 3,
            Kind::Tag => 4,
        };
        // Four bits of the size, then seven in each byte. The highest bit says that more follow.
        let (mut byte, mut rest) = (bits << 4 | (content.len() & 15) as u8, content.len() >> 4);
        while rest > 0 {
            self.bytes.push(byte | 0x80);
            (byte, rest) = ((rest & 0x7f) as u8, rest >> 7);
        }
        self.bytes.push(byte);
        let level = Compression::new(LEVEL).expect("it is one of zlib's levels");
        let mut stream = deflate::Write::new(std::mem::take(&mut self.bytes), level);
        stream.write_all(content).and_then(|()| stream.flush()).expect("writing to memory does not fail");
        self.bytes = stream.into_inner();
        Ok(())
    }

    /// The number of objects so far.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The bytes so far.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether the pack has no object.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The objects alone, as they are behind a pack's header.
    pub(super) fn entries(self) -> Bytes {
        Bytes::from(self.bytes).slice(HEADER..)
    }

    /// The whole pack.
    ///
    /// # Errors
    /// [`FaultKind::MalformedPack`](crate::FaultKind::MalformedPack) if its bytes are a SHA-1
    /// collision attack.
    pub fn finish(mut self) -> Result<Bytes, Fault> {
        self.bytes[HEADER - 4..HEADER].copy_from_slice(&self.count.to_be_bytes());
        let trailer = parts::seal(&[&self.bytes])?;
        self.bytes.extend_from_slice(trailer.as_slice());
        Ok(self.bytes.into())
    }
}

/// A pack counts no more objects.
pub(super) fn too_many() -> Fault {
    Fault::too_large("a pack counts objects in 32 bits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::{Origin, PackLimits, verify};

    #[test]
    fn what_is_written_reads_back() {
        let mut writer = PackWriter::new();
        let contents = [Vec::new(), b"x".to_vec(), vec![7; 15], vec![8; 16], b"long ".repeat(100_000)];
        for content in &contents {
            writer.add(Kind::Blob, content).unwrap();
        }
        let pack = verify(writer.finish().unwrap(), &PackLimits::push(), Origin::New).unwrap();
        assert_eq!(pack.objects().len(), contents.len());
        for content in &contents {
            let id = gix_object::compute_hash(gix_hash::Kind::Sha1, Kind::Blob, content).unwrap();
            let mut out = Vec::new();
            assert_eq!(pack.find(&id, &mut out).unwrap(), Some(Kind::Blob));
            assert_eq!(&out, content);
        }
    }

    #[test]
    fn what_has_few_characters_takes_few_bits_for_each() {
        let digits: String = (1..5000_u64).map(|n| format!("{:x}\n", n.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
        let mut writer = PackWriter::new();
        writer.add(Kind::Blob, digits.as_bytes()).unwrap();
        assert!(writer.len() < digits.len() * 2 / 3, "{} of {}", writer.len(), digits.len());
    }

    #[test]
    fn a_pack_of_nothing_is_whole() {
        let pack = PackWriter::new().finish().unwrap();
        assert_eq!(verify(pack, &PackLimits::push(), Origin::New).unwrap().objects(), []);
    }
}
