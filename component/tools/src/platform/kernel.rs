//! The tree in memory.

use std::ffi::OsStr;
use std::io;
use std::ops::Range;
use std::os::wasi::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use gix::index::entry;

use super::{Entry, Kind, Room, Stat};

/// The content of a file: the kernel's own buffer.
pub type Contents = bytes::Bytes;

/// What a zlib stream in an attachment is, not read.
pub type Inflated = vfs::Content;

/// A file that is an attachment. What a stream in it is can become a file, which then takes no room of its own in memory nor in the journal.
pub struct Attached {
    content: vfs::Content,
    bytes: Contents,
}

impl Attached {
    /// The file `path`; nothing if it is no attachment.
    pub fn open(path: &Path) -> io::Result<Option<Attached>> {
        let content = vfs::process::content(bytes_of(path))?;
        if !content.is_attached() {
            return Ok(None);
        }
        let bytes = content.bytes().map_err(vfs::Errno::from)?.clone();
        Ok(Some(Attached { content, bytes }))
    }

    /// All of it.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The content of `length` bytes that the zlib stream in `range` is; nothing where it is better copied.
    pub fn inflated(&self, range: Range<usize>, length: u64) -> Option<Inflated> {
        self.content.inflated(range, length)
    }
}

/// The size in bytes beyond which no file grows.
pub fn file_bytes() -> u64 {
    vfs::process::with(|kernel| kernel.limits().file_bytes)
}

/// The bytes of the longest path there can be.
pub fn path_bytes() -> usize {
    vfs::process::with(|kernel| kernel.limits().path_bytes)
}

/// How much there may be of everything.
pub fn room() -> Option<Room> {
    vfs::process::with(|kernel| Some(Room { bytes: kernel.limits().bytes, files: kernel.limits().files }))
}

/// What is known of `path`, a link not followed.
pub fn stat(path: &Path) -> io::Result<Stat> {
    Ok(from_kernel(&vfs::process::stat_path(bytes_of(path), false)?))
}

/// The entries of the folder `path`, by name.
pub fn list(path: &Path) -> io::Result<Vec<Entry>> {
    let entries = vfs::process::list(bytes_of(path))?;
    Ok(entries.into_iter().map(|(name, stat)| Entry { name: name.to_vec(), stat: from_kernel(&stat) }).collect())
}

/// The entry `name` of `folder`.
pub fn join(folder: &Path, name: &[u8]) -> PathBuf {
    folder.join(OsStr::from_bytes(name))
}

/// The content of the file `path`, not copied.
pub fn read(path: &Path) -> io::Result<Contents> {
    Ok(vfs::process::map_path(bytes_of(path))?)
}

/// Writes the file `path` without copying (what was reserved beyond its length is given back), which keeps its executable bit unless one is given.
pub fn put_file(path: &Path, content: Vec<u8>, executable: Option<bool>) -> io::Result<()> {
    let kept = || vfs::process::is_executable(bytes_of(path)).unwrap_or(false);
    Ok(vfs::process::put_file(bytes_of(path), content.into_boxed_slice().into(), executable.unwrap_or_else(kept))?)
}

/// The same for what is compressed in an attachment.
pub fn put_inflated(path: &Path, content: Inflated, executable: bool) -> io::Result<()> {
    Ok(vfs::process::put_content(bytes_of(path), content, executable)?)
}

/// Makes the file `path` executable, or not.
pub fn set_executable(path: &Path, executable: bool) -> io::Result<()> {
    Ok(vfs::process::set_executable(bytes_of(path), executable)?)
}

/// Makes `path` a link to `target`.
pub fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    // The standard library has a function for it only in nightly.
    Ok(vfs::process::with(|kernel| kernel.symlink(bytes_of(target), vfs::ROOT_FD, bytes_of(path)))?)
}

/// The kernel takes a call back, so that nothing has to be noted.
pub use std::fs::{create_dir, create_dir_all, remove_dir, remove_dir_all, remove_file, rename};

/// Runs `edit`, by which a library changes the files `paths`.
pub fn editing<T>(_paths: &[PathBuf], edit: impl FnOnce() -> T) -> io::Result<T> {
    Ok(edit())
}

/// Whether `path` lies outside of `root`: all that there is, is the sandbox's.
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
