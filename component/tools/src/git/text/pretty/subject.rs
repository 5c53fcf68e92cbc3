//! Splits a message into subject and body.

use gix::bstr::ByteSlice;

use crate::git::words::space::{TrimSpace, is_blank};

/// `message` without leading blank lines.
pub fn skip_blank_lines(message: &[u8]) -> &[u8] {
    let blank = message.split_inclusive(|byte| *byte == b'\n').take_while(|line| is_blank(line));
    &message[blank.map(<[u8]>::len).sum()..]
}

/// The lines of the first paragraph, without trailing white space, and the text after the blank line that follows.
fn split(message: &[u8]) -> (Vec<&[u8]>, &[u8]) {
    let mut lines = Vec::new();
    let mut rest = message;
    for line in message.split_inclusive(|byte| *byte == b'\n') {
        rest = &rest[line.len()..];
        if is_blank(line) {
            break;
        }
        lines.push(line.trim_space_end());
    }
    (lines, rest)
}

/// The first paragraph of `message` on one line, and the rest unchanged. The message must begin with it.
pub fn subject(message: &[u8]) -> (Vec<u8>, &[u8]) {
    let (lines, rest) = split(message);
    (lines.join(&b' '), rest)
}

/// `%b`: the text after the first paragraph.
pub fn body(message: &[u8]) -> &[u8] {
    skip_blank_lines(split(message).1)
}

/// `%f`: the first line as a file name.
pub fn file_name(message: &[u8]) -> Vec<u8> {
    let line = message.lines_with_terminator().next().unwrap_or_default();
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let mut name = Vec::new();
    let mut gap = false;
    let mut bytes = line.iter().peekable();
    while let Some(byte) = bytes.next() {
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')) {
            gap = true;
            continue;
        }
        if std::mem::take(&mut gap) && !name.is_empty() {
            name.push(b'-');
        }
        name.push(*byte);
        while *byte == b'.' && bytes.next_if_eq(&&b'.').is_some() {}
    }
    let end = name.trim_end_with(|c| matches!(c, '.' | '-')).len();
    name.truncate(end);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_a_paragraph() {
        let message = skip_blank_lines(b"\n \none \ntwo\n\n\nthree\n");
        assert_eq!(subject(message).0, b"one two");
        assert_eq!(body(message), b"three\n");
        assert_eq!(body(b"one"), b"");
    }

    #[test]
    fn a_file_name_has_letters_digits_dots_and_dashes() {
        assert_eq!(file_name(b"Fix: a..b (c).\nmore"), b"Fix-a.b-c");
        assert_eq!(file_name(b"--..--"), b"");
        assert_eq!(file_name("é_x".as_bytes()), b"_x");
    }
}
