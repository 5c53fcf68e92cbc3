//! Formats a message for an entry: indents its lines, and expands tabs.

use gix::bstr::ByteSlice;

use super::layout::Layout;
use crate::git::words::columns;
use crate::git::words::space::TrimSpace;

/// The distance between tab stops in a message.
const TAB: usize = 8;
/// The indentation of a message.
pub const INDENT: usize = 4;

/// Appends the lines of `message` in the style of `layout`.
pub fn append(layout: Layout, message: &[u8], out: &mut Vec<u8>) {
    let is_mail = matches!(layout, Layout::Email | Layout::Mboxrd);
    let expands = matches!(layout, Layout::Medium | Layout::Full | Layout::Fuller);
    let mut first = true;
    for line in message.split_inclusive(|byte| *byte == b'\n') {
        let line = line.trim_space_end();
        if line.is_empty() {
            if first {
                continue;
            }
            if layout == Layout::Short {
                break;
            }
        }
        first = false;
        if !is_mail {
            out.resize(out.len() + INDENT, b' ');
        }
        if layout == Layout::Mboxrd && is_quoted_from(line) {
            out.push(b'>');
        }
        match expands {
            true => expand_tabs(line, out),
            false => out.extend_from_slice(line),
        }
        out.push(b'\n');
    }
}

/// Whether a mailbox would take the line as the start of a mail, however often it was quoted.
fn is_quoted_from(line: &[u8]) -> bool {
    line.trim_start_with(|c| c == '>').starts_with(b"From ")
}

/// Expands tabs to the next stop, as long as the width of the text before them is known.
fn expand_tabs(line: &[u8], out: &mut Vec<u8>) {
    let mut rest = line;
    while let Some(at) = rest.find_byte(b'\t') {
        let Some(width) = width(&rest[..at]) else { break };
        out.extend_from_slice(&rest[..at]);
        out.resize(out.len() + TAB - width % TAB, b' ');
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}

/// The width of `text` in columns. `None` if it has a control character or is not UTF-8.
fn width(text: &[u8]) -> Option<usize> {
    let mut width = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let (c, length) = columns::first(rest)?;
        width += columns::of(c)?;
        rest = &rest[length..];
    }
    Some(width)
}

/// The scissors line, from which on `git commit` cuts a message.
const SCISSORS: &[u8] = b"# ------------------------ >8 ------------------------\n";

/// Removes the comments, blank lines and list of conflicts at the end of `message`, as git does to look for trailers.
pub fn without_comments(message: &[u8]) -> &[u8] {
    let scissors = [b"\n", SCISSORS].concat();
    let cut = match message.starts_with(SCISSORS) {
        true => 0,
        false => message.find(&scissors).map_or(message.len(), |at| at + 1),
    };
    // The start of the last run of such lines. As in git, 0 means none, so a run at the very start counts from its next line.
    let mut end = 0;
    let mut conflicts = false;
    let mut position = 0;
    for line in message.split_inclusive(|byte| *byte == b'\n') {
        if position >= cut {
            break;
        }
        if line.starts_with(b"#") || line.starts_with(b"\n") {
            end = if end == 0 { position } else { end };
        } else if line.starts_with(b"Conflicts:\n") {
            conflicts = true;
            end = if end == 0 { position } else { end };
        } else if !(conflicts && line.starts_with(b"\t")) && end > 0 {
            (end, conflicts) = (0, false);
        }
        position += line.len();
    }
    &message[..if end > 0 { end } else { cut }]
}

/// Trims trailing white space, and ends the line.
pub fn end_line(out: &mut Vec<u8>) {
    out.truncate(out.trim_space_end().len());
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_are_spaces_as_long_as_the_width_before_them_is_known() {
        let shown = |line: &str| {
            let mut out = Vec::new();
            expand_tabs(line.as_bytes(), &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(shown("ab\tX"), "ab      X");
        assert_eq!(shown("a\tb\u{1}c\tX"), "a       b\u{1}c\tX");
        assert_eq!(shown("\u{7f}\tX"), "\u{7f}\tX");
    }
}
