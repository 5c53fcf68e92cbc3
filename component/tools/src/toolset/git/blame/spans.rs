//! Runs of lines, and how a comparison divides them between a file and its parent.

use patch::hunk::Edit;
use patch::sort::sort_by_key;

/// A run of lines, both in the blamed file and in the file from which they may come.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Span {
    /// The first line in the blamed file, counted from zero.
    pub line: u32,
    /// The first line in the other file, counted from zero.
    pub origin: u32,
    /// The number of lines.
    pub count: u32,
}

impl Span {
    fn end(&self) -> u32 {
        self.origin + self.count
    }

    /// The part from line `origin` up to `end` of the other file.
    fn part(&self, origin: u32, end: u32) -> Span {
        Span { line: self.line + (origin - self.origin), origin, count: end - origin }
    }
}

/// Spans after a comparison with a parent.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Parted {
    /// Lines that the parent has, with their position there.
    pub passed: Vec<Span>,
    /// Lines that are new.
    pub kept: Vec<Span>,
}

/// Divides `spans`, which are sorted by their lines in the file, by the `edits` from the parent to the file.
pub fn part(spans: &[Span], edits: &[Edit]) -> Parted {
    let mut parted = Parted::default();
    // The first edit that can affect the current span. Later spans never begin earlier.
    let mut first = 0;
    for span in spans {
        while edits.get(first).is_some_and(|edit| edit.new.end <= span.origin) {
            first += 1;
        }
        let mut at = span.origin;
        let mut next = first;
        while at < span.end() {
            let edit = edits.get(next);
            let same_until = edit.map_or(span.end(), |edit| edit.new.start.clamp(at, span.end()));
            if at < same_until {
                let before = next.checked_sub(1).map(|last| &edits[last]);
                let (old, new) = before.map_or((0, 0), |edit| (edit.old.end, edit.new.end));
                let mut passed = span.part(at, same_until);
                passed.origin = old + (at - new);
                parted.passed.push(passed);
            }
            at = same_until;
            let Some(edit) = edit.filter(|_| at < span.end()) else { break };
            let new_until = edit.new.end.clamp(at, span.end());
            if at < new_until {
                parted.kept.push(span.part(at, new_until));
            }
            at = new_until;
            next += 1;
        }
    }
    // Spans may overlap after two lines came from one.
    sort_by_key(&mut parted.passed, |span| span.origin);
    sort_by_key(&mut parted.kept, |span| span.origin);
    parted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(line: u32, origin: u32, count: u32) -> Span {
        Span { line, origin, count }
    }

    fn edit(old: std::ops::Range<u32>, new: std::ops::Range<u32>) -> Edit {
        Edit { old, new }
    }

    #[test]
    fn without_edits_the_parent_has_everything() {
        let spans = [span(5, 2, 3), span(0, 7, 1)];
        assert_eq!(part(&spans, &[]), Parted { passed: spans.to_vec(), kept: vec![] });
    }

    #[test]
    fn lines_put_in_are_kept_and_those_after_them_move() {
        let parted = part(&[span(0, 0, 6)], &[edit(1..1, 1..3), edit(3..4, 5..5)]);
        assert_eq!(parted.passed, [span(0, 0, 1), span(3, 1, 2), span(5, 4, 1)]);
        assert_eq!(parted.kept, [span(1, 1, 2)]);
    }

    #[test]
    fn spans_that_lie_over_each_other_are_parted_alike() {
        let parted = part(&[span(0, 0, 4), span(9, 1, 2)], &[edit(0..1, 0..2)]);
        assert_eq!(parted.kept, [span(0, 0, 2), span(9, 1, 1)]);
        assert_eq!(parted.passed, [span(2, 1, 2), span(10, 1, 1)]);
    }
}
