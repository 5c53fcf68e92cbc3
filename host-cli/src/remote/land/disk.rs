//! Every filesystem change of a landing, one method each.
//!
//! Each method calls its hook before it acts. In tests the hook ends the landing there, like a
//! kill, or fails like the system. Because a landing can end anywhere, nothing in this folder
//! cleans up in `Drop`.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd;

use rustix::fs::{self, AtFlags, Mode, OFlags};

use super::dir::Dir;
use crate::remote::{Progress, Silent};

/// Receives the name of each change before it is made. An error makes the change fail.
pub(super) type Hook<'h> = &'h dyn Fn(&'static str) -> rustix::io::Result<()>;

/// From this many files on, the whole filesystem is synced: one wait instead of one per file.
const MANY_FILES: usize = 64;

/// Makes all changes.
pub(super) struct Disk<'h> {
    before: Hook<'h>,
    /// Receives the progress of a landing.
    pub(super) progress: &'h dyn Progress,
}

impl Disk<'static> {
    /// Reports no progress.
    pub(super) fn new() -> Self {
        Disk::telling(&Silent)
    }
}

impl<'h> Disk<'h> {
    /// Reports progress.
    pub(super) fn telling(progress: &'h dyn Progress) -> Self {
        Disk { before: &|_| Ok(()), progress }
    }

    /// Calls `before` ahead of each change.
    #[cfg(test)]
    pub(super) fn watched(before: Hook<'h>) -> Self {
        Disk { before, progress: &Silent }
    }

