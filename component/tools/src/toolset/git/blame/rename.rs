//! Finds the former path of a file whose path is new: git compares it with all removed files.

use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;
use patch::sort::sort_by;

use super::worktree::Worktree;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::blob;
use crate::git::store::flat_tree::{self, FlatTree};
use crate::git::store::repo::Repo;
use crate::git::store::version::{Place, Version};
use crate::git::worktree::changes::{self, Change};

/// Finds renames.
pub struct Renames<'a> {
    pub repo: &'a Repo,
    pub trees: &'a mut flat_tree::Cache,
    pub index: &'a Rc<State>,
    /// The blamed file of the working tree.
    pub worktree: Option<Rc<Worktree>>,
    pub deadline: &'a Deadline,
}

impl Renames<'_> {
    /// The path and version in the tree `before` of the file that is at `path` in the tree `after`, or in the working tree.
    pub fn find(
        &mut self,
        before: ObjectId,
        after: Option<ObjectId>,
        path: &BStr,
    ) -> Result<Option<(BString, Version)>, ToolError> {
        let mut changes = match after {
            Some(after) => changes::tree_to_tree(self.repo, before, after, self.deadline)?,
            None => self.in_worktree(before, path)?,
        };
        // Other new files do not compete for the removed files.
        changes.retain(|change| change.letter() == 'D' || (change.letter() == 'A' && change.path == path));
        let read = |_: &BStr, version: &Version| match (&self.worktree, version.place) {
            (Some(worktree), Place::Worktree) => Ok(Some(worktree.content.to_vec())),
            _ => blob::read(self.repo, version.id),
        };
        let renamed = changes::detect_renames(changes, self.deadline, read)?;
        let found = renamed.changes.into_iter().find(|change| change.path == path);
        Ok(found.and_then(|change| change.from.map(|from| from.path).zip(change.old)))
    }

    /// The changes from the tree `before` to the index, with the working tree's file at `path` added.
    fn in_worktree(&mut self, before: ObjectId, path: &BStr) -> Result<Vec<Change>, ToolError> {
        let tree = flat_tree::load(self.trees, self.repo, before, self.deadline)?;
        let mut changes = changes::tree_to_index(&tree, self.index, self.deadline)?;
        // A path with an intent-to-add entry counts as present here.
        changes.retain(|change| change.letter() != 'D' || self.index.entry_by_path(change.path.as_ref()).is_none());
        changes.retain(|change| !stands_in_the_way(change.path.as_ref(), path));
        changes.extend(gone(&tree, path));
        let new = self.worktree.as_ref().map(|worktree| worktree.version);
        changes.push(Change::new(path.to_owned(), tree.find(path), new));
        sort_by(&mut changes, |a, b| a.path.cmp(&b.path));
        Ok(changes)
    }
}

/// Whether adding `path` removes the index entry `other`: the same path, a path below it, or a file in place of one of its folders.
fn stands_in_the_way(other: &BStr, path: &BStr) -> bool {
    let is_below = |below: &BStr, folder: &BStr| {
        below.strip_prefix(folder.as_bytes()).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    };
    is_below(other, path) || is_below(path, other)
}

/// The deletions of the files of `tree` that conflict with a file at `path`, without the path itself.
fn gone(tree: &FlatTree, path: &BStr) -> Vec<Change> {
    let deleted = |path: &BStr, version| Change::new(path.to_owned(), Some(version), None);
    let [_, below] = tree.at_and_below(path);
    let below = below.filter_map(|at| tree.get(at)).map(|(path, version)| deleted(path, version));
    let folders = path.find_iter("/").map(|slash| path[..slash].as_bstr());
    let above = folders.filter_map(|folder| Some(deleted(folder, tree.find(folder)?)));
    below.chain(above).collect()
}
