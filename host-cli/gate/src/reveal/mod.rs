//! Finds what a screen misrepresents in a text, and makes it visible for a reviewer.
//!
//! | file | what it knows |
//! |---|---|
//! | `table` | invisible characters |
//! | `context` | which of them, and of blanks and marks, belong where they are |
//! | `alike` | letters and signs that look like those of code |

mod alike;
mod context;
mod table;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

pub(crate) use table::shows_nothing;

use context::Around;

/// A longer run of blanks is shown by its count. On most screens the text after it is out of sight.
pub(crate) const BLANKS: usize = 100;

/// Columns between tab stops.
const TAB: usize = 8;

/// How a part of a line misleads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Misleads {
    /// It is invisible, reorders other characters, or looks like a space but is none.
    Hidden,
    /// It looks like an ASCII letter or sign but is none.
    Alike,
    /// This many blanks precede more text.
    Blanks(usize),
}

/// A part of a line that the review replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// Its byte range in the line.
    pub at: Range<usize>,
    /// How it misleads a reader; `None` if honest authors write it too.
    pub misleads: Option<Misleads>,
    /// Its replacement.
    pub shown: String,
}

/// The parts of a line to replace, in order. The line has no line feed.
pub(crate) fn parts(line: &str) -> Vec<Part> {
    parts_of(line, true)
}

/// As above, for a piece of a line, which may be the last one.
pub(crate) fn parts_of(line: &str, is_last: bool) -> Vec<Part> {
    let mut parts = long_blanks(line, is_last);
    if line.is_ascii() {
        return parts;
    }
    let mut around = Around::of(line);
    while let Some((at, char)) = around.next() {
        if let Some(is_honest) = around.hides(char) {
            let misleads = (!is_honest).then_some(Misleads::Hidden);
            parts.push(Part { at: at..at + char.len_utf8(), misleads, shown: stand_in(char) });
        }
    }
    parts.extend(alike::of(line).into_iter().map(|(at, char)| Part {
        at: at..at + char.len_utf8(),
        misleads: Some(Misleads::Alike),
        shown: stand_in(char),
    }));
    patch::sort::sort_by_key(&mut parts, |part| part.at.start);
    // A stray mark may also look like a sign.
    parts.dedup_by(|later, first| later.at.start < first.at.end);
    parts
}

/// Text of any number of lines for a reviewer: misleading parts become `<U+202E>` or `<120 blanks>`.
pub fn reveal(text: &str) -> Cow<'_, str> {
    if text.is_ascii() && !text.lines().any(|line| line.len() > BLANKS / TAB && !long_blanks(line, true).is_empty()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let body = line.strip_suffix('\n').unwrap_or(line);
        reveal_line(body, &parts(body), &mut out);
        out.push_str(&line[body.len()..]);
    }
    Cow::Owned(out)
}

/// As above, for a line whose `parts` are known.
pub(crate) fn reveal_line(line: &str, parts: &[Part], out: &mut String) {
    let mut done = 0;
    for part in parts {
        out.push_str(&line[done..part.at.start]);
        out.push_str(&part.shown);
        done = part.at.end;
    }
    out.push_str(&line[done..]);
}

/// The displayed word around one of the `parts` of a line, or the displayed sign.
pub(crate) fn word(line: &str, parts: &[Part], part: &Part) -> String {
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$');
    let begin = line[..part.at.start].trim_end_matches(is_part).len();
    let end = line.len() - line[part.at.end..].trim_start_matches(is_part).len();
    let within: Vec<Part> = parts.iter().filter(|part| begin <= part.at.start && part.at.end <= end).cloned().collect();
    let moved: Vec<Part> =
        within.into_iter().map(|part| Part { at: part.at.start - begin..part.at.end - begin, ..part }).collect();
    let mut out = String::new();
    reveal_line(&line[begin..end], &moved, &mut out);
    out
}

/// The replacement of a character.
pub(crate) fn stand_in(char: char) -> String {
    format!("<U+{:04X}>", u32::from(char))
}

fn long_blanks(line: &str, is_last: bool) -> Vec<Part> {
    let (mut parts, mut start) = (Vec::new(), 0);
    if line.len() <= BLANKS / TAB {
        return parts;
    }
    for (at, byte) in line.bytes().chain([b'.']).enumerate() {
        if matches!(byte, b' ' | b'\t') {
            continue;
        }
        let count = at - start;
        // At the beginning, after a patch's sign, blanks are indentation.
        let tabs = if start > 1 { line.as_bytes()[start..at].iter().filter(|byte| **byte == b'\t').count() } else { 0 };
        if count + (TAB - 1) * tabs > BLANKS {
            let mut shown = String::new();
            write!(shown, "<{count} {}>", kind(&line[start..at])).expect("writing to a string does not fail");
            // At the end of a line they hide nothing. A carriage return belongs to that end.
            let is_end = is_last && line[at..].trim_end_matches('\r').is_empty();
            parts.push(Part { at: start..at, misleads: (!is_end).then_some(Misleads::Blanks(count)), shown });
        }
        start = at + 1;
    }
    parts
}

fn kind(blanks: &str) -> &'static str {
    match (blanks.contains(' '), blanks.contains('\t')) {
        (true, false) => "spaces",
        (false, true) => "tabs",
        _ => "blanks",
    }
}

#[cfg(test)]
mod tests;
