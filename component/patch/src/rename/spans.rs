//! A content as a bag of short pieces, from which git estimates how much two files share.

use std::cmp::Ordering;

use crate::binary::is_binary;
use crate::deadline::{Deadline, Interrupted};

/// A piece ends with its line, or after this many bytes.
const LONGEST_PIECE: u32 = 64;
/// Pieces are identified by their hash modulo this.
const HASH_BASE: u32 = 107_927;

/// The pieces of a content: for each hash, in ascending order, the number of bytes in its pieces.
pub(super) struct Spans(Vec<(u32, u64)>);

impl Spans {
    /// Cuts `content` into pieces. In a text the carriage returns before line feeds do not count.
    pub(super) fn of(content: &[u8], deadline: Deadline<'_>) -> Result<Self, Interrupted> {
        let is_text = !is_binary(content);
        let mut pieces = Vec::with_capacity(content.len() / 32 + 1);
        let mut ticker = deadline.ticker();
        let mut piece = Piece::default();
        for (index, &byte) in content.iter().enumerate() {
            if is_text && byte == b'\r' && content.get(index + 1) == Some(&b'\n') {
                continue;
            }
            piece.push(byte);
            if piece.length == LONGEST_PIECE || byte == b'\n' {
                ticker.tick()?;
                pieces.push((piece.hash(), u64::from(piece.length)));
                piece = Piece::default();
            }
        }
        if piece.length > 0 {
            pieces.push((piece.hash(), u64::from(piece.length)));
        }
        pieces.sort_unstable_by_key(|&(hash, _)| hash);
        pieces.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        Ok(Self(pieces))
    }

    /// The number of bytes that both contents have.
    pub(super) fn common(&self, other: &Self) -> u64 {
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut common = 0;
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            match a.0.cmp(&b.0) {
                Ordering::Less => drop(left.next()),
                Ordering::Greater => drop(right.next()),
                Ordering::Equal => {
                    common += a.1.min(b.1);
                    left.next();
                    right.next();
                }
            }
        }
        common
    }
}

/// A piece under construction, as two 32-bit registers that shift into each other.
#[derive(Default)]
struct Piece {
    length: u32,
    low: u32,
    high: u32,
}

impl Piece {
    fn push(&mut self, byte: u8) {
        let low = self.low;
        self.low = (self.low << 7 ^ self.high >> 25).wrapping_add(u32::from(byte));
        self.high = self.high << 7 ^ low >> 25;
        self.length += 1;
    }

    fn hash(&self) -> u32 {
        self.low.wrapping_add(self.high.wrapping_mul(0x61)) % HASH_BASE
    }
}
