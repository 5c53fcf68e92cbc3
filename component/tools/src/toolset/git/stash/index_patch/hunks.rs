//! Applies the hunks between two texts to a third. As in `git apply`, a hunk may move, but its lines must match exactly.

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use patch::hunk::{Hunk, Line};

use crate::deadline::Deadline;
use crate::error::ToolError;

/// Why a patch does not apply.
#[derive(Debug, Eq, PartialEq)]
pub enum Failure {
    /// No place matches the hunk that begins at this line, counted from one.
    At(u64),
    /// The content is binary, and differs from the old side. This is its id.
    Binary(ObjectId),
    /// Removing the file would leave content.
    LeftOver,
}

impl Failure {
    /// git's first message about the file at `path`.
    pub fn words(&self, path: &BStr) -> Vec<u8> {
        let words = |start: &str, end: &str| [start.as_bytes(), path.as_bytes(), end.as_bytes()].concat();
        match self {
            Failure::At(line) => words("error: patch failed: ", &format!(":{line}\n")),
            Failure::Binary(id) => words(
                "error: the patch applies to '",
                &format!("' ({id}), which does not match the current contents.\n"),
            ),
            Failure::LeftOver => b"error: removal patch leaves file contents\n".to_vec(),
        }
    }
}

/// A line of the patched text.
#[derive(Clone, Copy)]
struct Target<'t> {
    line: &'t [u8],
    /// Whether a hunk has written it. Other hunks must not match it.
    is_patched: bool,
}

/// Applies the hunks from `old` to `new` to `target`. Calls `at_end` with the number, from zero, of each hunk applied at the end.
pub fn patched(
    old: &[u8],
    new: &[u8],
    target: &[u8],
    mut at_end: impl FnMut(usize),
    deadline: &Deadline,
) -> Result<Result<Vec<u8>, Failure>, ToolError> {
    let poll = || deadline.flow(1024);
    let options = patch::Options { deadline: patch::Deadline::new(&poll), ..Default::default() };
    let hunks = patch::hunk::hunks(old, new, &options).map_err(|_| deadline.timeout(String::new()))?;
    let lines = target.split_inclusive(|byte| *byte == b'\n');
    let mut image: Vec<Target<'_>> = lines.map(|line| Target { line, is_patched: false }).collect();
    for (number, hunk) in hunks.iter().enumerate() {
        let lines: Vec<Line<'_>> = hunks.lines(hunk).collect();
        let before: Vec<&[u8]> = lines.iter().filter_map(|line| old_line(*line)).collect();
        let Some(at) = place(&image, &before, hunk, has_tail(&lines), deadline)? else {
            return Ok(Err(Failure::At(first_line(hunk))));
        };
        if at + before.len() >= image.len() {
            at_end(number);
        }
        let after = lines.iter().filter_map(|line| match line {
            Line::Context(line) | Line::Added(line) => Some(Target { line, is_patched: true }),
            Line::Deleted(_) => None,
        });
        image.splice(at..at + before.len(), after.collect::<Vec<_>>());
    }
    Ok(Ok(image.iter().map(|target| target.line).collect::<Vec<_>>().concat()))
}

fn old_line<'l>(line: Line<'l>) -> Option<&'l [u8]> {
    match line {
        Line::Context(line) | Line::Deleted(line) => Some(line),
        Line::Added(_) => None,
    }
}

/// Whether the hunk ends with context.
fn has_tail(lines: &[Line<'_>]) -> bool {
    matches!(lines.last(), Some(Line::Context(_)))
}

/// The first line number in the hunk's header.
fn first_line(hunk: &Hunk) -> u64 {
    u64::from(hunk.old.start) + u64::from(!hunk.old.is_empty())
}

/// The position where `before` matches, nearest to the hunk's own. Of two equally near, the later wins (git's apply.c, `find_pos`).
fn place(
    image: &[Target<'_>],
    before: &[&[u8]],
    hunk: &Hunk,
    has_tail: bool,
    deadline: &Deadline,
) -> Result<Option<usize>, ToolError> {
    let at_start = first_line(hunk) <= 1;
    let at_end = !has_tail;
    let fits = |at: usize| -> Result<bool, ToolError> {
        deadline.poll()?;
        let Some(lines) = image.get(at..at + before.len()) else { return Ok(false) };
        let is_right = (!at_start || at == 0) && (!at_end || at + before.len() == image.len());
        let is_same = |(target, line): (&Target<'_>, &&[u8])| !target.is_patched && target.line == *line;
        Ok(is_right && lines.iter().zip(before).all(is_same))
    };
    let wanted = (if hunk.new.is_empty() { hunk.new.start.saturating_sub(1) } else { hunk.new.start }) as usize;
    let start = match (at_start, at_end) {
        (true, _) => 0,
        (_, true) => image.len().saturating_sub(before.len()),
        _ => wanted,
    };
    let start = start.min(image.len());
    for distance in 0..=image.len() {
        if start + distance <= image.len() && fits(start + distance)? {
            return Ok(Some(start + distance));
        }
        if distance > 0 && distance <= start && fits(start - distance)? {
            return Ok(Some(start - distance));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(old: &str, new: &str, target: &str) -> Result<String, Failure> {
        let deadline = Deadline::after(|| 0, u64::MAX);
        let merged = patched(old.as_bytes(), new.as_bytes(), target.as_bytes(), |_| {}, &deadline).unwrap();
        merged.map(|merged| merged.to_str().unwrap().to_owned())
    }

    #[test]
    fn a_hunk_is_found_where_its_lines_have_gone() {
        let text = |middle: &str| format!("1\n2\n3\n4\n{middle}\n6\n7\n8\n9\n");
        let moved = format!("0\n0\n{}", text("5"));
        assert_eq!(apply(&text("5"), &text("five"), &moved), Ok(format!("0\n0\n{}", text("five"))));
        assert_eq!(apply(&text("5"), &text("five"), &text("V")), Err(Failure::At(2)));
    }

    #[test]
    fn a_hunk_without_context_stays_at_its_end_of_the_text() {
        assert_eq!(apply("a\n", "b\n", "a\n"), Ok("b\n".to_owned()));
        assert_eq!(apply("a\n", "b\n", "a\nmore\n"), Err(Failure::At(1)));
        assert_eq!(apply("", "b\n", "a\n"), Err(Failure::At(0)));
        assert_eq!(apply("a\n", "", "a\n"), Ok(String::new()));
    }
}
