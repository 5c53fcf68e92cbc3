//! Chooses the rows that a combined diff shows.

use std::ops::Range;

use super::rows::{Changed, Parents, Rows};

/// Consecutive rows.
pub(super) struct Hunk {
    /// At least one; each starts where the previous one ends.
    pub parts: Vec<Part>,
}

/// Rows of a hunk that are printed the same way.
pub(super) struct Part {
    pub rows: Range<usize>,
    /// Whether the lines lost before these rows are shown. The context before a change does not show them: it may overlap a change that is
    /// left out.
    pub shows_lost: bool,
}

impl Hunk {
    pub(super) fn rows(&self) -> Range<usize> {
        match (self.parts.first(), self.parts.last()) {
            (Some(first), Some(last)) => first.rows.start..last.rows.end,
            _ => 0..0,
        }
    }
}

/// The hunks around the interesting changes, with their context.
pub(super) fn hunks(rows: &Rows<'_>, context: u32, all_parents: Parents) -> Vec<Hunk> {
    let context = context as usize;
    // The row at which the context after a changed row ends. A row that only lost lines is itself the first line of that context.
    let reach = |(row, changed): &(usize, Changed<'_>)| row.saturating_add(usize::from(changed.added != 0) + context);
    let groups = rows.changed.chunk_by(|one, next| next.0 == one.0 + 1 || next.0 < reach(one));
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut shown = 0;
    for group in groups.filter(|group| is_interesting(group, all_parents)) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let start = first.0.saturating_sub(context).max(shown);
        let end = reach(last).min(rows.len()).max(last.0 + 1);
        let before = Part { rows: start..first.0, shows_lost: false };
        let parts = [before, Part { rows: first.0..end, shows_lost: true }];
        let parts = parts.into_iter().filter(|part| !part.rows.is_empty());
        match hunks.last_mut() {
            Some(hunk) if start == shown => hunk.parts.extend(parts),
            _ => hunks.push(Hunk { parts: parts.collect() }),
        }
        shown = end;
    }
    hunks
}

/// Whether more than one version contributed to these rows: the outcome differs from every parent, or from different parents in different
/// rows.
fn is_interesting(group: &[(usize, Changed<'_>)], all_parents: Parents) -> bool {
    let mut differing = group.iter().flat_map(|(_, changed)| {
        let added = Some(changed.added).filter(|parents| *parents != 0);
        added.into_iter().chain(changed.lost.iter().map(|lost| lost.parents))
    });
    let first = differing.next();
    first == Some(all_parents) || differing.any(|parents| Some(parents) != first)
}
