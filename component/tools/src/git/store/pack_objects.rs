//! Builds the pack of a push: every object that the new commits need and the target lacks, and nothing else.
//!
//! The target has the known commits and all they reach. The pack leaves out every object of their trees, wherever in the tree it was, so a
//! moved file is not sent again.

use std::collections::{BTreeSet, HashSet};

use gix::ObjectId;
use gix::objs::tree::EntryKind;
use gix::objs::{Kind, TreeRefIter};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::missing;
use crate::git::store::repo::{Repo, damaged};

/// The objects of a push: commits, parents first, each before its trees and blobs.
///
/// `commits` are the new ones, parents first. The target has everything that their parents outside `commits` reach.
pub fn enumerate(repo: &Repo, commits: &[ObjectId], deadline: &Deadline) -> Result<Vec<(ObjectId, Kind)>, ToolError> {
    let new: HashSet<ObjectId> = commits.iter().copied().collect();
    let mut walk = Walk { repo, deadline, seen: HashSet::new(), found: Vec::new() };
    let mut trees = Vec::with_capacity(commits.len());
    for id in commits {
        let commit = repo.gix.find_commit(*id).map_err(|error| damaged(&error))?;
        for parent in commit.parent_ids().map(gix::Id::detach).filter(|parent| !new.contains(parent)) {
            // A shallow clone lacks the parents of its boundary commits. The target has them.
            if repo.gix.has_object(parent) {
                walk.tree(repo.tree_of(parent)?)?;
            }
        }
        trees.push(commit.tree_id().map_err(|error| damaged(&error))?.detach());
    }
    walk.found.clear();
    for (id, tree) in commits.iter().zip(trees) {
        walk.found.push((*id, Kind::Commit));
        walk.tree(tree)?;
    }
    Ok(walk.found)
}

struct Walk<'a> {
    repo: &'a Repo,
    deadline: &'a Deadline,
    /// Used for membership only, so its order does not matter.
    seen: HashSet<ObjectId>,
    found: Vec<(ObjectId, Kind)>,
}

impl Walk<'_> {
    /// Visits everything below `root` that is not visited yet. It does not recurse, because trees can be deeper than the stack.
    fn tree(&mut self, root: ObjectId) -> Result<(), ToolError> {
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            self.found.push((id, Kind::Tree));
            let tree = self.repo.gix.find_tree(id).map_err(|error| damaged(&error))?;
            for entry in TreeRefIter::from_bytes(&tree.data, gix::hash::Kind::Sha1) {
                self.deadline.poll()?;
                let entry = entry.map_err(|error| damaged(&error))?;
                match entry.mode.kind() {
                    EntryKind::Tree => pending.push(entry.oid.to_owned()),
                    // The commit of a submodule is in another repository.
                    EntryKind::Commit => {}
                    EntryKind::Blob | EntryKind::BlobExecutable | EntryKind::Link => {
                        let id = entry.oid.to_owned();
                        if self.seen.insert(id) {
                            self.found.push((id, Kind::Blob));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Writes a pack of these objects without deltas, or asks for those that a sparse sandbox lacks. Equal objects give equal bytes.
pub fn write(repo: &Repo, objects: &[(ObjectId, Kind)], deadline: &Deadline) -> Result<Vec<u8>, ToolError> {
    use gix_pack::data::output::{Count, Entry, bytes::FromEntriesIter, count::PackLocation};
    let absent: BTreeSet<ObjectId> = objects.iter().map(|(id, _)| *id).filter(|id| !repo.gix.has_object(id)).collect();
    if !absent.is_empty() {
        return Err(missing::blobs(repo, absent));
    }
    let entries = objects.iter().map(|(id, _)| {
        let object = repo.gix.find_object(*id)?;
        let count = Count { id: *id, entry_pack_location: PackLocation::NotLookedUp };
        let data = gix::objs::Data::new(&object.data, object.kind, gix::hash::Kind::Sha1);
        Entry::from_data(&count, &data, gix_zlib::Compression::BEST_SPEED).map(|entry| vec![entry])
    });
    let count = u32::try_from(objects.len()).map_err(|_| ToolError::failed("Too many objects for one push"))?;
    let mut writer =
        FromEntriesIter::new(entries, Vec::new(), count, gix_pack::data::Version::V2, gix::hash::Kind::Sha1);
    for written in writer.by_ref() {
        deadline.poll_units(64)?;
        written.map_err(|error| damaged(&error))?;
    }
    Ok(writer.into_write())
}
