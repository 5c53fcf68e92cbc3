//! The paths that differ between two trees.

use std::collections::{BTreeMap, BTreeSet};

use super::{Change, changed_entries, same, touched::Touched};
use crate::{
    inode::{Entries, Ino, Inode, Kind, Name},
    tree::Root,
};

/// The paths of files and links whose content, target or executable bit changed, and of everything that came or went. Paths
/// begin with a slash. A directory comes before what is below it, and what is in it in the order of names.
///
/// What is below a directory for whose path `enter` answers `false` is left out. Both trees are walked side by side and no
/// further than the caller reads on, in time linear in what differs; a directory with a change in it may be read once.
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
    /// The directories from the root to where the walk is.
    levels: Vec<Level<'a>>,
    /// The path of what was looked at last.
    path: Vec<u8>,
    /// Directories that were walked in the old tree and in the new one. A former tree need not have been verified: one that
    /// stands below itself, or twice, must not make the walk endless.
    seen: (BTreeSet<Ino>, BTreeSet<Ino>),
    visited: u64,
}

/// A path that is a directory in one tree or in both.
#[derive(Debug)]
struct Level<'a> {
    /// The length of its path.
    path: usize,
    /// What has to be looked at in it.
    pairs: std::vec::IntoIter<(&'a Name, Pair)>,
}

/// What a name stands for in either tree.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    old: Option<Ino>,
    new: Option<Ino>,
}

impl<'a, F: FnMut(&[u8]) -> bool> ChangedPaths<'a, F> {
    /// Inodes and entries that were looked at so far.
    pub fn visited(&self) -> u64 {
        self.visited + self.touched.visited()
    }

    /// Go on in the directories that now have the path `self.path`.
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
