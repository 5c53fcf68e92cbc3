//! A pack in parts, so that what the host has is not copied.

use crate::git::store::packs;

/// A pack but for its checksum, in parts.
#[derive(Default)]
pub struct Parts {
    parts: Vec<Part>,
    /// The bytes that are in no attachment, in order.
    made: Vec<u8>,
    /// The bytes of all parts.
    length: u64,
    /// What comes next: a part of an attachment that may go on, and its bytes.
    open: Option<Open>,
}

/// A part of a pack.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Part {
    /// So many bytes of an attachment.
    Attached { id: [u8; 32], from: u64, size: u64 },
    /// So many of the bytes that are made.
    Made { size: u64 },
}

struct Open {
    id: [u8; 32],
    from: u64,
    size: u64,
    /// The bytes, as long as they are few.
    bytes: Vec<u8>,
}

/// The fewest bytes of an attachment that are worth being named instead of copied.
const FEWEST: usize = 16 << 10;

impl Parts {
    /// The bytes so far.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Adds bytes.
    pub fn make(&mut self, bytes: &[u8]) {
        self.close();
        self.push_made(bytes);
        self.length += bytes.len() as u64;
    }

    /// Adds what is in a pack.
    pub fn copy(&mut self, part: &packs::Slice<'_>) {
        let Some((id, from)) = part.origin else { return self.make(part.bytes) };
        let size = part.bytes.len() as u64;
        self.length += size;
        match &mut self.open {
            Some(open) if open.id == id && open.from + open.size == from => open.add(part.bytes),
            _ => {
                self.close();
                let mut open = Open { id, from, size: 0, bytes: Vec::new() };
                open.add(part.bytes);
                self.open = Some(open);
            }
        }
    }

    /// The parts, and the bytes that are in no attachment, in order.
    pub fn finish(mut self) -> (Vec<Part>, Vec<u8>) {
        self.close();
        (self.parts, self.made)
    }

    fn close(&mut self) {
        match self.open.take() {
            None => {}
            Some(Open { id, from, size, bytes }) if bytes.is_empty() => {
                self.parts.push(Part::Attached { id, from, size });
            }
            Some(open) => self.push_made(&open.bytes),
        }
    }

    fn push_made(&mut self, bytes: &[u8]) {
        self.made.extend_from_slice(bytes);
        match self.parts.last_mut() {
            Some(Part::Made { size }) => *size += bytes.len() as u64,
            _ => self.parts.push(Part::Made { size: bytes.len() as u64 }),
        }
    }
}

impl Open {
    fn add(&mut self, bytes: &[u8]) {
        // Once there are many, the bytes are not needed.
        let is_short = self.bytes.len() as u64 == self.size && self.bytes.len() + bytes.len() < FEWEST;
        match is_short {
            true => self.bytes.extend_from_slice(bytes),
            false => self.bytes.clear(),
        }
        self.size += bytes.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An attachment of which each part is told with its origin.
    const ATTACHMENT: [u8; 32] = [7; 32];

    fn attached(from: u64, bytes: &[u8]) -> packs::Slice<'_> {
        packs::Slice { bytes, origin: Some((ATTACHMENT, from)) }
    }

    #[test]
    fn parts_of_an_attachment_that_follow_each_other_are_one() {
        let many = vec![1; FEWEST];
        let mut parts = Parts::default();
        parts.make(b"head");
        parts.copy(&attached(12, &many[..10]));
        parts.copy(&attached(22, &many));
        parts.copy(&attached(22 + FEWEST as u64, b"x"));
        assert_eq!(parts.len(), FEWEST as u64 + 15);
        let (parts, made) = parts.finish();
        let size = FEWEST as u64 + 11;
        assert_eq!(parts, [Part::Made { size: 4 }, Part::Attached { id: ATTACHMENT, from: 12, size }]);
        assert_eq!(made, b"head");
    }

    #[test]
    fn what_is_short_is_copied() {
        let many = vec![1; FEWEST];
        let mut parts = Parts::default();
        parts.copy(&attached(0, b"short"));
        parts.copy(&attached(100, b"and"));
        parts.copy(&attached(103, b"short"));
        parts.make(b"made");
        parts.copy(&attached(0, &many));
        parts.copy(&packs::Slice { bytes: b"a file's", origin: None });
        let (parts, made) = parts.finish();
        let from = Part::Attached { id: ATTACHMENT, from: 0, size: FEWEST as u64 };
        assert_eq!(parts, [Part::Made { size: 17 }, from, Part::Made { size: 8 }]);
        assert_eq!(made, b"shortandshortmadea file's");
    }
}
