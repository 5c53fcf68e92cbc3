//! Trees that are made anew, as git makes them.

use std::borrow::Cow;

use gix::ObjectId;
use gix::objs::Tree;
use gix::objs::tree::{Editor, Entry, EntryMode};

use crate::error::ToolError;
use crate::git::repo::{Repo, damaged};

/// Writes what has been edited, and gives the root.
pub fn write_tree(repo: &Repo, mut editor: Editor<'_>) -> Result<ObjectId, ToolError> {
    editor
        .write(|tree| repo.gix.write_object(as_git_writes(tree).as_ref()).map(gix::Id::detach))
        .map_err(|error| damaged(&error))
}

/// The tree with the modes that git writes. It wrote others long ago, such as 100664, and puts them right in every tree that it
/// makes anew.
fn as_git_writes(tree: &Tree) -> Cow<'_, Tree> {
    let canonical = |entry: &Entry| EntryMode::from(entry.mode.kind());
    if tree.entries.iter().all(|entry| entry.mode == canonical(entry)) {
        return Cow::Borrowed(tree);
    }
    let mut tree = tree.clone();
    for entry in &mut tree.entries {
        entry.mode = canonical(entry);
    }
    Cow::Owned(tree)
}
