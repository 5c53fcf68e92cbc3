//! Finds the objects that belong to the commits a sandbox lacks.

use std::collections::HashSet;

use gix::ObjectId;
use gix::objs::TreeRefIter;
use gix::objs::tree::EntryKind;

use super::generate::{self, Count};
use super::history::History;
use super::{Progress, Stage, TargetError};

/// The objects of a pack.
pub(super) struct Lacking {
    /// Commits, trees, and blobs if they are wanted.
    pub(super) counts: Vec<Count>,
    /// Objects that the pack may refer to without holding them, because the sandbox has them.
    pub(super) had: HashSet<ObjectId>,
}

impl Lacking {
    /// Everything in the commits of `history` that the sandbox's own commits, on which they build,
    /// do not hold.
    pub(super) fn of(
        repo: &gix::Repository,
        history: &History,
        blobs: bool,
        progress: &dyn Progress,
    ) -> Result<Self, TargetError> {
        let mut walk = Walk { repo, blobs, progress, seen: HashSet::new(), found: Vec::new(), told: 0 };
        for commit in &history.had {
            walk.commit(*commit)?;
        }
        let had = walk.seen.clone();
        walk.found.clear();
        for commit in &history.commits {
            walk.commit(*commit)?;
        }
        Ok(Lacking { counts: walk.found.into_iter().map(generate::unplaced).collect(), had })
    }
}

struct Walk<'a> {
    repo: &'a gix::Repository,
    blobs: bool,
    progress: &'a dyn Progress,
    seen: HashSet<ObjectId>,
    found: Vec<ObjectId>,
    told: usize,
}

/// How often progress is reported, in objects.
const TELL: usize = 1000;

impl Walk<'_> {
    fn commit(&mut self, id: ObjectId) -> Result<(), TargetError> {
        let damaged = |error: gix::Error| TargetError::damaged(format!("cannot read the commit {id}: {error}"), error);
        let tree = self.repo.find_commit(id).map_err(damaged)?.tree_id().map_err(damaged)?.detach();
        self.take(id);
        self.tree(tree)
    }

    fn take(&mut self, id: ObjectId) -> bool {
        let is_new = self.seen.insert(id);
        if is_new {
            self.found.push(id);
        }
        is_new
    }

    /// Adds everything below `root` that was not seen yet. Uses no recursion, because trees can be
    /// deep.
    fn tree(&mut self, root: ObjectId) -> Result<(), TargetError> {
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            if !self.take(id) {
                continue;
            }
            if self.found.len() >= self.told + TELL {
                self.told = self.found.len();
                self.progress.at(Stage::Counting, self.told as u64, None);
            }
            let damaged =
                |error: gix::Error| TargetError::damaged(format!("cannot read the tree {id}: {error}"), error);
            let tree = self.repo.find_tree(id).map_err(damaged)?;
            for entry in TreeRefIter::from_bytes(&tree.data, gix::hash::Kind::Sha1) {
                let entry = entry.map_err(damaged)?;
                match entry.mode.kind() {
                    EntryKind::Tree => pending.push(entry.oid.to_owned()),
                    // A submodule's commit is in another repository.
                    EntryKind::Commit => {}
                    EntryKind::Blob | EntryKind::BlobExecutable | EntryKind::Link => {
                        if self.blobs {
                            self.take(entry.oid.to_owned());
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
