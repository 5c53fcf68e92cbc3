//! A real directory.

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

/// A file of which a part can become another one without being read: on a real directory there is none.
pub enum Attached {}

/// What such a part is.
pub enum Inflated {}

impl Attached {
    /// The file `path`; nothing if it is none of these.
    pub fn open(_path: &Path) -> io::Result<Option<Attached>> {
        Ok(None)
    }

    /// All of it.
    pub fn bytes(&self) -> &[u8] {
        match *self {}
    }

    /// The content of `length` bytes that the zlib stream in `range` is.
    pub fn inflated(&self, _range: Range<usize>, _length: u64) -> Option<Inflated> {
        match *self {}
    }
}

/// The size in bytes beyond which no tool lets a file grow: what the tree in memory has for its own limit unless it is given another.
pub fn file_bytes() -> u64 {
    1 << 30
}

/// The bytes of the longest path that systems commonly take.
pub fn path_bytes() -> usize {
    4096
}

/// How much there may be of everything: only the disk knows.
pub fn room() -> Option<Room> {
    None
}

/// What is known of `path`, a link not followed.
pub fn stat(path: &Path) -> io::Result<Stat> {
    path.symlink_metadata().map(|meta| from_metadata(&meta))
}

/// The entries of the folder `path`, by name.
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

/// The entry `name` of `folder`.
pub fn join(folder: &Path, name: &[u8]) -> PathBuf {
    folder.join(OsStr::from_bytes(name))
}

/// The content of the file `path`.
pub fn read(path: &Path) -> io::Result<Contents> {
    fs::read(path)
}

/// Writes the file `path`, which keeps its permissions, but for the executable bit if one is given. Where a call can be taken back, the file is
/// replaced by a new one, whole.
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

/// Makes the file `path` executable for whom it is readable, or for nobody.
pub fn set_executable(path: &Path, executable: bool) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions().mode();
    let mode = if executable { mode | (mode & 0o444) >> 2 } else { mode & !0o111 };
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Makes `path` a link to `target`.
pub fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    let link = |place: &Path| std::os::unix::fs::symlink(target, place);
    if path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    if undo::replacing(path, link)? { Ok(()) } else { link(path) }
}

/// Makes the folder `path`.
pub fn create_dir(path: &Path) -> io::Result<()> {
    undo::making(path)?;
    fs::create_dir(path)
}

/// Makes the folder `path` and those that it is in, as far as they are not there yet.
pub fn create_dir_all(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|folder| !folder.is_dir()).collect();
    missing.into_iter().rev().try_for_each(create_dir)
}

/// Removes the file or link `path`.
pub fn remove_file(path: &Path) -> io::Result<()> {
    if undo::taking_away(path)? { Ok(()) } else { fs::remove_file(path) }
}

/// Removes the folder `path`, which is empty.
pub fn remove_dir(path: &Path) -> io::Result<()> {
    undo::removing_folder(path)?;
    fs::remove_dir(path)
}

/// Removes the folder `path` and everything in it.
pub fn remove_dir_all(path: &Path) -> io::Result<()> {
    if undo::taking_away(path)? { Ok(()) } else { fs::remove_dir_all(path) }
}

/// Gives `from` the path `to`, where nothing is.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    undo::moving(from, to)?;
    fs::rename(from, to)
}

/// Runs `edit`, by which a library changes the files `paths`.
pub fn editing<T>(paths: &[PathBuf], edit: impl FnOnce() -> T) -> io::Result<T> {
    undo::editing(paths, edit)
}

/// Whether `path`, which was put together from `root` and what stands in the repository, lies elsewhere: through `..`, or through a link in one
/// of its folders. `root` has no links.
pub fn leaves(root: &Path, path: &Path) -> bool {
    if path == root {
        return false;
    }
    let folders = || path.ancestors().skip(1);
    if folders().next().is_some_and(|folder| is_beneath(root, folder)) {
        return false;
    }
    // What is not there yet will be where the nearest folder is that there is.
    for folder in folders() {
        match folder.canonicalize() {
            Ok(real) => return !real.starts_with(root),
            Err(_) if folder.ends_with("..") => return true,
            Err(_) => {}
        }
    }
    true
}

/// Whether the system finds the folder `folder` without leaving `root`. "No" also says that it cannot tell: `canonicalize` can, but
/// asks for each folder on the way, from the top each time.
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
        // The index keeps 32 bits of everything, as git does.
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
