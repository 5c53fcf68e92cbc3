//! Read-only subtrees.

use super::{Kernel, ROOT_FD};
use crate::{
    errno::Errno,
    inode::{Ino, Kind},
    tree::Root,
};

#[derive(Debug, Default)]
pub(super) struct ReadOnly {
    paths: Vec<Vec<u8>>,
    tops: Vec<Ino>,
}

impl Kernel {
    /// Makes these directories, and everything below them, read-only: every change there is
    /// `EROFS`. So is removing or renaming the directories, or linking out of them. Replaces the
    /// previous setting. The paths must name directories. The kernel looks them up again whenever
    /// another tree is put in place.
    pub fn set_read_only(&mut self, paths: &[&[u8]]) -> Result<(), Errno> {
        let mut tops = Vec::new();
        for path in paths {
            let ino = self.lookup(ROOT_FD, path, true)?;
            if self.inode(ino)?.kind() != Kind::Directory {
                return Err(Errno::Notdir);
            }
            tops.push(ino);
        }
        self.read_only = ReadOnly { paths: paths.iter().map(|path| path.to_vec()).collect(), tops };
        Ok(())
    }

    /// Looks up the read-only directories in a new tree. A missing one protects nothing.
    pub(super) fn find_read_only(&mut self) {
        let tops = self.read_only.paths.iter().filter_map(|path| self.lookup(ROOT_FD, path, true).ok());
        self.read_only.tops = tops.collect();
    }

    /// Fails if the directory `ino` is read-only or below a read-only one.
    pub(super) fn writable(&self, mut ino: Ino) -> Result<(), Errno> {
        if self.read_only.tops.is_empty() {
            return Ok(());
        }
        // A tree is never deeper than the number of its inodes, and an orphan is one step above it.
        for _ in 0..=self.tree.files() + 1 {
            self.pass(1);
            if self.read_only.tops.contains(&ino) {
                return Err(Errno::Rofs);
            }
            if ino == Root::INO {
                return Ok(());
            }
            ino = self.inode(ino)?.parent;
        }
        Err(Errno::Io)
    }

    /// Fails if the entry itself must not change. `dir` is the directory that holds it.
    pub(super) fn changeable(&self, dir: Ino, ino: Ino) -> Result<(), Errno> {
        if self.read_only.tops.contains(&ino) {
            return Err(Errno::Rofs);
        }
        self.writable(dir)
    }
}
