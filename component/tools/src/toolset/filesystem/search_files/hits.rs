//! Finds the matches in one file.

use regex::bytes::{Regex, RegexBuilder};

use crate::deadline::{Deadline, units};
use crate::error::ToolError;

/// Size limit, in bytes, of a compiled expression, and also of its state while it runs. Without it, nested repetitions would grow without
/// bound.
const MAX_COMPILED: usize = 1 << 20;

/// How a pattern matches.
#[derive(Clone, Copy, Default)]
pub struct Matching {
    /// Letters match in either case.
    pub ignore_case: bool,
    /// The pattern is a text and not an expression.
    pub literal: bool,
    /// A match may go over several lines.
    pub multiline: bool,
}

/// What is looked for.
pub struct Pattern {
    regex: Regex,
    /// A line that matches it does not count.
    exclude: Option<Regex>,
    multiline: bool,
}

/// A match, or all of them on one line.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// The number of its first line, counted from 0.
    pub first: usize,
    /// The number of its last line.
    pub last: usize,
    /// Where its first line begins in the file.
    pub line: usize,
    /// Where the first match in it begins, and ends.
    pub start: usize,
    /// See `start`.
    pub end: usize,
}

impl Pattern {
    /// Compiles the pattern. A search takes time linear in the size of its input.
    pub fn new(pattern: &str, exclude: Option<&str>, matching: Matching) -> Result<Pattern, ToolError> {
        let Matching { ignore_case, literal, multiline } = matching;
        let compiled = |pattern: &str| {
            let mut builder = RegexBuilder::new(pattern);
            builder.size_limit(MAX_COMPILED).dfa_size_limit(MAX_COMPILED).case_insensitive(ignore_case);
            builder.multi_line(multiline).dot_matches_new_line(multiline);
            builder.build().map_err(|error| {
                ToolError::bad_args(format!("Invalid pattern: {error}"))
                    .hint("To match text literally, set `literal` to true, or put a \\ before each of .*+?()[]{}|^$\\.")
            })
        };
        let pattern = if literal { regex::escape(pattern) } else { pattern.to_owned() };
        Ok(Pattern { regex: compiled(&pattern)?, exclude: exclude.map(compiled).transpose()?, multiline })
    }

    /// Shows `take` every hit in `content`, until it returns false. Returns whether it did.
    pub fn search(
        &self,
        content: &[u8],
        deadline: &Deadline,
        mut take: impl FnMut(Hit) -> bool,
    ) -> Result<bool, ToolError> {
        match self.multiline {
            true => self.whole(content, deadline, &mut take),
            false => self.lines(content, deadline, &mut take),
        }
    }

    fn lines(&self, content: &[u8], deadline: &Deadline, take: &mut dyn FnMut(Hit) -> bool) -> Result<bool, ToolError> {
        let mut at = 0;
        for (number, whole) in content.split_inclusive(|byte| *byte == b'\n').enumerate() {
            deadline.poll_units(1 + units(whole.len()))?;
            let line = bare(whole);
            if let Some(found) = self.regex.find(line)
                && !self.exclude.as_ref().is_some_and(|exclude| exclude.is_match(line))
            {
                let (start, end) = (at + found.start(), at + found.end());
                if !take(Hit { first: number, last: number, line: at, start, end }) {
                    return Ok(false);
                }
            }
            at += whole.len();
        }
        Ok(true)
    }

    fn whole(&self, content: &[u8], deadline: &Deadline, take: &mut dyn FnMut(Hit) -> bool) -> Result<bool, ToolError> {
        let (mut number, mut line, mut at) = (0, 0, 0);
        let mut shown_to = 0;
        while at <= content.len() {
            // What comes before the next match is read at once, in linear time.
            deadline.poll_units(1 + units(content.len() - at))?;
            let Some(found) = self.regex.find_at(content, at) else { return Ok(true) };
            while let Some(end) = content[line..found.start()].iter().position(|byte| *byte == b'\n') {
                line += end + 1;
                number += 1;
            }
            // A line end at the end of the match does not make the next line a part of it.
            let inner = found.as_bytes().strip_suffix(b"\n").unwrap_or(found.as_bytes());
            let last = number + inner.iter().filter(|byte| **byte == b'\n').count();
            at = if found.end() > found.start() { found.end() } else { found.end() + 1 };
            // The lines of a hit are shown once, whatever else matches in them.
            if found.start() < shown_to
                || self.exclude.as_ref().is_some_and(|exclude| exclude.is_match(found.as_bytes()))
            {
                continue;
            }
            let rest = found.start() + inner.len();
            shown_to =
                content[rest..].iter().position(|byte| *byte == b'\n').map_or(content.len(), |end| rest + end + 1);
            if line == content.len() && !content.is_empty() && content.ends_with(b"\n") {
                // Nothing after the last line end is a line.
                return Ok(true);
            }
            if !take(Hit { first: number, last, line, start: found.start(), end: found.end() }) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A line without its end.
pub fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
