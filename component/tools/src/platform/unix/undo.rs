//! Logs what a call changes on a real directory. The same process rolls the changes back if the call fails, and the next one does if this
//! process is killed.
//!
//! A folder beside the zones keeps the former files, and its file `log` has a line for each change. The line is written before the change.
//! New contents are written before their line, except for the parts that a file is put together from. So a file younger than the log
//! belongs to somebody else. A log that exists when a call begins belongs to an interrupted call. Nothing is synced: a killed process
//! leaves what it has written, a power failure may not.

mod entry;
mod roll_back;

use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use self::entry::Entry;
pub use self::roll_back::{KeptAside, roll_back};

thread_local! {
    /// Tools run one at a time on their caller's thread, as in the component.
    static CURRENT: RefCell<Option<Undo>> = const { RefCell::new(None) };
}

/// The name of the log in its folder.
const LOG: &str = "log";

/// The changes of the running call.
struct Undo {
    folder: PathBuf,
    call: String,
    /// `None` before the first change.
    log: Option<File>,
    entries: Vec<Entry>,
    /// How many pairs of paths `places` has given out.
    places: usize,
}

/// Starts to log the changes on this thread in `folder`, as those of `call`. The folder must hold no pending log.
pub fn begin(folder: &Path, call: &str) {
    let undo = Undo { folder: folder.to_owned(), call: call.to_owned(), log: None, entries: Vec::new(), places: 0 };
    CURRENT.set(Some(undo));
}

/// The paths changed since [`begin`], each once, in order.
pub fn changed() -> Vec<PathBuf> {
    CURRENT.with_borrow(|current| {
        let entries = current.iter().flat_map(|undo| &undo.entries);
        let mut paths: Vec<PathBuf> = entries.flat_map(Entry::paths).map(Path::to_owned).collect();
        paths.sort();
        paths.dedup();
        paths
    })
}

/// Stops logging. The log stays in its folder until [`forget`] or [`roll_back`].
pub fn end() {
    CURRENT.set(None);
}

/// Removes the log in `folder`, which makes the changes final.
pub fn forget(folder: &Path) -> io::Result<()> {
    // Without its log, the folder is only garbage.
    absent_is_fine(fs::remove_file(folder.join(LOG)))?;
    absent_is_fine(fs::remove_dir_all(folder))
}

