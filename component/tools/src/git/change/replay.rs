//! Re-applies a commit on top of another one: merges its changes into the other tree.
//!
//! The new commit keeps author, committer and message. So re-applying the same commit to the same parent always gives the same object.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::bstr::BString;
use gix::objs;
use patch::tree_merge::Outcome;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::change::tree_merge::Sides;
use crate::git::store::edit_tree::edit_tree;
use crate::git::store::index_edit::{Edits, Slot};
use crate::git::store::repo::{Repo, damaged};
use crate::git::store::{commit_object, flat_tree, index};
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::changes;

/// The outcome of re-applying a commit.
#[derive(Debug)]
pub enum Replayed {
    /// The new commit, or the old one if its parent is right already.
    Applied(ObjectId),
    /// The other tree already has its changes.
    Empty,
    /// These paths conflict. They are sorted.
    Conflicts(Vec<BString>),
}

/// Re-applies commits of one repository.
pub struct Replayer<'a> {
    /// The repository.
    pub repo: &'a Repo,
    /// The cache of the index, whose attributes apply to the merge.
    pub index: &'a mut index::Cache,
    /// The cache of trees.
    pub trees: &'a mut flat_tree::Cache,
    /// The deadline for the merge.
    pub deadline: &'a Deadline,
}

impl Replayer<'_> {
    /// Re-applies `commit` on top of `onto`, or as a first commit. It moves no ref. It fails for a merge, which has no changes of its own.
    pub fn replay(&mut self, commit: ObjectId, onto: Option<ObjectId>) -> Result<Replayed, ToolError> {
        let repo = self.repo;
        let parent = parent(repo, commit)?;
        if parent == onto {
            return Ok(Replayed::Applied(commit));
        }
        let (base, ours, theirs) = (tree_below(repo, parent)?, tree_below(repo, onto)?, repo.tree_of(commit)?);
        let merged = self.merge(base, ours, theirs)?;
        if !merged.is_clean {
            return Ok(Replayed::Conflicts(conflicts(merged)));
        }
        let tree = edit_tree(repo, ours, &edits(merged))?;
        // A commit that was empty from the start is kept.
        if tree == ours && theirs != base {
            return Ok(Replayed::Empty);
        }
        rewrite(repo, commit, tree, onto).map(Replayed::Applied)
    }

    /// Merges three trees, and writes merged contents to the repository.
    fn merge(&mut self, base: ObjectId, ours: ObjectId, theirs: ObjectId) -> Result<Outcome, ToolError> {
        let changes = |side| changes::tree_to_tree(self.repo, base, side, self.deadline);
        let (ours, theirs) = (changes(ours)?, changes(theirs)?);
        let state = index::load(self.index, self.repo)?;
        let attributes = Attributes::of(self.repo, state, self.deadline);
        let base = flat_tree::load(self.trees, self.repo, base, self.deadline)?;
        Sides::trees(self.repo, &attributes).merge(base, &ours, &theirs, self.deadline)
    }
}

/// The conflicting paths, or else the paths of conflicts between folders.
fn conflicts(merged: Outcome) -> Vec<BString> {
    let paths: BTreeSet<BString> = match merged.conflicts.is_empty() {
        false => merged.conflicts.into_keys().collect(),
        true => merged.messages.into_iter().flat_map(|message| message.paths).collect(),
    };
    paths.into_iter().collect()
}

fn edits(merged: Outcome) -> Edits {
    let slot = |entry: patch::tree_merge::Entry| Slot {
        mode: gix::index::entry::Mode::from_bits_truncate(entry.mode),
        id: entry.id,
        stat: gix::index::entry::Stat::default(),
    };
    merged.edits.into_iter().map(|(path, entry)| (path, entry.map(slot))).collect()
}

/// Writes `commit` with another tree and parent. It drops signatures and other extra headers, because they would be wrong for the new
/// commit.
pub fn rewrite(repo: &Repo, commit: ObjectId, tree: ObjectId, parent: Option<ObjectId>) -> Result<ObjectId, ToolError> {
    let old = repo.gix.find_commit(commit).map_err(|error| damaged(&error))?;
    let old: objs::Commit =
        old.decode().map_err(|error| damaged(&error))?.try_into().map_err(|error| damaged(&error))?;
    let new = objs::Commit { tree, parents: parent.into_iter().collect(), extra_headers: Vec::new(), ..old };
    commit_object::write(repo, &new)
}

/// Writes `commit` on top of the `successors` of its parents, with its own tree. `None` if no parent has one. It drops what [`rewrite`] drops.
pub fn reparent(
    repo: &Repo,
    commit: ObjectId,
    successors: &BTreeMap<ObjectId, ObjectId>,
) -> Result<Option<ObjectId>, ToolError> {
    let old = repo.gix.find_commit(commit).map_err(|error| damaged(&error))?;
    let old: objs::Commit =
        old.decode().map_err(|error| damaged(&error))?.try_into().map_err(|error| damaged(&error))?;
    if !old.parents.iter().any(|parent| successors.contains_key(parent)) {
        return Ok(None);
    }
    let parents = old.parents.iter().map(|parent| *successors.get(parent).unwrap_or(parent)).collect();
    commit_object::write(repo, &objs::Commit { parents, extra_headers: Vec::new(), ..old }).map(Some)
}

/// The tree of `commit`, or the empty tree without one.
pub fn tree_below(repo: &Repo, commit: Option<ObjectId>) -> Result<ObjectId, ToolError> {
    commit.map_or(Ok(ObjectId::empty_tree(gix::hash::Kind::Sha1)), |commit| repo.tree_of(commit))
}

/// The only parent of `commit`, if it has one. Fails for a merge.
pub fn parent(repo: &Repo, commit: ObjectId) -> Result<Option<ObjectId>, ToolError> {
    let object = repo.gix.find_commit(commit).map_err(|error| damaged(&error))?;
    let mut parents = object.parent_ids().map(gix::Id::detach);
    match (parents.next(), parents.next()) {
        (parent, None) => Ok(parent),
        (_, Some(_)) => Err(ToolError::failed(format!("Commit {} is a merge", commit.to_hex_with_len(8)))
            .hint(
                "Nothing has changed. A merge is not re-applied: ask the user to push it first, or take it back with sandbox_undo, \
                 and merge again afterwards.",
            )),
    }
}
