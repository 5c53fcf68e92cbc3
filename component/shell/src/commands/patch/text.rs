//! The text of a patch, line by line.

use bytes::Bytes;

/// A place in the text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark {
    /// Bytes before it.
    pub at: usize,
    /// Lines before it.
    pub line: usize,
}

/// The text of a patch, and how far it is read.
pub struct Text {
    bytes: Bytes,
    /// The place where it is read.
    pub mark: Mark,
    /// Columns of blanks that stand before each line of the patch.
    pub indent: usize,
    /// Whether lines of the patch end with a carriage return that is not meant.
    pub strips: bool,
    /// How often a last line was read that lacks its end.
    pub cut: usize,
}

impl Text {
    /// One from its beginning.
    pub fn new(bytes: Bytes) -> Text {
        Text { bytes, mark: Mark::default(), indent: 0, strips: false, cut: 0 }
    }

    /// The next line of a patch, with its end, but without what is not the patch's own. None at the end.
    /// A last line without an end is none, is noted, and is gone.
    pub fn line(&mut self) -> Option<Vec<u8>> {
        loop {
            let mark = self.mark;
            let line = self.whole()?;
            if line.last() != Some(&b'\n') {
                self.mark.line = mark.line;
                self.cut += 1;
                return None;
            }
            let mut line = line.slice(self.indented(&line)..).to_vec();
            if line.starts_with(b"#") {
                continue;
            }
            if self.strips && line.ends_with(b"\r\n") {
                line.truncate(line.len() - 2);
                line.push(b'\n');
            }
            return Some(line);
        }
    }

    /// The next line as it is. None at the end.
    pub fn whole(&mut self) -> Option<Bytes> {
        let rest = self.bytes.slice(self.mark.at..);
        if rest.is_empty() {
            return None;
        }
        let length = bstr::ByteSlice::find_byte(&rest[..], b'\n').map_or(rest.len(), |at| at + 1);
        self.mark.at += length;
        self.mark.line += 1;
        Some(rest.slice(..length))
    }

    /// Whether the next line says that the one before lacks its end. If so, it is read, and is not
    /// counted as a line.
    pub fn says_endless(&mut self) -> bool {
        let rest = &self.bytes[self.mark.at..];
        let found = rest.get(self.indented(rest)) == Some(&b'\\');
        if found {
            let line = self.mark.line;
            self.whole();
            self.mark.line = line;
        }
        found
    }

    /// Whether there is nothing at all.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether there is nothing behind.
    pub fn is_over(&self) -> bool {
        self.mark.at >= self.bytes.len()
    }

    /// The bytes between two places.
    pub fn between(&self, from: usize, to: usize) -> Bytes {
        self.bytes.slice(from..to.max(from))
    }

    /// How many bytes of a line are the patch's indentation.
    fn indented(&self, line: &[u8]) -> usize {
        let (mut column, mut length) = (0, 0);
        while column < self.indent {
            column = match line.get(length) {
                Some(b' ' | b'X') => column + 1,
                Some(b'\t') => column + 8 - column % 8,
                _ => break,
            };
            length += 1;
        }
        length
    }
}
