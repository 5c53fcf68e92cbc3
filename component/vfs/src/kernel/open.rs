//! Opening files.

use super::{Fd, Kernel, table::OpenFile};
use crate::{
    content::Content,
    errno::Errno,
    inode::{Ino, Inode, Kind, Name, Node},
    resolve::{Follow, Last},
};

/// How to open a file: the flags of `openat`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenOptions {
    /// For reading.
    pub read: bool,
    /// For writing.
    pub write: bool,
    /// Every write goes to the end: `O_APPEND`.
    pub append: bool,
    /// Create the file if it does not exist: `O_CREAT`.
    pub create: bool,
    /// With `create`: fail if any entry exists, even a dangling link: `O_EXCL`.
    pub exclusive: bool,
    /// Truncate it: `O_TRUNC`.
    pub truncate: bool,
    /// Fail if it is not a directory: `O_DIRECTORY`.
    pub directory: bool,
    /// Fail if the last component is a symbolic link: `O_NOFOLLOW`.
    pub no_follow: bool,
}

impl Kernel {
    /// Opens `path` and returns the lowest free descriptor.
    pub fn open(&mut self, dir: Fd, path: &[u8], how: OpenOptions) -> Result<Fd, Errno> {
        self.charge(0)?;
        self.table.room(self.limits.open_files)?;
        if how.create && how.directory {
            return Err(Errno::Inval);
        }
        let follow = match (how.create, how.no_follow || (how.create && how.exclusive)) {
            (true, true) => Follow::Never,
            (true, false) => Follow::WithoutSlash,
            (false, true) => Follow::WithSlash,
            (false, false) => Follow::Always,
        };
        let place = self.resolve(dir, path, follow)?;
        if how.create && place.slash && place.last == Last::Name {
            return Err(Errno::Isdir);
        }
        let ino = match place.ino {
            Some(ino) => {
                self.may_open(place.dir, ino, place.slash, how)?;
                if how.truncate {
                    self.rewrite(ino, 0, |_| ())?;
                }
                ino
            }
            None if !how.create => return Err(Errno::Noent),
            None => {
                let name = place.name()?;
                let dir = place.dir;
                self.writable(dir)?;
                self.create(dir, name, Node::File(Content::default()))?
            }
        };
        let OpenOptions { read, write, append, .. } = how;
        Ok(self.table.insert(OpenFile { ino, read, write, append, offset: 0, listing: None }))
    }

    fn may_open(&self, dir: Ino, ino: Ino, slash: bool, how: OpenOptions) -> Result<(), Errno> {
        let changes = how.write || how.truncate;
        if how.create && how.exclusive {
            return Err(Errno::Exist);
        }
        match self.inode(ino)?.kind() {
            Kind::Directory if how.create || changes => return Err(Errno::Isdir),
            Kind::Directory => return Ok(()),
            _ if how.directory || slash => return Err(Errno::Notdir),
            Kind::Symlink => return Err(Errno::Loop),
            Kind::File => {}
        }
        if changes { self.writable(dir) } else { Ok(()) }
    }

    /// Creates an inode under a free name.
    pub(super) fn create(&mut self, dir: Ino, name: Name, node: Node) -> Result<Ino, Errno> {
        self.tree.directory(dir)?;
        if self.tree.files() + self.orphans.len() as u64 >= self.limits.files {
            return Err(Errno::Nospc);
        }
        let mtime = self.tree.tick();
        let inode = Inode { node, parent: dir, nlink: 1, executable: false, mtime };
        self.tree.add(dir, name, inode, mtime)
    }
}
