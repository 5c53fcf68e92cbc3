//! The text of one commit during formatting, with a limit on size and time.

use std::ops::Deref;

use gix::bstr::ByteSlice;

use crate::deadline::{Deadline, units};
use crate::error::ToolError;

/// Size limit of the text of one commit, in bytes. No honest format comes near it.
pub const LARGEST: usize = 64 << 20;

/// A growing text. Before it grows, it checks the size limit and the deadline.
pub struct Text<'d> {
    bytes: Vec<u8>,
    /// The number of bytes at the start that contain no NUL.
    without_nul: usize,
    deadline: &'d Deadline,
}

impl Deref for Text<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl<'d> Text<'d> {
    /// Starts an empty text.
    pub fn new(deadline: &'d Deadline) -> Text<'d> {
        Text { bytes: Vec::new(), without_nul: 0, deadline }
    }

    /// Starts a separate text with the same deadline.
    pub fn apart(&self) -> Text<'d> {
        Text::new(self.deadline)
    }

    /// Appends `bytes`.
    ///
    /// # Errors
    ///
    /// If the text becomes too large, or the deadline has passed. The same holds for every method that extends it.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), ToolError> {
        self.work(bytes.len())?;
        check(self.len().saturating_add(bytes.len()))?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Appends `count` spaces.
    pub fn add_spaces(&mut self, count: usize) -> Result<(), ToolError> {
        self.work(count)?;
        let length = self.len().saturating_add(count);
        check(length)?;
        self.bytes.resize(length, b' ');
        Ok(())
    }

    /// Appends the output of `write`. It must not be much larger than the data in the repository.
    pub fn add_by<T>(&mut self, write: impl FnOnce(&mut Vec<u8>) -> Result<T, ToolError>) -> Result<T, ToolError> {
        let before = self.len();
        let written = write(&mut self.bytes)?;
        self.work(self.len() - before)?;
        check(self.len())?;
        Ok(written)
    }

    /// Inserts `byte` at a position.
    pub fn insert(&mut self, at: usize, byte: u8) -> Result<(), ToolError> {
        self.work(self.len() - at)?;
        check(self.len() + 1)?;
        self.bytes.insert(at, byte);
        Ok(())
    }

    /// Keeps only the first `length` bytes.
    pub fn truncate(&mut self, length: usize) {
        self.bytes.truncate(length);
        self.without_nul = self.without_nul.min(length);
    }

    /// Keeps only the first `length` bytes, and returns the rest.
    pub fn split_off(&mut self, length: usize) -> Vec<u8> {
        self.without_nul = self.without_nul.min(length);
        self.bytes.split_off(length)
    }

    /// The last line, including the line feed before it. git ends the text at its first NUL.
    pub fn last_line(&mut self) -> &[u8] {
        // Callers may ask often, so this never scans the part without NUL again.
        let from = self.without_nul;
        let end = self.bytes[from..].find_byte(0).map_or(self.len(), |at| from + at);
        self.without_nul = end;
        let text = &self.bytes[..end];
        &text[text.rfind_byte(b'\n').unwrap_or(0)..]
    }

    /// Accounts for scanning `bytes` bytes.
    ///
    /// # Errors
    ///
    /// If the deadline has passed.
    pub fn work(&self, bytes: usize) -> Result<(), ToolError> {
        self.deadline.poll_units(units(bytes).saturating_add(1))
    }
}

fn check(length: usize) -> Result<(), ToolError> {
    if length > LARGEST {
        return Err(ToolError::failed(format!("format expands one commit to more than {LARGEST} bytes"))
            .hint("Use less padding, and fewer spaces before lines."));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_ends_at_the_first_nul_that_is_still_there() {
        let deadline = Deadline::after(|| 0, u64::MAX / 2);
        let mut text = Text::new(&deadline);
        assert_eq!(text.last_line(), b"");
        text.add(b"one\ntwo").unwrap();
        assert_eq!(text.last_line(), b"\ntwo");
        text.add(b"\0\nthree").unwrap();
        assert_eq!(text.last_line(), b"\ntwo");
        text.truncate(5);
        text.insert(4, b'\n').unwrap();
        assert_eq!(text.last_line(), b"\nt");
        assert_eq!(text.split_off(2), b"e\n\nt");
        assert_eq!(text.last_line(), b"on");
    }

    #[test]
    fn a_text_that_is_too_large_is_refused_before_it_is_made() {
        let deadline = Deadline::after(|| 0, u64::MAX / 2);
        let mut text = Text::new(&deadline);
        text.add(b"a").unwrap();
        let error = text.add_spaces(usize::MAX).unwrap_err();
        assert!(error.message.starts_with("format expands one commit to more than"), "{error:?}");
        text.add_spaces(LARGEST).unwrap_err();
        assert_eq!(&*text, b"a");
    }
}
