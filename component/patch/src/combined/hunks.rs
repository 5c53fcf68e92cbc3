//! Which rows a combined diff shows.

use std::ops::Range;

use super::rows::{Changed, Parents, Rows};

/// Rows that are shown one after the other.
pub(super) struct Hunk {
    /// At least one; each starts where the one before ends.
    pub parts: Vec<Part>,
}

/// Rows of a hunk.
pub(super) struct Part {
    pub rows: Range<usize>,
    /// Whether the lines that were lost before these rows are shown. They are not in the context before a change: it may run into a
    /// change that is left out.
    pub shows_lost: bool,
}

impl Hunk {
    /// All its rows.
    pub(super) fn rows(&self) -> Range<usize> {
        match (self.parts.first(), self.parts.last()) {
            (Some(first), Some(last)) => first.rows.start..last.rows.end,
            _ => 0..0,
        }
    }
}

/// The hunks of what is interesting, with their context.
pub(super) fn hunks(rows: &Rows<'_>, context: u32, all_parents: Parents) -> Vec<Hunk> {
    let context = context as usize;
    // Where the context after a row ends. A row that lost lines only is itself the first line of it.
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

/// Whether more than one version had a part in what became of these rows: the outcome differs from all parents, or not everywhere from
/// the same ones.
fn is_interesting(group: &[(usize, Changed<'_>)], all_parents: Parents) -> bool {
    let mut differing = group.iter().flat_map(|(_, changed)| {
        let added = Some(changed.added).filter(|parents| *parents != 0);
        added.into_iter().chain(changed.lost.iter().map(|lost| lost.parents))
    });
    let first = differing.next();
    first == Some(all_parents) || differing.any(|parents| Some(parents) != first)
}
