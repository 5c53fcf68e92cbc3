//! Inflates exactly the size that an entry states, no more and no less.

use gix_zlib::{Decompress, FlushDecompress, Status};

/// The shortest zlib stream: header, one empty block, checksum.
pub(super) const MIN_STREAM: u64 = 8;

/// The most bytes that a zlib stream can make from one byte.
const MAX_RATIO: u64 = 1040;

/// A reusable inflater.
pub(super) struct Inflater(Decompress);

impl Inflater {
    pub fn new() -> Self {
        Inflater(Decompress::new())
    }

    /// Replaces `out` with the `size` bytes of the zlib stream at the start of `input`, and returns
    /// the length of the stream. Allocates memory only for a size that the input can possibly
    /// produce.
    pub fn inflate(&mut self, input: &[u8], size: u64, out: &mut Vec<u8>) -> Result<usize, &'static str> {
        if size > (input.len() as u64).saturating_mul(MAX_RATIO) {
            return Err("an entry states more than its bytes can inflate to");
        }
        let size = usize::try_from(size).map_err(|_| "an entry does not fit into memory")?;
        self.0.reset();
        out.clear();
        // One byte more than stated, to detect a stream that produces too much.
        out.resize(size + 1, 0);
        loop {
            let (read, written) = self.progress();
            let status = self
                .0
                .decompress(&input[read..], &mut out[written..], FlushDecompress::None)
                .map_err(|_| "an entry's zlib stream is damaged")?;
            let after = self.progress();
            if after.1 > size {
                return Err("an entry inflates to more than it states");
            }
            match status {
                Status::StreamEnd if after.1 < size => {
                    return Err("an entry inflates to less than it states");
                }
                Status::StreamEnd => {
                    out.truncate(size);
                    return Ok(after.0);
                }
                _ if after == (read, written) => return Err("the pack ends inside a zlib stream"),
                _ => {}
            }
        }
    }

    /// Bytes read and written since the last reset. Slices in memory bound both.
    fn progress(&self) -> (usize, usize) {
        (self.0.total_in() as usize, self.0.total_out() as usize)
    }
}
