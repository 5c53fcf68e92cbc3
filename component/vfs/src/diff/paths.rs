//! The paths that differ between two trees.

use std::collections::{BTreeMap, BTreeSet};

use super::{Change, changed_entries, same, touched::Touched};
use crate::{
    inode::{Entries, Ino, Inode, Kind, Name},
    tree::Root,
};

/// The paths of files and links whose content, target or executable bit changed, and of everything created or removed. Paths begin with a
/// slash. A directory comes before its contents, and these are in the order of their names.
///
/// If `enter` returns `false` for a directory's path, the walk leaves out everything below it. It walks both trees side by side, only as
/// far as the caller reads on, in time linear in the differences. It may read a directory with a change once.
pub fn changed_paths<'a, F: FnMut(&[u8]) -> bool>(old: &'a Root, new: &'a Root, enter: F) -> ChangedPaths<'a, F> {
    let touched = Touched::new(old, new);
    let seen = (BTreeSet::new(), BTreeSet::new());
    let mut paths = ChangedPaths { old, new, enter, touched, levels: Vec::new(), path: Vec::new(), seen, visited: 0 };
    if paths.touched.contains(Root::INO) {
        paths.descend(Some(Root::INO), Some(Root::INO));
    }
    paths
}

/// See [`changed_paths`].
#[derive(Debug)]
pub struct ChangedPaths<'a, F> {
    old: &'a Root,
    new: &'a Root,
    enter: F,
    touched: Touched<'a>,
    /// The directories from the root to the current place.
    levels: Vec<Level<'a>>,
    /// The path visited last.
    path: Vec<u8>,
    /// Directories already walked in the old and in the new tree. An old tree may be unverified: a directory below itself, or at two
    /// places, must not make the walk endless.
    seen: (BTreeSet<Ino>, BTreeSet<Ino>),
    visited: u64,
}

/// A path that is a directory in at least one tree.
#[derive(Debug)]
struct Level<'a> {
    /// The length of its path.
    path: usize,
    /// The entries still to visit.
    pairs: std::vec::IntoIter<(&'a Name, Pair)>,
}

/// The inodes that a name refers to in the two trees.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    old: Option<Ino>,
    new: Option<Ino>,
}

impl<'a, F: FnMut(&[u8]) -> bool> ChangedPaths<'a, F> {
    /// The number of inodes and entries visited so far.
    pub fn visited(&self) -> u64 {
        self.visited + self.touched.visited()
    }

    /// Continues in the directories at `self.path`.
    fn descend(&mut self, old: Option<Ino>, new: Option<Ino>) {
        let old = old.filter(|&ino| is_dir(self.old, ino) && self.seen.0.insert(ino));
        let new = new.filter(|&ino| is_dir(self.new, ino) && self.seen.1.insert(ino));
        if old.or(new).is_none() || !(self.enter)(&self.path) {
            return;
        }
        let mut pairs = BTreeMap::<&'a Name, Pair>::new();
        let entries = |root: &'a Root, ino: Option<Ino>| ino.and_then(|ino| root.get(ino)).and_then(Inode::entries);
        match (entries(self.old, old), entries(self.new, new)) {
            (Some(before), Some(after)) if old == new => {
                let changed = changed_entries(before, after);
                pairs.extend(changed.map(|entry| (entry.name, Pair { old: entry.old, new: entry.new })));
                for (name, ino) in new.into_iter().flat_map(|dir| self.touched.children(dir)) {
                    pairs.entry(name).or_insert(Pair { old: Some(ino), new: Some(ino) });
                }
            }
            (before, after) => {
                let each = |entries: Option<&'a Entries>| entries.into_iter().flatten();
                each(before).for_each(|(name, &ino)| pairs.entry(name).or_default().old = Some(ino));
                each(after).for_each(|(name, &ino)| pairs.entry(name).or_default().new = Some(ino));
            }
        }
        self.visited += pairs.len() as u64;
        let pairs = pairs.into_iter().collect::<Vec<_>>().into_iter();
        self.levels.push(Level { path: self.path.len(), pairs });
    }
}

impl<F: FnMut(&[u8]) -> bool> Iterator for ChangedPaths<'_, F> {
    type Item = (Vec<u8>, Change);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let level = self.levels.last_mut()?;
            let Some((name, Pair { old, new })) = level.pairs.next() else {
                self.levels.pop();
                continue;
            };
            if old == new && !new.is_some_and(|ino| self.touched.contains(ino)) {
                continue;
            }
            self.path.truncate(level.path);
            self.path.push(b'/');
            self.path.extend_from_slice(name);
            let before = old.and_then(|ino| self.old.get(ino));
            let after = new.and_then(|ino| self.new.get(ino));
            let change = match (before, after) {
                (Some(before), Some(after)) => (!same(before, after)).then_some(Change::Modified),
                (Some(_), None) => Some(Change::Deleted),
                (None, Some(_)) => Some(Change::Added),
                (None, None) => None,
            };
            let found = change.map(|change| (self.path.clone(), change));
            self.descend(old, new);
            if found.is_some() {
                return found;
            }
        }
    }
}

fn is_dir(root: &Root, ino: Ino) -> bool {
    root.get(ino).is_some_and(|inode| inode.kind() == Kind::Directory)
}
