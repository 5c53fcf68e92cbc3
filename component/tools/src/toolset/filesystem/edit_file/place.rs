//! Where a text occurs in a file, and the file with another one there.

use gix::bstr::ByteSlice;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::toolset::filesystem::line_ends::LineEnds;
use crate::toolset::filesystem::near_miss;

/// How many lines a message names before it says "...".
const NAMED_LINES: usize = 10;

/// How many places a text must occur in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Wanted {
    /// One.
    One,
    /// Any number but none.
    All,
    /// So many.
    Exactly(usize),
}

/// A text that is looked for in a file.
pub struct Search<'a> {
    /// The file as the caller named it.
    pub named: &'a str,
    /// What is in it.
    pub content: &'a [u8],
    /// The text.
    pub old: &'a [u8],
    /// How the file's lines end.
    pub ends: LineEnds,
}

impl Search<'_> {
    /// The places where `old` occurs.
    pub fn places(&self, wanted: Wanted, deadline: &Deadline) -> Result<Vec<usize>, ToolError> {
        if wanted == Wanted::One {
            return Ok(vec![self.only(deadline)?]);
        }
        let places = self.apart(deadline)?;
        if places.is_empty() {
            return Err(self.nowhere(deadline)?);
        }
        match wanted {
            Wanted::Exactly(count) if count != places.len() => Err(self.too_many(&places).hint(format!(
                "`count` is {count}. Set it to {}, or add surrounding lines to `old` and `new`.",
                places.len()
            ))),
            _ => Ok(places),
        }
    }

    /// The only place where `old` occurs.
    fn only(&self, deadline: &Deadline) -> Result<usize, ToolError> {
        let Some(place) = self.content.find(self.old) else {
            return Err(self.nowhere(deadline)?);
        };
        // A second match that overlaps the first is just as ambiguous.
        let Some(second) = self.content[place + 1..].find(self.old) else {
            return Ok(place);
        };
        let mut places = self.apart(deadline)?;
        if places.len() == 1 {
            places.push(place + 1 + second);
        }
        Err(self
            .too_many(&places)
            .hint("Add surrounding lines to `old` and `new` until `old` occurs only once, or set `all` to true."))
    }

    fn too_many(&self, places: &[usize]) -> ToolError {
        let (lines, count) = (lines_of(self.content, places), places.len());
        let times = if count == 1 { "once".to_owned() } else { format!("{count} times") };
        ToolError::failed(format!("`old` occurs {times} in {} ({})", self.named, named(&lines, count)))
    }

    fn nowhere(&self, deadline: &Deadline) -> Result<ToolError, ToolError> {
        let hint = near_miss::hint(self.content, self.old, self.ends, deadline)?;
        Ok(ToolError::failed(format!("`old` does not occur in {}", self.named)).hint(hint))
    }

    /// The non-overlapping places where `old` occurs.
    fn apart(&self, deadline: &Deadline) -> Result<Vec<usize>, ToolError> {
        let mut places = Vec::new();
        for place in self.content.find_iter(self.old) {
            deadline.poll()?;
            places.push(place);
        }
        Ok(places)
    }
}

/// The line numbers of the first few places, counted from 1.
pub fn lines_of(content: &[u8], places: &[usize]) -> Vec<usize> {
    let (mut line, mut at) = (1, 0);
    let named = places.iter().take(NAMED_LINES);
    named
        .map(|&place| {
            line += content[at..place].iter().filter(|byte| **byte == b'\n').count();
            at = place;
            line
        })
        .collect()
}

/// `line 2` or `lines 2, 4, ...`, for the first lines of `count` places.
pub fn named(lines: &[usize], count: usize) -> String {
    let all = lines.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let more = if count > lines.len() { ", ..." } else { "" };
    format!("{} {all}{more}", if count == 1 { "line" } else { "lines" })
}

/// The size of the file after replacing `count` texts of `old` bytes by `new` bytes each. `None` if a file in memory cannot have that size.
pub fn size_after(content: usize, count: usize, old: usize, new: usize) -> Option<usize> {
    let kept = content - count * old;
    kept.checked_add(count.checked_mul(new)?)
}

/// `content` after the replacements, with `size` bytes.
pub fn replaced(content: &[u8], places: &[usize], old_len: usize, new: &[u8], size: usize) -> Vec<u8> {
    let mut edited = Vec::with_capacity(size);
    let mut at = 0;
    for &place in places {
        edited.extend_from_slice(&content[at..place]);
        edited.extend_from_slice(new);
        at = place + old_len;
    }
    edited.extend_from_slice(&content[at..]);
    edited
}
