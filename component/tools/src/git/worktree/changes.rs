//! The changes of paths between two of: HEAD's tree, the index and the working tree.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;
use gix::index::entry::Flags;
use patch::sort::map;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::flat_tree::FlatTree;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::Repo;
use crate::git::store::tree_diff::{Difference, TreeDiff};
use crate::git::store::version::{SUBMODULE, Version};

/// A changed path.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Change {
    /// Relative to the root of the repository.
    pub path: BString,
    /// The old version.
    pub old: Option<Version>,
    /// The new version.
    pub new: Option<Version>,
    /// The old path, if the path was renamed.
    pub from: Option<Moved>,
    /// The stages of an unmerged path. Then `old` and `new` are empty, but the path may have been renamed.
    pub unmerged: Option<Stages>,
    /// The working tree's version of an unmerged path, if the comparison read it. git can detect a deleted path as renamed to it, and then
    /// shows the deletion nowhere.
    pub standing: Option<Version>,
}

/// The source of a rename.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Moved {
    /// Relative to the root of the repository.
    pub path: BString,
    /// In percent.
    pub similarity: u8,
}

/// The versions of an unmerged path: base, ours, theirs.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Stages(pub [Option<Version>; 3]);

impl Change {
    /// A change without a rename.
    pub fn new(path: BString, old: Option<Version>, new: Option<Version>) -> Change {
        Change { path, old, new, from: None, unmerged: None, standing: None }
    }

    /// A path that a merge left unresolved.
    pub fn unmerged(path: BString, stages: Stages) -> Change {
        Change { unmerged: Some(stages), ..Change::new(path, None, None) }
    }

    /// The part that `pathspec` selects. A pathspec ending in a slash selects a submodule, but not a file that replaced it.
    pub fn picked_by(mut self, pathspec: &Pathspec) -> Option<Change> {
        if pathspec.matches(self.path.as_bstr()) {
            return Some(self);
        }
        if !pathspec.matches_mode(self.path.as_bstr(), SUBMODULE) {
            return None;
        }
        let is_submodule = |version: &Version| version.mode == SUBMODULE;
        (self.old, self.new) = (self.old.filter(is_submodule), self.new.filter(is_submodule));
        let is_unmerged = self.unmerged.iter().flat_map(|stages| stages.0.iter().flatten()).any(is_submodule);
        (is_unmerged || self.old.is_some() || self.new.is_some()).then_some(self)
    }

    /// git's status letter.
    pub fn letter(&self) -> char {
        match (&self.old, &self.new) {
            _ if self.unmerged.is_some() => 'U',
            _ if self.from.is_some() => 'R',
            (None, _) => 'A',
            (_, None) => 'D',
            (Some(old), Some(new)) if old.kind() != new.kind() => 'T',
            _ => 'M',
        }
    }
}

/// The changes from the tree `old` to the tree `new`, in path order. This skips equal folders.
pub fn tree_to_tree(repo: &Repo, old: ObjectId, new: ObjectId, deadline: &Deadline) -> Result<Vec<Change>, ToolError> {
    let mut found = Vec::new();
    let mut trees = TreeDiff::new(repo);
    trees.open(Some(old), Some(new), deadline)?;
    while let Some(Difference { old, new }) = trees.next(deadline, |_| true)? {
        found.push(Change::new(trees.path().to_owned(), old, new));
    }
    Ok(found)
}

/// The changes from `tree` to the index, in path order. An unmerged path appears once.
pub fn tree_to_index(tree: &FlatTree, index: &State, deadline: &Deadline) -> Result<Vec<Change>, ToolError> {
    let mut found = Vec::new();
    let (mut in_tree, mut in_index) = (0, 0);
    let entries = index.entries();
    loop {
        deadline.poll()?;
        let old = tree.get(in_tree);
        let entry = entries.get(in_index);
        let order = match (&old, entry) {
            (None, None) => return Ok(found),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((path, _)), Some(entry)) => (*path).cmp(entry.path(index)),
        };
        if order.is_le() {
            in_tree += 1;
        }
        let old = old.filter(|_| order.is_le());
        let Some(entry) = entry.filter(|_| order.is_ge()) else {
            if let Some((path, version)) = old {
                found.push(Change::new(path.to_owned(), Some(version), None));
            }
            continue;
        };
        let path = entry.path(index);
        if entry.stage_raw() != 0 {
            let (stages, after) = stages(index, in_index);
            in_index = after;
            found.push(Change::unmerged(path.to_owned(), stages));
            continue;
        }
        in_index += 1;
        let old = old.map(|(_, version)| version);
        // An intent-to-add entry is not in the index yet.
        let intended = entry.flags.contains(Flags::INTENT_TO_ADD);
        let new = (!intended).then(|| Version::object(entry.mode.bits(), entry.id));
        if old != new {
            found.push(Change::new(path.to_owned(), old, new));
        }
    }
}

