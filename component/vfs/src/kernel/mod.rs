//! The kernel: a tree, its open files, and the system calls.

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
/// Every path is absolute, or relative to an open directory. Every call is all or nothing: a failed
/// call changes nothing.
#[derive(Debug)]
pub struct Kernel {
    tree: Root,
    /// Contents being written. Meanwhile, the inode in the tree holds an empty one.
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
    /// A kernel on a tree. Only the root directory is open, as [`ROOT_FD`].
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

    /// The current tree, complete: it includes drafts, and no inodes without a name.
    pub fn root(&mut self) -> Root {
        self.freeze_all();
        self.tree.clone()
    }

    /// Puts another tree in place. Descriptors of the old one become stale: every use except
    /// closing is `ESTALE`, and their numbers stay taken until they are closed.
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

    /// Sets other limits. Whatever already exceeds them stays.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// The logical clock: one more with every change anywhere in the tree.
    pub fn change_count(&self) -> u64 {
        self.tree.clock()
    }

    /// Sets the realtime clock, in nanoseconds since the epoch. It stands still.
    pub fn set_now(&mut self, nanoseconds: u64) {
        self.now = nanoseconds;
    }

    /// The time that was set.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Seeds the generator behind [`Kernel::random`].
    pub fn set_seed(&mut self, seed: u64) {
        self.random = seed;
    }

    /// Fills a buffer from the deterministic generator (splitmix64). Never use it for secrets.
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

    /// Bytes in use, as [`Limits::bytes`] counts them.
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
