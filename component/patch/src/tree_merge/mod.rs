//! Merges three versions of a tree, as git's `ort` merges two sides with one merge base.
//!
//! The result, the stages of conflicting paths and the messages are those of `git merge-tree --write-tree --merge-base` with git's defaults
//! (`merge.directoryRenames=conflict`, renames at 50 %). The caller passes the files of the base and the changes of each side.
//!
//! Known differences, where git 2.47.3 loses a file or fails an assertion:
//!
//! - A file moves with its folder into a folder that git had no reason to enter. git drops everything else in that folder. Here the rest
//!   stays, and if the destination is taken, the file stays where it was (`CONFLICT (implicit dir rename)`).
//! - It moves below a path that is a file. git drops that file. Here that file gets another name, or the new one stays, as above.
//! - It comes from our side and from a path where the base has a folder. git puts nothing in its place. Here it moves along.
//! - It moves to a path whose own file its side moved elsewhere, or back to its original path. git removes it with that file, or fails.
//!   Here it stays.
//! - One side moved a link to a path where the other side has an entry, while that other side made the link a submodule. git fails. Here
//!   the two entries at the new path get different names, and the submodule stays where it is.
//! - One side moved a file. The other side changed it, and also has the moved content at the new path. git drops the change if theirs moved
//!   the file, and otherwise calls the merge clean even if it conflicts. Here both sides give the same result, and conflicts are reported.
//!
//! A submodule that both sides changed is always a conflict, as in git if it is not checked out. The caller prints git's hint about it. A
//! file of more than 512 MiB counts as binary; git's limit is 1023 MiB.
//!
//! | file | what it does |
//! |---|---|
//! | `trees` | the three trees, folder by folder |
//! | `child` | one name in a folder, and git's order of names |
//! | `walk` | decides the paths that one side alone touched; collects added and deleted paths |
//! | `deferred` | folders that the walk enters only if a rename may lead there |
//! | `detect` | finds the renames of each side that matter |
//! | `folders` | where folders went, and which new files move along |
//! | `moves` | moves new files with their folder |
//! | `renames` | merges both versions of a renamed file at one path |
//! | `content` | merges files, links and submodules that both sides changed |
//! | `resolve` | decides each path |
//! | `collide` | a path with entries of different types |
//! | `message` | the messages, in git's words |
//! | `state` | the state that all steps share |

mod child;
mod collide;
mod content;
mod deferred;
mod detect;
mod folders;
mod message;
mod moves;
mod renames;
mod resolve;
#[cfg(test)]
mod same;
mod state;
mod trees;
mod walk;

use std::collections::BTreeMap;

use bstr::{BStr, BString};
use gix_hash::ObjectId;

use crate::deadline::{Deadline, Interrupted};
use crate::merge::{Labels, Style};
use content::Contents;
pub use content::{MergedText, texts};
pub use message::{Kind, Message};
use state::State;
use trees::Trees;

/// A file, link or submodule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// git's mode: `0o100644`, `0o100755`, `0o120000` or `0o160000`.
    pub mode: u32,
    /// The id of the blob, or of the submodule's commit.
    pub id: ObjectId,
}

/// The change of a side to one path of the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The path from the top of the repository.
    pub path: BString,
    /// The entry of the base.
    pub old: Option<Entry>,
    /// The entry of the side.
    pub new: Option<Entry>,
}

/// The files of the base, sorted by the bytes of their paths.
pub trait Files {
    /// The number of files.
    fn len(&self) -> usize;
    /// The file at a position below [`len`](Self::len).
    fn get(&self, at: usize) -> (&BStr, Entry);
    /// Whether the base is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// How a merge combines two texts (the attribute `merge`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriverKind {
    /// Line by line.
    Text,
    /// Not at all: ours stays, with a conflict.
    Binary,
    /// Line by line, and a conflict keeps both sides.
    Union,
}

/// What a path's attributes say about merging it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Driver {
    /// `merge`.
    pub kind: DriverKind,
    /// `conflict-marker-size`; 7 by default.
    pub marker_size: usize,
}

