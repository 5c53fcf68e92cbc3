//! Finds the commits that a sandbox lacks.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::num::NonZeroU32;

use gix::ObjectId;

use super::{CommitsWanted, TargetError};

/// Commits that a sandbox lacks.
#[derive(Debug, Default)]
pub(super) struct History {
    /// The commits, in any order.
    pub(super) commits: Vec<ObjectId>,
    /// Those whose parents are left out, sorted.
    pub(super) shallow: Vec<ObjectId>,
    /// Parents of the others that the sandbox has.
    pub(super) had: HashSet<ObjectId>,
}

impl History {
    /// The commits that `wanted` asks for.
    pub(super) fn of(repo: &gix::Repository, wanted: &CommitsWanted) -> Result<Self, TargetError> {
        let graph = Graph::of(repo)?;
        let is_related = wanted.have.iter().any(|have| repo.find_commit(*have).is_ok());
        let mut history = match is_related {
            true => graph.on_top_of(wanted)?,
            false => graph.to_a_depth(wanted.want, wanted.depth)?,
        };
        history.shallow.sort_unstable();
        Ok(history)
    }
}

/// The repository's commits and their parents.
struct Graph<'r> {
    repo: &'r gix::Repository,
    /// The repository's own shallow boundary.
    ends: HashSet<ObjectId>,
}

impl<'r> Graph<'r> {
    fn of(repo: &'r gix::Repository) -> Result<Self, TargetError> {
        let shallow =
            repo.shallow_commits().map_err(|error| TargetError::damaged("cannot read the shallow boundary", error))?;
        Ok(Graph { repo, ends: shallow.iter().flat_map(|ids| ids.iter()).copied().collect() })
    }

    /// The parents of `commit`, or none at the repository's shallow boundary.
    fn parents(&self, commit: ObjectId) -> Result<Vec<ObjectId>, TargetError> {
        if self.ends.contains(&commit) {
            return Ok(Vec::new());
        }
        let damaged =
            |error: gix::Error| TargetError::damaged(format!("cannot read the commit {commit}: {error}"), error);
        let found = self.repo.find_commit(commit).map_err(damaged)?;
        Ok(found.parent_ids().map(gix::Id::detach).collect())
    }

    /// The history for a sandbox that has none of it: `depth` commits along every line.
    fn to_a_depth(&self, want: ObjectId, depth: Option<NonZeroU32>) -> Result<History, TargetError> {
        let depth = depth.map_or(u32::MAX, NonZeroU32::get);
        let mut history = History::default();
        // Walk level by level, so that the shortest path to each commit comes first.
        let mut levels = HashMap::from([(want, 1)]);
        let mut pending = VecDeque::from([want]);
        while let Some(commit) = pending.pop_front() {
            let (level, parents) = (levels[&commit], self.parents(commit)?);
            history.commits.push(commit);
            if self.ends.contains(&commit) || level == depth {
                history.shallow.push(commit);
                continue;
            }
            for parent in parents {
                levels.entry(parent).or_insert_with(|| {
                    pending.push_back(parent);
                    level + 1
                });
            }
        }
        Ok(history)
    }

    /// The commits that are new to a sandbox with some history. If new commits build on commits
    /// before the sandbox's own boundary, those come along and become the new boundary.
    fn on_top_of(&self, wanted: &CommitsWanted) -> Result<History, TargetError> {
        let broken = |error: gix::Error| TargetError::damaged(format!("cannot walk the history: {error}"), error);
        let known = |ids: &[ObjectId]| -> HashSet<ObjectId> {
            ids.iter().copied().filter(|id| self.repo.find_commit(*id).is_ok()).collect()
        };
        let (have, begins) = (known(&wanted.have), known(&wanted.shallow));
        let hidden: Vec<ObjectId> = have.union(&begins).copied().collect();
        let mut commits = HashSet::new();
        let mut history = History::default();
        for info in self.repo.rev_walk([wanted.want]).with_hidden(hidden).all().map_err(broken)? {
            let commit = info.map_err(broken)?.id;
            commits.insert(commit);
            history.commits.push(commit);
        }
        let held = if begins.is_empty() { None } else { Some(self.held(&have, &begins)?) };
        let mut before = BTreeSet::new();
        for commit in &history.commits {
            if self.ends.contains(commit) {
                history.shallow.push(*commit);
            }
            for parent in self.parents(*commit)? {
                if commits.contains(&parent) {
                    continue;
                }
                if held.as_ref().is_none_or(|held| held.contains(&parent)) {
                    history.had.insert(parent);
                } else if before.insert(parent) && (self.ends.contains(&parent) || !self.parents(parent)?.is_empty()) {
                    history.shallow.push(parent);
                }
            }
        }
        let want_is_before = commits.is_empty() && held.is_some_and(|held| !held.contains(&wanted.want));
        if want_is_before && before.insert(wanted.want) && !self.parents(wanted.want)?.is_empty() {
            history.shallow.push(wanted.want);
        }
        history.commits.extend(before);
        Ok(history)
    }

    /// The commits of a sandbox that has `have` back to `begins`.
    fn held(&self, have: &HashSet<ObjectId>, begins: &HashSet<ObjectId>) -> Result<HashSet<ObjectId>, TargetError> {
        let mut held = have.clone();
        let mut pending: Vec<ObjectId> = have.iter().copied().collect();
        while let Some(commit) = pending.pop() {
            if !begins.contains(&commit) {
                pending.extend(self.parents(commit)?.into_iter().filter(|parent| held.insert(*parent)));
            }
        }
        Ok(held)
    }
}
