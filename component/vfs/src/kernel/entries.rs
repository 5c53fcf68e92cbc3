//! Creates and removes directory entries.

use std::sync::Arc;

use super::{Fd, Kernel};
use crate::{
    content::Content,
    errno::Errno,
    inode::{Entries, Ino, Kind, Name, Node},
    resolve::{Follow, Last, Place},
};

impl Kernel {
    /// Creates a directory.
    pub fn mkdir(&mut self, dir: Fd, path: &[u8]) -> Result<(), Errno> {
        self.charge(0)?;
        let place = self.resolve(dir, path, Follow::Never)?;
        let (dir, name) = self.free(&place, true)?;
        self.create(dir, name, Node::Directory(Entries::new()))?;
        Ok(())
    }

    /// Creates a symbolic link. The target is stored unchanged and need not exist.
    pub fn symlink(&mut self, target: &[u8], dir: Fd, path: &[u8]) -> Result<(), Errno> {
        self.charge(0)?;
        if target.is_empty() {
            return Err(Errno::Noent);
        }
        if target.contains(&0) {
            return Err(Errno::Inval);
        }
        if target.len() > self.limits.path_bytes {
            return Err(Errno::Nametoolong);
        }
        let place = self.resolve(dir, path, Follow::Never)?;
        let (dir, name) = self.free(&place, false)?;
        if self.bytes_in_use() + target.len() as u64 > self.limits.bytes {
            return Err(Errno::Nospc);
        }
        self.create(dir, name, Node::Symlink(target.into()))?;
        Ok(())
    }

    /// The target of a symbolic link.
    pub fn readlink(&mut self, dir: Fd, path: &[u8]) -> Result<Arc<[u8]>, Errno> {
        self.charge(0)?;
        let ino = self.lookup(dir, path, false)?;
        match &self.inode(ino)?.node {
            Node::Symlink(target) => Ok(target.clone()),
            _ => Err(Errno::Inval),
        }
    }

    /// Adds a name to a file.
    pub fn link(&mut self, old: Fd, old_path: &[u8], follow: bool, new: Fd, new_path: &[u8]) -> Result<(), Errno> {
        self.charge(0)?;
        let ino = self.lookup(old, old_path, follow)?;
        let follow = if follow { Follow::Always } else { Follow::WithSlash };
        let source = self.resolve(old, old_path, follow)?.dir;
        let place = self.resolve(new, new_path, Follow::Never)?;
        let (dir, name) = self.free(&place, false)?;
        self.writable(source)?;
        if self.inode(ino)?.kind() == Kind::Directory {
            return Err(Errno::Perm);
        }
        self.tree.directory(dir)?;
        let now = self.tree.tick();
        self.tree.update_entries(dir, now, |entries| entries.insert(name, ino))?;
        self.tree.update(ino, |inode| inode.nlink += 1)
    }

    /// Removes a name of a file or link. An open file lives until it is closed.
    pub fn unlink(&mut self, dir: Fd, path: &[u8]) -> Result<(), Errno> {
        self.charge(0)?;
        let place = self.resolve(dir, path, Follow::Never)?;
        if place.last != Last::Name {
            return Err(Errno::Isdir);
        }
        let ino = place.existing()?;
        if self.inode(ino)?.kind() == Kind::Directory {
            return Err(Errno::Isdir);
        }
        if place.slash {
            return Err(Errno::Notdir);
        }
        self.changeable(place.dir, ino)?;
        let (dir, name) = (place.dir, place.name()?);
        self.remove_entry(dir, &name, ino)
    }

    /// Removes an empty directory.
    pub fn rmdir(&mut self, dir: Fd, path: &[u8]) -> Result<(), Errno> {
        self.charge(0)?;
        let place = self.resolve(dir, path, Follow::Never)?;
        match place.last {
            Last::Name => {}
            Last::Dot => return Err(Errno::Inval),
            Last::DotDot => return Err(Errno::Notempty),
            Last::Root => return Err(Errno::Busy),
        }
        let ino = place.existing()?;
        let empty = self.inode(ino)?.entries().ok_or(Errno::Notdir)?.is_empty();
        self.changeable(place.dir, ino)?;
        if !empty {
            return Err(Errno::Notempty);
        }
        let (dir, name) = (place.dir, place.name()?);
        self.remove_entry(dir, &name, ino)
    }

    /// Creates a file with this content, or replaces the content of an existing one. The buffer is shared, not copied. Links are followed.
    /// An attachment may exceed the limit for files, because no program writes it here: a pack is large.
    pub fn put_file(&mut self, dir: Fd, path: &[u8], content: Content, executable: bool) -> Result<(), Errno> {
        self.charge(0)?;
        let place = self.resolve(dir, path, Follow::WithoutSlash)?;
        if place.slash && place.last == Last::Name {
            return Err(Errno::Isdir);
        }
        let (dir, former, name) = (place.dir, place.ino, place.name());
        let size = content.len();
        let held = match former {
            Some(ino) if self.inode(ino)?.kind() == Kind::Directory => return Err(Errno::Isdir),
            Some(ino) => self.length_of(ino)?,
            None => 0,
        };
        self.writable(dir)?;
        if size > self.limits.file_bytes && !content.is_attached() {
            return Err(Errno::Fbig);
        }
        if self.bytes_in_use() - held + size > self.limits.bytes {
            return Err(Errno::Nospc);
        }
        let ino = match former {
            Some(ino) => ino,
            None => self.create(dir, name?, Node::File(Content::default()))?,
        };
        self.drafts.remove(ino);
        let now = self.tree.tick();
        self.tree.update(ino, |inode| {
            inode.node = Node::File(content);
            inode.executable = executable;
            inode.mtime = now;
        })
    }

    /// The directory and name of a new entry, if it may be created. Only a directory's path may end in a slash.
    fn free(&self, place: &Place<'_>, slash_allowed: bool) -> Result<(Ino, Name), Errno> {
        if place.last != Last::Name || place.ino.is_some() {
            return Err(Errno::Exist);
        }
        let name = place.name()?;
        if place.slash && !slash_allowed {
            return Err(Errno::Noent);
        }
        self.writable(place.dir)?;
        Ok((place.dir, name))
    }

    pub(super) fn remove_entry(&mut self, dir: Ino, name: &Name, ino: Ino) -> Result<(), Errno> {
        let now = self.tree.tick();
        self.tree.update_entries(dir, now, |entries| entries.remove(&name[..]))?;
        self.drop_link(ino)
    }

    /// Takes away one name. An inode without a name lives only as long as it is open.
    pub(super) fn drop_link(&mut self, ino: Ino) -> Result<(), Errno> {
        let nlink = self.tree.update(ino, |inode| {
            inode.nlink = inode.nlink.saturating_sub(1);
            inode.nlink
        })?;
        if nlink == 0 {
            let gone = self.tree.take(ino).ok_or(Errno::Io)?;
            if self.table.is_open(ino) {
                self.orphans.insert(ino, Arc::unwrap_or_clone(gone.0));
            } else {
                self.drafts.remove(ino);
            }
        }
        Ok(())
    }
}
