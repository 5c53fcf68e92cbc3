//! The kernel: a tree, the files that are open in it, and the system calls.

mod access;
mod data;
mod directory;
mod draft;
mod entries;
mod metadata;
mod open;
mod rename;
mod table;
mod work;

use std::collections::BTreeMap;

pub use directory::DirEntry;
pub use metadata::MtimeChange;
pub use open::OpenOptions;
pub use table::{Fd, FdStat, ROOT_FD};

use crate::{
    errno::Errno,
    inode::{Ino, Inode, Stat},
    limits::Limits,
    resolve::{Follow, Place, resolve},
    tree::Root,
};
use draft::Drafts;
use table::Table;
use work::Work;

/// A filesystem in use.
///
/// Every path is relative to an open directory, or absolute. Every call is all or nothing: what
/// fails has changed nothing.
#[derive(Debug)]
pub struct Kernel {
    tree: Root,
    /// Contents being written; the inode in the tree holds an empty one meanwhile.
    drafts: Drafts,
    /// Inodes without a name that a descriptor still holds.
    orphans: BTreeMap<Ino, Inode>,
    table: Table,
    limits: Limits,
    read_only: access::ReadOnly,
    work: Work,
    now: u64,
    random: u64,
}

impl Kernel {
    /// A kernel on a tree, with nothing open but the root directory as [`ROOT_FD`].
    pub fn new(tree: Root, limits: Limits) -> Self {
        Self {
            tree,
            drafts: Drafts::default(),
            orphans: BTreeMap::new(),
            table: Table::new(),
            limits,
            read_only: access::ReadOnly::default(),
            work: Work::default(),
            now: 0,
            random: 0,
        }
    }

    /// The tree as it is now, complete: what is being written is in it, what has no name is not.
    pub fn root(&mut self) -> Root {
        self.freeze_all();
        self.tree.clone()
    }

    /// Put another tree in place. Descriptors on the former one become stale: every use but
    /// closing them is `ESTALE`, and their numbers are not given out before they are closed.
    pub fn reset(&mut self, tree: Root) {
        self.tree = tree;
        self.drafts.clear();
        self.orphans.clear();
        self.table.make_stale();
        self.find_read_only();
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Set other limits. What is already beyond them stays.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// The logical clock: one more with every change anywhere in the tree.
    pub fn change_count(&self) -> u64 {
        self.tree.clock()
    }

    /// What the realtime clock answers, in nanoseconds since the epoch. It stands still.
    pub fn set_now(&mut self, nanoseconds: u64) {
        self.now = nanoseconds;
    }

    /// The time that was set.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Begin the generator behind [`Kernel::random`] anew.
    pub fn set_seed(&mut self, seed: u64) {
        self.random = seed;
    }

    /// Fill a buffer from the deterministic generator (splitmix64). Nothing secret may rest on it.
    pub fn random(&mut self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.random;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^= z >> 31;
            chunk.copy_from_slice(&z.to_le_bytes()[..chunk.len()]);
        }
    }

    /// An inode that has a name or is open.
    fn inode(&self, ino: Ino) -> Result<&Inode, Errno> {
        self.tree.get(ino).or_else(|| self.orphans.get(&ino)).ok_or(Errno::Io)
    }

    fn update<R>(&mut self, ino: Ino, change: impl FnOnce(&mut Inode) -> R) -> Result<R, Errno> {
        match self.orphans.get_mut(&ino) {
            Some(inode) => Ok(change(inode)),
            None => self.tree.update(ino, change),
        }
    }

    fn stat_ino(&self, ino: Ino) -> Result<Stat, Errno> {
        let mut stat = self.inode(ino)?.stat(ino);
        if let Some(draft) = self.drafts.get(ino) {
            stat.size = draft.len() as u64;
        }
        Ok(stat)
    }

    /// Bytes in use, by the measure of [`Limits::bytes`].
    fn bytes_in_use(&self) -> u64 {
        self.tree.bytes() + self.drafts.bytes() + self.orphans.values().map(Inode::size).sum::<u64>()
    }

    fn resolve<'p>(&self, dir: Fd, path: &'p [u8], follow: Follow) -> Result<Place<'p>, Errno> {
        if path.is_empty() {
            return Err(Errno::Noent);
        }
        if path.len() > self.limits.path_bytes {
            return Err(Errno::Nametoolong);
        }
        let base = self.table.directory(dir)?;
        if self.inode(base)?.entries().is_none() {
            return Err(Errno::Notdir);
        }
        let parent_of = |ino| Some(self.orphans.get(&ino)?.parent);
        resolve(&self.tree, base, path, follow, parent_of, || self.pass(1))
    }

    /// The inode at a path that must exist.
    fn lookup(&self, dir: Fd, path: &[u8], follow: bool) -> Result<Ino, Errno> {
        let follow = if follow { Follow::Always } else { Follow::WithSlash };
        let place = self.resolve(dir, path, follow)?;
        let ino = place.ino.ok_or(Errno::Noent)?;
        if place.slash && self.inode(ino)?.entries().is_none() {
            return Err(Errno::Notdir);
        }
        Ok(ino)
    }
}
