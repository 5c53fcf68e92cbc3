//! Staged commits that are upstream as other ones: somebody has picked them, or rebased what they stand on. As `git rebase` does, they are
//! found by what they change (git-patch-id), white space apart, and not made again: what came after them upstream may have changed it once
//! more, or have taken it back.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use patch::hunk::{self, Line};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::rev_list;
use crate::git::store::repo::{Repo, damaged};
use crate::git::store::version::{SUBMODULE, Version};
use crate::git::worktree::changes::{self, Change};

/// Those of the commits `own` of `head` that `incoming` has by other names. What is not here is not compared.
pub fn upstream_already(
    repo: &Repo,
    own: &[ObjectId],
    head: ObjectId,
    incoming: ObjectId,
    deadline: &Deadline,
) -> Result<BTreeSet<ObjectId>, ToolError> {
    let mut found = BTreeSet::new();
    let mut search = Search { repo, deadline, patches: BTreeMap::new() };
    let mut sought = Vec::new();
    for commit in own {
        // One that changes nothing says something, and is made again.
        sought.extend(search.changes(*commit)?.filter(|changes| !changes.is_empty()).map(|changes| (*commit, changes)));
    }
    if sought.is_empty() {
        return Ok(found);
    }
    for commit in rev_list::between(repo, [incoming], &BTreeSet::from([head]), deadline)? {
        let Some(theirs) = search.changes(commit)? else { continue };
        for (commit, mine) in &sought {
            if !found.contains(commit) && search.is_same(mine, &theirs)? {
                found.insert(*commit);
            }
        }
    }
    Ok(found)
}

struct Search<'a> {
    repo: &'a Repo,
    deadline: &'a Deadline,
    /// A hash of what differs between two texts, without white space; none where they are no texts or are not here.
    patches: BTreeMap<(ObjectId, ObjectId), Option<ObjectId>>,
}

impl Search<'_> {
    /// What `commit` changes; none of a merge, and where what it was made on is not here.
    fn changes(&self, commit: ObjectId) -> Result<Option<Vec<Change>>, ToolError> {
        let object = self.repo.gix.find_commit(commit).map_err(|error| damaged(&error))?;
        let parents: Vec<ObjectId> = object.parent_ids().map(gix::Id::detach).collect();
        let before = match parents.as_slice() {
            [] => ObjectId::empty_tree(commit.kind()),
            [parent] if self.repo.gix.has_object(parent) => self.repo.tree_of(*parent)?,
            _ => return Ok(None),
        };
        changes::tree_to_tree(self.repo, before, self.repo.tree_of(commit)?, self.deadline).map(Some)
    }

    fn is_same(&mut self, mine: &[Change], theirs: &[Change]) -> Result<bool, ToolError> {
        let pairs = || mine.iter().zip(theirs);
        if mine.len() != theirs.len() || !pairs().all(|(mine, theirs)| has_same_shape(mine, theirs)) {
            return Ok(false);
        }
        for (mine, theirs) in pairs() {
            if !self.has_same_text(mine, theirs)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn has_same_text(&mut self, mine: &Change, theirs: &Change) -> Result<bool, ToolError> {
        if ids(mine) == ids(theirs) {
            return Ok(true);
        }
        let is_submodule = |change: &Change| [change.old, change.new].iter().flatten().any(|one| one.mode == SUBMODULE);
        if is_submodule(mine) || is_submodule(theirs) {
            return Ok(false);
        }
        let (mine, theirs) = (self.patch(ids(mine))?, self.patch(ids(theirs))?);
        Ok(mine.is_some() && mine == theirs)
    }

    fn patch(&mut self, sides: (ObjectId, ObjectId)) -> Result<Option<ObjectId>, ToolError> {
        if let Some(known) = self.patches.get(&sides) {
            return Ok(*known);
        }
        let (old, new) = (self.text(sides.0)?, self.text(sides.1)?);
        let patch = match (old, new) {
            (Some(old), Some(new)) => Some(self.differences(&old, &new)?),
            _ => None,
        };
        self.patches.insert(sides, patch);
        Ok(patch)
    }

    /// A text that is here; the empty one has no object of its own.
    fn text(&self, id: ObjectId) -> Result<Option<Vec<u8>>, ToolError> {
        if id.is_null() {
            return Ok(Some(Vec::new()));
        }
        // What is missing is not asked for: without it the commit is made again, which needs less.
        let found = self.repo.gix.try_find_object(id).map_err(|error| damaged(&error))?;
        Ok(found.map(|found| found.detach().data).filter(|text| !patch::binary::is_binary(text)))
    }

    fn differences(&self, old: &[u8], new: &[u8]) -> Result<ObjectId, ToolError> {
        let poll = || self.deadline.flow(1024);
        let options = patch::Options { deadline: patch::Deadline::new(&poll), ..patch::Options::default() };
        let hunks = hunk::hunks(old, new, &options).map_err(|_| self.deadline.timeout(String::new()))?;
        let mut all = Vec::new();
        for line in hunks.iter().flat_map(|hunk| hunks.lines(hunk)) {
            let (sign, text) = match line {
                Line::Context(text) => (None, text),
                Line::Deleted(text) => (Some(b'-'), text),
                Line::Added(text) => (Some(b'+'), text),
            };
            all.extend(sign);
            all.extend(text.iter().filter(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')));
        }
        gix::objs::compute_hash(gix::hash::Kind::Sha1, gix::objs::Kind::Blob, &all).map_err(|error| damaged(&error))
    }
}

/// Whether both make the same of the same path, whatever is in it. git leaves a change of the mode out; here it would be lost.
fn has_same_shape(mine: &Change, theirs: &Change) -> bool {
    let modes = |change: &Change| match (change.old, change.new) {
        (Some(old), Some(new)) if old.mode == new.mode => (Some(0), Some(old.mode & 0o170_000)),
        (old, new) => (old.map(mode), new.map(mode)),
    };
    mine.path == theirs.path && modes(mine) == modes(theirs)
}

fn mode(version: Version) -> u32 {
    version.mode
}

/// The contents on both sides; null where there is none.
fn ids(change: &Change) -> (ObjectId, ObjectId) {
    let id = |version: Option<Version>| version.map_or(ObjectId::null(gix::hash::Kind::Sha1), |version| version.id);
    (id(change.old), id(change.new))
}
