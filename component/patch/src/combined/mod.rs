//! The combined diff: a path that had several versions, what came of them, and each line against all of them at once.
//!
//! It is the dense form, which git calls `--cc`: of a merge commit (`git show`, `git diff-tree --cc`), and of a path of the working tree
//! that has unmerged stages in the index (`git diff`). A part that one version alone accounts for is left out.

mod coalesce;
mod header;
mod hunks;
mod lcs;
mod print;
mod rows;

use std::borrow::Cow;

use bstr::BStr;
use gix_hash::ObjectId;

use self::header::header;
use self::rows::{Parents, Rows};
use crate::binary::{is_binary, is_too_big};
use crate::change::Side;
use crate::deadline::Interrupted;
use crate::options::{DiffAttribute, Options};

/// The most parents that a combined diff can have: git has a bit of a number for each, and two more.
pub const MOST_PARENTS: usize = 62;

/// What became of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome<'a> {
    /// A merge commit has this.
    Committed(Side<'a>),
    /// A merge commit has nothing there.
    Removed,
    /// The working tree has this. Its id is printed as zeros; that of a submodule is in its text.
    InWorktree(Side<'a>),
    /// The working tree has a folder in its place that is no repository. git reads it as an empty file that was deleted.
    FolderInWorktree,
    /// The working tree has nothing there. git prints that it was deleted, but none of its lines.
    MissingInWorktree,
}

impl<'a> Outcome<'a> {
    fn side(&self) -> Option<&Side<'a>> {
        match self {
            Self::Committed(side) | Self::InWorktree(side) => Some(side),
            Self::Removed | Self::FolderInWorktree | Self::MissingInWorktree => None,
        }
    }

    fn is_committed(&self) -> bool {
        matches!(self, Self::Committed(_) | Self::Removed)
    }

    /// git's mode, zero where there is nothing.
    fn mode(&self) -> u32 {
        mode_of(self.side())
    }
}

/// A number of parents that no combined diff has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a combined diff has 2 to {MOST_PARENTS} parents, not {0}")]
pub struct ParentCount(pub usize);

/// One path, what it was in each parent, and what became of it.
#[derive(Debug, Clone, Copy)]
pub struct Combined<'a> {
    path: &'a BStr,
    parents: &'a [Option<Side<'a>>],
    outcome: Outcome<'a>,
}

impl<'a> Combined<'a> {
    /// The change of `path` from all of `parents`, of which one that does not have it is `None`.
    ///
    /// In the working tree the parents are the stages 2 and 3 of the index. A commit's combined diff has the paths whose outcome differs
    /// from every parent, in mode or id; where renames are detected, the side of a parent is what the path was there.
    ///
    /// # Errors
    /// [`ParentCount`], if there is only one parent, or none, or too many.
    pub fn new(
        path: &'a BStr,
        parents: &'a [Option<Side<'a>>],
        outcome: Outcome<'a>,
    ) -> Result<Combined<'a>, ParentCount> {
        match parents.len() {
            2..=MOST_PARENTS => Ok(Combined { path, parents, outcome }),
            other => Err(ParentCount(other)),
        }
    }

    /// The mode of each parent's side.
    fn modes(&self) -> impl Iterator<Item = u32> {
        self.parents.iter().map(|parent| mode_of(parent.as_ref()))
    }

    /// The id of each parent's side.
    fn ids(&self) -> impl Iterator<Item = ObjectId> {
        self.parents.iter().map(|parent| id_of(parent.as_ref()))
    }

    fn has_other_mode(&self) -> bool {
        self.modes().any(|mode| mode != self.outcome.mode())
    }

    /// The lines of all sides, or `None` where one of them is binary.
    fn texts(&self, attribute: DiffAttribute) -> Option<Texts<'a>> {
        let text = |side: Option<&Side<'a>>| {
            let text = side.map_or(Some(Cow::Borrowed(&b""[..])), Side::text)?;
            let is_text = match attribute {
                DiffAttribute::Set => !is_too_big(&text),
                DiffAttribute::Unset => false,
                DiffAttribute::Unspecified => !is_binary(&text),
            };
            is_text.then_some(text)
        };
        let parents = self.parents.iter().map(|parent| text(parent.as_ref())).collect::<Option<_>>()?;
        Some(Texts { outcome: text(self.outcome.side())?, parents })
    }
}

/// The contents of a path, as text.
struct Texts<'a> {
    outcome: Cow<'a, [u8]>,
    parents: Vec<Cow<'a, [u8]>>,
}

/// Appends to `out` what git prints for `change`: nothing, if it is a merge commit's and no part of it is worth showing.
///
/// Of the options count the context, the ids' lengths, the attribute, the prefixes and the deadline. As in git, the attribute is asked
/// for any kind of side, [`Options::text`] for none, and the words after `@@@` are not the driver's: they come from the last line between two hunks
/// that starts with a letter, cut short and without their last byte.
///
/// # Errors
/// [`Interrupted`], if the deadline of the options says so; `out` then holds the text so far, which may end within a hunk but not within
/// a line.
pub fn combined(change: &Combined<'_>, options: &Options<'_>, out: &mut Vec<u8>) -> Result<(), Interrupted> {
    options.deadline.check()?;
    let Some(texts) = change.texts(options.attribute) else {
        header(change, options, out);
        out.extend_from_slice(b"Binary files differ\n");
        return Ok(());
    };
    let rows = match change.outcome {
        Outcome::MissingInWorktree => Rows::default(),
        _ => Rows::of(&texts, &change.ids().collect::<Vec<_>>(), options)?,
    };
    let all_parents: Parents = (1 << change.parents.len()) - 1;
    let hunks = hunks::hunks(&rows, options.context, all_parents);
    if hunks.is_empty() && !change.has_other_mode() && change.outcome.is_committed() {
        return Ok(());
    }
    header(change, options, out).append_to(out);
    print::print(&rows, &hunks, change.parents.len(), options, out)
}

fn mode_of(side: Option<&Side<'_>>) -> u32 {
    side.map_or(0, |side| side.mode)
}

fn id_of(side: Option<&Side<'_>>) -> ObjectId {
    side.map_or_else(|| ObjectId::null(gix_hash::Kind::Sha1), |side| side.id)
}
