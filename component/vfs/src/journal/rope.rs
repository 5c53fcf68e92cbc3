//! Bytes in pieces, so that large contents are copied as late as possible.

use bytes::Bytes;

/// A content of at least this length becomes a piece of its own.
const PIECE: usize = 16 << 10;

/// A sequence of bytes in pieces.
#[derive(Debug, Default)]
pub(crate) struct Rope {
    pieces: Vec<Bytes>,
    tail: Vec<u8>,
}

impl Rope {
    /// Appends the bytes that `write` appends to a vector.
    pub(crate) fn write(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.tail);
    }

    /// Appends shared bytes.
    pub(crate) fn push(&mut self, bytes: &Bytes) {
        if bytes.len() < PIECE {
            self.write(|tail| tail.extend_from_slice(bytes));
        } else {
            self.cut();
            self.pieces.push(bytes.clone());
        }
    }

    fn cut(&mut self) {
        if !self.tail.is_empty() {
            self.pieces.push(Bytes::from(std::mem::take(&mut self.tail)));
        }
    }

    pub(crate) fn into_pieces(mut self) -> Vec<Bytes> {
        self.cut();
        self.pieces
    }
}
