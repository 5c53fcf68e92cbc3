//! The bytes of a journal during replay: kept in the pieces in which they arrived, and freed as they are read.

use std::collections::VecDeque;

use bytes::{Buf, Bytes};

use super::frame::{Frame, Link, RECORD_BYTES};
use crate::varint::{Malformed, Source};

/// Smaller pieces are joined up to this length.
const PIECE: usize = 64 << 10;

/// Bytes in pieces, consumed from the front.
///
/// A record is never joined. While one as large as the whole tree is read, memory holds its unread rest and the tree so far.
#[derive(Debug, Default)]
pub(crate) struct Chunks {
    pieces: VecDeque<Bytes>,
    /// Small pieces that follow all others.
    tail: Vec<u8>,
    len: usize,
}

impl Chunks {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn push(&mut self, chunk: Bytes) {
        self.len += chunk.len();
        if chunk.len() < PIECE {
            self.tail.extend_from_slice(&chunk);
        }
        if chunk.len() >= PIECE || self.tail.len() >= PIECE {
            self.close_tail();
        }
        if chunk.len() >= PIECE {
            self.pieces.push_back(chunk);
        }
    }

    fn close_tail(&mut self) {
        if !self.tail.is_empty() {
            self.pieces.push_back(Bytes::from(std::mem::take(&mut self.tail)));
        }
    }

    /// The first bytes, if there are as many.
    pub(crate) fn first<const N: usize>(&self) -> Option<[u8; N]> {
        first(self.slices())
    }

    fn slices(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().map(|piece| &piece[..]).chain([&self.tail[..]])
    }

    /// Whether the record at the front has arrived and its checksums hold; `None` if it has not arrived whole.
    pub(crate) fn is_whole(&self, frame: &Frame) -> Option<bool> {
        whole(frame, self.slices())
    }

    /// Frees this many bytes at the front. There must be as many.
    pub(crate) fn skip(&mut self, count: usize) {
        self.read(count, |_| ());
    }

    /// Starts reading this many bytes. There must be as many.
    pub(crate) fn reader(&mut self, count: usize) -> ChunksReader<'_> {
        assert!(count <= self.len, "the bytes are there");
        self.close_tail();
        ChunksReader { chunks: self, left: count }
    }

    fn read(&mut self, mut count: usize, mut sink: impl FnMut(&[u8])) {
        self.len -= count;
        self.close_tail();
        while count > 0 {
            let piece = self.pieces.front_mut().expect("the bytes are there");
            let taken = count.min(piece.len());
            sink(&piece[..taken]);
            piece.advance(taken);
            count -= taken;
            if piece.is_empty() {
                self.pieces.pop_front();
            }
        }
    }

    /// Whether a whole record of this journal starts anywhere after the first byte.
    pub(crate) fn hold_a_record(&mut self, link: &Link) -> bool {
        self.close_tail();
        let from = |index: usize, at: usize| {
            let mut pieces = self.pieces.range(index..).map(|piece| &piece[..]);
            let front = pieces.next().map(|piece| &piece[at..]);
            front.into_iter().chain(pieces)
        };
        self.pieces.iter().enumerate().any(|(index, piece)| {
            let begin = usize::from(index == 0);
            (begin..piece.len()).filter(|&at| Frame::may_begin_with(piece[at])).any(|at| {
                let frame = first(from(index, at)).and_then(|bytes| Frame::read(&bytes));
                frame
                    .filter(|frame| frame.is_of(link))
                    .is_some_and(|frame| whole(&frame, from(index, at)) == Some(true))
            })
        })
    }
}

fn first<'a, const N: usize>(slices: impl Iterator<Item = &'a [u8]>) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let mut filled = 0;
    for slice in slices {
        let taken = slice.len().min(N - filled);
        bytes[filled..filled + taken].copy_from_slice(&slice[..taken]);
        filled += taken;
        if filled == N {
            return Some(bytes);
        }
    }
    None
}

/// As [`Chunks::is_whole`], for the record at the front of `slices`.
fn whole<'a>(frame: &Frame, slices: impl Iterator<Item = &'a [u8]>) -> Option<bool> {
    let mut skip = RECORD_BYTES;
    let mut left = frame.length()?;
    let mut payload = Vec::new();
    for slice in slices {
        let start = skip.min(slice.len());
        let end = slice.len().min(start.saturating_add(left));
        skip -= start;
        left -= end - start;
        payload.push(&slice[start..end]);
        if left == 0 && skip == 0 {
            return Some(frame.is_whole(&payload));
        }
    }
    None
}

/// Reads at most this many untrusted bytes.
#[derive(Debug)]
pub(crate) struct ChunksReader<'a> {
    chunks: &'a mut Chunks,
    left: usize,
}

impl Source for ChunksReader<'_> {
    fn left(&self) -> usize {
        self.left
    }

    fn byte(&mut self) -> Result<u8, Malformed> {
        self.left = self.left.checked_sub(1).ok_or(Malformed)?;
        let mut byte = 0;
        self.chunks.read(1, |bytes| byte = bytes[0]);
        Ok(byte)
    }
}

impl ChunksReader<'_> {
    /// This many bytes in a buffer of exactly that length.
    pub(crate) fn take(&mut self, count: usize) -> Result<Vec<u8>, Malformed> {
        self.left = self.left.checked_sub(count).ok_or(Malformed)?;
        let mut taken = Vec::with_capacity(count);
        self.chunks.read(count, |bytes| taken.extend_from_slice(bytes));
        Ok(taken)
    }

    /// A length, then as many bytes.
    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>, Malformed> {
        let count = self.count()?;
        self.take(count)
    }
}
