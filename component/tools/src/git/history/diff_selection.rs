//! The two sides that a diff compares.

use gix::ObjectId;

use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};

/// Two sides.
#[derive(Clone, Copy, Debug)]
pub enum Selection {
    /// The index and the working tree.
    Worktree {
        /// Whether unmerged paths that both sides have are left to a combined diff, as they are in a patch.
        combines: bool,
    },
    /// A tree and the index.
    Cached(ObjectId),
    /// A tree and the working tree, as far as it is tracked.
    TreeToWorktree(ObjectId),
    /// Two trees.
    Trees(ObjectId, ObjectId),
}

impl Selection {
    /// A commit and its first parent; the empty tree for a commit without one, or where the history that is here ends.
    pub fn commit(repo: &Repo, id: ObjectId) -> Result<Selection, ToolError> {
        let commit = repo.gix.find_commit(id).map_err(|error| damaged(&error))?;
        let is_end = repo.shallow()?.contains(&id);
        let parent = commit.parent_ids().next().map(gix::Id::detach).filter(|_| !is_end);
        let before = match parent {
            Some(parent) => repo.tree_of(parent)?,
            None => ObjectId::empty_tree(id.kind()),
        };
        Ok(Selection::Trees(before, repo.tree_of(id)?))
    }
}
