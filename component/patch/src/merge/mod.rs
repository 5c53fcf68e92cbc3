//! Three versions of a text made one, as `git merge-file` makes it.
//!
//! | file | what it does |
//! |---|---|
//! | `texts` | the three texts in lines, and what one of them changed in another |
//! | `histogram` | a comparison of two texts that git merges by |
//! | `regions` | two sets of changes to the same text, brought side by side |
//! | `refine` | conflicts made as small as the style allows, and joined where little lies between |
//! | `print` | the merged text, with markers around what conflicts |

mod histogram;
mod print;
mod refine;
mod regions;
mod texts;

use crate::deadline::{Deadline, Interrupted};
use regions::Region;
use texts::Texts;

/// What stands between the markers of a conflict (`merge.conflictStyle`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// The two sides, as small as they can be told apart.
    #[default]
    Merge,
    /// The two sides, and between them what both have changed.
    Diff3,
    /// As [`Diff3`](Self::Diff3), without the lines that both sides begin or end with.
    Zdiff3,
}

/// Which of git's commands decides how lines are compared, and which conflicts are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// `git merge-file`: myers; joins conflicts where no letter or digit lies between (`XDL_MERGE_ZEALOUS_ALNUM`).
    MergeFile,
    /// `git merge` and `git merge-tree`: histogram; joins what three lines or fewer part (`XDL_MERGE_ZEALOUS`).
    Ort,
}

/// What stands after the markers, without line ends. What is empty leaves its marker bare.
#[derive(Debug, Clone, Copy, Default)]
pub struct Labels<'a> {
    /// After `<<<<<<<`.
    pub ours: &'a [u8],
    /// After `|||||||`.
    pub base: &'a [u8],
    /// After `>>>>>>>`.
    pub theirs: &'a [u8],
}

/// How texts are merged.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Which command's way.
    pub engine: Engine,
    /// What a conflict looks like.
    pub style: Style,
    /// What its markers say.
    pub labels: Labels<'a>,
    /// How long they are (`conflict-marker-size`); 7 by default.
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
    /// All of it, with markers around what conflicts.
    pub content: Vec<u8>,
    /// How many conflicts are in it.
    pub conflicts: usize,
}

/// Merges what `ours` and `theirs` changed in `base`, none of them of more than 512 MiB. The caller has seen to it that none is binary.
///
/// # Errors
/// [`Interrupted`], if the deadline of the options says so.
pub fn merge(base: &[u8], ours: &[u8], theirs: &[u8], options: &Options<'_>) -> Result<Merged, Interrupted> {
    let texts = Texts::of(base, ours, theirs, options)?;
    Ok(print::merged(&regions(&texts, options.style)?, &texts, options))
}

/// As [`merge`], but what conflicts is there twice, ours before theirs, without markers (the attribute `merge=union`).
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
