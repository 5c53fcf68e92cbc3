//! What a hunk is, whatever became of its line numbers: by this a reviewer's mark finds it again.

use patch::{Change, Content};
use sha2::{Digest, Sha256};

/// The identity of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trace {
    /// The SHA-256 of its bytes: what the header says behind the ranges, and the lines with their signs. Not of what a screen shows, where
    /// an escape and its text look alike.
    pub content: [u8; 32],
    /// Its first line in the old text, from 1.
    pub line: u64,
    /// Whether its old lines stand in the old text once, so that they alone say where it is.
    pub is_unique: bool,
}

/// Bytes that are searched to find out which hunks are unique. Of the hunks behind that, none counts as unique.
const SEARCHED: usize = 64 << 20;

/// Follows the lines of a patch.
pub(super) struct Tracer<'a> {
    old: &'a [u8],
    searched: usize,
    open: Option<Open>,
    traces: Vec<Trace>,
}

/// A hunk whose lines are still coming.
struct Open {
    hasher: Sha256,
    line: u64,
    /// Its lines in the old text.
    old: Vec<u8>,
}

impl<'a> Tracer<'a> {
    pub fn of(change: &Change<'a>) -> Self {
        let old = change.old_side().map_or(&[][..], |old| match old.content {
            Content::Bytes(bytes) => bytes,
            _ => &[],
        });
        Tracer { old, searched: 0, open: None, traces: Vec::new() }
    }

    /// Passes a line, which stands inside of a hunk or not, and after which a hunk goes on or not.
    pub fn pass(&mut self, line: &[u8], was_inside: bool, is_inside: bool) {
        if !was_inside && is_inside {
            self.close();
            let mut hasher = Sha256::new();
            hasher.update(title(line));
            self.open = Some(Open { hasher, line: first(line), old: Vec::new() });
        } else if let Some(open) = &mut self.open
            && (was_inside || line.starts_with(b"\\"))
        {
            open.hasher.update(line);
            match line.first() {
                Some(b' ' | b'-') => open.old.extend_from_slice(&line[1..]),
                // The line before has no end.
                Some(b'\\') if open.old.ends_with(b"\n") && self.old.ends_with(&open.old[..open.old.len() - 1]) => {
                    open.old.pop();
                }
                _ => {}
            }
        }
    }

    pub fn end(mut self) -> Vec<Trace> {
        self.close();
        self.traces
    }

    fn close(&mut self) {
        let Some(Open { hasher, line, old }) = self.open.take() else { return };
        let is_unique = self.is_unique(&old);
        self.traces.push(Trace { content: hasher.finalize().into(), line, is_unique });
    }

    /// Whether these lines stand in the old text once. None at all are only unique where there is no text.
    fn is_unique(&mut self, lines: &[u8]) -> bool {
        if lines.is_empty() {
            return self.old.is_empty();
        }
        self.searched = self.searched.saturating_add(self.old.len());
        if self.searched > SEARCHED {
            return false;
        }
        let starts = |at: &usize| *at == 0 || self.old[at - 1] == b'\n';
        overlapping(self.old, lines).filter(starts).nth(1).is_none()
    }
}

/// Every place where `lines` stand in `text`.
fn overlapping<'a>(text: &'a [u8], lines: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let finder = bstr::Finder::new(lines);
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + finder.find(text.get(from..)?)?;
        from = at + 1;
        Some(at)
    })
}

/// What a hunk's header says behind the ranges.
fn title(header: &[u8]) -> &[u8] {
    let text = header.strip_prefix(b"@@ ").unwrap_or(header);
    bstr::ByteSlice::find(text, b" @@").map_or(text, |at| &text[at + 3..])
}

/// The first line of `@@ -12,3 +14,4 @@` in the old text.
fn first(header: &[u8]) -> u64 {
    let digits = header.strip_prefix(b"@@ -").unwrap_or_default();
    digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .fold(0, |number: u64, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use gix_hash::ObjectId;
    use patch::Side;

    use super::super::unified;
    use super::*;

    fn traces(old: &str, new: &str) -> Vec<Trace> {
        let side = |text, id| Side {
            path: "f".into(),
            mode: 0o100_644,
            id: ObjectId::from_bytes_or_panic(&[id; 20]),
            content: Content::Bytes(str::as_bytes(text)),
        };
        let change = Change::Modify { old: side(old, 1), new: side(new, 2) };
        unified(&change, false, u64::MAX).expect("there is room").traces
    }

    fn numbers(lines: impl Iterator<Item = usize>) -> String {
        lines.map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn a_hunk_that_moves_with_the_lines_around_it_is_the_same() {
        let (old, new) = (numbers(10..40), numbers(10..40).replace("25\n", "x\n"));
        let [one] = traces(&old, &new)[..] else { panic!("one hunk") };
        let [two] = traces(&(numbers(0..10) + &old), &(numbers(0..10) + &new))[..] else { panic!("one hunk") };
        assert_eq!((one.content, two.content), (two.content, one.content));
        assert_eq!((one.line, two.line), (13, 23));
        assert!(one.is_unique && two.is_unique);
    }

    #[test]
    fn any_other_byte_is_another_hunk() {
        let old = numbers(10..40);
        let hunk = |new: &str| traces(&old, &old.replace("25\n", new))[0].content;
        let all = ["x\n", "y\n", "", "x\r\n", "x \n", "\u{202e}\n", "<U+202E>\n", "25\nx\n"].map(hunk);
        assert!((1..all.len()).all(|at| !all[..at].contains(&all[at])));
        let [with, without] = ["39", "39\n"].map(|end| traces(&old, &old.replace("39\n", &format!("x{end}"))));
        assert_ne!(with[0].content, without[0].content);
    }

    #[test]
    fn lines_that_stand_twice_do_not_say_where_a_hunk_is() {
        let twice = numbers(0..20) + &numbers(0..20);
        let new = numbers(0..20) + &numbers(0..20).replace("10\n", "x\n");
        assert!(!traces(&twice, &new)[0].is_unique);
        assert!(traces(&numbers(0..20), &numbers(0..20).replace("10\n", "x\n"))[0].is_unique);
        // They may overlap, and have to begin with a line.
        assert!(!traces("a\na\na\na\na\na\na\na\n", "a\na\na\nb\na\na\na\na\n")[0].is_unique);
        assert!(traces("xa\nb\nc\na\nb\nc\n", "xa\nb\nc\na\nb\nd\n")[0].is_unique);
    }

    #[test]
    fn two_hunks_of_a_file_are_two_and_a_missing_newline_belongs_to_the_last() {
        let old = numbers(0..40);
        let found = traces(&old, &old.replace("5\n", "x\n").replace("39\n", "39"));
        assert!(found.len() >= 2);
        assert!(found.iter().all(|trace| trace.is_unique));
    }
}
