//! The output and error streams of a git command.

use gix::bstr::ByteSlice;

use crate::error::ToolError;

/// What a command has written so far.
#[derive(Debug, Default)]
pub struct Streams {
    /// The output.
    pub out: Vec<u8>,
    /// The error stream.
    pub err: Vec<u8>,
}

impl Streams {
    /// Appends a line to the output.
    pub fn line(&mut self, pieces: &[&[u8]]) {
        self.out.extend(pieces.concat());
        self.out.push(b'\n');
    }

    /// Appends a line to the error stream.
    pub fn error_line(&mut self, pieces: &[&[u8]]) {
        self.err.extend(pieces.concat());
        self.err.push(b'\n');
    }

    /// Both streams as the text of a result.
    pub fn text(self) -> Vec<u8> {
        let mut text = self.out;
        if !self.err.is_empty() {
            text.extend_from_slice(b"\n\n[stderr]\n");
            text.extend_from_slice(&self.err);
        }
        text
    }

    /// An error whose message is the error stream.
    pub fn failed(&self) -> ToolError {
        ToolError::failed(self.err.trim_ascii_end().to_str_lossy())
    }
}
