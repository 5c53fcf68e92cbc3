//! The lines of the outcome, and the lines that each parent has instead.

use std::collections::BTreeMap;

use gix_hash::ObjectId;

use super::Texts;
use super::coalesce::coalesce;
use crate::deadline::Interrupted;
use crate::line_diff::LineDiff;
use crate::options::Options;

/// A set of parents; the lowest bit is the first parent.
pub(super) type Parents = u64;

/// A line that the outcome does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lost<'a> {
    /// Without its newline.
    pub line: &'a [u8],
    /// The parents in whose columns git marks the line, at least one.
    pub parents: Parents,
    /// The parents that have the line, so it counts for their line numbers.
    pub counted: Parents,
}

/// A row that differs from at least one parent.
///
/// Each line of the outcome has a row, and one more row takes the lines lost at the end.
#[derive(Debug, Default)]
pub(super) struct Changed<'a> {
    /// The parents without this row's line. Empty for the last row.
    pub added: Parents,
    /// The lines lost before this row's line.
    pub lost: Vec<Lost<'a>>,
}

/// The outcome as rows.
#[derive(Debug, Default)]
pub(super) struct Rows<'a> {
    /// The lines of the outcome without their newlines.
    pub lines: Vec<&'a [u8]>,
    /// The rows that differ from some parent, by number from zero, in order.
    pub changed: Vec<(usize, Changed<'a>)>,
}

impl<'a> Rows<'a> {
    /// Compares the outcome with each parent. Parents with equal ids are compared once.
    pub(super) fn of(texts: &'a Texts<'_>, ids: &[ObjectId], options: &Options<'_>) -> Result<Self, Interrupted> {
        let mut changed: BTreeMap<usize, Changed<'a>> = BTreeMap::new();
        for (number, (text, id)) in texts.parents.iter().zip(ids).enumerate() {
            match ids[..number].iter().position(|earlier| earlier == id) {
                Some(same) => follow(&mut changed, 1 << number, 1 << same),
                None => compare(&mut changed, text, &texts.outcome, 1 << number, options)?,
            }
        }
        let lines = texts.outcome.split_inclusive(|&byte| byte == b'\n').map(without_newline).collect();
        Ok(Self { lines, changed: changed.into_iter().collect() })
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len() + 1
    }
}

/// Adds a parent that is the same as an earlier one.
fn follow(changed: &mut BTreeMap<usize, Changed<'_>>, parent: Parents, earlier: Parents) {
    for row in changed.values_mut() {
        let lost = row.lost.iter_mut().flat_map(|lost| [&mut lost.parents, &mut lost.counted]);
        for parents in lost.chain([&mut row.added]) {
            if *parents & earlier != 0 {
                *parents |= parent;
            }
        }
    }
}

/// Adds a parent with the content `text`.
fn compare<'a>(
    changed: &mut BTreeMap<usize, Changed<'a>>,
    text: &'a [u8],
    outcome: &'a [u8],
    parent: Parents,
    options: &Options<'_>,
) -> Result<(), Interrupted> {
    // git computes this diff without context, whatever context it then shows.
    let diff = LineDiff::of(text, outcome, &Options { context: 0, ..*options })?;
    let edits: Vec<_> = diff.edits().collect();
    let lines = diff.into_lines();
    let mut ticker = options.deadline.ticker();
    for edit in edits {
        for row in edit.new.clone() {
            ticker.tick()?;
            changed.entry(row as usize).or_default().added |= parent;
        }
        if !edit.old.is_empty() {
            let lost = &mut changed.entry(edit.new.start as usize).or_default().lost;
            let new = edit.old.map(|index| Lost {
                line: without_newline(lines.old_line(index)),
                parents: parent,
                counted: 0,
            });
            *lost = coalesce(std::mem::take(lost), new.collect(), options.deadline)?;
        }
    }
    for lost in changed.values_mut().flat_map(|row| &mut row.lost) {
        ticker.tick()?;
        lost.counted |= lost.parents & parent;
    }
    Ok(())
}

fn without_newline(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}
