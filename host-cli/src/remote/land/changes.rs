//! Which paths a push changes: the difference of two trees, folders taken apart.

use std::collections::{BTreeMap, BTreeSet};

use gate::objects::Objects;
use gix::ObjectId;
use gix::bstr::BString;
use gix::diff::tree::{Recorder, State, recorder::Change};
use gix::hash::oid;
use gix::objs::tree::EntryMode;
use gix::objs::{Data, Find, Kind, TreeRefIter};

use super::plan::Mode;
use crate::remote::{LandError, Obstacle, TargetError, TargetErrorKind};

/// The gate's view of objects, as gix wants it.
#[derive(Clone, Copy)]
pub(super) struct Finder<'a>(pub(super) &'a dyn Objects);

impl Find for Finder<'_> {
    fn try_find<'b>(&self, id: &oid, buffer: &'b mut Vec<u8>) -> gix::Result<Option<Data<'b>>> {
        match self.0.find(id, buffer) {
            Ok(found) => Ok(found.map(|kind| Data::new(buffer, kind, gix::hash::Kind::Sha1))),
            Err(fault) => Err(gix::Error::from_error(fault)),
        }
    }
}

impl Finder<'_> {
    /// The content of an object that must be there and of that kind.
    pub(super) fn get(&self, id: ObjectId, kind: Kind) -> Result<Vec<u8>, LandError> {
        let mut content = Vec::new();
        match self.0.find(&id, &mut content) {
            Ok(Some(found)) if found == kind => Ok(content),
            Ok(_) => Err(LandError::Failed(
                TargetError::new(TargetErrorKind::MissingObject, format!("the {kind} {id} is missing"))
                    .hint("run `git fsck` in the target"),
            )),
            Err(fault) => Err(LandError::Failed(TargetError::damaged(fault.message.clone(), fault))),
        }
    }

    /// The tree of a commit; of no commit, the empty tree.
    pub(super) fn tree_of(&self, commit: Option<ObjectId>) -> Result<Option<ObjectId>, LandError> {
        let Some(commit) = commit else {
            return Ok(None);
        };
        let content = self.get(commit, Kind::Commit)?;
        let tree = gix::objs::CommitRefIter::from_bytes(&content, gix::hash::Kind::Sha1).tree_id();
        Ok(Some(tree.map_err(|error| {
            LandError::Failed(TargetError::damaged(format!("the commit {commit} has no tree"), error))
        })?))
    }
}

/// One changed path: what it was and what it becomes.
pub(super) type Sides = (Option<(Mode, ObjectId)>, Option<(Mode, ObjectId)>);

/// All paths that differ between two trees (`None` is the empty tree), by name.
///
/// Trees of the same content in another encoding differ in no path. A changed submodule entry is a
/// conflict.
pub(super) fn between(
    find: Finder<'_>,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
) -> Result<BTreeMap<BString, Sides>, LandError> {
    let Difference { files, submodules } = compare(find, old, new)?;
    if submodules.is_empty() {
        return Ok(files);
    }
    Err(LandError::paths(
        Obstacle::Submodule,
        "the push changes submodules of a checked-out branch",
        submodules,
        "push to another branch and merge it with git",
    ))
}

/// The names alone of all paths that differ between two trees, submodules as well as files.
pub(super) fn names_between(
    find: Finder<'_>,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
) -> Result<BTreeSet<BString>, LandError> {
    let Difference { files, submodules } = compare(find, old, new)?;
    Ok(files.into_keys().chain(submodules).collect())
}

/// How two trees differ.
struct Difference {
    files: BTreeMap<BString, Sides>,
    submodules: Vec<BString>,
}

fn compare(find: Finder<'_>, old: Option<ObjectId>, new: Option<ObjectId>) -> Result<Difference, LandError> {
    let load = |tree: Option<ObjectId>| tree.map_or(Ok(Vec::new()), |id| find.get(id, Kind::Tree));
    let (old, new) = (load(old)?, load(new)?);
    let iter = |bytes| TreeRefIter::from_bytes(bytes, gix::hash::Kind::Sha1);
    let mut recorder = Recorder::default();
    gix::diff::tree(iter(&old), iter(&new), State::default(), find, &mut recorder)
        .map_err(|error| LandError::Failed(TargetError::damaged("cannot compare the trees of the push", error)))?;

    let mut files: BTreeMap<BString, Sides> = BTreeMap::new();
    let mut submodules = Vec::new();
    let mut side = |mode: EntryMode, id, path: &BString| {
        // One that points elsewhere has two sides.
        if mode.is_commit() && submodules.last() != Some(path) {
            submodules.push(path.clone());
        }
        Mode::of(mode).map(|mode| (mode, id))
    };
    for change in recorder.records {
        // A path that changes from folder to file is recorded twice, once for each side.
        let (path, old, new) = match change {
            Change::Addition { entry_mode, oid, path, .. } => {
                let new = side(entry_mode, oid, &path);
                (path, None, new)
            }
            Change::Deletion { entry_mode, oid, path, .. } => {
                let old = side(entry_mode, oid, &path);
                (path, old, None)
            }
            Change::Modification { previous_entry_mode, previous_oid, entry_mode, oid, path } => {
                let old = side(previous_entry_mode, previous_oid, &path);
                let new = side(entry_mode, oid, &path);
                (path, old, new)
            }
        };
        if old.is_some() || new.is_some() {
            let sides = files.entry(path).or_default();
            sides.0 = sides.0.or(old);
            sides.1 = sides.1.or(new);
        }
    }
    files.retain(|_, (old, new)| old != new);
    Ok(Difference { files, submodules })
}
