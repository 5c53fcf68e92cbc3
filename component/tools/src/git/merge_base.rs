//! Where two histories part.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::repo::{Repo, damaged};

/// The best common ancestors of two commits, those that no other one leads to.
pub fn of(repo: &Repo, ours: ObjectId, theirs: ObjectId, deadline: &Deadline) -> Result<Vec<ObjectId>, ToolError> {
    let shallow = repo.shallow()?;
    if shallow.is_empty() {
        let bases = repo.gix.merge_bases_many(ours, &[theirs]).map_err(|error| damaged(&error))?;
        return Ok(bases.into_iter().map(gix::Id::detach).collect());
    }
    // Where history was cut off, what lies behind counts for nothing, whether it is here or not.
    let mut history = History { repo, shallow, parents: BTreeMap::new(), deadline };
    let ours = history.from([ours])?;
    let common: BTreeSet<ObjectId> = history.from([theirs])?.intersection(&ours).copied().collect();
    let mut behind = Vec::new();
    for id in &common {
        behind.extend(history.parents(*id)?);
    }
    let behind = history.from(behind)?;
    Ok(common.difference(&behind).copied().collect())
}

struct History<'a> {
    repo: &'a Repo,
    shallow: BTreeSet<ObjectId>,
    parents: BTreeMap<ObjectId, Vec<ObjectId>>,
    deadline: &'a Deadline,
}

impl History<'_> {
    /// These commits and all that they lead to.
    fn from(&mut self, tips: impl IntoIterator<Item = ObjectId>) -> Result<BTreeSet<ObjectId>, ToolError> {
        let mut pending: Vec<ObjectId> = tips.into_iter().collect();
        let mut found = BTreeSet::new();
        while let Some(id) = pending.pop() {
            self.deadline.poll()?;
            if found.insert(id) {
                pending.extend(self.parents(id)?);
            }
        }
        Ok(found)
    }

    fn parents(&mut self, id: ObjectId) -> Result<Vec<ObjectId>, ToolError> {
        if let Some(parents) = self.parents.get(&id) {
            return Ok(parents.clone());
        }
        let commit = self.repo.gix.find_commit(id).map_err(|error| damaged(&error))?;
        let is_end = self.shallow.contains(&id);
        let parents: Vec<_> = if is_end { Vec::new() } else { commit.parent_ids().map(gix::Id::detach).collect() };
        self.parents.insert(id, parents.clone());
        Ok(parents)
    }
}
