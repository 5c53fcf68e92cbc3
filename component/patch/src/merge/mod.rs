//! Merges three versions of a text, as `git merge-file` does.
//!
//! | file | what it does |
//! |---|---|
//! | `texts` | splits the three texts into lines, and compares two of them |
//! | `histogram` | git's comparison of two texts for merges |
//! | `regions` | aligns two sets of changes to the same text |
//! | `refine` | shrinks conflicts as far as the style allows, and joins close ones |
//! | `print` | prints the merged text, with markers around conflicts |

mod histogram;
mod print;
mod refine;
mod regions;
mod texts;

use crate::deadline::{Deadline, Interrupted};
use regions::Region;
use texts::Texts;

/// The lines between the markers of a conflict (`merge.conflictStyle`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// The two sides, reduced to the lines that differ.
    #[default]
    Merge,
    /// The two sides, and the base between them.
    Diff3,
    /// As [`Diff3`](Self::Diff3), without the lines that both sides begin or end with.
    Zdiff3,
}

/// The git command whose comparison of lines and joining of conflicts a merge follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// `git merge-file`: myers. It joins conflicts without a letter or digit between them (`XDL_MERGE_ZEALOUS_ALNUM`).
    MergeFile,
    /// `git merge` and `git merge-tree`: histogram. They join conflicts that at most three lines separate (`XDL_MERGE_ZEALOUS`).
    Ort,
}

/// The words after the markers, without line ends. An empty label leaves its marker bare.
#[derive(Debug, Clone, Copy, Default)]
pub struct Labels<'a> {
    /// After `<<<<<<<`.
    pub ours: &'a [u8],
    /// After `|||||||`.
    pub base: &'a [u8],
    /// After `>>>>>>>`.
    pub theirs: &'a [u8],
}

/// How to merge texts.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// The command to follow.
    pub engine: Engine,
    /// The form of a conflict.
    pub style: Style,
    /// The labels of its markers.
    pub labels: Labels<'a>,
    /// The length of a marker (`conflict-marker-size`); 7 by default.
    pub marker_size: usize,
    /// When to stop.
    pub deadline: Deadline<'a>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            engine: Engine::MergeFile,
            style: Style::Merge,
            labels: Labels::default(),
            marker_size: 7,
            deadline: Deadline::none(),
        }
    }
}

/// A merged text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The whole text, with markers around conflicts.
    pub content: Vec<u8>,
    /// The number of conflicts in it.
    pub conflicts: usize,
}

/// Merges the changes of `ours` and `theirs` to `base`. The caller ensures that no text is binary or longer than 512 MiB.
///
/// # Errors
/// [`Interrupted`], if the deadline of the options says so.
pub fn merge(base: &[u8], ours: &[u8], theirs: &[u8], options: &Options<'_>) -> Result<Merged, Interrupted> {
    let texts = Texts::of(base, ours, theirs, options)?;
    Ok(print::merged(&regions(&texts, options.style)?, &texts, options))
}

/// As [`merge`], but a conflict keeps both sides without markers, ours before theirs (the attribute `merge=union`).
///
/// # Errors
/// [`Interrupted`], if the deadline of the options says so.
pub fn union(base: &[u8], ours: &[u8], theirs: &[u8], options: &Options<'_>) -> Result<Vec<u8>, Interrupted> {
    let texts = Texts::of(base, ours, theirs, options)?;
    Ok(print::united(&regions(&texts, options.style)?, &texts, options))
}

fn regions(texts: &Texts<'_>, style: Style) -> Result<Vec<Region>, Interrupted> {
    let regions = texts.regions()?;
    Ok(match style {
        Style::Merge => refine::joined(refine::zealously(regions, texts)?, texts),
        Style::Diff3 => regions,
        Style::Zdiff3 => refine::trimmed(regions, texts),
    })
}
