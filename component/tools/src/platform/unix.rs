//! The filesystem of a native sandbox: a real directory.

pub mod undo;

use std::ffi::OsStr;
use std::fs::{self, Metadata, Permissions};
use std::io;
use std::ops::Range;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use gix::index::entry;

use super::{Entry, Kind, Room, Stat};

/// The content of a file.
pub type Contents = Vec<u8>;

/// An attachment, part of which could become a file without being read. No file of a real directory is one.
pub enum Attached {}

/// The content of such a part.
pub enum Inflated {}

impl Attached {
    /// Opens the file `path`. Always returns `None`.
    pub fn open(_path: &Path) -> io::Result<Option<Attached>> {
        Ok(None)
    }

    /// The identity of the attachment.
    pub fn id(&self) -> [u8; 32] {
        match *self {}
    }

    /// The content, of `length` bytes, of the zlib stream in `range`.
    pub fn inflated(&self, _range: Range<usize>, _length: u64) -> Option<Inflated> {
        match *self {}
    }
}

/// The maximum size in bytes to which a tool lets a file grow: the default limit of the tree in memory.
pub fn file_bytes() -> u64 {
    1 << 30
}

/// The maximum length in bytes of a path on common systems.
pub fn path_bytes() -> usize {
    4096
}

/// The capacity, which only the disk knows.
pub fn room() -> Option<Room> {
    None
}

/// The metadata of `path`, without following a link.
pub fn stat(path: &Path) -> io::Result<Stat> {
    path.symlink_metadata().map(|meta| from_metadata(&meta))
}

/// The entries of the folder `path`, sorted by name.
pub fn list(path: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let stat = from_metadata(&entry.metadata()?);
        entries.push(Entry { name: entry.file_name().into_vec(), stat });
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

/// The path of the entry `name` in `folder`.
pub fn join(folder: &Path, name: &[u8]) -> PathBuf {
    folder.join(OsStr::from_bytes(name))
}

/// The content of the file `path`.
pub fn read(path: &Path) -> io::Result<Contents> {
    fs::read(path)
}

/// Writes the file `path`. It keeps its permissions, except for the executable bit if one is given. While an undo log is open, a new file
/// replaces the old one atomically.
pub fn put_file(path: &Path, content: Vec<u8>, executable: Option<bool>) -> io::Result<()> {
    let write = |place: &Path| {
        fs::write(place, &content)?;
        if place != path
            && let Ok(former) = path.symlink_metadata()
        {
            fs::set_permissions(place, former.permissions())?;
        }
        executable.map_or(Ok(()), |executable| set_executable(place, executable))
    };
    if undo::replacing(path, write)? { Ok(()) } else { write(path) }
}

/// Writes the file `path`.
pub fn put_inflated(_path: &Path, content: Inflated, _executable: bool) -> io::Result<()> {
    match content {}
}

/// Makes the file `path` executable for everyone who can read it, or for nobody.
pub fn set_executable(path: &Path, executable: bool) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions().mode();
    let mode = if executable { mode | (mode & 0o444) >> 2 } else { mode & !0o111 };
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Sets when `path` was changed, in seconds since the Unix epoch. Follows links.
pub fn set_modified(path: &Path, seconds: u64) -> io::Result<()> {
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    undo::editing(&[path.to_owned()], || fs::File::open(path).and_then(|file| file.set_modified(time)))?
}

/// Creates the link `path` to `target`.
pub fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    let link = |place: &Path| std::os::unix::fs::symlink(target, place);
    if path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    if undo::replacing(path, link)? { Ok(()) } else { link(path) }
}

/// Creates the folder `path`.
pub fn create_dir(path: &Path) -> io::Result<()> {
    undo::making(path)?;
    fs::create_dir(path)
}

/// Creates the folder `path` and its missing parents.
pub fn create_dir_all(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|folder| !folder.is_dir()).collect();
    missing.into_iter().rev().try_for_each(create_dir)
}

/// Removes the file or link `path`.
pub fn remove_file(path: &Path) -> io::Result<()> {
    if undo::taking_away(path)? { Ok(()) } else { fs::remove_file(path) }
}

/// Removes the empty folder `path`.
pub fn remove_dir(path: &Path) -> io::Result<()> {
    undo::removing_folder(path)?;
    fs::remove_dir(path)
}

/// Removes the folder `path` and everything in it.
pub fn remove_dir_all(path: &Path) -> io::Result<()> {
    if undo::taking_away(path)? { Ok(()) } else { fs::remove_dir_all(path) }
}

/// Renames `from` to `to`, which must not exist.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    undo::moving(from, to)?;
    fs::rename(from, to)
}

/// Runs `edit`, in which a library changes the files `paths`.
pub fn editing<T>(paths: &[PathBuf], edit: impl FnOnce() -> T) -> io::Result<T> {
    undo::editing(paths, edit)
}

/// Whether `path`, joined from `root` and data of the repository, is outside `root`, by a `..` or by a link in one of its folders. `root`
/// itself contains no links.
pub fn leaves(root: &Path, path: &Path) -> bool {
    if path == root {
        return false;
    }
    let folders = || path.ancestors().skip(1);
    if folders().next().is_some_and(|folder| is_beneath(root, folder)) {
        return false;
    }
    // A path that does not exist yet is beneath its nearest existing folder.
    for folder in folders() {
        match folder.canonicalize() {
            Ok(real) => return !real.starts_with(root),
            Err(_) if folder.ends_with("..") => return true,
            Err(_) => {}
        }
    }
    true
}

/// Whether the system resolves `folder` without leaving `root`. False may also mean that it cannot tell. `canonicalize` can tell, but
/// resolves each parent folder from the top every time.
#[cfg(target_os = "linux")]
fn is_beneath(root: &Path, folder: &Path) -> bool {
    use rustix::fs::{Mode, OFlags, ResolveFlags, open, openat2};

    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(below) = folder.strip_prefix(root) else { return false };
    if below.as_os_str().is_empty() {
        return true;
    }
    open(root, flags, Mode::empty())
        .and_then(|root| openat2(root, below, flags, Mode::empty(), ResolveFlags::BENEATH))
        .is_ok()
}

#[cfg(not(target_os = "linux"))]
fn is_beneath(_root: &Path, _folder: &Path) -> bool {
    false
}

fn from_metadata(meta: &Metadata) -> Stat {
    let kind = match meta.file_type() {
        kind if kind.is_file() => Kind::File,
        kind if kind.is_dir() => Kind::Folder,
        kind if kind.is_symlink() => Kind::Link,
        _ => Kind::Other,
    };
    Stat {
        kind,
        executable: kind == Kind::File && meta.mode() & 0o100 != 0,
        size: meta.len(),
        // The index stores 32 bits of every field, as git does.
        index: entry::Stat {
            mtime: entry::stat::Time { secs: meta.mtime() as u32, nsecs: meta.mtime_nsec() as u32 },
            ctime: entry::stat::Time { secs: meta.ctime() as u32, nsecs: meta.ctime_nsec() as u32 },
            dev: meta.dev() as u32,
            ino: meta.ino() as u32,
            uid: meta.uid(),
            gid: meta.gid(),
            size: meta.len() as u32,
        },
    }
}
