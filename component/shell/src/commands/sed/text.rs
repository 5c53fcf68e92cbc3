//! Reads the texts of commands: between marks, and to be added.

use bstr::{BString, ByteSlice};

use super::escapes;
use super::read::{Read, Reader};

impl Reader<'_> {
    /// What stands before the next mark. A backslash before the mark goes away. None if the mark is missing.
    pub fn until(&mut self, mark: u8, is_pattern: bool) -> Option<BString> {
        let mut out = BString::default();
        loop {
            let byte = self.take()?;
            if byte == mark {
                return Some(out);
            }
            if byte == b'\n' {
                self.at -= 1;
                return None;
            }
            if byte == b'[' && is_pattern {
                self.at -= 1;
                let length = set(&self.text[self.at..])?;
                out.extend_from_slice(&self.text[self.at..self.at + length]);
                self.at += length;
                continue;
            }
            if byte != b'\\' {
                out.push(byte);
                continue;
            }
            let next = self.take()?;
            if next == b'n' && is_pattern && next != mark {
                out.push(b'\n');
                continue;
            }
            if next != b'\n' && (next != mark || (!is_pattern && next == b'&')) {
                out.push(b'\\');
            }
            out.push(next);
        }
    }

    /// What becomes of which character by `y`.
    pub fn translation(&mut self) -> Read<Vec<(BString, BString)>> {
        const UNTERMINATED: &str = "unterminated `y' command";
        let mark = self.take().ok_or(UNTERMINATED)?;
        let from = self.until(mark, false).ok_or(UNTERMINATED)?;
        let to = self.until(mark, false).ok_or(UNTERMINATED)?;
        let (from, to) = (characters(&from), characters(&to));
        if from.len() != to.len() {
            return Err("strings for `y' command are different lengths".to_owned());
        }
        Ok(from.into_iter().zip(to).collect())
    }

    /// The text of `a`, `i` or `c`, with the line break at its end.
    pub fn added(&mut self) -> Read<BString> {
        const EXPECTED: &str = "expected \\ after `a', `c' or `i'";
        self.blanks();
        if self.is_bound() {
            return Err(EXPECTED.to_owned());
        }
        if self.peek() == Some(b'\\') {
            self.at += 1;
            if self.peek().is_none() {
                return Ok(BString::default());
            }
            if self.peek() == Some(b'\n') {
                self.at += 1;
            } else if self.dialect.posix {
                return Err(EXPECTED.to_owned());
            } else if self.peek() != Some(b'\\') {
                // A text in the same line keeps its blanks, and the backslash is for the first byte.
                let first = self.take();
                return Ok(self.line(first.into_iter().collect::<Vec<u8>>().into()));
            }
        } else if self.dialect.posix {
            self.at += 1;
            return Err(EXPECTED.to_owned());
        }
        Ok(self.line(BString::default()))
    }

    /// The rest of the line, and those that backslashes join to it.
    fn line(&mut self, mut out: BString) -> BString {
        while let Some(byte) = self.take() {
            match byte {
                b'\n' => break,
                b'\\' => {
                    let rest = &self.text[self.at..];
                    let escape = if rest.first() == Some(&b'n') { Some((b'\n', 1)) } else { escapes::byte(rest) };
                    match escape.filter(|_| !self.dialect.posix) {
                        Some((byte, length)) => {
                            out.push(byte);
                            self.at += length;
                        }
                        None => out.extend(self.take()),
                    }
                }
                byte => out.push(byte),
            }
        }
        out.push(b'\n');
        out
    }
}

/// The length of a set in brackets, where marks and backslashes are characters. None if it does not end in the line.
fn set(text: &[u8]) -> Option<usize> {
    let line = text.lines_with_terminator().next().unwrap_or_default();
    let mut at = if line.get(1) == Some(&b'^') { 2 } else { 1 };
    if line.get(at) == Some(&b']') {
        at += 1;
    }
    loop {
        match (line.get(at)?, line.get(at + 1)) {
            (b']', _) => return Some(at + 1),
            (b'[', Some(mark @ (b':' | b'.' | b'='))) => at += 4 + line[at + 2..].find([*mark, b']'])?,
            _ => at += 1,
        }
    }
}

/// The characters of a text of `y`.
fn characters(text: &[u8]) -> Vec<BString> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.first() {
        if *first == b'\\' && rest.len() > 1 {
            let (byte, length) = match rest[1] {
                b'n' => (b'\n', 1),
                other => escapes::byte(&rest[1..]).unwrap_or((other, 1)),
            };
            if byte < 0x80 {
                out.push(BString::from(vec![byte]));
                rest = &rest[1 + length..];
                continue;
            }
            rest = &rest[1..];
        }
        let length = match bstr::decode_utf8(rest) {
            (Some(_), length) => length,
            (None, _) => 1,
        };
        out.push(rest[..length].as_bstr().to_owned());
        rest = &rest[length..];
    }
    out
}
