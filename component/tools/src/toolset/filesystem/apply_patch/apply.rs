//! Applies hunks to a file, as Codex does: each is looked for after the last one, first exactly, then with less and less regard to white
//! space and typographic punctuation. Unlike Codex, lines of context stay as they are in the file, and so does its last line end.

use std::borrow::Cow;

use super::parse::{Hunk, Line};
use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::toolset::filesystem::line_ends::LineEnds;

/// A file after its hunks.
pub struct Applied {
    /// What is in it.
    pub content: Vec<u8>,
    /// Lines that came.
    pub added: usize,
    /// Lines that went.
    pub deleted: usize,
    /// Hunks that were found with fuzz: their number, the line, both counted from 1, and in what the file differs.
    pub fuzz: Vec<(usize, usize, &'static str)>,
}

/// In what a line of the file may differ from one of the patch, the least first.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Level {
    Exact,
    AtEnd,
    Space,
    Punctuation,
}

const LEVELS: [(Level, &str); 4] = [
    (Level::Exact, ""),
    (Level::AtEnd, "whitespace at line ends"),
    (Level::Space, "whitespace"),
    (Level::Punctuation, "punctuation"),
];

impl Level {
    fn of(self, line: &str) -> Cow<'_, str> {
        match self {
            Level::Exact => Cow::Borrowed(line),
            Level::AtEnd => Cow::Borrowed(line.trim_end()),
            Level::Space => Cow::Borrowed(line.trim()),
            Level::Punctuation => Cow::Owned(line.trim().chars().map(plain).collect()),
        }
    }
}

/// The character of ASCII that a typographic one stands for.
fn plain(character: char) -> char {
    match character {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{201c}'..='\u{201f}' => '"',
        '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        other => other,
    }
}

/// The lines of a file, and where to look on.
struct Lines<'a> {
    /// Without line ends.
    lines: Vec<Cow<'a, str>>,
    deadline: &'a Deadline,
}

/// Applies `hunks` to `content`, the file that the caller calls `named`.
pub fn apply(content: &[u8], hunks: &[Hunk<'_>], named: &str, deadline: &Deadline) -> Result<Applied, ToolError> {
    let raw: Vec<&[u8]> = content.split_inclusive(|byte| *byte == b'\n').collect();
    let line_end: &[u8] = if LineEnds::of(content) == LineEnds::Crlf { b"\r\n" } else { b"\n" };
    let bare = |line: &'_ [u8]| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.strip_suffix(b"\r").filter(|_| line_end.len() == 2).unwrap_or(line).len()
    };
    let lines = raw.iter().map(|line| String::from_utf8_lossy(&line[..bare(line)])).collect();
    let lines = Lines { lines, deadline };
    let mut applied = Applied { content: Vec::with_capacity(content.len()), added: 0, deleted: 0, fuzz: Vec::new() };
    let mut at = 0;
    for (number, hunk) in hunks.iter().enumerate() {
        let place = lines.place(hunk, at, number + 1, named)?;
        if let Some((line, differs)) = place.fuzz {
            applied.fuzz.push((number + 1, line + 1, differs));
        }
        raw[at..place.at].iter().for_each(|line| applied.content.extend_from_slice(line));
        at = place.at;
        for line in &hunk.lines[..place.lines] {
            match line {
                Line::Context(_) => {
                    applied.content.extend_from_slice(raw[at]);
                    at += 1;
                }
                Line::Deleted(_) => {
                    applied.deleted += 1;
                    at += 1;
                }
                Line::Added(text) => {
                    // After a last line without an end, one more line needs it.
                    if applied.content.last().is_some_and(|byte| *byte != b'\n') {
                        applied.content.extend_from_slice(line_end);
                    }
                    applied.added += 1;
                    applied.content.extend_from_slice(text.as_bytes());
                    applied.content.extend_from_slice(line_end);
                }
            }
        }
    }
    for line in &raw[at..] {
        applied.content.extend_from_slice(line);
    }
    Ok(applied)
}

