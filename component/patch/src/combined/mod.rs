//! The combined diff: compares each line of a path with several earlier versions of that path at once.
//!
//! This is the dense form, which git calls `--cc`. git prints it for a merge commit (`git show`, `git diff-tree --cc`), and for a path of
//! the working tree with unmerged stages in the index (`git diff`). It leaves out every part that one version alone explains.

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

/// The most parents a combined diff can have: git keeps one bit of a number for each, and two more.
pub const MOST_PARENTS: usize = 62;

/// The side after a combined change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome<'a> {
    /// The merge commit has this.
    Committed(Side<'a>),
    /// The merge commit has nothing at the path.
    Removed,
    /// The working tree has this. git prints its id as zeros; a submodule's text contains the id.
    InWorktree(Side<'a>),
    /// The working tree has a folder at the path that is no repository. git reads it as a deleted empty file.
    FolderInWorktree,
    /// The working tree has nothing at the path. git prints the deletion, but none of the lines.
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

    /// git's mode, or zero if there is nothing.
    fn mode(&self) -> u32 {
        mode_of(self.side())
    }
}

/// A number of parents that no combined diff can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a combined diff has 2 to {MOST_PARENTS} parents, not {0}")]
pub struct ParentCount(pub usize);

/// One path: its versions in the parents and its outcome.
#[derive(Debug, Clone, Copy)]
pub struct Combined<'a> {
    path: &'a BStr,
    parents: &'a [Option<Side<'a>>],
    outcome: Outcome<'a>,
}

impl<'a> Combined<'a> {
    /// The change of `path` from all of `parents`; a parent without the path is `None`.
    ///
    /// In the working tree the parents are the stages 2 and 3 of the index. A commit's combined diff lists the paths whose outcome differs
    /// from every parent in mode or id. With rename detection, a parent's side is the file under its name in that parent.
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

    fn modes(&self) -> impl Iterator<Item = u32> {
        self.parents.iter().map(|parent| mode_of(parent.as_ref()))
    }

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

/// The contents of all versions of a path, as text.
struct Texts<'a> {
    outcome: Cow<'a, [u8]>,
    parents: Vec<Cow<'a, [u8]>>,
}

/// Appends to `out` what git prints for `change`. For a merge commit's change without an interesting part that is nothing.
///
/// Of the options, only context, id lengths, attribute, prefixes and deadline have an effect. As in git, the attribute applies to any kind
/// of side, [`Options::text`] to none, and no driver finds the words after `@@@`: they are the last line between two hunks that starts with
/// a letter, cut short and without its last byte.
///
/// # Errors
/// [`Interrupted`], if the deadline of the options says so. `out` then holds the text so far, which may end within a hunk but not within a
/// line.
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
