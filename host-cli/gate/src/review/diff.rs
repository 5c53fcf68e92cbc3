//! Compares two trees, path by path.

use patch::sort::sort_by;
use std::collections::BTreeMap;

use bstr::BString;
use gix_hash::ObjectId;
use gix_object::Kind;

use crate::{
    error::Fault,
    format::tree::{self, Mode},
    history,
    objects::Objects,
    push::PushLimits,
};

/// A path whose mode or object differs. Never a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Delta {
    pub path: BString,
    pub old: Option<(Mode, ObjectId)>,
    pub new: Option<(Mode, ObjectId)>,
}

/// The limits on comparing trees in one review. A few small trees can stand for countless files,
/// and a few commits can alternate between large trees.
pub(super) struct Bounds {
    /// Bytes of one path.
    path_bytes: usize,
    /// Bytes of trees left to read, and of paths left to list.
    trees: u64,
    paths: u64,
    /// Bytes of `.gitignore` files left to read, and steps left for matching their patterns.
    ignore_files: u64,
    patterns: u64,
}

impl Bounds {
    /// The least memory that a path takes besides its own bytes.
    const RECORD: u64 = 96;
    /// Steps for matching patterns, enough to match ten thousand files against ten thousand lines.
    const PATTERNS: u64 = 1 << 30;
    /// Bytes of different `.gitignore` files: ten thousand of a few kilobytes. In memory they take
    /// at most nine times as much.
    const IGNORE_FILES: u64 = 1 << 25;

    pub fn of(limits: &PushLimits) -> Self {
        let PushLimits { path_bytes, review_tree_bytes, review_path_bytes, .. } = *limits;
        Bounds {
            path_bytes,
            trees: review_tree_bytes,
            paths: review_path_bytes,
            ignore_files: Self::IGNORE_FILES,
            patterns: Self::PATTERNS,
        }
    }

    fn tree(&mut self, bytes: usize) -> Result<(), Fault> {
        self.trees = self
            .trees
            .checked_sub(bytes as u64)
            .ok_or_else(|| Fault::too_large("the push has more folders than a review may compare"))?;
        Ok(())
    }

    /// Counts a `.gitignore` file kept in memory.
    pub fn ignore_file(&mut self, bytes: usize) -> Result<(), Fault> {
        self.ignore_files = self.ignore_files.checked_sub(bytes as u64).ok_or_else(|| {
            Fault::too_large("the push adds files in folders with more .gitignore files than a review may read")
        })?;
        Ok(())
    }

    /// The steps left for patterns.
    pub fn patterns(&mut self) -> &mut u64 {
        &mut self.patterns
    }

    /// Fails if there are none left.
    pub fn ensure_patterns(&self) -> Result<(), Fault> {
        if self.patterns == 0 {
            return Err(Fault::too_large("the push adds more files than a review may match against .gitignore files"));
        }
        Ok(())
    }

    /// Counts a path kept in memory.
    pub fn path(&mut self, bytes: usize) -> Result<(), Fault> {
        if bytes > self.path_bytes {
            let most = self.path_bytes;
            return Err(Fault::too_large(format!("a path has more than the {most} bytes allowed"))
                .with_hint("remake the commits with a shorter path"));
        }
        self.paths = self
            .paths
            .checked_sub(bytes as u64 + Self::RECORD)
            .ok_or_else(|| Fault::too_large("the push changes more files than a review may list"))?;
        Ok(())
    }
}

/// The differences between two trees, sorted by path. `None` is the empty tree.
///
/// # Errors
/// [`FaultKind::TooLarge`](crate::FaultKind::TooLarge) if it exceeds `bounds`.
pub(super) fn diff(
    objects: &dyn Objects,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
    bounds: &mut Bounds,
) -> Result<Vec<Delta>, Fault> {
    let mut deltas = Vec::new();
    let mut open = vec![(BString::default(), old, new)];
    while let Some((folder, old, new)) = open.pop() {
        if old == new {
            continue;
        }
        let mut names: BTreeMap<BString, [Option<(Mode, ObjectId)>; 2]> = BTreeMap::new();
        for (side, tree) in [old, new].into_iter().enumerate() {
            for (name, mode, id) in entries(objects, tree, bounds)? {
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
            bounds.path(path.len())?;
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
    sort_by(&mut deltas, |a, b| a.path.cmp(&b.path));
    Ok(deltas)
}

/// The entries of a tree; none for `None`.
pub(super) fn entries(
    objects: &dyn Objects,
    tree: Option<ObjectId>,
    bounds: &mut Bounds,
) -> Result<Vec<(BString, Mode, ObjectId)>, Fault> {
    let Some(id) = tree else {
        return Ok(Vec::new());
    };
    let mut data = Vec::new();
    match objects.find(&id, &mut data)? {
        Some(Kind::Tree) => {
            bounds.tree(data.len()).and_then(|()| tree::read(&data).map_err(|broken| broken.of(Kind::Tree, &id)))
        }
        _ => Err(history::missing(&id, "tree")),
    }
}
