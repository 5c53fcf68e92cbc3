//! A whole tree as one value.

use std::sync::Arc;

use imbl::OrdMap;

use crate::{
    errno::Errno,
    inode::{Entries, Ino, Inode, Name, Node, Shared, Stat},
};

/// The logical clock of an empty tree: 2000-01-01T00:00:00Z, in seconds since the epoch.
pub const EPOCH: u64 = 946_684_800;

/// A whole filesystem as a value. Cloning is cheap, and clones share their common parts.
///
/// Invariants, which [`Root::verify`] checks: every inode but the root is named by an entry, every
/// entry names an inode, `nlink` counts the entries, directories form a tree, and the totals are right.
#[derive(Clone, Debug)]
pub struct Root {
    pub(crate) inodes: OrdMap<Ino, Shared>,
    pub(crate) next_ino: u64,
    pub(crate) clock: u64,
    pub(crate) bytes: u64,
}

impl Default for Root {
    fn default() -> Self {
        Self::new()
    }
}

impl Root {
    /// The number of the root directory of every tree.
    pub const INO: Ino = Ino(1);

    /// The empty tree: one directory.
    pub fn new() -> Self {
        let mut root = Self { inodes: OrdMap::new(), next_ino: Self::INO.0 + 1, clock: EPOCH, bytes: 0 };
        root.put(
            Self::INO,
            Inode {
                node: Node::Directory(Entries::new()),
                parent: Self::INO,
                nlink: 1,
                executable: false,
                mtime: EPOCH,
            },
        );
        root
    }

    /// Bytes of all file contents and link targets together.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Files, directories and links together, without the root directory.
    pub fn files(&self) -> u64 {
        self.inodes.len() as u64 - 1
    }

    /// The logical clock: seconds since the epoch, one more with every change.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Whether both are the same value, by identity.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.inodes.ptr_eq(&other.inodes) && self.next_ino == other.next_ino && self.clock == other.clock
    }

    /// An inode by its number.
    pub fn get(&self, ino: Ino) -> Option<&Inode> {
        self.inodes.get(&ino).map(|shared| &*shared.0)
    }

    /// All inodes, by number.
    pub fn inodes(&self) -> impl Iterator<Item = (Ino, &Inode)> {
        self.inodes.iter().map(|(ino, shared)| (*ino, &*shared.0))
    }

    /// The inode at a path of names: links are not followed, and `.` and `..` have no meaning.
    pub fn find(&self, path: &[u8]) -> Option<(Ino, &Inode)> {
        let mut ino = Self::INO;
        for name in names(path) {
            ino = *self.get(ino)?.entries()?.get(name)?;
        }
        self.get(ino).map(|inode| (ino, inode))
    }

    /// The entry at a path, as [`Root::find`] finds it.
    pub fn stat(&self, path: &[u8]) -> Option<Stat> {
        self.find(path).map(|(ino, inode)| inode.stat(ino))
    }

    /// An inode that the tree refers to. A tree that lacks it is damaged.
    pub(crate) fn known(&self, ino: Ino) -> Result<&Inode, Errno> {
        self.get(ino).ok_or(Errno::Io)
    }

    /// As above, for a directory's entries. A missing number is a removed directory.
    pub(crate) fn directory(&self, ino: Ino) -> Result<&Entries, Errno> {
        self.get(ino).ok_or(Errno::Noent)?.entries().ok_or(Errno::Notdir)
    }

    /// Advances the clock by a second, and returns the time of the current change.
    pub(crate) fn tick(&mut self) -> u64 {
        self.clock = self.clock.saturating_add(1);
        self.clock
    }

    /// A number that no inode has had.
    pub(crate) fn allocate(&mut self) -> Ino {
        let ino = Ino(self.next_ino);
        self.next_ino += 1;
        ino
    }

    /// Inserts an inode and updates the totals.
    pub(crate) fn put(&mut self, ino: Ino, inode: Inode) {
        self.put_shared(ino, Shared(Arc::new(inode)));
    }

    pub(crate) fn put_shared(&mut self, ino: Ino, inode: Shared) {
        self.bytes += inode.size();
        if let Some(former) = self.inodes.insert(ino, inode) {
            self.bytes -= former.size();
        }
    }

    /// Removes an inode and updates the totals.
    pub(crate) fn take(&mut self, ino: Ino) -> Option<Shared> {
        let former = self.inodes.remove(&ino)?;
        self.bytes -= former.size();
        Some(former)
    }

    /// Changes an inode and updates the totals. Copies it if another tree shares it.
    pub(crate) fn update<R>(&mut self, ino: Ino, change: impl FnOnce(&mut Inode) -> R) -> Result<R, Errno> {
        let shared = self.inodes.get_mut(&ino).ok_or(Errno::Io)?;
        let inode = Arc::make_mut(&mut shared.0);
        let before = inode.size();
        let result = change(inode);
        self.bytes = self.bytes - before + inode.size();
        Ok(result)
    }

    /// Changes the entries of a directory, at the time `now`.
    pub(crate) fn update_entries<R>(
        &mut self,
        dir: Ino,
        now: u64,
        change: impl FnOnce(&mut Entries) -> R,
    ) -> Result<R, Errno> {
        self.update(dir, |inode| {
            inode.mtime = now;
            match &mut inode.node {
                Node::Directory(entries) => Ok(change(entries)),
                _ => Err(Errno::Notdir),
            }
        })?
    }

    /// Adds an entry for an inode that has no name yet.
    pub(crate) fn add(&mut self, dir: Ino, name: Name, inode: Inode, now: u64) -> Result<Ino, Errno> {
        let ino = self.allocate();
        self.update_entries(dir, now, |entries| entries.insert(name, ino))?;
        self.put(ino, inode);
        Ok(ino)
    }
}

/// The names of a path between its slashes, without empty ones.
pub(crate) fn names(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|&byte| byte == b'/').filter(|name| !name.is_empty())
}
