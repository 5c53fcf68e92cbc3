//! What git says, on both of its streams.

use gix::bstr::ByteSlice;

use crate::error::ToolError;

/// Two streams.
#[derive(Debug, Default)]
pub struct Said {
    /// The output.
    pub out: Vec<u8>,
    /// The error stream.
    pub err: Vec<u8>,
}

impl Said {
    /// Says a line on the output.
    pub fn line(&mut self, pieces: &[&[u8]]) {
        self.out.extend(pieces.concat());
        self.out.push(b'\n');
    }

    /// Says a line on the error stream.
    pub fn error_line(&mut self, pieces: &[&[u8]]) {
        self.err.extend(pieces.concat());
        self.err.push(b'\n');
    }

    /// Both, as a result has them.
    pub fn text(self) -> Vec<u8> {
        let mut text = self.out;
        if !self.err.is_empty() {
            text.extend_from_slice(b"\n\n[stderr]\n");
            text.extend_from_slice(&self.err);
        }
        text
    }

    /// The error stream, as an error has it.
    pub fn failed(&self) -> ToolError {
        ToolError::failed(self.err.trim_ascii_end().to_str_lossy())
    }
}
