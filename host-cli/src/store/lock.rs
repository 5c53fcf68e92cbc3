//! A lock between processes: a file.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::disk;
use crate::error::{self, Doing, ErrorKind, HostError, Result};

/// How long a wait goes without a word.
const PATIENCE: Duration = Duration::from_secs(2);

/// The file. The operating system gives the lock up when its holder ends, however it ends.
#[derive(Debug)]
pub struct LockFile {
    path: PathBuf,
    file: File,
}

/// The lock, held until this is dropped.
#[derive(Debug)]
pub struct LockedFile {
    file: File,
}

impl LockFile {
    /// Opens the file at `path`, making it if need be.
    pub fn open(path: &Path) -> Result<Self> {
        let file = disk::private(OpenOptions::new().write(true).create(true).truncate(false)).open(path);
        Ok(LockFile { path: path.to_owned(), file: file.doing("open", path)? })
    }

    /// Waits for the lock. Nobody holds it while a person thinks, so the wait is as long as a call;
    /// one that is long is told.
    pub fn acquire(&self) -> Result<LockedFile> {
        if let Ok(held) = self.try_acquire() {
            return Ok(held);
        }
        let (locked, waiting) = mpsc::channel::<()>();
        std::thread::spawn(move || {
            if waiting.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                crate::report::note("waiting for another process that is using the sandbox");
            }
        });
        self.file.lock().doing("lock", &self.path)?;
        drop(locked);
        self.held()
    }

    /// Takes the lock if nobody holds it.
    pub fn try_acquire(&self) -> Result<LockedFile> {
        match self.file.try_lock() {
            Ok(()) => self.held(),
            Err(TryLockError::WouldBlock) => {
                Err(HostError::new(ErrorKind::Busy, "another process is using the sandbox")
                    .hint("try again when that process is done"))
            }
            Err(TryLockError::Error(error)) => Err(error::io("lock", &self.path, &error)),
        }
    }

    fn held(&self) -> Result<LockedFile> {
        // A duplicated handle shares the lock, and unlocking through it unlocks.
        Ok(LockedFile { file: self.file.try_clone().doing("lock", &self.path)? })
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // It cannot fail for a file that is locked; and the lock ends with the process in any case.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let (mine, other) = (LockFile::open(&path).unwrap(), LockFile::open(&path).unwrap());
        let held = mine.acquire().unwrap();
        assert_eq!(other.try_acquire().unwrap_err().kind, ErrorKind::Busy);
        drop(held);
        other.try_acquire().unwrap();
    }
}
