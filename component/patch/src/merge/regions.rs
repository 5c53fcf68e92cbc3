//! Aligns two sets of changes to the same text.

use std::ops::Range;

use super::texts::Texts;
use crate::hunk::Edit;

/// Who changed a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Changed {
    Ours,
    Theirs,
    /// Both, in different ways.
    Conflict,
    /// Both, in the same way: the conflict turned out to be none.
    Alike,
}

/// Lines that differ between the three texts, counted from zero in each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Region {
    pub changed: Changed,
    pub base: Range<usize>,
    pub ours: Range<usize>,
    pub theirs: Range<usize>,
}

/// Combines `ours` and `theirs`, edits of the same text, into regions. An identical change on both sides makes no region.
pub(super) fn side_by_side(ours: &[Edit], theirs: &[Edit], texts: &Texts<'_>) -> Vec<Region> {
    let mut regions = Regions::default();
    let (mut our_edits, mut their_edits) = (ours.iter().peekable(), theirs.iter().peekable());
    let grown = |text: usize| signed(text) - signed(texts.base.len());
    loop {
        let (a, b) = match (our_edits.peek(), their_edits.peek()) {
            (None, None) => return regions.0,
            (Some(a), None) => {
                regions.add(Changed::Ours, lines(&a.old), lines(&a.new), moved(&a.old, grown(texts.theirs.len())));
                our_edits.next();
                continue;
            }
            (None, Some(b)) => {
                regions.add(Changed::Theirs, lines(&b.old), moved(&b.old, grown(texts.ours.len())), lines(&b.new));
                their_edits.next();
                continue;
            }
            (Some(a), Some(b)) => (*a, *b),
        };
        // Changes that touch belong together.
        if a.old.end < b.old.start {
            regions.add(Changed::Ours, lines(&a.old), lines(&a.new), moved(&a.old, shift(b)));
            our_edits.next();
            continue;
        }
        if b.old.end < a.old.start {
            regions.add(Changed::Theirs, lines(&b.old), moved(&b.old, shift(a)), lines(&b.new));
            their_edits.next();
            continue;
        }
        if !is_same(a, b, texts) {
            let (start, end) = (i64::from(a.old.start.min(b.old.start)), i64::from(a.old.end.max(b.old.end)));
            let widened = |edit: &Edit| {
                let (old, new) = (lines(&edit.old), lines(&edit.new));
                new.start - (old.start - start)..new.end + (end - old.end)
            };
            regions.add(Changed::Conflict, start..end, widened(a), widened(b));
        }
        let (our_end, their_end) = (a.old.end, b.old.end);
        if our_end >= their_end {
            their_edits.next();
        }
        if their_end >= our_end {
            our_edits.next();
        }
    }
}

#[derive(Default)]
struct Regions(Vec<Region>);

impl Regions {
    /// Adds a region, or extends the last one if both touch on either side. A region to add may begin before the last one, or even before
    /// its text. Then it touches, and only its end counts.
    fn add(&mut self, changed: Changed, base: Range<i64>, ours: Range<i64>, theirs: Range<i64>) {
        let position = |line: i64| usize::try_from(line).expect("edits are within their texts");
        let range = |lines: Range<i64>| position(lines.start)..position(lines.end);
        match self.0.last_mut() {
            Some(last) if ours.start <= signed(last.ours.end) || theirs.start <= signed(last.theirs.end) => {
                if last.changed != changed {
                    last.changed = Changed::Conflict;
                }
                last.base.end = position(base.end);
                last.ours.end = position(ours.end);
                last.theirs.end = position(theirs.end);
            }
            _ => self.0.push(Region { changed, base: range(base), ours: range(ours), theirs: range(theirs) }),
        }
    }
}

/// Whether both edits replace the same lines by the same lines.
fn is_same(a: &Edit, b: &Edit, texts: &Texts<'_>) -> bool {
    let lines = |range: &Range<u32>| range.start as usize..range.end as usize;
    a.old == b.old && texts.ours[lines(&a.new)] == texts.theirs[lines(&b.new)]
}

/// The shift of the lines just before `edit`, from the base to its new text.
fn shift(edit: &Edit) -> i64 {
    i64::from(edit.new.start) - i64::from(edit.old.start)
}

fn moved(range: &Range<u32>, by: i64) -> Range<i64> {
    i64::from(range.start) + by..i64::from(range.end) + by
}

fn lines(range: &Range<u32>) -> Range<i64> {
    moved(range, 0)
}

fn signed(length: usize) -> i64 {
    i64::try_from(length).expect("no text has so many lines")
}
