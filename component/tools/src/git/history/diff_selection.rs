//! The two sides that a diff compares.

use gix::ObjectId;

use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};

/// The two sides of a diff.
#[derive(Clone, Copy, Debug)]
pub enum Selection {
    /// The index and the working tree.
    Worktree {
        /// Whether a combined diff shows the unmerged paths that both sides have, as in a patch.
        combines: bool,
    },
    /// A tree and the index.
    Cached(ObjectId),
    /// A tree and the tracked files of the working tree.
    TreeToWorktree(ObjectId),
    /// Two trees.
    Trees(ObjectId, ObjectId),
}

impl Selection {
    /// A commit and its first parent. The empty tree replaces the parent of a root commit or of a boundary commit of a shallow clone.
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
