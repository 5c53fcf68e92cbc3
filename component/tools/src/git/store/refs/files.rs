//! Changes the files of refs. It locks them as git does, so that a git in the same directory waits, and journals them, so that a call can
//! be undone.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use gix::lock::acquire::Fail;
use gix::lock::{File, Marker};

use super::reflog::Line;
use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};
use crate::paths::WORKSPACE;
use crate::platform::{self, Kind};

/// Pending changes to files in `.git`. Their folders must exist.
#[derive(Debug, Default)]
pub struct Changes {
    /// Files to lock, with their new content, or `None` to remove them.
    locked: Vec<(PathBuf, Option<Vec<u8>>)>,
    /// Logs, with the text to append.
    appended: Vec<(PathBuf, Vec<u8>)>,
    /// Logs to remove, if they exist.
    removed: Vec<PathBuf>,
}

impl Changes {
    /// Replaces the content of the file `path`.
    pub fn write(&mut self, path: PathBuf, content: Vec<u8>) {
        self.locked.push((path, Some(content)));
    }

    /// Removes the file `path`, if it exists. Its lock is held until all changes are made.
    pub fn remove(&mut self, path: PathBuf) {
        self.locked.push((path, None));
    }

    /// Appends `line` to the log `path`.
    pub fn append(&mut self, path: PathBuf, line: &Line) {
        let mut text = Vec::new();
        line.append(&mut text);
        self.appended.push((path, text));
    }

    /// Starts the log `path` with `text` from another log, and appends `line`.
    pub fn append_all(&mut self, path: PathBuf, mut text: Vec<u8>, line: &Line) {
        line.append(&mut text);
        self.appended.push((path, text));
    }

    /// Removes the log `path`, if it exists.
    pub fn remove_log(&mut self, path: PathBuf) {
        self.removed.push(path);
    }

    /// Applies the changes.
    ///
    /// # Errors
    ///
    /// In git's words, if one of the files is locked.
    pub fn make(self, repo: &Repo) -> Result<(), ToolError> {
        for (path, _) in &self.locked {
            ensure_unlocked(repo, path)?;
        }
        let locked = self.locked.iter().map(|(path, _)| path);
        let logs = self.appended.iter().map(|(path, _)| path).chain(&self.removed);
        let all: Vec<PathBuf> = locked.chain(logs).cloned().collect();
        let failed = |error: &io::Error| ToolError::io(".git/refs", error);
        let made = platform::editing(&all, || self.make_all()).map_err(|error| failed(&error))?;
        made.map_err(|problem| match problem {
            Problem::Lock(error) => damaged(&error),
            Problem::File(error) => failed(&error),
        })
    }

    /// Takes all locks first, and removes old files last.
    fn make_all(self) -> Result<(), Problem> {
        let (mut written, mut held) = (Vec::new(), Vec::new());
        for (path, content) in self.locked {
            match content {
                Some(content) => {
                    let mut lock = File::acquire_to_update_resource(&path, Fail::Immediately, None, 0)?;
                    lock.with_mut(|file| file.write_all(&content))?;
                    written.push(lock.close()?);
                }
                None => held.push((Marker::acquire_to_hold_resource(&path, Fail::Immediately, None, 0)?, path)),
            }
        }
        for (path, lines) in self.appended {
            OpenOptions::new().create(true).append(true).open(path)?.write_all(&lines)?;
        }
        for lock in written {
            lock.commit().map_err(|error| error.error)?;
        }
        for path in held.iter().map(|(_, path)| path).chain(&self.removed) {
            remove(path)?;
        }
        Ok(())
    }
}

/// The reason why files were not changed.
enum Problem {
    Lock(gix::Error),
    File(io::Error),
}

impl From<gix::Error> for Problem {
    fn from(error: gix::Error) -> Problem {
        Problem::Lock(error)
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        Problem::File(error)
    }
}

fn remove(path: &Path) -> io::Result<()> {
    // The path can be a folder.
    match platform::stat(path) {
        Ok(stat) if stat.kind != Kind::Folder => platform::remove_file(path),
        _ => Ok(()),
    }
}

/// Fails in git's words if the file `path` is locked.
pub fn ensure_unlocked(repo: &Repo, path: &Path) -> Result<(), ToolError> {
    let mut lock = path.to_owned().into_os_string();
    lock.push(".lock");
    let lock = PathBuf::from(lock);
    if platform::stat(&lock).is_err() {
        return Ok(());
    }
    Err(ToolError::failed(format!(
        "Unable to create '/{WORKSPACE}/{}': File exists.\n\n\
         Another git process seems to be running in this repository, e.g.\nan editor opened by 'git commit'. Please make sure all \
         processes\nare terminated then try again. If it still fails, a git process\nmay have crashed in this repository earlier:\n\
         remove the file manually to continue.",
        lock.strip_prefix(&repo.root).unwrap_or(&lock).display()
    ))
    .hint("Ask the user to remove the file, outside the sandbox."))
}

/// Creates the parent folder of the file `path`. Removes empty folders in the place of the file.
pub fn make_way(path: &Path) -> Result<(), ToolError> {
    let folder = path.parent().expect("the file is in git's folder");
    let io = |error: io::Error| ToolError::io(".git/refs", &error);
    platform::create_dir_all(folder).map_err(io)?;
    remove_empty(path).map(drop).map_err(io)
}

/// Removes the folder `path` if it holds only empty folders. Returns whether the folder is gone.
pub fn remove_empty(path: &Path) -> io::Result<bool> {
    if !platform::stat(path).is_ok_and(|stat| stat.kind == Kind::Folder) {
        return Ok(true);
    }
    let mut folders = vec![path.to_owned()];
    let mut at = 0;
    while at < folders.len() {
        let folder = folders[at].clone();
        for entry in platform::list(&folder)? {
            if entry.stat.kind != Kind::Folder {
                return Ok(false);
            }
            folders.push(platform::join(&folder, &entry.name));
        }
        at += 1;
    }
    folders.iter().rev().try_for_each(|folder| platform::remove_dir(folder))?;
    Ok(true)
}

/// Removes the empty parent folders of the file `path` below `root`.
pub fn prune(path: &Path, root: &Path) -> Result<(), ToolError> {
    for folder in path.ancestors().skip(1).take_while(|folder| folder.starts_with(root) && *folder != root) {
        match platform::list(folder) {
            Ok(entries) if !entries.is_empty() => break,
            Ok(_) => platform::remove_dir(folder).map_err(|error| ToolError::io(".git/refs", &error))?,
            // The folder does not exist.
            Err(_) => {}
        }
    }
    Ok(())
}
