//! A sandbox's files on the disk, and how each is kept whole.
//!
//! | file | what it keeps |
//! |---|---|
//! | `journal` | the sandbox's history, as the component wrote it |
//! | `attachments` | all packs of a sandbox |
//! | `checked` | which of them were found whole |
//! | `ledger` | approvals, rejections and the results of pushes |
//! | `pending` | pushes that await a decision |
//! | `waiting` | calls that nobody could be asked about |
//! | `lock` | who may let the component run |
//! | `disk` | the steps that can fail |

mod attachments;
pub(crate) mod checked;
pub mod disk;
#[cfg(all(test, unix))]
pub(crate) mod faults;
mod journal;
mod ledger;
mod lock;
mod pending;
mod share;
mod waiting;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gate::id::SandboxId;

pub use attachments::Attachments;
pub use host::attachment::{Attachment, AttachmentId};
pub use journal::Journal;
pub use ledger::LedgerFile;
pub use lock::{Held, LockFile};
pub use pending::{Pending, PendingFiles};
pub use waiting::{Answer, Inside, Waiting, WaitingFiles};

use crate::error::{Doing, Result};
use disk::{Disk, RealDisk};

/// A journal is compacted when it has grown this many times since its start or the last compaction.
const GROWTH: u64 = 4;
/// A shorter journal is never compacted.
const SHORT: u64 = 32 << 20;

/// The files of one sandbox.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    /// Held while the component runs.
    pub lock: LockFile,
    /// Packs.
    pub attachments: Attachments,
    /// Approvals, rejections and the results of pushes.
    pub ledger: LedgerFile,
    /// Shown pushes.
    pub pending: PendingFiles,
    /// Calls that wait for a person.
    pub waiting: WaitingFiles,
}

impl Store {
    /// The ledger's file in the sandbox's folder.
    pub const LEDGER: &str = "audit.log";

    /// The files of `sandbox` in `folder`, which exists.
    pub fn open(folder: &Path, sandbox: SandboxId) -> Result<Self> {
        Store::open_on(folder, sandbox, Arc::new(RealDisk))
    }

    /// As [`open`](Self::open), on a disk that may fail.
    pub fn open_on(folder: &Path, sandbox: SandboxId, disk: Arc<dyn Disk>) -> Result<Self> {
        Ok(Store {
            folder: folder.to_owned(),
            lock: LockFile::open(&folder.join("lock"))?,
            attachments: Attachments::new(folder.join("attachments"), Arc::clone(&disk)),
            ledger: LedgerFile::new(folder.join(Store::LEDGER), sandbox, Arc::clone(&disk)),
            pending: PendingFiles::new(folder.join("pending"), Arc::clone(&disk)),
            waiting: WaitingFiles::new(folder.join("waiting"), Arc::clone(&disk)),
            disk,
        })
    }

    /// The folder of all these files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the journal of a sandbox that has none.
    pub fn create_journal(&self, content: &[u8]) -> Result<Journal> {
        Journal::create(&self.folder.join("journal"), content, Arc::clone(&self.disk))
    }

    /// Opens the journal.
    pub fn journal(&self) -> Result<Journal> {
        Journal::open(&self.folder.join("journal"), Arc::clone(&self.disk))
    }

    /// Copies what follows the first `valid` bytes of the journal into a new file, and returns its
    /// path.
    pub fn keep_torn(&self, journal: &mut Journal, valid: u64) -> Result<PathBuf> {
        let names = std::iter::once("journal.torn".to_owned()).chain((2..).map(|n| format!("journal.torn.{n}")));
        let mut free = names.map(|name| self.folder.join(name)).filter(|path| path.symlink_metadata().is_err());
        let path = free.next().expect("there is always a next name");
        let tail = journal.tail(valid)?;
        disk::replace(&*self.disk, &path, |file| self.disk.write(file, &tail)).doing("write", &path)?;
        Ok(path)
    }

    /// True if the journal is long enough for compaction to pay. Never right after one large write,
    /// such as an import, which compaction cannot shorten.
    pub fn is_long(&self, journal: &Journal) -> Result<bool> {
        if journal.len() < SHORT {
            return Ok(false);
        }
        match self.base() {
            Some(base) => Ok(journal.len() / GROWTH >= base),
            None => self.note_base(journal.len()).map(|()| false),
        }
    }

    /// The files that killed processes left while they replaced others.
    pub fn leftovers(&self) -> Result<Vec<PathBuf>> {
        let mut all = Vec::new();
        for folder in self.folders() {
            all.extend(disk::leftovers(&folder).doing("read", &folder)?);
        }
        Ok(all)
    }

    /// Removes those files. Needs the lock.
    pub fn remove_leftovers(&self) -> Result<()> {
        self.folders().iter().try_for_each(|folder| disk::remove_leftovers(folder).doing("clean up", folder))
    }

    fn folders(&self) -> [PathBuf; 4] {
        ["", "attachments", "pending", "waiting"].map(|name| self.folder.join(name))
    }

    /// Records the journal's length after a compaction, as a hint for [`Store::is_long`].
    pub fn note_base(&self, len: u64) -> Result<()> {
        let path = self.folder.join("journal.base");
        disk::replace(&*self.disk, &path, |file| self.disk.write(file, len.to_string().as_bytes()))
            .doing("write", &path)
    }

    fn base(&self) -> Option<u64> {
        std::fs::read_to_string(self.folder.join("journal.base")).ok()?.trim().parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_is_long_when_it_has_grown_a_few_times_over() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), "s".parse().unwrap()).unwrap();
        let mut journal = store.create_journal(b"").unwrap();
        assert!(!store.is_long(&journal).unwrap());
        let megabyte = vec![0; 1 << 20];
        (0..40).for_each(|_| journal.append(&megabyte).unwrap());
        assert!(!store.is_long(&journal).unwrap(), "an import is as short as it can be");
        (0..119).for_each(|_| journal.append(&megabyte).unwrap());
        assert!(!store.is_long(&journal).unwrap());
        journal.append(&megabyte).unwrap();
        assert!(store.is_long(&journal).unwrap());
        store.note_base(160 << 20).unwrap();
        assert!(!store.is_long(&journal).unwrap());
    }
}