impl Default for Driver {
    fn default() -> Self {
        Self { kind: DriverKind::Text, marker_size: 7 }
    }
}

/// Reads and stores contents.
pub trait Objects {
    /// Why reading or storing failed.
    type Error: From<Interrupted>;
    /// The content of a blob that one of the trees has at `path`, or that the merge wrote before. `None` if it is absent, as in a sparse
    /// clone.
    ///
    /// # Errors
    /// If it should be present but cannot be read.
    fn blob(&mut self, path: &BStr, id: &ObjectId) -> Result<Option<Vec<u8>>, Self::Error>;
    /// Stores a merged content.
    ///
    /// # Errors
    /// If it cannot be stored.
    fn write(&mut self, content: &[u8]) -> Result<ObjectId, Self::Error>;
    /// How to merge the contents of `path`.
    ///
    /// # Errors
    /// If the attributes cannot be read.
    fn driver(&mut self, path: &BStr) -> Result<Driver, Self::Error>;
}

/// How to merge trees.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// The form of a conflict.
    pub style: Style,
    /// The names of the sides and the base in markers and messages.
    pub labels: Labels<'a>,
    /// Inexact renames are searched only among at most this many paths squared (`merge.renameLimit`); 0 means no limit. 7000 by default.
    pub rename_limit: usize,
    /// When to stop.
    pub deadline: Deadline<'a>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { style: Style::Merge, labels: Labels::default(), rename_limit: 7000, deadline: Deadline::none() }
    }
}

/// The outcome of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merged {
    /// The merged tree, with or without conflicts.
    Done(Outcome),
    /// The merge needs blobs that are absent: their paths and ids, sorted and without duplicates. It decided nothing, and whatever it wrote
    /// so far is useless.
    Absent(Vec<(BString, ObjectId)>),
}

/// A merged tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Whether nothing is left to decide. A merge may be unclean without a conflicting path, for example if a folder was split.
    pub is_clean: bool,
    /// The changes from OUR side's tree to the merged tree. `None` deletes a path.
    pub edits: BTreeMap<BString, Option<Entry>>,
    /// Conflicting paths with their stages (base, ours, theirs).
    pub conflicts: BTreeMap<BString, [Option<Entry>; 3]>,
    /// git's messages, in git's order.
    pub messages: Vec<Message>,
    /// Set if there were too many paths to search all for renames. With this limit the merge would have searched them all.
    pub needed_limit: Option<usize>,
}

/// Merges the changes of `ours` and `theirs` to `base`. Each list must be sorted by the bytes of its paths. Each old entry must be in the
/// base, and each new entry must differ from it.
///
/// Reads only the contents that the result depends on.
///
/// # Errors
/// Every error of `objects`, and [`Interrupted`].
pub fn merge<O: Objects>(
    base: &dyn Files,
    ours: &[Change],
    theirs: &[Change],
    objects: &mut O,
    options: &Options<'_>,
) -> Result<Merged, O::Error> {
    let trees = Trees::new(base, ours, theirs);
    let mut contents = Contents::new(objects, options);
    let mut state = State::new(options.labels);
    state.walk(&trees, options.deadline)?;
    if state.may_have_renames() {
        let was_run = state.detect(&mut contents)?;
        if let Some(absent) = contents.absent() {
            return Ok(Merged::Absent(absent));
        }
        if state.is_worth_a_restart(was_run) {
            state.restart();
            state.walk(&trees, options.deadline)?;
            if state.may_have_renames() {
                state.detect(&mut contents)?;
                if let Some(absent) = contents.absent() {
                    return Ok(Merged::Absent(absent));
                }
                state.settle_renames(&trees, &mut contents)?;
            }
        } else {
            state.settle_renames(&trees, &mut contents)?;
        }
    }
    let (conflicts, edits) = state.resolve(&mut contents)?;
    if let Some(absent) = contents.absent() {
        return Ok(Merged::Absent(absent));
    }
    Ok(Merged::Done(Outcome {
        is_clean: state.is_clean && conflicts.is_empty(),
        edits,
        conflicts,
        messages: state.messages.into_ordered(),
        needed_limit: state.needed_limit,
    }))
}
