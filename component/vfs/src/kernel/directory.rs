//! Reading directories.

use super::{Fd, Kernel};
use crate::{
    errno::Errno,
    inode::{Entries, Ino, Kind, Name, Stat},
};

/// The entries of a directory at the start of reading, so that cookies stay valid while entries
/// come and go.
#[derive(Debug)]
pub(super) struct Listing {
    dir: Ino,
    parent: Ino,
    entries: Vec<(Name, Ino)>,
}

/// One entry of a directory listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirEntry<'a> {
    /// The name; `.` and `..` come first.
    pub name: &'a [u8],
    /// The inode.
    pub ino: Ino,
    /// Its kind; `None` if someone removed it meanwhile.
    pub kind: Option<Kind>,
    /// The cookie to continue after this entry.
    pub next: u64,
}

impl Listing {
    fn new(dir: Ino, parent: Ino, entries: &Entries) -> Self {
        let entries = entries.iter().map(|(name, ino)| (name.clone(), *ino)).collect();
        Self { dir, parent, entries }
    }

    fn entry(&self, cookie: u64) -> Option<(&[u8], Ino)> {
        match cookie {
            0 => Some((b".", self.dir)),
            1 => Some((b"..", self.parent)),
            _ => {
                let index = usize::try_from(cookie - 2).ok()?;
                self.entries.get(index).map(|(name, ino)| (&name[..], *ino))
            }
        }
    }
}

impl Kernel {
    /// Passes the entries of an open directory to `sink`, from a cookie on, until it returns
    /// `false`. Cookie 0 starts again with the current entries. A removed directory has none:
    /// `ENOENT`.
    pub fn readdir(&mut self, fd: Fd, cookie: u64, mut sink: impl FnMut(DirEntry<'_>) -> bool) -> Result<(), Errno> {
        self.charge(0)?;
        let file = self.table.get(fd)?;
        let ino = file.ino;
        let inode = self.inode(ino)?;
        let entries = inode.entries().ok_or(Errno::Notdir)?;
        if self.orphans.contains_key(&ino) {
            return Err(Errno::Noent);
        }
        if cookie == 0 || file.listing.is_none() {
            let listing = Listing::new(ino, inode.parent, entries);
            self.charge(listing.entries.len().saturating_mul(32))?;
            self.table.get_mut(fd)?.listing = Some(listing);
        }
        let listing = self.table.get(fd)?.listing.as_ref().expect("it was made when there was none");
        let mut at = cookie;
        while let Some((name, ino)) = listing.entry(at) {
            at += 1;
            let kind = self.inode(ino).ok().map(|inode| inode.kind());
            if !sink(DirEntry { name, ino, kind, next: at }) {
                break;
            }
        }
        Ok(())
    }

    /// All entries of the directory at a path with the `stat` of each, in the byte order of their
    /// names. Links are not followed.
    pub fn list(&mut self, dir: Fd, path: &[u8]) -> Result<Vec<(Name, Stat)>, Errno> {
        let ino = self.lookup(dir, path, true)?;
        let entries = self.inode(ino)?.entries().ok_or(Errno::Notdir)?;
        let length = entries.len();
        let listed = entries.iter().map(|(name, &ino)| Ok((name.clone(), self.stat_ino(ino)?))).collect();
        self.charge(length.saturating_mul(128))?;
        listed
    }
}