    /// Creates a folder, unless it exists.
    pub(super) fn make_folder(&self, dir: &Dir, name: &[u8]) -> io::Result<Dir> {
        match dir.child(name) {
            Ok(child) => return Ok(child),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        (self.before)("mkdir")?;
        match fs::mkdirat(&dir.fd, name, Mode::from_raw_mode(0o777)) {
            Ok(()) => {
                let child = dir.child(name)?;
                share(&child.fd, |mode| dir.sharing().of_folder(mode))?;
                Ok(child)
            }
            Err(rustix::io::Errno::EXIST) => dir.child(name),
            Err(error) => Err(error.into()),
        }
    }

    /// Creates all folders of `path` below `dir`.
    pub(super) fn make_folders(&self, dir: &Dir, path: &[u8]) -> io::Result<Dir> {
        let mut here = dir.child(b".")?;
        for name in path.split(|b| *b == b'/').filter(|name| !name.is_empty()) {
            here = self.make_folder(&here, name)?;
        }
        Ok(here)
    }

    /// Writes and syncs a new file. Fails if it exists.
    pub(super) fn create(&self, dir: &Dir, name: &[u8], content: &[u8], mode: u32) -> io::Result<()> {
        let file = self.write(dir, name, content, mode)?;
        (self.before)("fsync")?;
        file.sync_all()
    }

    /// Writes a new file, which [`sync_files`](Self::sync_files) must sync later. Fails if it
    /// exists.
    pub(super) fn write(&self, dir: &Dir, name: &[u8], content: &[u8], mode: u32) -> io::Result<File> {
        (self.before)("create")?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // The type of a raw mode differs between systems (16 bits on macOS, 32 on Linux).
        let mode = Mode::from_raw_mode(mode as fs::RawMode);
        let mut file = File::from(fs::openat(&dir.fd, name, flags, mode)?);
        share(&file, |mode| dir.sharing().of_file(mode))?;
        (self.before)("write")?;
        file.write_all(content)?;
        Ok(file)
    }

    /// Syncs the content of these files in `dir`, and all names in it.
    pub(super) fn sync_files(&self, dir: &Dir, names: &[Vec<u8>]) -> io::Result<()> {
        if names.len() < MANY_FILES || !self.sync_filesystem(dir)? {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            for name in names {
                (self.before)("fsync")?;
                File::from(fs::openat(&dir.fd, name.as_slice(), flags, Mode::empty())?).sync_all()?;
            }
        }
        self.sync(dir)
    }

    /// Syncs the whole filesystem of `dir`. `Ok(false)` means that the system cannot.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn sync_filesystem(&self, dir: &Dir) -> io::Result<bool> {
        use rustix::io::Errno;
        match (self.before)("syncfs").and_then(|()| fs::syncfs(&dir.fd)) {
            Ok(()) => Ok(true),
            Err(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn sync_filesystem(&self, _: &Dir) -> io::Result<bool> {
        Ok(false)
    }

    /// Writes one of our own files, replacing what an earlier try left at that name.
    pub(super) fn recreate(&self, dir: &Dir, name: &[u8], content: &[u8], mode: u32) -> io::Result<()> {
        self.remove(dir, name)?;
        self.create(dir, name, content, mode)
    }

    /// Creates a symlink.
    pub(super) fn symlink(&self, dir: &Dir, name: &[u8], text: &[u8]) -> io::Result<()> {
        (self.before)("symlink")?;
        Ok(fs::symlinkat(text, &dir.fd, name)?)
    }

    /// Gives a file a second name. `Ok(false)` means that the name was taken.
    ///
    /// On a filesystem without hard links the file is renamed instead, so callers may rely only on
    /// the new name.
    pub(super) fn publish(&self, dir: &Dir, name: &[u8], to: &Dir, new_name: &[u8]) -> io::Result<bool> {
        use rustix::io::Errno;
        (self.before)("link")?;
        match fs::linkat(&dir.fd, name, &to.fd, new_name, AtFlags::empty()) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(Errno::PERM | Errno::OPNOTSUPP | Errno::NOSYS | Errno::MLINK) => {
                self.rename_to_free(dir, name, to, new_name)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Renames without replacing. `Ok(false)` means that the name was taken.
    pub(super) fn rename_to_free(&self, dir: &Dir, name: &[u8], to: &Dir, new_name: &[u8]) -> io::Result<bool> {
        use rustix::io::Errno;
        (self.before)("rename")?;
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        match fs::renameat_with(&dir.fd, name, &to.fd, new_name, fs::RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(true),
            Err(Errno::EXIST | Errno::NOTEMPTY) => return Ok(false),
            // Some filesystems cannot do this in one step.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            Err(error) => return Err(error.into()),
        }
        if to.stat(new_name)?.is_some() {
            return Ok(false);
        }
        match fs::renameat(&dir.fd, name, &to.fd, new_name) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST | Errno::NOTEMPTY) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Renames and replaces any file of that name.
    pub(super) fn replace(&self, dir: &Dir, name: &[u8], to: &Dir, new_name: &[u8]) -> io::Result<()> {
        (self.before)("replace")?;
        Ok(fs::renameat(&dir.fd, name, &to.fd, new_name)?)
    }

    /// Removes a file or link, if it exists.
    pub(super) fn remove(&self, dir: &Dir, name: &[u8]) -> io::Result<()> {
        (self.before)("unlink")?;
        match fs::unlinkat(&dir.fd, name, AtFlags::empty()) {
            Ok(()) | Err(rustix::io::Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a folder if it is empty. `Ok(false)` means that it stays or did not exist.
    ///
    /// As in git, a folder stays if this process may not remove it. The system reports that even
    /// for a folder that is not empty.
    pub(super) fn remove_folder(&self, dir: &Dir, name: &[u8]) -> io::Result<bool> {
        use rustix::io::Errno;
        match (self.before)("rmdir").and_then(|()| fs::unlinkat(&dir.fd, name, AtFlags::REMOVEDIR)) {
            Ok(()) => Ok(true),
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOENT | Errno::NOTDIR | Errno::BUSY) => Ok(false),
            Err(Errno::ACCESS | Errno::PERM | Errno::ROFS) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Appends bytes to a file, created if absent, and syncs it.
    pub(super) fn append(&self, dir: &Dir, name: &[u8], bytes: &[u8]) -> io::Result<()> {
        let absent = dir.stat(name)?.is_none();
        (self.before)("append")?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(fs::openat(&dir.fd, name, flags, Mode::from_raw_mode(0o666))?);
        match share(&file, |mode| dir.sharing().of_file(mode)) {
            // An existing file may belong to somebody else.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && !absent => {}
            shared => shared?,
        }
        (self.before)("write")?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    /// Cuts a file to `len` bytes.
    pub(super) fn truncate(&self, dir: &Dir, name: &[u8], len: u64) -> io::Result<()> {
        (self.before)("truncate")?;
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = File::from(fs::openat(&dir.fd, name, flags, Mode::empty())?);
        file.set_len(len)?;
        file.sync_all()
    }

    /// Syncs the names in a folder.
    pub(super) fn sync(&self, dir: &Dir) -> io::Result<()> {
        (self.before)("sync")?;
        match fs::fsync(&dir.fd) {
            // Some filesystems have nothing to sync for a folder.
            Ok(()) | Err(rustix::io::Errno::INVAL | rustix::io::Errno::BADF) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Sets the permissions of a new file or folder to what `wanted` makes of its current ones.
#[allow(clippy::unnecessary_cast, reason = "the width of a mode differs between systems")]
fn share(made: impl AsFd, wanted: impl Fn(u32) -> u32) -> io::Result<()> {
    let mode = fs::fstat(&made)?.st_mode as u32 & 0o7777;
    match wanted(mode) {
        same if same == mode => Ok(()),
        other => Ok(fs::fchmod(&made, Mode::from_raw_mode(other as fs::RawMode))?),
    }
}
