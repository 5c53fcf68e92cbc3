//! The filesystem of the component: a tree in memory.

use std::ffi::OsStr;
use std::io;
use std::ops::Range;
use std::os::wasi::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use gix::index::entry;

use super::{Entry, Kind, Room, Stat};

/// The content of a file: the kernel's own buffer.
pub type Contents = bytes::Bytes;

/// The content of a zlib stream in an attachment, not inflated yet.
pub type Inflated = vfs::Content;

/// A file that is an attachment. The content of a zlib stream in it can become a file, which needs no extra room in memory or in the
/// journal.
pub struct Attached {
    content: vfs::Content,
    id: vfs::AttachmentId,
}

impl Attached {
    /// Opens the file `path`. Returns `None` if it does not begin an attachment.
    pub fn open(path: &Path) -> io::Result<Option<Attached>> {
        let content = vfs::process::content(bytes_of(path))?;
        let origin = content.origin().filter(|origin| content.is_attached() && origin.offset == 0);
        let id = origin.map(|origin| origin.id);
        Ok(id.map(|id| Attached { content, id }))
    }

    /// The identity of the attachment.
    pub fn id(&self) -> [u8; 32] {
        self.id
    }

    /// The content, of `length` bytes, of the zlib stream in `range`. `None` if a copy is better.
    pub fn inflated(&self, range: Range<usize>, length: u64) -> Option<Inflated> {
        self.content.inflated(range, length)
    }
}

/// The maximum size of a file in bytes.
pub fn file_bytes() -> u64 {
    vfs::process::with(|kernel| kernel.limits().file_bytes)
}

/// The maximum length of a path in bytes.
pub fn path_bytes() -> usize {
    vfs::process::with(|kernel| kernel.limits().path_bytes)
}

/// The capacity of the tree.
pub fn room() -> Option<Room> {
    vfs::process::with(|kernel| Some(Room { bytes: kernel.limits().bytes, files: kernel.limits().files }))
}

/// The metadata of `path`, without following a link.
pub fn stat(path: &Path) -> io::Result<Stat> {
    Ok(from_kernel(&vfs::process::stat_path(bytes_of(path), false)?))
}

/// The entries of the folder `path`, sorted by name.
pub fn list(path: &Path) -> io::Result<Vec<Entry>> {
    let entries = vfs::process::list(bytes_of(path))?;
    Ok(entries.into_iter().map(|(name, stat)| Entry { name: name.to_vec(), stat: from_kernel(&stat) }).collect())
}

/// The path of the entry `name` in `folder`.
pub fn join(folder: &Path, name: &[u8]) -> PathBuf {
    folder.join(OsStr::from_bytes(name))
}

/// The content of the file `path`, without a copy.
pub fn read(path: &Path) -> io::Result<Contents> {
    Ok(vfs::process::map_path(bytes_of(path))?)
}

/// Writes the file `path` without a copy, and frees the spare capacity of `content`. `None` keeps the file's executable bit.
pub fn put_file(path: &Path, content: Vec<u8>, executable: Option<bool>) -> io::Result<()> {
    let kept = || vfs::process::is_executable(bytes_of(path)).unwrap_or(false);
    Ok(vfs::process::put_file(bytes_of(path), content.into_boxed_slice().into(), executable.unwrap_or_else(kept))?)
}

/// As [`put_file`], for compressed content of an attachment.
pub fn put_inflated(path: &Path, content: Inflated, executable: bool) -> io::Result<()> {
    Ok(vfs::process::put_content(bytes_of(path), content, executable)?)
}

/// Sets or clears the executable bit of the file `path`.
pub fn set_executable(path: &Path, executable: bool) -> io::Result<()> {
    Ok(vfs::process::set_executable(bytes_of(path), executable)?)
}

/// Sets when `path` was changed, in seconds since the Unix epoch. Follows links.
pub fn set_modified(path: &Path, seconds: u64) -> io::Result<()> {
    let to = vfs::MtimeChange::At(seconds);
    Ok(vfs::process::with(|kernel| kernel.set_mtime(vfs::ROOT_FD, bytes_of(path), true, to))?)
}

/// Creates the link `path` to `target`.
pub fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    // The standard library's function for this is nightly only.
    Ok(vfs::process::with(|kernel| kernel.symlink(bytes_of(target), vfs::ROOT_FD, bytes_of(path)))?)
}

/// The kernel rolls a call back, so these need no log.
pub use std::fs::{create_dir, create_dir_all, remove_dir, remove_dir_all, remove_file, rename};

/// Runs `edit`, in which a library changes the files `paths`.
pub fn editing<T>(_paths: &[PathBuf], edit: impl FnOnce() -> T) -> io::Result<T> {
    Ok(edit())
}

/// Whether `path` is outside `root`. Never here: the whole tree belongs to the sandbox.
pub fn leaves(_root: &Path, _path: &Path) -> bool {
    false
}

fn bytes_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

fn from_kernel(stat: &vfs::Stat) -> Stat {
    let time = entry::stat::Time { secs: stat.mtime as u32, nsecs: 0 };
    Stat {
        kind: match stat.kind {
            vfs::Kind::File => Kind::File,
            vfs::Kind::Directory => Kind::Folder,
            vfs::Kind::Symlink => Kind::Link,
        },
        executable: stat.executable,
        size: stat.size,
        index: entry::Stat {
            mtime: time,
            ctime: time,
            dev: 0,
            ino: stat.ino.0 as u32,
            uid: 0,
            gid: 0,
            size: stat.size as u32,
        },
    }
}
