//! A file that is being patched.

use bstr::BString;
use bytes::Bytes;

use super::hunk::{Hunk, Kind};
use crate::exec::{Call, Ended};

/// The lines of a file as it was, and what it becomes.
pub struct Target {
    bytes: Bytes,
    /// Where each line begins, and where the last one ends.
    starts: Vec<usize>,
    /// How many of its lines were copied or left out. All of them are the first ones.
    pub frozen: usize,
    /// How far the last hunk was from where it said.
    pub drift: isize,
    /// How many lines there are more than before.
    pub grown: isize,
    out: Vec<u8>,
}

impl Target {
    /// One of which nothing was copied.
    pub fn new(bytes: Bytes) -> Target {
        let mut starts = vec![0];
        starts.extend(bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1));
        if starts.last() != Some(&bytes.len()) {
            starts.push(bytes.len());
        }
        Target { bytes, starts, frozen: 0, drift: 0, grown: 0, out: Vec::new() }
    }

    /// How many lines it had.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// A line as it was, by its number, with its end.
    pub fn line(&self, number: usize) -> Option<&[u8]> {
        let end = *self.starts.get(number)?;
        Some(&self.bytes[self.starts[number.checked_sub(1)?]..end])
    }

    /// All of it as it was.
    pub fn whole(&self) -> &Bytes {
        &self.bytes
    }

    /// Changes the lines from this one on as a hunk says. False if they were copied before.
    pub fn change(&mut self, hunk: &Hunk, place: usize, call: &Call<'_>) -> Result<bool, Ended> {
        let mut next = place;
        for (kind, text) in &hunk.lines {
            match kind {
                Kind::Context => next += 1,
                Kind::Delete => {
                    if !self.copy(next - 1, call)? {
                        return Ok(false);
                    }
                    self.frozen = next;
                    next += 1;
                    self.grown -= 1;
                }
                Kind::Insert => {
                    if !self.copy(next - 1, call)? {
                        return Ok(false);
                    }
                    self.begin_line();
                    self.out.extend_from_slice(text);
                    self.grown += 1;
                }
            }
        }
        Ok(true)
    }

    /// Copies lines up to this one. False if there are copied more already.
    fn copy(&mut self, last: usize, call: &Call<'_>) -> Result<bool, Ended> {
        if self.frozen > last {
            return Ok(false);
        }
        let last_there = last.min(self.count());
        if self.frozen < last_there {
            let units = u32::try_from(last_there - self.frozen).unwrap_or(u32::MAX);
            call.work(units)?;
            let range = self.starts[self.frozen]..self.starts[last_there];
            self.begin_line();
            self.out.extend_from_slice(&self.bytes[range]);
            call.shell.hold(self.out.len())?;
        }
        self.frozen = last;
        Ok(true)
    }

    /// What was the last line of a file may lack an end that it needs now.
    fn begin_line(&mut self) {
        if self.out.last().is_some_and(|last| *last != b'\n') {
            self.out.push(b'\n');
        }
    }

    /// What it has become, with the lines that are left.
    pub fn finish(&mut self, call: &Call<'_>) -> Result<BString, Ended> {
        self.copy(self.count().max(self.frozen), call)?;
        Ok(std::mem::take(&mut self.out).into())
    }
}
