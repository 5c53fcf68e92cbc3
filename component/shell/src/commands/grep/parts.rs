//! What a source has, in parts of whole lines.

use bstr::ByteSlice;
use bytes::Bytes;

use crate::exec::{Call, Ended};
use crate::io::Source;

/// A source that is read part by part.
#[derive(Debug)]
pub struct Parts {
    /// What ends a line.
    end: u8,
    /// No more than the next line is read at once, so that others can read on.
    by_lines: bool,
    /// What was read, and is not searched yet, behind what is kept.
    held: Vec<u8>,
    /// How much of it is kept.
    kept: usize,
    /// What is behind the part that was given last.
    rest: Bytes,
}

impl Parts {
    /// One of lines that end like this.
    pub fn new(end: u8, by_lines: bool) -> Parts {
        Parts { end, by_lines, held: Vec::new(), kept: 0, rest: Bytes::new() }
    }

    /// The next part, behind what was kept of the one before. None at the end.
    pub async fn next(&mut self, call: &mut Call<'_>, source: &Source) -> Result<Option<Bytes>, Ended> {
        loop {
            call.work(1)?;
            let part = match self.by_lines {
                true => source.line(self.end).await.map(Bytes::from),
                false => source.some().await,
            };
            let Some(part) = part else {
                let is_more = self.held.len() > self.kept;
                self.kept = 0;
                return Ok(is_more.then(|| Bytes::from(std::mem::take(&mut self.held))));
            };
            let Some(end) = part.rfind_byte(self.end) else {
                self.held.extend_from_slice(&part);
                call.shell.hold(self.held.len())?;
                continue;
            };
            self.rest = part.slice(end + 1..);
            if self.held.is_empty() {
                return Ok(Some(part.slice(..=end)));
            }
            self.held.extend_from_slice(&part[..=end]);
            return Ok(Some(Bytes::from(std::mem::take(&mut self.held))));
        }
    }

    /// Keeps what is behind a place in the part that was given last.
    pub fn keep(&mut self, text: &[u8], from: usize) {
        self.kept = text.len() - from;
        self.held = [&text[from..], &self.rest].concat();
        self.rest = Bytes::new();
    }
}
