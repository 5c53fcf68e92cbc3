//! The patch of one changed path.

use std::borrow::Cow;
use std::ops::Range;

use crate::change::{Change, Side};
use crate::compare::{Comparison, LineCounts, TextRule};
use crate::deadline::Interrupted;
use crate::header::{Header, Origin, binary_files_differ};
use crate::hunk::{Line, hunks};
use crate::options::Options;

/// A hunk of a patch, as in its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The lines of the old text, counted from zero.
    pub old: Range<u32>,
    /// The lines of the new text, counted from zero.
    pub new: Range<u32>,
    /// The byte offset of its header in the text.
    pub at: usize,
}

/// Appends the output of `git diff` for `change` to `out`, and counts its changed lines.
///
/// A change of kind prints, and counts, as a deletion and an addition.
///
/// # Errors
/// [`Interrupted`], if the deadline of the options says so. `out` then holds the text so far, which
/// may end within a hunk but not within a line.
pub fn unified(change: &Change<'_>, options: &Options<'_>, out: &mut Vec<u8>) -> Result<LineCounts, Interrupted> {
    unified_in_hunks(change, options, out, &mut Vec::new())
}

/// As [`unified`], and appends every hunk with its place in `out` to `hunks`.
///
/// # Errors
/// As [`unified`].
pub fn unified_in_hunks(
    change: &Change<'_>,
    options: &Options<'_>,
    out: &mut Vec<u8>,
    hunks: &mut Vec<Placed>,
) -> Result<LineCounts, Interrupted> {
    let mut pair = |old, new, origin| pair(old, new, origin, options, &mut *out, hunks);
    match change {
        Change::Unmerged { path } => {
            out.extend_from_slice(b"* Unmerged path ");
            out.extend_from_slice(path);
            out.push(b'\n');
            Ok(LineCounts::default())
        }
        Change::Modify { old, new } if change.is_type_change() => {
            let mut counts = pair(Some(old), None, Origin::Itself)?;
            counts += pair(None, Some(new), Origin::Itself)?;
            Ok(counts)
        }
        Change::Add(_) | Change::Delete(_) | Change::Modify { .. } => {
            pair(change.old_side(), change.new_side(), Origin::Itself)
        }
        Change::Rename { old, new, similarity } => pair(Some(old), Some(new), Origin::Renamed(*similarity)),
        Change::Copy { old, new, similarity } => pair(Some(old), Some(new), Origin::Copied(*similarity)),
    }
}

fn pair(
    old: Option<&Side<'_>>,
    new: Option<&Side<'_>>,
    origin: Origin,
    options: &Options<'_>,
    out: &mut Vec<u8>,
    placed: &mut Vec<Placed>,
) -> Result<LineCounts, Interrupted> {
    options.deadline.check()?;
    let Some(header) = Header::of(old, new, origin, options) else {
        return Ok(LineCounts::default());
    };
    let rule = if options.text { TextRule::All } else { TextRule::By(options.attribute) };
    match Comparison::of(old, new, rule) {
        Comparison::Same => {
            if header.stands_alone {
                out.extend_from_slice(&header.text);
            }
            Ok(LineCounts::default())
        }
        Comparison::Binary => {
            // An empty file that an attribute calls binary differs from a missing file only in its
            // header.
            let differ = bytes(old).is_none_or(|old| bytes(new).is_none_or(|new| old != new));
            if differ || header.stands_alone {
                out.extend_from_slice(&header.text);
            }
            if differ {
                binary_files_differ(&header, out);
            }
            Ok(LineCounts { binary: true, ..LineCounts::default() })
        }
        Comparison::Lines(old, new) => lines(&header, &old, &new, options, out, placed),
    }
}

/// The bytes of a side; empty if the side does not exist, `None` if they are absent.
fn bytes<'a>(side: Option<&Side<'a>>) -> Option<Cow<'a, [u8]>> {
    side.map_or(Some(Cow::Borrowed(&b""[..])), Side::text)
}

fn lines(
    header: &Header,
    old: &[u8],
    new: &[u8],
    options: &Options<'_>,
    out: &mut Vec<u8>,
    placed: &mut Vec<Placed>,
) -> Result<LineCounts, Interrupted> {
    let hunks = hunks(old, new, options)?;
    if header.stands_alone || !hunks.is_empty() {
        out.extend_from_slice(&header.text);
    }
    if !hunks.is_empty() {
        header.labels(out);
    }
    let mut ticker = options.deadline.ticker();
    for header in hunks.headers(options.deadline) {
        let (hunk, hunk_header) = header?;
        placed.push(Placed { old: hunk.old.clone(), new: hunk.new.clone(), at: out.len() });
        out.extend_from_slice(&hunk_header);
        out.push(b'\n');
        for line in hunks.lines(hunk) {
            ticker.tick()?;
            let (marker, text) = match line {
                Line::Context(text) => (b' ', text),
                Line::Deleted(text) => (b'-', text),
                Line::Added(text) => (b'+', text),
            };
            out.push(marker);
            out.extend_from_slice(text);
            if !text.ends_with(b"\n") {
                out.extend_from_slice(b"\n\\ No newline at end of file\n");
            }
        }
    }
    Ok(LineCounts { added: hunks.added, deleted: hunks.deleted, binary: false })
}

#[cfg(test)]
mod tests {
    use bstr::ByteSlice;

    use super::*;
    use crate::{Content, ObjectId};

    #[test]
    fn an_absent_blob_is_never_taken_for_empty() {
        let side = |digit: u8, mode| Side {
            path: b"x".as_bstr(),
            mode,
            id: ObjectId::from_hex(&[digit; 40]).expect("forty hex digits"),
            content: Content::Absent,
        };
        let mut out = Vec::new();
        let (old, new) = (side(b'1', 0o100_644), side(b'2', 0o100_644));
        let counts = unified(&Change::Modify { old, new }, &Options::default(), &mut out).expect("no deadline is set");
        assert!(counts.binary);
        assert_eq!(
            out.to_str_lossy(),
            "diff --git a/x b/x\nindex 1111111..2222222 100644\nBinary files a/x and b/x differ\n"
        );
        let (old, new) = (side(b'1', 0o100_644), side(b'1', 0o100_755));
        out.clear();
        unified(&Change::Modify { old, new }, &Options::default(), &mut out).expect("no deadline is set");
        assert_eq!(out.to_str_lossy(), "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n");
    }
}
