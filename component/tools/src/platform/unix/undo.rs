//! What a call has changed on a real directory, so that it can be taken back: by the same process if the call fails, by the next one if this
//! process is killed.
//!
//! A folder beside the zones keeps what was there before, and a file in it, `log`, has a line for each change. The line is written before the
//! change is made, and whatever a change writes is written before its line, but for what a file is put together from: a file that is younger than
//! the log is somebody else's. A log that is there when a call begins belongs to one that was cut off. Nothing is synced: a process that is
//! killed leaves what it has written, a machine that loses its power may not.

mod entry;
mod roll_back;

use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use self::entry::Entry;
pub use self::roll_back::{KeptAside, roll_back};

thread_local! {
    /// Tools run one after the other, on the thread of whoever calls them, as in the component.
    static CURRENT: RefCell<Option<Undo>> = const { RefCell::new(None) };
}

/// The log's file in its folder.
const LOG: &str = "log";

/// What the running call has changed.
struct Undo {
    folder: PathBuf,
    call: String,
    /// There is none before the first change.
    log: Option<File>,
    entries: Vec<Entry>,
    /// How many places were given away.
    places: usize,
}

/// From now on, changes on this thread are noted in `folder`, as those of `call`. Nothing is pending there.
pub fn begin(folder: &Path, call: &str) {
    let undo = Undo { folder: folder.to_owned(), call: call.to_owned(), log: None, entries: Vec::new(), places: 0 };
    CURRENT.set(Some(undo));
}

/// The paths that were changed since [`begin`], each once, in their order.
pub fn changed() -> Vec<PathBuf> {
    CURRENT.with_borrow(|current| {
        let entries = current.iter().flat_map(|undo| &undo.entries);
        let mut paths: Vec<PathBuf> = entries.flat_map(Entry::paths).map(Path::to_owned).collect();
        paths.sort();
        paths.dedup();
        paths
    })
}

/// Changes are no longer noted. What was noted stays in its folder until [`forget`] or [`roll_back`].
pub fn end() {
    CURRENT.set(None);
}

/// Forgets what is noted in `folder`: from here on the changes stay.
pub fn forget(folder: &Path) -> io::Result<()> {
    // Without its log, a folder is only one that is to be removed.
    absent_is_fine(fs::remove_file(folder.join(LOG)))?;
    absent_is_fine(fs::remove_dir_all(folder))
}

fn absent_is_fine(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The call whose changes are noted in `folder`; none if nothing is.
pub fn pending(folder: &Path) -> io::Result<Option<String>> {
    let entries = roll_back::read(folder)?;
    // A log without its first line was cut off before anything was changed.
    let call = entries.into_iter().flatten().find_map(|entry| match entry {
        Entry::Call(call) => Some(call),
        _ => None,
    });
    if call.is_none() {
        forget(folder)?;
    }
    Ok(call)
}

/// Runs `change` with the undo of the running call, or with none where nobody takes anything back.
fn with<T>(change: impl FnOnce(Option<&mut Undo>) -> io::Result<T>) -> io::Result<T> {
    CURRENT.with_borrow_mut(|current| change(current.as_mut()))
}

/// Puts what `fill` makes in the place of the file or link `path`, or where nothing is; or says that nobody would take it back.
pub fn replacing(path: &Path, fill: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<bool> {
    with(|undo| {
        let Some(undo) = undo else { return Ok(false) };
        let (kept, new) = undo.places()?;
        fill(&new)?;
        match path.symlink_metadata() {
            Ok(meta) if meta.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(_) => {
                // The former file keeps its place until the new one takes it.
                fs::hard_link(path, &kept).or_else(|_| entry::copy(path, &kept))?;
                undo.note(Entry::Kept { path: path.to_owned(), place: kept })?;
            }
            Err(_) => undo.note(Entry::Made(path.to_owned()))?,
        }
        entry::carry(&new, path, |part| undo.note(Entry::Part(part.to_owned())))?;
        Ok(true)
    })
}

/// Notes that `path`, where nothing is, is about to be made.
pub fn making(path: &Path) -> io::Result<()> {
    with(|undo| match undo {
        // What is there will be in the way, and is not to be taken for what was made.
        Some(undo) if path.symlink_metadata().is_err() => undo.note(Entry::Made(path.to_owned())),
        _ => Ok(()),
    })
}

/// Takes what is at `path` away, whatever it is, or says that nobody would take it back.
pub fn taking_away(path: &Path) -> io::Result<bool> {
    with(|undo| match undo {
        Some(undo) => undo.take_away(path).map(|()| true),
        None => Ok(false),
    })
}

/// Notes that the folder `path` is about to be removed.
pub fn removing_folder(path: &Path) -> io::Result<()> {
    with(|undo| match undo {
        Some(undo) => {
            let mode = entry::mode(&path.symlink_metadata()?);
            undo.note(Entry::Folder { path: path.to_owned(), mode })
        }
        None => Ok(()),
    })
}

/// Notes that `from` is about to become `to`.
pub fn moving(from: &Path, to: &Path) -> io::Result<()> {
    with(|undo| match undo {
        Some(undo) => undo.note(Entry::Moved { from: from.to_owned(), to: to.to_owned() }),
        None => Ok(()),
    })
}

/// Runs `edit`, which changes, makes or removes the files `paths` in its own way, and may leave some of them locked if it is cut off.
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
    // The log is younger again than all that was written.
    with(|undo| undo.map_or(Ok(()), |undo| undo.note(Entry::Edited)))?;
    Ok(edited)
}

impl Undo {
    /// LstatCache for what was, and for what will be, that nothing has ever been at.
    fn places(&mut self) -> io::Result<(PathBuf, PathBuf)> {
        self.log()?;
        self.places += 1;
        let number = self.places;
        Ok((self.folder.join(number.to_string()), self.folder.join(format!("{number}.new"))))
    }

    /// Moves what is at `path` to a place of its own. No move takes a folder to another filesystem: what is in it goes one by one.
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

    /// The log, made when it is first needed.
    fn log(&mut self) -> io::Result<&mut File> {
        if self.log.is_none() {
            // What a process has left that was killed after its call was over.
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
