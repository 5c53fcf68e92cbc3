//! A real directory.

use std::ffi::OsStr;
use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use gix::index::entry;

use super::{Entry, Kind, Stat};

/// The content of a file.
pub type Contents = Vec<u8>;

/// The size in bytes beyond which no tool lets a file grow: what the tree in memory has for its own limit unless it is given another.
pub fn file_bytes() -> u64 {
    1 << 30
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

/// Writes the file `path`, which keeps its executable bit unless one is given.
pub fn put_file(path: &Path, content: Vec<u8>, executable: Option<bool>) -> io::Result<()> {
    fs::write(path, content)?;
    match executable {
        Some(executable) => set_executable(path, executable),
        None => Ok(()),
    }
}

/// Makes the file `path` executable for whom it is readable, or for nobody.
pub fn set_executable(path: &Path, executable: bool) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions().mode();
    let mode = if executable { mode | (mode & 0o444) >> 2 } else { mode & !0o111 };
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Makes `path` a link to `target`.
pub fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
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
