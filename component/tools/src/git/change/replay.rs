//! Re-applies a commit on top of another one: merges its changes with what is there.
//!
//! The new commit keeps author, committer and message. The same commit on the same parent is
//! therefore always the same object.

use std::collections::BTreeSet;

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

/// What came of it.
#[derive(Debug)]
pub enum Replayed {
    /// The commit that was made; the old one itself where it stands on that place already.
    Applied(ObjectId),
    /// What it changed is there already.
    Empty,
    /// These paths cannot be merged; sorted.
    Conflicts(Vec<BString>),
}

/// Re-applies commits of one repository.
pub struct Replayer<'a> {
    /// The repository.
    pub repo: &'a Repo,
    /// What is known of its index, whose attributes hold for what is merged.
    pub index: &'a mut index::Cache,
    /// What is known of its trees.
    pub trees: &'a mut flat_tree::Cache,
    /// When to stop.
    pub deadline: &'a Deadline,
}

impl Replayer<'_> {
    /// Re-applies `commit` on top of `onto`, or as a first commit. Moves no ref. Fails for a merge,
    /// which has no changes of its own.
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
        // One that never changed anything is made again all the same.
        if tree == ours && theirs != base {
            return Ok(Replayed::Empty);
        }
        rewrite(repo, commit, tree, onto).map(Replayed::Applied)
    }

    /// Merges three trees; what is merged is written into the repository.
    fn merge(&mut self, base: ObjectId, ours: ObjectId, theirs: ObjectId) -> Result<Outcome, ToolError> {
        let changes = |side| changes::tree_to_tree(self.repo, base, side, self.deadline);
        let (ours, theirs) = (changes(ours)?, changes(theirs)?);
        let state = index::load(self.index, self.repo)?;
        let attributes = Attributes::of(self.repo, state, self.deadline);
        let base = flat_tree::load(self.trees, self.repo, base, self.deadline)?;
        Sides::trees(self.repo, &attributes).merge(base, &ours, &theirs, self.deadline)
    }
}

/// The paths that cannot be merged. If only their folders cannot, the paths that this concerns.
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

/// Writes `commit` with another tree and parent. Signatures and other extra headers are dropped,
/// because they would not hold for the new commit.
pub fn rewrite(repo: &Repo, commit: ObjectId, tree: ObjectId, parent: Option<ObjectId>) -> Result<ObjectId, ToolError> {
    let old = repo.gix.find_commit(commit).map_err(|error| damaged(&error))?;
    let old: objs::Commit =
        old.decode().map_err(|error| damaged(&error))?.try_into().map_err(|error| damaged(&error))?;
    let new = objs::Commit { tree, parents: parent.into_iter().collect(), extra_headers: Vec::new(), ..old };
    commit_object::write(repo, &new)
}

/// The tree of `commit`, or the empty one below a first commit.
pub fn tree_below(repo: &Repo, commit: Option<ObjectId>) -> Result<ObjectId, ToolError> {
    commit.map_or(Ok(ObjectId::empty_tree(gix::hash::Kind::Sha1)), |commit| repo.tree_of(commit))
}

/// The commit that `commit` was made on.
pub fn parent(repo: &Repo, commit: ObjectId) -> Result<Option<ObjectId>, ToolError> {
    let object = repo.gix.find_commit(commit).map_err(|error| damaged(&error))?;
    let mut parents = object.parent_ids().map(gix::Id::detach);
    match (parents.next(), parents.next()) {
        (parent, None) => Ok(parent),
        (_, Some(_)) => Err(ToolError::failed(format!("Commit {} is a merge", commit.to_hex_with_len(8)))
            .hint("You cannot re-apply a merge without its other side.")),
    }
}
