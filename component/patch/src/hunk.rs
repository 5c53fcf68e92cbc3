//! Groups changed lines with their context into the hunks of a patch.

use std::ops::Range;

use crate::deadline::{Deadline, Interrupted};
use crate::function::Driver;
use crate::line_diff::{LineDiff, Lines};
use crate::options::Options;

/// The longest hunk header, without its newline. git cuts the function name to fit.
const LONGEST_HEADER: usize = 127;

/// Each time a line is this much longer, a driver's rules need about one more unit of time.
const BYTES_PER_UNIT: usize = 64;

/// A run of removed lines, added lines, or both, without a common line between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The removed lines, counted from zero.
    pub old: Range<u32>,
    /// The added lines, counted from zero.
    pub new: Range<u32>,
}

/// Edits close enough to share their context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The lines of the old text, with context, counted from zero.
    pub old: Range<u32>,
    /// The lines of the new text, with context, counted from zero.
    pub new: Range<u32>,
    /// The edits, at least one, from first to last.
    pub edits: Vec<Edit>,
}

/// One line of a hunk, with the newline it has in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'a> {
    /// In both texts.
    Context(&'a [u8]),
    /// In the old text only.
    Deleted(&'a [u8]),
    /// In the new text only.
    Added(&'a [u8]),
}

/// The hunks between two texts.
pub struct Hunks<'a> {
    lines: Lines<'a>,
    driver: Driver,
    hunks: Vec<Hunk>,
    /// The number of added lines.
    pub added: u64,
    /// The number of removed lines.
    pub deleted: u64,
}

/// Compares two texts of at most 512 MiB each, and groups the changed lines.
///
/// # Errors
/// [`Interrupted`], if the deadline of the options says so.
pub fn hunks<'a>(old: &'a [u8], new: &'a [u8], options: &Options<'_>) -> Result<Hunks<'a>, Interrupted> {
    let diff = LineDiff::of(old, new, options)?;
    let mut edits = diff.edits().peekable();
    let mut groups: Vec<Vec<Edit>> = Vec::new();
    let mut ticker = options.deadline.ticker();
    while let Some(edit) = edits.next() {
        ticker.tick()?;
        let mut group = vec![edit];
        while let Some(next) = edits.next_if(|next| {
            let last = group.last().expect("a group starts with an edit");
            u64::from(next.old.start - last.old.end) <= 2 * u64::from(options.context)
        }) {
            ticker.tick()?;
            group.push(next);
        }
        groups.push(group);
    }
    drop(edits);
    let (added, deleted) = (diff.added(), diff.deleted());
    let lines = diff.into_lines();
    let hunks = groups.into_iter().map(|edits| with_context(edits, options.context, &lines)).collect();
    Ok(Hunks { lines, driver: options.driver, hunks, added, deleted })
}

fn with_context(edits: Vec<Edit>, context: u32, lines: &Lines<'_>) -> Hunk {
    let (first, last) = (edits.first().expect("a group holds an edit"), edits.last().expect("a group holds an edit"));
    let after = context.min(lines.old_len() - last.old.end).min(lines.new_len() - last.new.end);
    Hunk {
        old: first.old.start.saturating_sub(context)..last.old.end + after,
        new: first.new.start.saturating_sub(context)..last.new.end + after,
        edits,
    }
}

impl<'a> Hunks<'a> {
    /// The hunks, from first to last.
    pub fn iter(&self) -> std::slice::Iter<'_, Hunk> {
        self.hunks.iter()
    }

    /// Whether the texts are equal.
    pub fn is_empty(&self) -> bool {
        self.hunks.is_empty()
    }

    /// The lines of `hunk`, one of these hunks, in the order of a patch: within each edit the deleted lines come first.
    pub fn lines(&self, hunk: &Hunk) -> impl Iterator<Item = Line<'a>> {
        let mut next = hunk.new.start;
        let tail = hunk.edits.last().map_or(next, |edit| edit.new.end)..hunk.new.end;
        hunk.edits
            .iter()
            .flat_map(move |edit| {
                let context = next..edit.new.start;
                next = edit.new.end;
                context
                    .map(|index| Line::Context(self.lines.new_line(index)))
                    .chain(edit.old.clone().map(|index| Line::Deleted(self.lines.old_line(index))))
                    .chain(edit.new.clone().map(|index| Line::Added(self.lines.new_line(index))))
            })
            .chain(tail.map(|index| Line::Context(self.lines.new_line(index))))
    }

    /// The new text, but with the given hunks (counted from zero) reverted to the old text.
    pub fn without(&self, is_left_out: impl Fn(usize) -> bool) -> Vec<u8> {
        let mut text = Vec::new();
        let mut next = 0;
        for (_, hunk) in self.hunks.iter().enumerate().filter(|(number, _)| is_left_out(*number)) {
            for edit in &hunk.edits {
                (next..edit.new.start).for_each(|index| text.extend_from_slice(self.lines.new_line(index)));
                edit.old.clone().for_each(|index| text.extend_from_slice(self.lines.old_line(index)));
                next = edit.new.end;
            }
        }
        (next..self.lines.new_len()).for_each(|index| text.extend_from_slice(self.lines.new_line(index)));
        text
    }

    /// The number of hunks.
    pub fn len(&self) -> usize {
        self.hunks.len()
    }

    /// The headers of all hunks, `@@ -1,4 +1,5 @@ name`, without newline, from first to last.
    pub(crate) fn headers(
        &self,
        deadline: Deadline<'_>,
    ) -> impl Iterator<Item = Result<(&Hunk, Vec<u8>), Interrupted>> {
        let mut searched = 0;
        let mut name: Option<&[u8]> = None;
        let mut ticker = deadline.ticker();
        self.hunks.iter().map(move |hunk| {
            // Each line is read once: the name found for an earlier hunk holds until a later line starts a function.
            for index in (searched..hunk.old.start).rev() {
                let line = self.lines.old_line(index);
                ticker.tick_by(1 + line.len() / BYTES_PER_UNIT)?;
                if let Some(found) = self.driver.name(line) {
                    name = Some(found);
                    break;
                }
            }
            searched = searched.max(hunk.old.start);
            Ok((hunk, header(hunk, name)))
        })
    }
}

fn header(hunk: &Hunk, name: Option<&[u8]>) -> Vec<u8> {
    let mut header = format!("@@ -{} +{} @@", range(&hunk.old), range(&hunk.new)).into_bytes();
    if let Some(name) = name.filter(|name| !name.is_empty()) {
        header.push(b' ');
        let room = LONGEST_HEADER - header.len();
        header.extend_from_slice(&name[..name.len().min(room)]);
        header.truncate(printable_length(&header));
    }
    header
}

/// git ends a hunk header before the first invalid character: a byte that is not UTF-8 (or a character that was cut), U+FFFE, U+FFFF.
fn printable_length(header: &[u8]) -> usize {
    let valid = match std::str::from_utf8(header) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&header[..error.valid_up_to()]).expect("it is valid up to there"),
    };
    valid.find(['\u{fffe}', '\u{ffff}']).unwrap_or(valid.len())
}

/// A range as a hunk header writes it: lines count from one, a length of one is omitted, and an empty range names the line before it.
fn range(lines: &Range<u32>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", u64::from(lines.start) + 1),
        length => format!("{},{length}", u64::from(lines.start) + 1),
    }
}
