//! The bytes of a step that the host reads: a record, a pack, a part of a snapshot.

use bytes::Bytes;

/// Bytes in pieces. The pieces of a record share the tree's contents.
#[derive(Default)]
pub struct Out(Vec<Bytes>);

impl From<Vec<u8>> for Out {
    fn from(bytes: Vec<u8>) -> Out {
        Out(vec![bytes.into()])
    }
}

impl From<Vec<Bytes>> for Out {
    fn from(pieces: Vec<Bytes>) -> Out {
        Out(pieces)
    }
}

impl Out {
    /// Adds bytes behind the others.
    pub fn add(&mut self, bytes: Vec<u8>) {
        self.0.push(bytes.into());
    }

    pub fn len(&self) -> u64 {
        self.0.iter().map(|piece| piece.len() as u64).sum()
    }

    /// At most `len` bytes from `offset` on; fewer at the end.
    pub fn read(&self, offset: u64, len: u32) -> Vec<u8> {
        let mut skip = usize::try_from(offset).unwrap_or(usize::MAX);
        let mut bytes =
            Vec::with_capacity(usize::try_from(self.len()).map_or(0, |all| all.saturating_sub(skip).min(len as usize)));
        for piece in &self.0 {
            let from = skip.min(piece.len());
            skip -= from;
            let want = (len as usize - bytes.len()).min(piece.len() - from);
            bytes.extend_from_slice(&piece[from..from + want]);
        }
        bytes
    }
}
