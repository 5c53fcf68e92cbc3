//! Rolls changes back, the latest first. Every step can be repeated, so an interrupted roll-back can start again.

use std::fs::{self, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::entry::{Entry, carry};
use super::{LOG, absent_is_fine, end, forget};

/// The file beside the log that lists the temporary parts of a roll-back. It is a separate file because the log must not become younger.
const PARTS: &str = "parts";

/// How many seconds a library may still write after the log's last line announced its edit.
const LONGEST_EDIT: i64 = 2;

/// A file that somebody else has put in the way since.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KeptAside {
    /// The former path.
    pub path: PathBuf,
    /// The current path.
    pub place: PathBuf,
}

/// Rolls back all changes logged in `folder`. Moves files that others have written since the interruption to `aside`, and returns them.
pub fn roll_back(folder: &Path, aside: &Path) -> io::Result<Vec<KeptAside>> {
    end();
    let Some(entries) = read(folder)? else { return forget(folder).map(|()| Vec::new()) };
    let parts = folder.join(PARTS);
    // Removes what an interrupted roll-back left.
    for entry in read_lines(&parts)?.iter().flatten() {
        if let Entry::Part(part) = entry {
            remove_part(part)?;
        }
    }
    absent_is_fine(fs::remove_file(&parts))?;
    let mut last = time(&fs::metadata(folder.join(LOG))?);
    let edits = entries.iter().rev().find(|entry| matches!(entry, Entry::Editing | Entry::Edited));
    if edits == Some(&Entry::Editing) {
        last.0 += LONGEST_EDIT;
    }
    let mut back = Back { last, aside, parts: &parts, kept: Vec::new() };
    for entry in entries.iter().rev() {
        back.take(entry)?;
    }
    forget(folder)?;
    Ok(back.kept)
}

/// The entries of the log in `folder`, or `None` without a log.
pub fn read(folder: &Path) -> io::Result<Option<Vec<Entry>>> {
    read_lines(&folder.join(LOG))
}

fn read_lines(file: &Path) -> io::Result<Option<Vec<Entry>>> {
    let log = match fs::read_to_string(file) {
        Ok(log) => log,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    // A line without a line end was interrupted, so the change it announces has not begun.
    let lines = log.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the log of an interrupted call is damaged");
    lines.map(|line| Entry::parse(line).ok_or_else(damaged)).collect::<Result<_, _>>().map(Some)
}

struct Back<'a> {
    /// The time of the call's last write.
    last: (i64, i64),
    aside: &'a Path,
    parts: &'a Path,
    kept: Vec<KeptAside>,
}

impl Back<'_> {
    fn take(&mut self, entry: &Entry) -> io::Result<()> {
        match entry {
            Entry::Part(path) => remove_part(path),
            Entry::Made(path) => match path.symlink_metadata() {
                Ok(meta) if meta.is_dir() => remove_empty(path),
                Ok(meta) => self.clear(path, &meta),
                Err(error) => absent(error),
            },
            Entry::Kept { path, place } => {
                let Ok(was) = place.symlink_metadata() else { return Ok(()) };
                match path.symlink_metadata() {
                    // The interrupted call had hard-linked the file but not replaced it yet.
                    Ok(now) if (now.dev(), now.ino()) == (was.dev(), was.ino()) => return fs::remove_file(place),
                    Ok(now) if !now.is_dir() => self.clear(path, &now)?,
                    _ => {}
                }
                self.carry(place, path)
            }
            Entry::Folder { path, mode } => match fs::create_dir(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
                made => made.and_then(|()| fs::set_permissions(path, Permissions::from_mode(*mode))),
            },
            Entry::Moved { from, to } if from.symlink_metadata().is_err() && to.symlink_metadata().is_ok() => {
                fs::rename(to, from)
            }
            Entry::Moved { .. } | Entry::Call(_) | Entry::Editing | Entry::Edited => Ok(()),
        }
    }

    fn carry(&self, from: &Path, to: &Path) -> io::Result<()> {
        carry(from, to, |part| {
            let mut parts = OpenOptions::new().create(true).append(true).open(self.parts)?;
            parts.write_all(Entry::Part(part.to_owned()).line().as_bytes())
        })
    }

    /// Frees `path`, which has the metadata `meta`.
    fn clear(&mut self, path: &Path, meta: &Metadata) -> io::Result<()> {
        if time(meta) <= self.last {
            return fs::remove_file(path);
        }
        fs::create_dir_all(self.aside)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut names = (1..).map(|number| self.aside.join(format!("{number}-{name}")));
        let place = names.find(|place| place.symlink_metadata().is_err()).expect("numbers do not end");
        self.carry(path, &place)?;
        self.kept.push(KeptAside { path: path.to_owned(), place });
        Ok(())
    }
}

fn time(meta: &Metadata) -> (i64, i64) {
    (meta.mtime(), meta.mtime_nsec())
}

/// Removes a file's temporary part, whenever it was written: the path did not exist before, and nobody else uses such a name.
fn remove_part(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(meta) if !meta.is_dir() => fs::remove_file(path),
        Ok(_) => Ok(()),
        Err(error) => absent(error),
    }
}

/// Removes a folder that the call created, unless somebody has put something into it.
fn remove_empty(path: &Path) -> io::Result<()> {
    match fs::remove_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
        removed => removed.or_else(absent),
    }
}

fn absent(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(()),
        _ => Err(error),
    }
}
