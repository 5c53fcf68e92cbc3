//! Replaces subtrees of one tree by those of another.

use std::collections::BTreeMap;

use crate::{
    inode::{Entries, Ino, Inode, Kind, Name, Node},
    tree::{Root, names},
};

impl Root {
    /// This tree, with the subtrees of `from` at `paths`. Paths that `from` lacks are removed, and
    /// missing parents are created. Paths consist of names only, and links in them are not
    /// followed. Inodes are shared with `from` and keep their numbers, unless this tree uses a
    /// number for another inode. A hard link between the inside and the outside of a path becomes a
    /// file on either side. If this tree is impossible, as one from a forged journal can be, and a
    /// directory goes away with its subtree, nothing is grafted into that.
    pub fn graft(&self, from: &Root, paths: &[&[u8]]) -> Root {
        let mut root = self.clone();
        root.clock = root.clock.max(from.clock);
        root.next_ino = root.next_ino.max(from.next_ino);
        let paths = outermost(paths);
        for path in &paths {
            root.remove(path);
        }
        let mut graft = Graft { root, from, placed: BTreeMap::new() };
        for path in &paths {
            graft.take_over(path);
        }
        graft.finish()
    }

    /// Removes the entry at a path, and everything below it. The root directory is only emptied.
    fn remove(&mut self, path: &[&[u8]]) {
        match path.split_last() {
            Some((name, above)) => {
                let Some(dir) = walk(self, above) else { return };
                let Some(&ino) = self.get(dir).and_then(Inode::entries).and_then(|entries| entries.get(*name)) else {
                    return;
                };
                self.change_entries(dir, |entries| entries.remove(*name));
                self.unlink_all(ino);
            }
            None => {
                let children = self.change_entries(Root::INO, std::mem::take).unwrap_or_default();
                children.iter().for_each(|(_, &child)| self.unlink_all(child));
            }
        }
    }

    /// Removes one name of an inode whose entry is gone, and everything below it.
    fn unlink_all(&mut self, ino: Ino) {
        let mut pending = vec![ino];
        while let Some(ino) = pending.pop() {
            let Some(inode) = self.get(ino) else { continue };
            if inode.nlink > 1 {
                self.update(ino, |inode| inode.nlink -= 1).expect("it is in the tree");
            } else {
                pending.extend(inode.entries().into_iter().flatten().map(|(_, child)| *child));
                self.take(ino);
            }
        }
    }

    /// Changes the entries of a directory; does nothing if there is no such directory.
    fn change_entries<R>(&mut self, dir: Ino, change: impl FnOnce(&mut Entries) -> R) -> Option<R> {
        let now = self.tick();
        self.update_entries(dir, now, change).ok()
    }
}

/// The paths as lists of names, without those below another.
fn outermost<'a>(paths: &[&'a [u8]]) -> Vec<Vec<&'a [u8]>> {
    let mut paths: Vec<Vec<&[u8]>> = paths.iter().map(|path| names(path).collect()).collect();
    paths.sort();
    paths.dedup_by(|below, above| below.starts_with(above));
    paths
}

/// The inode at a list of names.
fn walk(root: &Root, path: &[&[u8]]) -> Option<Ino> {
    path.iter().try_fold(Root::INO, |dir, name| root.get(dir)?.entries()?.get(*name).copied())
}

struct Graft<'a> {
    root: Root,
    from: &'a Root,
    /// For every grafted inode, its number in the result and its names so far.
    placed: BTreeMap<Ino, (Ino, u32)>,
}

impl Graft<'_> {
    fn take_over(&mut self, path: &[&[u8]]) {
        let Some(ino) = walk(self.from, path) else {
            return;
        };
        let Some((name, above)) = path.split_last() else {
            let entries = self.from.get(ino).and_then(Inode::entries).cloned().unwrap_or_default();
            for (name, child) in entries {
                self.place(Root::INO, name, child);
            }
            return;
        };
        let Some(dir) = above.iter().try_fold(Root::INO, |dir, name| self.directory(dir, name)) else {
            return;
        };
        self.place(dir, Name::new(name).expect("an entry of this name was found"), ino);
    }

    /// The directory of this name, created if necessary, also in place of another entry. `None` if
    /// `dir` does not exist.
    fn directory(&mut self, dir: Ino, name: &[u8]) -> Option<Ino> {
        if let Some(ino) = self.root.get(dir).and_then(Inode::entries).and_then(|entries| entries.get(name)).copied() {
            if self.root.get(ino).is_some_and(|inode| inode.kind() == Kind::Directory) {
                return Some(ino);
            }
            self.root.change_entries(dir, |entries| entries.remove(name));
            self.root.unlink_all(ino);
        }
        let name = Name::new(name).expect("a directory of this name was found");
        let mtime = self.root.tick();
        let node = Node::Directory(Entries::new());
        let inode = Inode { node, parent: dir, nlink: 1, executable: false, mtime };
        self.root.add(dir, name, inode, mtime).ok()
    }

    /// Grafts an inode, with everything below it, as an entry of `dir`.
    fn place(&mut self, dir: Ino, name: Name, ino: Ino) {
        if self.root.get(dir).and_then(Inode::entries).is_none() {
            return;
        }
        let (number, is_new) = self.number(ino);
        self.root.change_entries(dir, |entries| entries.insert(name, number));
        let mut pending = if is_new { vec![(ino, number, dir)] } else { Vec::new() };
        while let Some((ino, number, parent)) = pending.pop() {
            let original = self.from.get(ino).expect("an entry names an inode");
            let mut moved = original.parent != parent && original.nlink == 1;
            let mut inode = Inode { parent, ..original.clone() };
            if let Node::Directory(entries) = &mut inode.node {
                for (name, child) in original.entries().into_iter().flatten() {
                    let (placed, is_new) = self.number(*child);
                    if placed != *child {
                        entries.insert(name.clone(), placed);
                        moved = true;
                    }
                    if is_new {
                        pending.push((*child, placed, number));
                    }
                }
            }
            if moved {
                self.root.put(number, inode);
            }
        }
    }

    /// The number of an inode in the result, for one more name, and whether the number is new.
    fn number(&mut self, ino: Ino) -> (Ino, bool) {
        if let Some((number, links)) = self.placed.get_mut(&ino) {
            *links += 1;
            return (*number, false);
        }
        let number = if self.root.get(ino).is_none() { ino } else { self.root.allocate() };
        self.placed.insert(ino, (number, 1));
        let shared = self.from.inodes.get(&ino).expect("an entry names an inode");
        self.root.put_shared(number, shared.clone());
        (number, true)
    }

    /// Corrects the link counts of inodes with names outside the graft.
    fn finish(mut self) -> Root {
        for (number, links) in std::mem::take(&mut self.placed).into_values() {
            if self.root.get(number).is_some_and(|inode| inode.nlink != links) {
                self.root.update(number, |inode| inode.nlink = links).expect("it was placed");
            }
        }
        self.root
    }
}
