//! Re-applies staged commits on top of another parent. The working folder stays as it is.

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

/// A line of commits that is being made.
pub struct Restack {
    /// The last commit so far.
    pub tip: Option<ObjectId>,
    /// What has become of which commit.
    successors: BTreeMap<ObjectId, ObjectId>,
}

impl Restack {
    /// A line that begins on top of `tip`, or with a first commit.
    pub fn onto(tip: Option<ObjectId>) -> Self {
        Restack { tip, successors: BTreeMap::new() }
    }

    /// Goes on with `made`, which is what `former` becomes, or `former` itself.
    pub fn add(&mut self, former: ObjectId, made: ObjectId) {
        if former != made {
            self.successors.insert(former, made);
        }
        self.tip = Some(made);
    }

    /// Re-applies `later` on top, in order. `gone` names, in an error, what they build on and no
    /// longer have.
    pub fn put(&mut self, later: &[StagedCommit], gone: &str, replayer: &mut Replayer<'_>) -> Result<(), ToolError> {
        let repo = replayer.repo;
        for next in later {
            let made = match replayer.replay(next.id, self.tip)? {
                Replayed::Applied(commit) => commit,
                // Its message and its id stay.
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

    /// Moves HEAD to the end of the line as `who`, keeps the commits' ids, and updates the index. Gives
    /// up the ids of `forgotten`.
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

/// The commits on top of a staged one, in order. They must form a line, because a merge cannot be
/// rewritten without its other side.
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
