//! Two trees compared, path by path.

use std::collections::BTreeMap;

use bstr::BString;
use gix_hash::ObjectId;
use gix_object::Kind;

use crate::{
    error::Fault,
    format::tree::{self, Mode},
    history,
    objects::Objects,
};

/// A path whose mode or object is another; never a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Delta {
    pub path: BString,
    pub old: Option<(Mode, ObjectId)>,
    pub new: Option<(Mode, ObjectId)>,
}

/// The differences between two trees, sorted by path. `None` is the empty tree.
///
/// # Errors
/// A path of more than `path_bytes` is [`FaultKind::TooLarge`](crate::FaultKind::TooLarge).
pub(super) fn diff(
    objects: &dyn Objects,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
    path_bytes: usize,
) -> Result<Vec<Delta>, Fault> {
    let mut deltas = Vec::new();
    let mut open = vec![(BString::default(), old, new)];
    while let Some((folder, old, new)) = open.pop() {
        if old == new {
            continue;
        }
        let mut names: BTreeMap<BString, [Option<(Mode, ObjectId)>; 2]> = BTreeMap::new();
        for (side, tree) in [old, new].into_iter().enumerate() {
            for (name, mode, id) in entries(objects, tree)? {
                names.entry(name).or_default()[side] = Some((mode, id));
            }
        }
        for (name, [old, new]) in names {
            if old == new {
                continue;
            }
            let mut path = folder.clone();
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(&name);
            if path.len() > path_bytes {
                return Err(Fault::too_large(format!("a path has more than the {path_bytes} bytes allowed")));
            }
            let split = |side: Option<(Mode, ObjectId)>| match side {
                Some((Mode::Tree, id)) => (None, Some(id)),
                other => (other, None),
            };
            let ((old, old_tree), (new, new_tree)) = (split(old), split(new));
            if old != new {
                deltas.push(Delta { path: path.clone(), old, new });
            }
            if old_tree != new_tree {
                open.push((path, old_tree, new_tree));
            }
        }
    }
    deltas.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(deltas)
}

/// The entries of a tree; none for `None`.
pub(super) fn entries(objects: &dyn Objects, tree: Option<ObjectId>) -> Result<Vec<(BString, Mode, ObjectId)>, Fault> {
    let Some(id) = tree else {
        return Ok(Vec::new());
    };
    let mut data = Vec::new();
    match objects.find(&id, &mut data)? {
        Some(Kind::Tree) => tree::read(&data).map_err(|broken| broken.of(Kind::Tree, &id)),
        _ => Err(history::missing(&id, "tree")),
    }
}
