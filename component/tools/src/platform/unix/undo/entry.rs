//! A logged change, and its line in the log.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_OMIT, utimensat};
use rustix::io::Errno;

/// One entry of the log, which says how to roll a change back.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Entry {
    /// The following entries belong to this call.
    Call(String),
    /// The path did not exist.
    Made(PathBuf),
    /// The path did not exist. It takes the parts of a file before the file moves to its own path.
    Part(PathBuf),
    /// The former content of `path` is at `place` now.
    Kept {
        /// The former path.
        path: PathBuf,
        /// The current path.
        place: PathBuf,
    },
    /// An empty folder existed.
    Folder {
        /// The path of the folder.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// What was at `from` is at `to` now.
    Moved {
        /// The former path.
        from: PathBuf,
        /// The current path.
        to: PathBuf,
    },
    /// A library is about to change the files of the next entries.
    Editing,
    /// The library is done.
    Edited,
}

impl Entry {
    /// The paths that the entry changes for good.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let (first, second) = match self {
            Entry::Made(path) | Entry::Kept { path, .. } | Entry::Folder { path, .. } => (Some(path), None),
            Entry::Moved { from, to } => (Some(from), Some(to)),
            Entry::Call(_) | Entry::Part(_) | Entry::Editing | Entry::Edited => (None, None),
        };
        first.into_iter().chain(second).map(PathBuf::as_path)
    }

    /// The line of the log, with its line end.
    pub fn line(&self) -> String {
        match self {
            Entry::Call(call) => format!("call {}\n", hex(call.as_ref())),
            Entry::Made(path) => format!("made {}\n", hex(path)),
            Entry::Part(path) => format!("part {}\n", hex(path)),
            Entry::Kept { path, place } => format!("kept {} {}\n", hex(path), hex(place)),
            Entry::Folder { path, mode } => format!("folder {} {mode:o}\n", hex(path)),
            Entry::Moved { from, to } => format!("moved {} {}\n", hex(from), hex(to)),
            Entry::Editing => "editing\n".to_owned(),
            Entry::Edited => "edited\n".to_owned(),
        }
    }

    /// Parses a line without its line end.
    pub fn parse(line: &str) -> Option<Entry> {
        let words: Vec<&str> = line.split(' ').collect();
        Some(match words.as_slice() {
            ["call", call] => Entry::Call(unhex(call)?.into_os_string().into_string().ok()?),
            ["made", path] => Entry::Made(unhex(path)?),
            ["part", path] => Entry::Part(unhex(path)?),
            ["kept", path, place] => Entry::Kept { path: unhex(path)?, place: unhex(place)? },
            ["folder", path, mode] => Entry::Folder { path: unhex(path)?, mode: u32::from_str_radix(mode, 8).ok()? },
            ["moved", from, to] => Entry::Moved { from: unhex(from)?, to: unhex(to)? },
            ["editing"] => Entry::Editing,
            ["edited"] => Entry::Edited,
            _ => return None,
        })
    }
}

/// A path in hexadecimal digits, because a name can contain any byte, even a line feed.
fn hex(path: &Path) -> String {
    path.as_os_str().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(digits: &str) -> Option<PathBuf> {
    let byte = |at: usize| u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok();
    let bytes: Vec<u8> = (0..digits.len().div_ceil(2)).map(byte).collect::<Option<_>>()?;
    (!bytes.is_empty()).then(|| OsString::from_vec(bytes).into())
}

/// The permissions of a file or folder.
pub fn mode(meta: &Metadata) -> u32 {
    meta.mode() & 0o7777
}

/// Renames `from` to `to`, replacing a file or link. Moves a file or link even to another filesystem: it copies it to a new path beside
/// `to`, announced by `making`, and renames that. So `to` never holds only a part.
pub fn carry(from: &Path, to: &Path, making: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            let part = free_beside(to);
            making(&part)?;
            let carried = copy(from, &part).and_then(|()| fs::rename(&part, to));
            if carried.is_err() {
                // The first error counts. The part is logged, so a roll-back removes it.
                let _ = fs::remove_file(&part);
            }
            carried?;
            fs::remove_file(from)
        }
        done => done,
    }
}

/// An unused path in the folder of `path`.
fn free_beside(path: &Path) -> PathBuf {
    let mut parts = (1..).map(|number| path.with_file_name(format!(".gitgate-{number}.part")));
    parts.find(|part| part.symlink_metadata().is_err()).expect("numbers do not end")
}

/// Copies the file or link `from` to the new path `to`, with its modification time, so the copy is no younger than the original.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let meta = from.symlink_metadata()?;
    match meta.is_symlink() {
        true => std::os::unix::fs::symlink(fs::read_link(from)?, to)?,
        false => std::mem::drop(fs::copy(from, to)?),
    }
    let modified = Timespec { tv_sec: meta.mtime(), tv_nsec: meta.mtime_nsec() as _ };
    let kept = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
    let times = Timestamps { last_access: kept, last_modification: modified };
    match utimensat(CWD, to, &times, AtFlags::SYMLINK_NOFOLLOW) {
        // On a filesystem without settable times, the copy is younger. At worst a roll-back keeps it as somebody else's file.
        Err(Errno::PERM | Errno::NOTSUP | Errno::NOSYS) => Ok(()),
        set => Ok(set?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_the_same_after_it_was_written_down() {
        let odd = PathBuf::from(OsString::from_vec(b"/a b\n\xff".to_vec()));
        for entry in [
            Entry::Call("7f".to_owned()),
            Entry::Made(odd.clone()),
            Entry::Part(odd.clone()),
            Entry::Kept { path: odd.clone(), place: "/u/1".into() },
            Entry::Folder { path: odd.clone(), mode: 0o750 },
            Entry::Moved { from: "/a".into(), to: odd },
            Entry::Editing,
            Entry::Edited,
        ] {
            let line = entry.line();
            assert_eq!(Entry::parse(line.strip_suffix('\n').unwrap()), Some(entry));
        }
        for wrong in ["", "call ", "made", "made ", "made 2f6", "made xx", "kept 2f", "folder 2f 9", "edited 2f"] {
            assert_eq!(Entry::parse(wrong), None, "{wrong}");
        }
    }
}
