//! Finds the blobs that a call in a sparse sandbox missed: which target has them, and in which commit.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::bstr::BString;
use patch::sort::sort;

use crate::answer::Answers;
use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::git::staged::{fetch, targets};
use crate::git::store::repo::{Repo, damaged};
use crate::git::store::version::SUBMODULE;
use crate::git::worktree::changes::{self, Change};
use crate::question::{BlobAt, BlobsWanted};

/// Asks for the missed objects, if a target has them.
pub fn ask(repo: &Repo, missed: BTreeSet<ObjectId>, answers: &Answers, deadline: &Deadline) -> Result<(), Stop> {
    match locate(repo, missed, deadline)? {
        Some(wanted) => fetch::ask_for(answers, wanted),
        None => Ok(()),
    }
}

/// Locates these blobs at the first target that has any of them.
fn locate(repo: &Repo, missed: BTreeSet<ObjectId>, deadline: &Deadline) -> Result<Option<BlobsWanted>, ToolError> {
    for known in targets::list(repo)? {
        let tips = targets::tracked(repo, &known)?;
        let mut search = Search { repo, deadline, missing: missed.clone(), found: Vec::new() };
        search.tips(&tips)?;
        search.history(&tips)?;
        if !search.found.is_empty() {
            sort(&mut search.found);
            return Ok(Some(BlobsWanted { target: known.target, blobs: search.found }));
        }
    }
    Ok(None)
}

struct Search<'a> {
    repo: &'a Repo,
    deadline: &'a Deadline,
    missing: BTreeSet<ObjectId>,
    found: Vec<BlobAt>,
}

impl Search<'_> {
    /// Searches the trees of the target's current branches: one whole tree, and only the differences of the others.
    fn tips(&mut self, tips: &BTreeMap<BString, ObjectId>) -> Result<(), ToolError> {
        let empty = ObjectId::empty_tree(gix::hash::Kind::Sha1);
        let mut first = empty;
        for tip in tips.values() {
            self.commit(*tip, first)?;
            if first == empty {
                first = self.repo.tree_of(*tip)?;
            }
        }
        Ok(())
    }

    /// Searches the new files of each commit of the branches, the latest first.
    fn history(&mut self, tips: &BTreeMap<BString, ObjectId>) -> Result<(), ToolError> {
        let walk = self.repo.gix.rev_walk(tips.values().copied()).sorting(gix::revision::walk::Sorting::ByCommitTime(
            gix::traverse::commit::simple::CommitTimeOrder::NewestFirst,
        ));
        for info in walk.all().map_err(|error| damaged(&error))? {
            if self.missing.is_empty() {
                break;
            }
            let info = info.map_err(|error| damaged(&error))?;
            // A shallow sandbox lacks parents that the commit names.
            let parent = info.parent_ids().next().filter(|parent| self.repo.gix.has_object(*parent));
            let before = match parent {
                Some(parent) => self.repo.tree_of(parent.detach())?,
                None => ObjectId::empty_tree(gix::hash::Kind::Sha1),
            };
            self.commit(info.id, before)?;
        }
        Ok(())
    }

    /// Searches the files of `commit` that the tree `before` does not have.
    fn commit(&mut self, commit: ObjectId, before: ObjectId) -> Result<(), ToolError> {
        if self.missing.is_empty() {
            return Ok(());
        }
        for Change { path, new, .. } in
            changes::tree_to_tree(self.repo, before, self.repo.tree_of(commit)?, self.deadline)?
        {
            if let Some(new) = new.filter(|new| new.mode != SUBMODULE)
                && self.missing.remove(&new.id)
            {
                self.found.push(BlobAt { commit, path, id: new.id });
            }
        }
        Ok(())
    }
}
