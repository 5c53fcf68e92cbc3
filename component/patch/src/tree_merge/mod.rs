//! Three versions of a tree made one, as git's `ort` makes it of two sides and one merge base.
//!
//! The result, the stages of the paths in conflict and the messages are those of `git merge-tree --write-tree --merge-base`, with git's
//! defaults (`merge.directoryRenames=conflict`, renames at 50 %). Trees come in as the files of the base and what each side changed of it.
//!
//! Known to differ, where git 2.47.3 loses a file or ends with an assertion that does not hold:
//!
//! - A file goes with its folder into a folder that git had no reason to enter: git leaves nothing else in that. Here the rest stays, and
//!   what is at that very path makes the file stay where it was (`CONFLICT (implicit dir rename)`).
//! - It goes to where one of the folders above it is a file: git leaves it out. Here the file makes room, or the new one stays, as above.
//! - It comes from our side and from where the base has a folder: git puts nothing in its place. Here it goes along.
//! - It goes to a path whose own file its side moved elsewhere, or back to where it came from: git takes it away with that, or fails. Here
//!   it stays.
//! - A link that one side moved to where the other one has something, while that one made a submodule of it: git fails. Here the two at the
//!   new path are told apart, and the submodule stays where it is.
//! - One side moved a file, the other one changed it and has what was moved at the new path, too: git drops the change if theirs was moved,
//!   and otherwise takes what comes of both, even with conflicts, as clean. Here both are the same, and conflicts are conflicts.
//!
//! Two sides of a submodule are always a conflict, as in git where it is not checked out; git's hint about it is left to the caller. A file
//! of more than 512 MiB counts as binary, in git from 1023 MiB on.
//!
//! | file | what it does |
//! |---|---|
//! | `trees` | the three trees, folder by folder |
//! | `child` | a name in a folder, in the order in which git comes to them |
//! | `walk` | decides what one side alone has touched; collects what is new and what is gone |
//! | `deferred` | folders that need not be entered, unless a rename may lead there |
//! | `detect` | the renames of each side, as far as they matter |
//! | `folders` | where folders went, and which new files should have gone with them |
//! | `moves` | new files moved with their folder |
//! | `renames` | both versions of a renamed file brought to one path |
//! | `content` | files, links and submodules that both sides changed |
//! | `resolve` | what becomes of each path |
//! | `collide` | a path that two things claim |
//! | `message` | what is said about it, in git's words |
//! | `state` | what all of these work on |

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

/// What a side did to a path of the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The path from the top of the repository.
    pub path: BString,
    /// What the base has there.
    pub old: Option<Entry>,
    /// What the side has there.
    pub new: Option<Entry>,
}

/// The base, every file sorted by the bytes of its path.
pub trait Files {
    /// How many there are.
    fn len(&self) -> usize;
    /// The one at a place below [`len`](Self::len).
    fn get(&self, at: usize) -> (&BStr, Entry);
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// How two texts become one (the attribute `merge`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriverKind {
    /// Line by line.
    Text,
    /// Not at all: ours stays, and it is a conflict.
    Binary,
    /// Line by line, and what conflicts is there twice.
    Union,
}

/// What the attributes of a path say of its merge.
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

/// Where contents come from and go to.
pub trait Objects {
    /// Why they might not.
    type Error: From<Interrupted>;
    /// The content of a blob, which stands at `path` in one of the trees or was written before; `None` where it is not here, as in a
    /// sparse clone.
    ///
    /// # Errors
    /// Where it cannot be read, although it should be here.
    fn blob(&mut self, path: &BStr, id: &ObjectId) -> Result<Option<Vec<u8>>, Self::Error>;
    /// Keeps a merged content.
    ///
    /// # Errors
    /// Where it cannot be kept.
    fn write(&mut self, content: &[u8]) -> Result<ObjectId, Self::Error>;
    /// How the contents of `path` are merged.
    ///
    /// # Errors
    /// Where this cannot be told.
    fn driver(&mut self, path: &BStr) -> Result<Driver, Self::Error>;
}

/// How trees are merged.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// What a conflict looks like.
    pub style: Style,
    /// What the sides and the base are called, in markers and messages.
    pub labels: Labels<'a>,
    /// Renames with changes are looked for only among so many paths squared (`merge.renameLimit`); 0 for no limit, 7000 by default.
    pub rename_limit: usize,
    /// When to stop.
    pub deadline: Deadline<'a>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { style: Style::Merge, labels: Labels::default(), rename_limit: 7000, deadline: Deadline::none() }
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merged {
    /// A merged tree, with conflicts or without.
    Done(Outcome),
    /// Blobs that are not here and have to be: where they stand, and their ids; sorted, each once. Nothing was decided, and what was
    /// written by then is of no use.
    Absent(Vec<(BString, ObjectId)>),
}

/// A merged tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Whether there is nothing left to decide. A merge may be unclear without a path in conflict, as where a folder was split.
    pub is_clean: bool,
    /// What the merged tree changes of OUR side's tree; `None` where a path is to be gone.
    pub edits: BTreeMap<BString, Option<Entry>>,
    /// Paths in conflict, with their stages (base, ours, theirs).
    pub conflicts: BTreeMap<BString, [Option<Entry>; 3]>,
    /// What git says of it, in git's order.
    pub messages: Vec<Message>,
    /// Renames were not looked for among all paths, since there were too many; with this limit they would have been.
    pub needed_limit: Option<usize>,
}

/// Merges what `ours` and `theirs` changed in `base`. The changes are sorted by the bytes of their paths, and each is one: what is old is
/// in the base, and what is new is not the same.
///
/// Contents that the result does not depend on are not read.
///
/// # Errors
/// Whatever `objects` fails with, and [`Interrupted`].
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
