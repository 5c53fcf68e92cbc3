//! The table of open descriptors.

use super::{Kernel, directory::Listing};
use crate::{
    errno::Errno,
    inode::{Ino, Kind},
    tree::Root,
};

/// A file descriptor.
pub type Fd = u32;

/// The descriptor of the root directory, which is always open.
pub const ROOT_FD: Fd = 3;

/// What a descriptor refers to.
#[derive(Debug)]
pub(super) enum Description {
    /// One of the three standard streams.
    Standard,
    /// A file or directory of a tree that was replaced.
    Stale,
    /// A file or directory.
    Open(OpenFile),
}

/// An open file or directory.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) ino: Ino,
    pub(super) read: bool,
    pub(super) write: bool,
    pub(super) append: bool,
    pub(super) offset: u64,
    /// A directory's entries at the start of reading.
    pub(super) listing: Option<Listing>,
}

/// The state of a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FdStat {
    /// The kind it refers to; `None` for a standard stream.
    pub kind: Option<Kind>,
    /// Open for reading.
    pub read: bool,
    /// Open for writing.
    pub write: bool,
    /// Every write goes to the end.
    pub append: bool,
}

#[derive(Debug)]
pub(super) struct Table(Vec<Option<Description>>);

impl Table {
    pub(super) fn new() -> Self {
        let standard = || Some(Description::Standard);
        let root = OpenFile { ino: Root::INO, read: true, write: false, append: false, offset: 0, listing: None };
        Self(vec![standard(), standard(), standard(), Some(Description::Open(root))])
    }

    /// Fails if no descriptor is free.
    pub(super) fn room(&self, limit: usize) -> Result<(), Errno> {
        let open = self.0.iter().flatten().count();
        if open < limit { Ok(()) } else { Err(Errno::Mfile) }
    }

    /// Hands out the lowest free number.
    pub(super) fn insert(&mut self, file: OpenFile) -> Fd {
        let file = Some(Description::Open(file));
        let fd = match self.0.iter().position(Option::is_none) {
            Some(free) => {
                self.0[free] = file;
                free
            }
            None => {
                self.0.push(file);
                self.0.len() - 1
            }
        };
        Fd::try_from(fd).expect("the limit on open files keeps the table far smaller")
    }

    fn slot(&mut self, fd: Fd) -> Result<&mut Option<Description>, Errno> {
        self.0.get_mut(fd as usize).filter(|slot| slot.is_some()).ok_or(Errno::Badf)
    }

    pub(super) fn description(&self, fd: Fd) -> Result<&Description, Errno> {
        self.0.get(fd as usize).and_then(Option::as_ref).ok_or(Errno::Badf)
    }

    /// The file of a descriptor. A standard stream has none (`ESPIPE`).
    pub(super) fn get(&self, fd: Fd) -> Result<&OpenFile, Errno> {
        match self.description(fd)? {
            Description::Open(file) => Ok(file),
            Description::Stale => Err(Errno::Stale),
            Description::Standard => Err(Errno::Spipe),
        }
    }

    pub(super) fn get_mut(&mut self, fd: Fd) -> Result<&mut OpenFile, Errno> {
        match self.slot(fd)? {
            Some(Description::Open(file)) => Ok(file),
            Some(Description::Stale) => Err(Errno::Stale),
            _ => Err(Errno::Spipe),
        }
    }

    /// The inode of the directory that paths are relative to.
    pub(super) fn directory(&self, fd: Fd) -> Result<Ino, Errno> {
        match self.get(fd) {
            Ok(file) => Ok(file.ino),
            Err(Errno::Spipe) => Err(Errno::Notdir),
            Err(errno) => Err(errno),
        }
    }

    fn remove(&mut self, fd: Fd) -> Result<Description, Errno> {
        let removed = self.slot(fd)?.take().expect("a slot is found only when it is in use");
        while self.0.last().is_some_and(Option::is_none) {
            self.0.pop();
        }
        Ok(removed)
    }

    pub(super) fn is_open(&self, ino: Ino) -> bool {
        self.files().any(|file| file.ino == ino)
    }

    pub(super) fn is_open_for_writing(&self, ino: Ino) -> bool {
        self.files().any(|file| file.ino == ino && file.write)
    }

    fn files(&self) -> impl Iterator<Item = &OpenFile> {
        self.0.iter().filter_map(|slot| match slot {
            Some(Description::Open(file)) => Some(file),
            _ => None,
        })
    }

    pub(super) fn make_stale(&mut self) {
        for (fd, slot) in self.0.iter_mut().enumerate() {
            match slot {
                Some(Description::Open(file)) if fd == ROOT_FD as usize && file.ino == Root::INO => {
                    (file.offset, file.listing) = (0, None);
                }
                Some(description @ Description::Open(_)) => *description = Description::Stale,
                _ => {}
            }
        }
    }
}

impl Kernel {
    /// Closes a descriptor. This works in an interrupted kernel too, so that nothing leaks.
    pub fn close(&mut self, fd: Fd) -> Result<(), Errno> {
        if let Description::Open(file) = self.table.remove(fd)? {
            self.closed(&file);
        }
        Ok(())
    }

    /// Makes `to` refer to the file of `from`. Closes the old `to` and frees `from`.
    pub fn renumber(&mut self, from: Fd, to: Fd) -> Result<(), Errno> {
        self.charge(0)?;
        self.table.description(from)?;
        self.table.description(to)?;
        if from == to {
            return Ok(());
        }
        let moved = self.table.slot(from)?.take();
        let former = std::mem::replace(self.table.slot(to)?, moved);
        if let Some(Description::Open(file)) = former {
            self.closed(&file);
        }
        Ok(())
    }

    fn closed(&mut self, file: &OpenFile) {
        if !self.table.is_open(file.ino) && self.orphans.remove(&file.ino).is_some() {
            self.drafts.remove(file.ino);
        } else if file.write && !self.table.is_open_for_writing(file.ino) {
            self.settle(file.ino);
        }
    }

    /// The access mode of a descriptor.
    pub fn fd_stat(&mut self, fd: Fd) -> Result<FdStat, Errno> {
        self.charge(0)?;
        if let Description::Standard = self.table.description(fd)? {
            return Ok(FdStat { kind: None, read: fd == 0, write: fd != 0, append: true });
        }
        let file = self.table.get(fd)?;
        let kind = Some(self.inode(file.ino)?.kind());
        Ok(FdStat { kind, read: file.read, write: file.write, append: file.append })
    }

    /// Sets or clears `O_APPEND`.
    pub fn set_append(&mut self, fd: Fd, append: bool) -> Result<(), Errno> {
        self.charge(0)?;
        if let Description::Standard = self.table.description(fd)? {
            return Ok(());
        }
        self.table.get_mut(fd)?.append = append;
        Ok(())
    }
}
