//! Re-applies staged commits on top of another parent. The working folder stays unchanged.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::actor::Signature;

use crate::deadline::Deadline;
use crate::error::{ErrorKind, ToolError};
use crate::git::change::follow_head;
use crate::git::change::replay::{self, Replayed, Replayer};
use crate::git::staged::ids::Ids;
use crate::git::staged::staged_commit::{self, StagedCommit};
use crate::git::store::index;
use crate::git::store::refs::{self, Refs};
use crate::git::store::repo::Repo;

/// A line of commits under construction.
pub struct Restack {
    /// The last commit so far.
    pub tip: Option<ObjectId>,
    /// The successor of each rewritten commit.
    successors: BTreeMap<ObjectId, ObjectId>,
}

impl Restack {
    /// Starts a line on top of `tip`, or with a first commit.
    pub fn onto(tip: Option<ObjectId>) -> Self {
        Restack { tip, successors: BTreeMap::new() }
    }

    /// Appends `made`, the successor of `former`, or `former` itself.
    pub fn add(&mut self, former: ObjectId, made: ObjectId) {
        if former != made {
            self.successors.insert(former, made);
        }
        self.tip = Some(made);
    }

    /// Re-applies `later` on top, in order. For an error, `gone` describes the commit they build on that is no longer there.
    pub fn put(&mut self, later: &[StagedCommit], gone: &str, replayer: &mut Replayer<'_>) -> Result<(), ToolError> {
        let repo = replayer.repo;
        for next in later {
            let made = match replayer.replay(next.id, self.tip)? {
                Replayed::Applied(commit) => commit,
                // Keep an empty commit for its message and its id.
                Replayed::Empty => replay::rewrite(repo, next.id, replay::tree_below(repo, self.tip)?, self.tip)?,
                Replayed::Conflicts(_) => {
                    let (id, subject) = (&next.short_id, staged_commit::subject(next));
                    let message = format!("Staged commit {id} \"{subject}\" builds on {gone}");
                    return Err(ToolError::new(ErrorKind::Conflict, message).hint(format!("First discard {id}.")));
                }
            };
            self.add(next.id, made);
        }
        Ok(())
    }

    /// Moves HEAD to the end of the line in the name of `who`, keeps the commits' ids, and updates the index. Drops the ids of `forgotten`.
    pub fn finish(
        self,
        repo: &Repo,
        forgotten: &[ObjectId],
        who: &Signature,
        cache: &mut index::Cache,
        deadline: &Deadline,
    ) -> Result<(), ToolError> {
        let (head, old_tree) = (repo.head()?, repo.head_tree()?);
        let refs = Refs::of(repo, deadline);
        match self.tip {
            Some(tip) => refs::move_head(who, &refs, &head, tip, &format!("reset: moving to {tip}"))?,
            None => refs::unbear_branch(who, repo, &head)?,
        }
        let mut ids = Ids::load(repo)?;
        forgotten.iter().for_each(|commit| ids.forget(*commit));
        ids.rewritten(&self.successors);
        ids.store(repo)?;
        follow_head::reset_index(repo, cache, old_tree, deadline)
    }
}

/// The commits on top of a staged one, in order. They must form a line, because no tool can rewrite a merge without its other side.
pub fn later(repo: &Repo, below: &StagedCommit, deadline: &Deadline) -> Result<Vec<StagedCommit>, ToolError> {
    let staged = staged_commit::unpushed(repo, deadline)?;
    let mut children = BTreeMap::new();
    for commit in &staged {
        for parent in &commit.parents {
            children.entry(*parent).or_insert(commit);
        }
    }
    let mut later = Vec::new();
    let mut last = below.id;
    while let Some(&next) = children.get(&last) {
        deadline.poll()?;
        if next.parents.len() != 1 {
            return Err(merge_error(next));
        }
        last = next.id;
        later.push(next.clone());
    }
    let head = repo.head()?.id();
    if head != Some(last) {
        let message = format!("No single line of staged commits leads from commit {} to HEAD", below.short_id);
        return Err(ToolError::failed(message).hint("First discard the commits on top of it."));
    }
    Ok(later)
}

/// The error for a merge.
pub fn merge_error(commit: &StagedCommit) -> ToolError {
    ToolError::failed(format!("Commit {} is a merge", commit.short_id))
        .hint("You cannot split a merge. Discard the commits on top of it, or undo the call that made it.")
}
