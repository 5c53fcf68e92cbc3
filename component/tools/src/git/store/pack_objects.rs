//! Builds packs: every object that the receiver needs of some commits and lacks, and nothing else.
//!
//! The receiver has the known commits and all they reach. The pack leaves out every object of their trees, wherever in the tree it was, so a
//! moved file is not sent again.

mod parts;
mod stored;

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::hashtable::HashSet;
use gix::objs::tree::EntryKind;
use gix::objs::{Kind, TreeRefIter};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::missing;
use crate::git::store::repo::{Repo, damaged};

pub use self::parts::Part;
pub use self::stored::make_as_stored;

/// The objects of a push: commits, parents first, each before its trees and blobs.
///
/// `commits` are the new ones, parents first. The target has everything that their parents outside `commits` reach.
pub fn enumerate(repo: &Repo, commits: &[ObjectId], deadline: &Deadline) -> Result<Vec<(ObjectId, Kind)>, ToolError> {
    let new: HashSet<ObjectId> = commits.iter().copied().collect();
    // A shallow clone lacks the parents of its boundary commits. The target has them.
    let is_known = |parent: &ObjectId| !new.contains(parent) && repo.gix.has_object(*parent);
    objects(repo, commits, &[], &is_known, true, deadline)
}

/// The objects of these commits: each commit before its trees and, if wanted, blobs. The receiver has everything that the commits
/// `known` reach, and those parents for which `is_known` holds.
pub fn objects(
    repo: &Repo,
    commits: &[ObjectId],
    known: &[ObjectId],
    is_known: &dyn Fn(&ObjectId) -> bool,
    with_blobs: bool,
    deadline: &Deadline,
) -> Result<Vec<(ObjectId, Kind)>, ToolError> {
    let mut walk = Walk::new(repo, with_blobs, deadline);
    for commit in known {
        walk.tree(repo.tree_of(*commit)?)?;
    }
    let mut trees = Vec::with_capacity(commits.len());
    for id in commits {
        let commit = repo.gix.find_commit(*id).map_err(|error| damaged(&error))?;
        for parent in commit.parent_ids().map(gix::Id::detach).filter(is_known) {
            walk.tree(repo.tree_of(parent)?)?;
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

/// The objects of these trees.
pub fn below(repo: &Repo, trees: &[ObjectId], deadline: &Deadline) -> Result<Vec<(ObjectId, Kind)>, ToolError> {
    let mut walk = Walk::new(repo, true, deadline);
    trees.iter().try_for_each(|tree| walk.tree(*tree))?;
    Ok(walk.found)
}

struct Walk<'a> {
    gix: gix::Repository,
    deadline: &'a Deadline,
    with_blobs: bool,
    /// Used for membership only, so its order does not matter.
    seen: HashSet<ObjectId>,
    found: Vec<(ObjectId, Kind)>,
}

impl<'a> Walk<'a> {
    fn new(repo: &Repo, with_blobs: bool, deadline: &'a Deadline) -> Self {
        // It reads each tree once, so a cache of objects would only take memory.
        let mut gix = (*repo.gix).clone();
        gix.object_cache_size(None);
        Walk { gix, deadline, with_blobs, seen: HashSet::default(), found: Vec::new() }
    }

    /// Visits everything below `root` that is not visited yet. It does not recurse, because trees can be deeper than the stack.
    fn tree(&mut self, root: ObjectId) -> Result<(), ToolError> {
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            self.found.push((id, Kind::Tree));
            let tree = self.gix.find_tree(id).map_err(|error| damaged(&error))?;
            for entry in TreeRefIter::from_bytes(&tree.data, gix::hash::Kind::Sha1) {
                self.deadline.poll()?;
                let entry = entry.map_err(|error| damaged(&error))?;
                match entry.mode.kind() {
                    EntryKind::Tree => pending.push(entry.oid.to_owned()),
                    // The commit of a submodule is in another repository.
                    EntryKind::Commit => {}
                    EntryKind::Blob | EntryKind::BlobExecutable | EntryKind::Link => {
                        let id = entry.oid.to_owned();
                        if self.with_blobs && self.seen.insert(id) {
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
    ensure_here(repo, objects)?;
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

/// Asks for the objects that a sparse sandbox lacks.
fn ensure_here(repo: &Repo, objects: &[(ObjectId, Kind)]) -> Result<(), ToolError> {
    let absent: BTreeSet<ObjectId> = objects.iter().map(|(id, _)| *id).filter(|id| !repo.gix.has_object(id)).collect();
    if absent.is_empty() { Ok(()) } else { Err(missing::blobs(repo, absent)) }
}
