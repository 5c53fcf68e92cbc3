//! `stat`, times, and the executable bit.

use super::{Fd, Kernel, table::Description};
use crate::{
    errno::Errno,
    inode::{Ino, Kind, Stat},
    resolve::Follow,
};

/// How to set a modification time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MtimeChange {
    /// The next tick of the logical clock.
    Now,
    /// This second since the epoch.
    At(u64),
}

impl Kernel {
    /// The `stat` of the entry at a path.
    pub fn stat(&mut self, dir: Fd, path: &[u8], follow: bool) -> Result<Stat, Errno> {
        self.charge(0)?;
        let ino = self.lookup(dir, path, follow)?;
        self.stat_ino(ino)
    }

    /// The `stat` of an open descriptor; `None` for a standard stream.
    pub fn stat_fd(&mut self, fd: Fd) -> Result<Option<Stat>, Errno> {
        self.charge(0)?;
        if let Description::Standard = self.table.description(fd)? {
            return Ok(None);
        }
        let ino = self.table.get(fd)?.ino;
        self.stat_ino(ino).map(Some)
    }

    /// Sets the modification time of the entry at a path.
    pub fn set_mtime(&mut self, dir: Fd, path: &[u8], follow: bool, to: MtimeChange) -> Result<(), Errno> {
        self.charge(0)?;
        let ino = self.changeable_at(dir, path, follow)?;
        self.set_mtime_ino(ino, to)
    }

    /// Sets the modification time of an open file or directory.
    pub fn set_mtime_fd(&mut self, fd: Fd, to: MtimeChange) -> Result<(), Errno> {
        self.charge(0)?;
        let ino = self.table.get(fd)?.ino;
        let inode = self.inode(ino)?;
        let top = if inode.kind() == Kind::Directory { ino } else { inode.parent };
        if self.tree.get(top).is_some() {
            self.writable(top)?;
        }
        self.set_mtime_ino(ino, to)
    }

    fn set_mtime_ino(&mut self, ino: Ino, to: MtimeChange) -> Result<(), Errno> {
        let now = self.tree.tick();
        let mtime = match to {
            MtimeChange::Now => now,
            MtimeChange::At(seconds) => seconds,
        };
        self.update(ino, |inode| inode.mtime = mtime)
    }

    /// Whether the file at a path is executable. Links are followed; a directory is not.
    pub fn is_executable(&mut self, dir: Fd, path: &[u8]) -> Result<bool, Errno> {
        Ok(self.stat(dir, path, true)?.executable)
    }

    /// Sets the executable bit of the file at a path. Links are followed, and the modification time
    /// stays. Only files have this bit: `EINVAL` otherwise.
    pub fn set_executable(&mut self, dir: Fd, path: &[u8], executable: bool) -> Result<(), Errno> {
        self.charge(0)?;
        let ino = self.changeable_at(dir, path, true)?;
        self.set_executable_ino(ino, executable)
    }

    /// Sets the executable bit of an open file, whatever it is open for.
    pub fn set_executable_fd(&mut self, fd: Fd, executable: bool) -> Result<(), Errno> {
        self.charge(0)?;
        let ino = self.table.get(fd)?.ino;
        let parent = self.inode(ino)?.parent;
        if self.tree.get(parent).is_some() {
            self.writable(parent)?;
        }
        self.set_executable_ino(ino, executable)
    }

    fn set_executable_ino(&mut self, ino: Ino, executable: bool) -> Result<(), Errno> {
        let inode = self.inode(ino)?;
        if inode.kind() != Kind::File {
            return Err(Errno::Inval);
        }
        if inode.executable != executable {
            self.tree.tick();
            self.update(ino, |inode| inode.executable = executable)?;
        }
        Ok(())
    }

    /// The inode at a path, unless it is read-only.
    fn changeable_at(&self, dir: Fd, path: &[u8], follow: bool) -> Result<Ino, Errno> {
        let ino = self.lookup(dir, path, follow)?;
        let follow = if follow { Follow::Always } else { Follow::WithSlash };
        let place = self.resolve(dir, path, follow)?;
        self.changeable(place.dir, ino)?;
        Ok(ino)
    }
}
