//! Renaming.

use super::{Fd, Kernel};
use crate::{
    errno::Errno,
    inode::{Ino, Kind},
    resolve::{Follow, Last},
    tree::Root,
};

impl Kernel {
    /// Moves an entry, and atomically replaces a file or an empty directory at the new path. Does
    /// nothing if both names belong to one file.
    pub fn rename(&mut self, old: Fd, old_path: &[u8], new: Fd, new_path: &[u8]) -> Result<(), Errno> {
        self.charge(0)?;
        let from = self.resolve(old, old_path, Follow::Never)?;
        let to = self.resolve(new, new_path, Follow::Never)?;
        if from.last != Last::Name || to.last != Last::Name {
            return Err(Errno::Busy);
        }
        let ino = from.existing()?;
        let to_name = to.name()?;
        let is_dir = self.inode(ino)?.kind() == Kind::Directory;
        if !is_dir && (from.slash || to.slash) {
            return Err(Errno::Notdir);
        }
        self.changeable(from.dir, ino)?;
        self.changeable(to.dir, to.ino.unwrap_or(ino))?;
        self.tree.directory(to.dir)?;
        if is_dir && self.contains(ino, to.dir)? {
            return Err(Errno::Inval);
        }
        if let Some(target) = to.ino {
            if self.contains(target, from.dir)? {
                return Err(Errno::Notempty);
            }
            if target == ino {
                return Ok(());
            }
            match self.inode(target)?.entries() {
                Some(_) if !is_dir => return Err(Errno::Isdir),
                Some(entries) if !entries.is_empty() => return Err(Errno::Notempty),
                None if is_dir => return Err(Errno::Notdir),
                _ => {}
            }
        }
        let (from_dir, from_name) = (from.dir, from.name()?);
        let (to_dir, target) = (to.dir, to.ino);
        let now = self.tree.tick();
        self.tree.update_entries(from_dir, now, |entries| entries.remove(&from_name[..]))?;
        self.tree.update_entries(to_dir, now, |entries| entries.insert(to_name, ino))?;
        if from_dir != to_dir {
            self.tree.update(ino, |inode| inode.parent = to_dir)?;
        }
        match target {
            Some(target) => self.drop_link(target),
            None => Ok(()),
        }
    }

    /// Whether `ancestor` is `dir` or an ancestor of it.
    fn contains(&self, ancestor: Ino, mut dir: Ino) -> Result<bool, Errno> {
        // A tree is never deeper than the number of its inodes: more steps mean a loop in a damaged
        // tree.
        for _ in 0..=self.tree.files() {
            self.pass(1);
            if dir == ancestor {
                return Ok(true);
            }
            if dir == Root::INO {
                return Ok(false);
            }
            dir = self.inode(dir)?.parent;
        }
        Err(Errno::Io)
    }
}
