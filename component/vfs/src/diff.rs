//! The difference of two trees, in time proportional to what differs.

use std::collections::{BTreeMap, BTreeSet};

use imbl::ordmap::DiffItem;

use crate::{
    content::Content,
    inode::{Entries, Ino, Inode, Kind, Name, Node},
    tree::Root,
};

/// An inode that is not the same in two trees.
#[derive(Clone, Copy, Debug)]
pub struct InodeChange<'a> {
    /// Its number.
    pub ino: Ino,
    /// As it was; nothing if it is new.
    pub old: Option<&'a Inode>,
    /// As it is; nothing if it is gone.
    pub new: Option<&'a Inode>,
}

/// A directory entry that is not the same in two directories.
#[derive(Clone, Copy, Debug)]
pub struct EntryChange<'a> {
    /// The name.
    pub name: &'a Name,
    /// What it named.
    pub old: Option<Ino>,
    /// What it names.
    pub new: Option<Ino>,
}

/// What happened to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// It was not there.
    Added,
    /// Its content, target or executable bit, or its kind, is another.
    Modified,
    /// It is not there any more.
    Deleted,
}

/// The inodes that two trees do not share, by number.
pub fn changed_inodes<'a>(old: &'a Root, new: &'a Root) -> impl Iterator<Item = InodeChange<'a>> {
    old.inodes.diff(&new.inodes).map(|item| match item {
        DiffItem::Add(&ino, inode) => InodeChange { ino, old: None, new: Some(&inode.0) },
        DiffItem::Remove(&ino, inode) => InodeChange { ino, old: Some(&inode.0), new: None },
        DiffItem::Update { old: (&ino, old), new: (_, new) } => {
            InodeChange { ino, old: Some(&old.0), new: Some(&new.0) }
        }
    })
}

/// The entries that two directories do not share, by name.
pub fn changed_entries<'a>(old: &'a Entries, new: &'a Entries) -> impl Iterator<Item = EntryChange<'a>> {
    old.diff(new).map(|item| match item {
        DiffItem::Add(name, &ino) => EntryChange { name, old: None, new: Some(ino) },
        DiffItem::Remove(name, &ino) => EntryChange { name, old: Some(ino), new: None },
        DiffItem::Update { old: (name, &old), new: (_, &new) } => EntryChange { name, old: Some(old), new: Some(new) },
    })
}

/// Bytes that only `old` holds and `new` does not: what it costs to keep `old` beside `new`, with
/// an allowance for each changed inode.
pub(crate) fn unshared_bytes(old: &Root, new: &Root) -> u64 {
    const INODE: u64 = 256;
    let cost = |change: InodeChange<'_>| {
        let kept = change.new.and_then(Inode::content);
        let held = change.old.and_then(Inode::content).filter(|held| !kept.is_some_and(|kept| kept.ptr_eq(held)));
        INODE + held.map_or(0, Content::len)
    };
    changed_inodes(old, new).map(cost).sum()
}

/// The files and links whose path, content, target or executable bit changed, and the directories
/// that came or went empty-handed or not, ordered by path. Paths begin with a slash.
pub fn changed_paths(old: &Root, new: &Root) -> Vec<(Vec<u8>, Change)> {
    let mut before = BTreeMap::new();
    let mut after = BTreeMap::new();
    let mut contents = BTreeSet::new();
    let nothing = Entries::new();
    for change in changed_inodes(old, new) {
        let entries = |inode: Option<&'_ Inode>| inode.and_then(|inode| inode.entries().cloned());
        let (gone, come) = (entries(change.old), entries(change.new));
        if gone.is_some() || come.is_some() {
            let (gone, come) = (gone.as_ref().unwrap_or(&nothing), come.as_ref().unwrap_or(&nothing));
            for entry in changed_entries(gone, come) {
                let place = (change.ino, entry.name.clone());
                entry.old.map(|ino| before.insert(place.clone(), ino));
                entry.new.map(|ino| after.insert(place, ino));
            }
        }
        if let (Some(old), Some(new)) = (change.old, change.new)
            && !same(old, new)
        {
            contents.insert(change.ino);
        }
    }
    let mut changes = BTreeMap::new();
    let mut paths_before = Paths::new(old);
    let mut paths_after = Paths::new(new);
    for ((dir, name), ino) in &before {
        collect(old, *ino, paths_before.child(*dir, name), &mut |path| {
            changes.insert(path, Change::Deleted);
        });
    }
    for ((dir, name), ino) in &after {
        collect(new, *ino, paths_after.child(*dir, name), &mut |path| {
            let unchanged = old.find(&path).zip(new.find(&path)).map(|((_, old), (_, new))| same(old, new));
            match unchanged {
                None => changes.insert(path, Change::Added),
                Some(false) => changes.insert(path, Change::Modified),
                Some(true) => changes.remove(&path),
            };
        });
    }
    for path in paths_after.of(&contents) {
        changes.entry(path).or_insert(Change::Modified);
    }
    changes.into_iter().collect()
}