/// The stages of the unmerged path whose first entry is at `position`, and the position after its last entry.
pub fn stages(index: &State, position: usize) -> (Stages, usize) {
    let entries = index.entries();
    let path = entries[position].path(index);
    let mut stages = Stages::default();
    let mut after = position;
    while let Some(entry) = entries.get(after).filter(|entry| entry.path(index) == path && entry.stage_raw() != 0) {
        let stage = entry.stage_raw() as usize;
        stages.0[stage - 1] = Some(Version::object(entry.mode.bits(), entry.id));
        after += 1;
    }
    (stages, after)
}

/// Changes after rename detection.
pub struct Renamed {
    /// In path order, with each rename at its new path.
    pub changes: Vec<Change>,
    /// The limit that would be needed to compare all pairs, if some were skipped.
    pub needed_limit: Option<usize>,
}

/// Pairs deleted paths with added ones of similar content, as git does at 50 %. `read` returns the content of a version, or `None` if it is
/// missing.
pub fn detect_renames(
    changes: Vec<Change>,
    deadline: &Deadline,
    mut read: impl FnMut(&BStr, &Version) -> Result<Option<Vec<u8>>, ToolError>,
) -> Result<Renamed, ToolError> {
    let one_sided = |gone: bool| {
        let side = move |change: &&Change| match (&change.old, &change.new) {
            (Some(_), None) => gone,
            (None, Some(_)) => !gone,
            (None, None) => !gone && change.standing.is_some(),
            _ => false,
        };
        changes.iter().filter(side).collect::<Vec<_>>()
    };
    let (deleted, added) = (one_sided(true), one_sided(false));
    if deleted.is_empty() || added.is_empty() {
        return Ok(Renamed { changes, needed_limit: None });
    }
    let poll = || deadline.flow(1024);
    let options = patch::rename::Options { deadline: patch::Deadline::new(&poll), ..Default::default() };
    let all = deleted.iter().chain(&added);
    let by_id = map(all.map(|change| (version(change).id, *change)));
    let mut failure = None;
    let blobs = |id: &ObjectId| {
        let change = by_id[id];
        let content = read(change.path.as_bstr(), version(change));
        content
            .unwrap_or_else(|error| {
                failure.get_or_insert(error);
                None
            })
            .map(Cow::Owned)
    };
    let (old_files, new_files): (Vec<_>, Vec<_>) =
        (deleted.iter().copied().map(file).collect(), added.iter().copied().map(file).collect());
    let found =
        patch::rename::detect(&old_files, &new_files, &options, blobs).map_err(|_| deadline.timeout(String::new()))?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    let renames = found
        .renames
        .iter()
        .map(|rename| {
            let (old, new) = (deleted[rename.deleted], added[rename.added]);
            let moved = Moved { path: old.path.clone(), similarity: rename.similarity() };
            Change { old: old.old, from: Some(moved), ..(*new).clone() }
        })
        .collect();
    Ok(Renamed { changes: replace(changes.clone(), renames), needed_limit: found.needed_limit })
}

fn file(change: &Change) -> patch::rename::File<'_> {
    let version = version(change);
    patch::rename::File { path: change.path.as_bstr(), mode: version.mode, id: version.id }
}

/// The only version of an added or deleted path.
fn version(change: &Change) -> &Version {
    let version = change.old.as_ref().or(change.new.as_ref()).or(change.standing.as_ref());
    version.expect("only changes with one side are candidates")
}

/// Replaces the addition of each rename, and drops its deletion.
fn replace(changes: Vec<Change>, renames: Vec<Change>) -> Vec<Change> {
    let gone: BTreeSet<BString> =
        renames.iter().filter_map(|rename| rename.from.as_ref().map(|from| from.path.clone())).collect();
    let mut renames = map(renames.into_iter().map(|rename| (rename.path.clone(), rename)));
    let mut replaced = Vec::with_capacity(changes.len());
    for change in changes {
        match change.letter() {
            'D' if gone.contains(&change.path) => {}
            'A' => replaced.push(renames.remove(&change.path).unwrap_or(change)),
            _ => replaced.push(change),
        }
    }
    replaced
}
