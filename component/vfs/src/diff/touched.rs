//! Finds where two trees differ, so that a walk from the root skips all the rest.

use std::collections::{BTreeMap, BTreeSet};

use super::{changed_inodes, same};
use crate::{
    inode::{Entries, Ino, Inode, Name},
    tree::Root,
};

/// The inodes that both trees have and that differ, and the directories above them in the newer tree.
#[derive(Debug)]
pub(super) struct Touched<'a> {
    new: &'a Root,
    inos: BTreeSet<Ino>,
    /// For each directory, the entries of the newer tree that lead to such an inode.
    children: BTreeMap<Ino, BTreeMap<&'a Name, Ino>>,
    /// The number of inodes and entries read.
    visited: u64,
}

/// For each directory, the inodes to find in it.
type Wanted = BTreeMap<Ino, BTreeSet<Ino>>;

impl<'a> Touched<'a> {
    pub(super) fn new(old: &'a Root, new: &'a Root) -> Self {
        let mut touched = Self { new, inos: BTreeSet::new(), children: BTreeMap::new(), visited: 0 };
        let mut directories = BTreeSet::new();
        let mut files = Wanted::new();
        let mut anywhere = BTreeSet::new();
        // A created or removed inode changes its directory, so the directory covers it.
        for change in changed_inodes(old, new) {
            touched.visited += 1;
            let (Some(old), Some(new)) = (change.old, change.new) else { continue };
            if old.entries().is_some() && new.entries().is_some() {
                directories.insert(change.ino);
            } else if same(old, new) {
                continue;
            } else if new.nlink == 1 {
                files.entry(new.parent).or_default().insert(change.ino);
            } else {
                anywhere.insert(change.ino);
            }
        }
        touched.inos.extend(files.values().flatten().chain(&anywhere));
        anywhere.extend(touched.name(&files));
        touched.name_anywhere(&anywhere);
        directories.extend(touched.children.keys());
        let above = touched.climb(&directories);
        // The parent of a directory is always known, so none is missing unless the tree is damaged.
        touched.name(&above);
        touched
    }

    pub(super) fn contains(&self, ino: Ino) -> bool {
        self.inos.contains(&ino)
    }

    /// The touched entries of a directory in the newer tree, by name.
    pub(super) fn children(&self, dir: Ino) -> impl Iterator<Item = (&'a Name, Ino)> {
        self.children.get(&dir).into_iter().flatten().map(|(&name, &ino)| (name, ino))
    }

    pub(super) fn visited(&self) -> u64 {
        self.visited
    }

    fn entries(&self, dir: Ino) -> Option<&'a Entries> {
        self.new.get(dir).and_then(Inode::entries)
    }

    /// Finds names in directories, and reads each directory at most once. Returns the inodes that were not at their expected place.
    fn name(&mut self, wanted: &Wanted) -> BTreeSet<Ino> {
        let mut missing = BTreeSet::new();
        for (&dir, inos) in wanted {
            let mut left = inos.clone();
            let mut entries = self.entries(dir).into_iter().flatten();
            while let (false, Some((name, ino))) = (left.is_empty(), entries.next()) {
                self.visited += 1;
                if left.remove(ino) {
                    self.children.entry(dir).or_default().insert(name, *ino);
                }
            }
            missing.append(&mut left);
        }
        missing
    }

    /// Finds every name of the files that have or had several names.
    fn name_anywhere(&mut self, inos: &BTreeSet<Ino>) {
        if inos.is_empty() {
            return;
        }
        let directories = self.new.inodes().filter_map(|(dir, inode)| Some((dir, inode.entries()?)));
        for (dir, entries) in directories {
            self.visited += 1 + entries.len() as u64;
            for (name, ino) in entries.iter().filter(|(_, ino)| inos.contains(ino)) {
                self.children.entry(dir).or_default().insert(name, *ino);
            }
        }
    }

    /// Adds directories and all directories above them. Returns each but the root, by its parent.
    fn climb(&mut self, directories: &BTreeSet<Ino>) -> Wanted {
        let mut above = Wanted::new();
        for &dir in directories {
            let mut ino = dir;
            while self.inos.insert(ino) && ino != Root::INO {
                self.visited += 1;
                let Some(inode) = self.new.get(ino) else { break };
                above.entry(inode.parent).or_default().insert(ino);
                ino = inode.parent;
            }
        }
        above
    }
}