/// Where a hunk applies.
struct Place {
    /// The line before which it begins.
    at: usize,
    /// How many of its lines apply: all, or all but an empty one at its end.
    lines: usize,
    /// The line where it was found, and in what the file differs there.
    fuzz: Option<(usize, &'static str)>,
}

impl Lines<'_> {
    /// Where `hunk` applies, at the line `from` or after it.
    fn place(&self, hunk: &Hunk<'_>, from: usize, number: usize, named: &str) -> Result<Place, ToolError> {
        let mut from = from;
        let mut fuzz = None;
        for header in &hunk.headers {
            let (at, differs) = self
                .seek(&[header], from, false)?
                .ok_or_else(|| failed(number, named, &format!("no line after line {from} is '{header}'")))?;
            fuzz = fuzz.or(differs.map(|differs| (at, differs)));
            from = at + 1;
        }
        let old: Vec<&str> = hunk
            .lines
            .iter()
            .filter_map(|line| match line {
                Line::Context(text) | Line::Deleted(text) => Some(*text),
                Line::Added(_) => None,
            })
            .collect();
        if old.is_empty() {
            // After the line that its header names, or at the end of the file.
            let at = if hunk.headers.is_empty() || hunk.at_end { self.lines.len() } else { from };
            return Ok(Place { at, lines: hunk.lines.len(), fuzz });
        }
        if let Some((at, differs)) = self.seek(&old, from, hunk.at_end)? {
            return Ok(Place { at, lines: hunk.lines.len(), fuzz: fuzz.or(differs.map(|differs| (at, differs))) });
        }
        // An empty line at the end may be one that the patch, and not the file, has there.
        if let ([rest @ .., ""], Some(Line::Context(""))) = (&old[..], hunk.lines.last())
            && !rest.is_empty()
            && let Some((at, differs)) = self.seek(rest, from, hunk.at_end)?
        {
            return Ok(Place { at, lines: hunk.lines.len() - 1, fuzz: fuzz.or(differs.map(|differs| (at, differs))) });
        }
        let first = old.iter().find(|line| !line.trim().is_empty()).unwrap_or(&"");
        Err(match self.seek(&[first], 0, false)? {
            Some((at, _)) => failed(
                number,
                named,
                &format!("its lines do not occur after line {from}. Line {} is like its first line", at + 1),
            ),
            None => failed(number, named, &format!("its lines do not occur after line {from}")),
        })
    }

    /// The first place at `from` or after it where `wanted` occurs, and in what the file differs there. At the end of the file only what ends
    /// there comes first.
    fn seek(
        &self,
        wanted: &[&str],
        from: usize,
        at_end: bool,
    ) -> Result<Option<(usize, Option<&'static str>)>, ToolError> {
        let Some(last) = self.lines.len().checked_sub(wanted.len()).filter(|last| *last >= from) else {
            return Ok(None);
        };
        for (level, differs) in LEVELS {
            let wanted: Vec<Cow<'_, str>> = wanted.iter().map(|line| level.of(line)).collect();
            let is_there = |at: usize| -> Result<bool, ToolError> {
                let pairs = wanted.iter().zip(&self.lines[at..]);
                let same = pairs.take_while(|(wanted, line)| **wanted == level.of(line)).count();
                // Lines that are all alike are compared many at each place.
                let compared = u32::try_from(same).unwrap_or(u32::MAX / 2);
                self.deadline.poll_units(1 + compared.saturating_add(units(self.lines[at].len())))?;
                Ok(same == wanted.len())
            };
            let differs = (level != Level::Exact).then_some(differs);
            if at_end && is_there(last)? {
                return Ok(Some((last, differs)));
            }
            for at in from..=last {
                if is_there(at)? {
                    return Ok(Some((at, differs)));
                }
            }
        }
        Ok(None)
    }
}

fn failed(number: usize, named: &str, why: &str) -> ToolError {
    ToolError::failed(format!("Hunk {number} does not apply to {named}: {why}"))
        .hint("Nothing has changed. Read the file, and make the patch from what is there.")
}
