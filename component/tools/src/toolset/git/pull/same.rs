//! Finds staged commits that upstream has as other commits, because somebody cherry-picked them or rebased their base. As `git rebase`
//! does, it compares their changes without white space (git-patch-id). A pull does not re-apply them, because later upstream commits may
//! have changed or reverted their changes.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use patch::hunk::{self, Line};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::rev_list;
use crate::git::store::repo::{Repo, damaged};
use crate::git::store::version::{SUBMODULE, Version};
use crate::git::worktree::changes::{self, Change};

/// Those of the commits `own` of `head` that `incoming` has as other commits. Skips commits with missing data.
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
        // A commit without changes has a message to keep, so it is re-applied.
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
    /// A hash of the difference between two texts, without white space. `None` if one is missing or binary.
    patches: BTreeMap<(ObjectId, ObjectId), Option<ObjectId>>,
}

impl Search<'_> {
    /// The changes of `commit`. `None` for a merge, and if the parent is missing.
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

    /// A text, or `None` if it is missing or binary. The null id means an empty text.
    fn text(&self, id: ObjectId) -> Result<Option<Vec<u8>>, ToolError> {
        if id.is_null() {
            return Ok(Some(Vec::new()));
        }
        // Do not ask for a missing blob: re-applying the commit needs fewer blobs.
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

/// Whether both change the same path and mode, whatever the content. git ignores a change of mode here, but a pull would lose it.
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

/// The ids on both sides, with the null id for a missing side.
fn ids(change: &Change) -> (ObjectId, ObjectId) {
    let id = |version: Option<Version>| version.map_or(ObjectId::null(gix::hash::Kind::Sha1), |version| version.id);
    (id(change.old), id(change.new))
}
