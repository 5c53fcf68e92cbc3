//! Merges the change from one tree to another into HEAD's tree: in the index and in the working folder, as git does to merge, to pick and to
//! revert. It first checks everything that could be in the way, then changes.

use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::index::State;
use gix::index::entry::{Flags, Stage};
use patch::merge::Labels;
use patch::tree_merge::Outcome;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::change::branch_state::{self, AUTO_MERGE};
use crate::git::change::merged_index::{changes_of, edited, in_conflict, merged_tree};
use crate::git::change::tree_merge::Sides;
use crate::git::change::two_way::{Placed, Plan, Rejected};
use crate::git::store::repo::Repo;
use crate::git::store::version::Version;
use crate::git::store::{flat_tree, index};
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::{changes, sparse};
use crate::paths::SandboxPath;

/// The trees of a merge, and what conflict markers call its sides.
pub struct Trees<'a> {
    /// What both sides began with.
    pub base: ObjectId,
    /// HEAD's.
    pub ours: ObjectId,
    /// The other one.
    pub theirs: ObjectId,
    /// The names of the sides.
    pub labels: Labels<'a>,
}

/// A repository with what is checked out of it.
pub struct ThreeWay<'a> {
    /// The repository.
    pub repo: &'a Repo,
    /// The cache of the index.
    pub index: &'a mut index::Cache,
    /// The cache of trees.
    pub trees: &'a mut flat_tree::Cache,
    /// The call's working folder, which stays.
    pub working_dir: &'a SandboxPath,
    /// When to stop.
    pub deadline: &'a Deadline,
}

/// Index and working folder have the merged tree.
#[derive(Debug)]
pub struct Merged {
    /// That tree, with the markers of conflicts.
    pub tree: ObjectId,
    /// What the merge has made, and git's messages about it.
    pub outcome: Outcome,
    /// git's output on its error stream about files.
    pub warnings: String,
}

/// Why git merges nothing. Nothing has changed.
pub enum Refused {
    /// The index has files in conflict.
    Unmerged,
    /// The index has changes to these paths.
    Staged(Vec<BString>),
    /// The working folder has something to lose.
    InTheWay(Rejected),
}

impl ThreeWay<'_> {
    /// Merges. With conflicts, the index has their stages and the files their markers.
    ///
    /// # Errors
    ///
    /// Asks for missing blobs before anything has changed.
    pub fn merge(&mut self, sides: &Trees<'_>) -> Result<Result<Merged, Refused>, ToolError> {
        let (repo, deadline) = (self.repo, self.deadline);
        let old = sparse::present(repo, &index::load(self.index, repo)?);
        if old.entries().iter().any(|entry| entry.stage() != Stage::Unconflicted) {
            return Ok(Err(Refused::Unmerged));
        }
        let from = flat_tree::load(self.trees, repo, sides.ours, deadline)?;
        let staged = changes::tree_to_index(&from, &old, deadline)?;
        if !staged.is_empty() {
            return Ok(Err(Refused::Staged(staged.into_iter().map(|change| change.path).collect())));
        }
        let outcome = self.outcome(sides, Rc::clone(&old))?;
        let tree = merged_tree(repo, sides.ours, &outcome.edits)?;
        if outcome.is_clean && tree == sides.ours {
            return Ok(Ok(Merged { tree, outcome, warnings: String::new() }));
        }
        let changes = changes_of(&from, &outcome);
        let mut plan = match Plan::new(repo, &old, [sides.ours, tree], changes, self.working_dir, deadline)? {
            Ok(plan) => plan,
            Err(rejected) => return Ok(Err(Refused::InTheWay(rejected))),
        };
        // A sparse working folder always gets files in conflict.
        for path in outcome.conflicts.keys().filter(|path| !outcome.edits.contains_key(*path)) {
            let known = old.entry_by_path(path.as_bstr());
            if let Some(entry) = known.filter(|entry| entry.flags.contains(Flags::SKIP_WORKTREE)) {
                plan.write(path.as_bstr(), Version::object(entry.mode.bits(), entry.id));
            }
        }
        let mut left_out = plan.left_out()?;
        left_out.retain(|path| !outcome.conflicts.contains_key(path));
        plan.ensure_possible(&left_out)?;
        let rules = Rc::new(edited(&old, &outcome.edits, &Default::default()));
        let Placed { stats, warnings } = plan.place(&rules, &left_out)?;
        let mut new = in_conflict(edited(&old, &outcome.edits, &stats), &outcome);
        plan.keep_skipped(&mut new, &left_out);
        index::store(self.index, repo, new)?;
        if !outcome.is_clean {
            branch_state::point(repo, AUTO_MERGE, tree)?;
        }
        Ok(Ok(Merged { tree, outcome, warnings }))
    }

    /// Merges trees alone, as the base of a merge whose sides have two. `None` if they conflict: git resolves conflicts in a base by rules of
    /// its own, and another base could hide a conflict of the merge itself.
    ///
    /// # Errors
    ///
    /// Asks for missing blobs.
    pub fn virtual_base(&mut self, sides: &Trees<'_>) -> Result<Option<ObjectId>, ToolError> {
        let index = index::load(self.index, self.repo)?;
        let outcome = self.outcome(sides, index)?;
        if !outcome.is_clean {
            return Ok(None);
        }
        merged_tree(self.repo, sides.ours, &outcome.edits).map(Some)
    }

    fn outcome(&mut self, sides: &Trees<'_>, rules: Rc<State>) -> Result<Outcome, ToolError> {
        let (repo, deadline) = (self.repo, self.deadline);
        let base = flat_tree::load(self.trees, repo, sides.base, deadline)?;
        let ours = changes::tree_to_tree(repo, sides.base, sides.ours, deadline)?;
        let theirs = changes::tree_to_tree(repo, sides.base, sides.theirs, deadline)?;
        let attributes = Attributes::of(repo, rules, deadline);
        Sides::trees(repo, &attributes).merge_as(sides.labels, base, &ours, &theirs, deadline)
    }
}