/// Whether a person would call both the same: times and link counts do not matter.
fn same(old: &Inode, new: &Inode) -> bool {
    match (&old.node, &new.node) {
        (Node::File(a), Node::File(b)) => old.executable == new.executable && (a.ptr_eq(b) || a.bytes() == b.bytes()),
        (Node::Directory(_), Node::Directory(_)) => true,
        (Node::Symlink(a), Node::Symlink(b)) => a == b,
        _ => false,
    }
}

/// Every path at and below an inode.
fn collect(root: &Root, ino: Ino, path: Vec<u8>, sink: &mut impl FnMut(Vec<u8>)) {
    let mut pending = vec![(ino, path)];
    // A former tree was not verified: a directory that stands below itself must not go on for ever.
    let mut seen = BTreeSet::new();
    while let Some((ino, path)) = pending.pop() {
        let entries = root.get(ino).and_then(Inode::entries).filter(|_| seen.insert(ino));
        for (name, &child) in entries.into_iter().flatten() {
            pending.push((child, join(&path, name)));
        }
        sink(path);
    }
}

fn join(dir: &[u8], name: &[u8]) -> Vec<u8> {
    [dir, b"/", name].concat()
}

/// Paths of inodes in one tree.
struct Paths<'a> {
    root: &'a Root,
    directories: BTreeMap<Ino, Vec<u8>>,
}

impl<'a> Paths<'a> {
    fn new(root: &'a Root) -> Self {
        Self { root, directories: BTreeMap::from([(Root::INO, Vec::new())]) }
    }

    fn child(&mut self, dir: Ino, name: &[u8]) -> Vec<u8> {
        join(&self.directory(dir), name)
    }

    /// The path of a directory, by climbing to the root.
    fn directory(&mut self, dir: Ino) -> Vec<u8> {
        let mut below = Vec::new();
        let mut ino = dir;
        let mut path = loop {
            if let Some(path) = self.directories.get(&ino) {
                break path.clone();
            }
            let parent = self.root.get(ino).map_or(Root::INO, |inode| inode.parent);
            below.push((ino, name_in(self.root, parent, ino).map(|name| name.to_vec()).unwrap_or_default()));
            if below.len() > self.root.inodes.len() {
                break Vec::new();
            }
            ino = parent;
        };
        for (ino, name) in below.into_iter().rev() {
            path = join(&path, &name);
            self.directories.insert(ino, path.clone());
        }
        path
    }

    /// Every path of these files and links.
    fn of(&mut self, inos: &BTreeSet<Ino>) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        let mut unknown = BTreeSet::new();
        for &ino in inos {
            let known = self.root.get(ino).filter(|inode| inode.nlink == 1 && inode.kind() != Kind::Directory);
            let name = known.and_then(|inode| Some((inode.parent, name_in(self.root, inode.parent, ino)?)));
            match name {
                Some((parent, name)) => found.push(self.child(parent, name)),
                None => {
                    unknown.insert(ino);
                }
            }
        }
        if !unknown.is_empty() {
            let directories = self.root.inodes().filter_map(|(dir, inode)| Some((dir, inode.entries()?)));
            for (dir, entries) in directories {
                for (name, _) in entries.iter().filter(|(_, ino)| unknown.contains(ino)) {
                    found.push(self.child(dir, name));
                }
            }
        }
        found
    }
}

fn name_in(root: &Root, dir: Ino, ino: Ino) -> Option<&Name> {
    root.get(dir)?.entries()?.iter().find(|(_, entry)| **entry == ino).map(|(name, _)| name)
}