fn absent_is_fine(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The call whose changes are logged in `folder`, or `None` without a log.
pub fn pending(folder: &Path) -> io::Result<Option<String>> {
    let entries = roll_back::read(folder)?;
    // A log without a complete first line ended before any change.
    let call = entries.into_iter().flatten().find_map(|entry| match entry {
        Entry::Call(call) => Some(call),
        _ => None,
    });
    if call.is_none() {
        forget(folder)?;
    }
    Ok(call)
}

/// Runs `change` with the undo log of the running call, or with `None` if there is no log.
fn with<T>(change: impl FnOnce(Option<&mut Undo>) -> io::Result<T>) -> io::Result<T> {
    CURRENT.with_borrow_mut(|current| change(current.as_mut()))
}

/// Replaces or creates the file or link `path` with what `fill` writes. Returns false and does nothing without a log.
pub fn replacing(path: &Path, fill: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<bool> {
    with(|undo| {
        let Some(undo) = undo else { return Ok(false) };
        let (kept, new) = undo.places()?;
        fill(&new)?;
        match path.symlink_metadata() {
            Ok(meta) if meta.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(_) => {
                // The former file stays at its path until the new one replaces it.
                fs::hard_link(path, &kept).or_else(|_| entry::copy(path, &kept))?;
                undo.note(Entry::Kept { path: path.to_owned(), place: kept })?;
            }
            Err(_) => undo.note(Entry::Made(path.to_owned()))?,
        }
        entry::carry(&new, path, |part| undo.note(Entry::Part(part.to_owned())))?;
        Ok(true)
    })
}

/// Logs that the caller is about to create `path`, which must not exist.
pub fn making(path: &Path) -> io::Result<()> {
    with(|undo| match undo {
        // The caller will fail if the path exists. A log entry would then claim that the call created it.
        Some(undo) if path.symlink_metadata().is_err() => undo.note(Entry::Made(path.to_owned())),
        _ => Ok(()),
    })
}

/// Moves what is at `path` into the log's folder. Returns false and does nothing without a log.
pub fn taking_away(path: &Path) -> io::Result<bool> {
    with(|undo| match undo {
        Some(undo) => undo.take_away(path).map(|()| true),
        None => Ok(false),
    })
}

/// Logs that the caller is about to remove the folder `path`.
pub fn removing_folder(path: &Path) -> io::Result<()> {
    with(|undo| match undo {
        Some(undo) => {
            let mode = entry::mode(&path.symlink_metadata()?);
            undo.note(Entry::Folder { path: path.to_owned(), mode })
        }
        None => Ok(()),
    })
}

/// Logs that the caller is about to rename `from` to `to`.
pub fn moving(from: &Path, to: &Path) -> io::Result<()> {
    with(|undo| match undo {
        Some(undo) => undo.note(Entry::Moved { from: from.to_owned(), to: to.to_owned() }),
        None => Ok(()),
    })
}

/// Runs `edit`, in which a library changes, creates or removes the files `paths` itself. If interrupted, it may leave some of them locked.
pub fn editing<T>(paths: &[PathBuf], edit: impl FnOnce() -> T) -> io::Result<T> {
    let lock = |path: &PathBuf| {
        let mut lock = path.clone().into_os_string();
        lock.push(".lock");
        PathBuf::from(lock)
    };
    with(|undo| undo.map_or(Ok(()), |undo| undo.note(Entry::Editing)))?;
    for path in paths {
        making(&lock(path))?;
        with(|undo| match (undo, path.symlink_metadata()) {
            (Some(undo), Ok(meta)) if meta.is_file() => {
                let (kept, _) = undo.places()?;
                entry::copy(path, &kept)?;
                undo.note(Entry::Kept { path: path.clone(), place: kept })
            }
            _ => Ok(()),
        })?;
        making(path)?;
    }
    let edited = edit();
    // This makes the log younger than everything that `edit` wrote.
    with(|undo| undo.map_or(Ok(()), |undo| undo.note(Entry::Edited)))?;
    Ok(edited)
}

impl Undo {
    /// Two unused paths in the folder: one for the former file, one for its replacement.
    fn places(&mut self) -> io::Result<(PathBuf, PathBuf)> {
        self.log()?;
        self.places += 1;
        let number = self.places;
        Ok((self.folder.join(number.to_string()), self.folder.join(format!("{number}.new"))))
    }

    /// Moves what is at `path` into the folder. A rename cannot move a folder to another filesystem, so its entries are moved one by one.
    fn take_away(&mut self, path: &Path) -> io::Result<()> {
        let (kept, _) = self.places()?;
        self.note(Entry::Kept { path: path.to_owned(), place: kept.clone() })?;
        let meta = path.symlink_metadata()?;
        match meta.is_dir() {
            true => match fs::rename(path, &kept) {
                Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
                done => return done,
            },
            false => return entry::carry(path, &kept, |_| Ok(())),
        }
        let inside = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
        inside.iter().try_for_each(|path| self.take_away(path))?;
        self.note(Entry::Folder { path: path.to_owned(), mode: entry::mode(&meta) })?;
        fs::remove_dir(path)
    }

    fn note(&mut self, entry: Entry) -> io::Result<()> {
        let line = entry.line();
        self.log()?.write_all(line.as_bytes())?;
        self.entries.push(entry);
        Ok(())
    }

    /// The log, created on first use.
    fn log(&mut self) -> io::Result<&mut File> {
        if self.log.is_none() {
            // Removes what a process left that was killed after its call had ended.
            absent_is_fine(fs::remove_dir_all(&self.folder))?;
            fs::create_dir(&self.folder)?;
            let mut log = OpenOptions::new().create_new(true).append(true).open(self.folder.join(LOG))?;
            log.write_all(Entry::Call(self.call.clone()).line().as_bytes())?;
            return Ok(self.log.insert(log));
        }
        Ok(self.log.as_mut().expect("it was looked at above"))
    }
}

#[cfg(test)]
mod tests;
