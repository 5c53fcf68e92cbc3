//! What is durable of a sandbox, on whatever a body keeps it in.
//!
//! | file | what it has |
//! |---|---|
//! | `storage` | what a body implements |
//! | `journal` | the sandbox's history, as the component wrote it |
//! | `ledger` | approvals, rejections and the results of pushes |
//! | `attachments` | all packs of a sandbox |
//! | `pending` | pushes that await a decision |
//! | `waiting` | calls that nobody could be asked about |
//! | `reviews` | comments on pushes, and what was looked at |
//! | `pushed` | packs that were pushed to a server |
//! | `sent` | requests that may move a branch on a server |
//! | `copy` | a copy of a sandbox, and what it gets |
//! | `share` | which of too many have to go |
//! | `memory` | a storage in memory |
//! | `conformance` | what every storage is tried with |

mod attachments;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
mod copy;
mod journal;
mod ledger;
pub mod memory;
mod pending;
pub mod pushed;
mod reviews;
mod sent;
mod share;
mod storage;
mod waiting;

use std::cell::Cell;
use std::rc::Rc;

use gate::id::SandboxId;

pub use attachments::Attachments;
pub use copy::{COPIED_KINDS, COPIED_TEXTS};
pub use journal::Journal;
pub use ledger::LedgerLog;
pub use pending::{Pending, PendingPushes};
pub use reviews::{Reviews, Topic};
pub use sent::SentMoves;
pub use storage::{BLOBS, Blob, BlobId, Held, Item, Kind, Log, Mark, Parts, Storage, Wait};
pub use waiting::{Answer, Inside, Waiting, WaitingCalls};

use crate::error::{ErrorKind, HostError, Result};
use crate::settings::SandboxFile;

/// A journal is compacted when it has grown this many times since its length was noted: who opens
/// the sandbox reads all of it.
const GROWTH: u64 = 2;
/// A shorter journal is never compacted: some hundred calls, which are replayed in a tenth of a
/// second.
const SHORT: u64 = 1 << 20;
/// Nothing is noted of a journal that is even shorter.
const TINY: u64 = SHORT / 4;
/// The text with the journal's length when it was noted first, or after the last compaction.
const BASE: &str = "journal.base";

/// All that is durable of one sandbox.
#[derive(Debug)]
pub struct Store {
    storage: Rc<dyn Storage>,
    /// What [`BASE`] says, once it was read or written.
    base: Cell<Option<u64>>,
    /// Held while the component runs.
    pub lock: Lock,
    /// Packs.
    pub attachments: Attachments,
    /// Approvals, rejections and the results of pushes.
    pub ledger: LedgerLog,
    /// Shown pushes.
    pub pending: PendingPushes,
    /// Calls that wait for a person.
    pub waiting: WaitingCalls,
    /// Comments on pushes, and what was looked at.
    pub reviews: Reviews,
    /// Requests that may move a branch on a server.
    pub sent: SentMoves,
}

impl Store {
    /// What `storage` has of `sandbox`.
    pub fn new(storage: Rc<dyn Storage>, sandbox: SandboxId) -> Self {
        Store {
            lock: Lock(Rc::clone(&storage)),
            attachments: Attachments::new(Rc::clone(&storage)),
            ledger: LedgerLog::new(Rc::clone(&storage), sandbox),
            pending: PendingPushes::new(Rc::clone(&storage)),
            waiting: WaitingCalls::new(Rc::clone(&storage)),
            reviews: Reviews::new(Rc::clone(&storage)),
            sent: SentMoves::new(Rc::clone(&storage)),
            base: Cell::new(None),
            storage,
        }
    }

    /// What `storage` has of the sandbox whose settings are there.
    ///
    /// # Errors
    /// As for [`settings`].
    pub fn open(storage: Rc<dyn Storage>) -> Result<Self> {
        let sandbox = settings(&*storage)?.id.name();
        Ok(Store::new(storage, sandbox))
    }

    /// The sandbox's settings.
    pub fn settings(&self) -> Result<SandboxFile> {
        settings(&*self.storage)
    }

    /// True if the sandbox has settings. One that was removed has none.
    pub fn has_settings(&self) -> Result<bool> {
        Ok(self.storage.text(SandboxFile::NAME)?.is_some())
    }

    /// Puts these settings in the place of the sandbox's.
    pub fn put_settings(&self, held: &Held, file: &SandboxFile) -> Result<()> {
        put_settings(&*self.storage, held, file)
    }

    /// A small text by its name.
    pub fn text(&self, name: &str) -> Result<Option<String>> {
        self.storage.text(name)
    }

    /// Puts a small text in the place of the one of that name, if there is one.
    pub fn put_text(&self, held: &Held, name: &str, text: &str) -> Result<()> {
        self.storage.put_text(held, name, text)
    }

    /// How the person is told where something is.
    pub fn place(&self, item: Item<'_>) -> String {
        self.storage.place(item)
    }

    /// Makes the journal of a sandbox that has none.
    pub fn create_journal(&self, held: &Held, content: &[u8]) -> Result<Journal> {
        Journal::create(Rc::clone(&self.storage), held, content)
    }

    /// Opens the journal.
    pub fn journal(&self) -> Result<Journal> {
        Journal::open(Rc::clone(&self.storage))
    }

    /// Keeps a copy of what follows the first `valid` bytes of the journal, and says where.
    pub fn keep_torn(&self, held: &Held, journal: &Journal, valid: u64) -> Result<String> {
        self.storage.set_aside(held, Log::Journal, journal.mark().at(valid))
    }

    /// True if the journal is long enough for compaction to pay. Never right after one large write,
    /// such as an import, which compaction cannot shorten: its length is noted then.
    pub fn is_long(&self, held: &Held, journal: &Journal) -> Result<bool> {
        if journal.len() < TINY {
            return Ok(false);
        }
        match self.base() {
            Some(base) => Ok(journal.len() >= SHORT && journal.len() / GROWTH >= base),
            None => self.note_base(held, journal.len()).map(|()| false),
        }
    }

    /// As after a compaction, but for this process only: one that failed is not tried with each call.
    pub fn put_off_compaction(&self, len: u64) {
        self.base.set(Some(len));
    }

    /// What interrupted changes have left over, by its place.
    pub fn leftovers(&self) -> Result<Vec<String>> {
        self.storage.leftovers()
    }

    /// Removes that.
    pub fn remove_leftovers(&self, held: &Held) -> Result<()> {
        self.storage.remove_leftovers(held)
    }

    /// Records the journal's length, as a hint for [`Store::is_long`].
    pub fn note_base(&self, held: &Held, len: u64) -> Result<()> {
        self.storage.put_text(held, BASE, &len.to_string())?;
        self.base.set(Some(len));
        Ok(())
    }

    /// That hint. One that cannot be read is written anew.
    fn base(&self) -> Option<u64> {
        if self.base.get().is_none() {
            self.base.set(self.storage.text(BASE).ok().flatten().and_then(|text| text.trim().parse().ok()));
        }
        self.base.get()
    }
}

/// The settings of the sandbox that `storage` keeps.
///
/// # Errors
/// [`ErrorKind::Storage`] if there are none, [`ErrorKind::Damaged`] if they are not what was put
/// there.
pub fn settings(storage: &dyn Storage) -> Result<SandboxFile> {
    let place = storage.place(Item::Text(SandboxFile::NAME));
    let text = storage
        .text(SandboxFile::NAME)?
        .ok_or_else(|| HostError::new(ErrorKind::Storage, format!("cannot read {place}: there is no such file")))?;
    SandboxFile::parse(&place, &text)
}

/// Puts these settings in the place of the ones that `storage` keeps.
pub fn put_settings(storage: &dyn Storage, held: &Held, file: &SandboxFile) -> Result<()> {
    storage.put_text(held, SandboxFile::NAME, &file.text(&storage.place(Item::Text(SandboxFile::NAME)))?)
}

/// The sandbox's lock: one process at a time lets the component run.
#[derive(Debug)]
pub struct Lock(Rc<dyn Storage>);

impl Lock {
    /// Waits for the lock. Nobody holds it while a person thinks, so the wait is as long as a call.
    pub fn acquire(&self) -> Result<Held> {
        self.0.lock(Wait::UntilFree)
    }

    /// Takes the lock if nobody holds it.
    ///
    /// # Errors
    /// [`ErrorKind::Busy`](crate::error::ErrorKind::Busy) if somebody does.
    pub fn try_acquire(&self) -> Result<Held> {
        self.0.lock(Wait::Not)
    }
}

#[cfg(test)]
mod tests {
    use super::memory::MemoryStorage;
    use super::*;

    #[test]
    fn a_journal_is_long_once_it_has_doubled_since_its_length_was_noted() {
        let storage = MemoryStorage::default();
        let opened = || Store::new(Rc::new(storage.clone()), "s".parse().unwrap());
        let mut store = opened();
        let held = &store.lock.acquire().unwrap();
        let mut journal = store.create_journal(held, b"").unwrap();
        let mut grow = |store: &Store, bytes: u64| {
            journal.append(held, &vec![0; usize::try_from(bytes).unwrap()]).unwrap();
            store.is_long(held, &journal).unwrap()
        };
        assert!(!grow(&store, 5 * SHORT), "an import is as short as it can be");
        assert!(!grow(&store, 5 * SHORT - 1));
        assert!(grow(&store, 1));
        store = opened();
        assert!(grow(&store, 1), "it is noted in the storage");
        store.put_off_compaction(store.journal().unwrap().len());
        assert!(!grow(&store, 1), "one that failed is tried again after as much again");
        store.note_base(held, 8 * SHORT).unwrap();
        assert!(!grow(&store, 1));
    }

    #[test]
    fn a_short_journal_is_never_long() {
        let store = Store::new(Rc::new(MemoryStorage::default()), "s".parse().unwrap());
        let held = &store.lock.acquire().unwrap();
        let mut journal = store.create_journal(held, b"first").unwrap();
        assert!(!store.is_long(held, &journal).unwrap());
        assert_eq!(store.text(BASE).unwrap(), None);
        journal.append(held, &vec![0; usize::try_from(TINY).unwrap()]).unwrap();
        assert!(!store.is_long(held, &journal).unwrap());
        journal.append(held, &vec![0; usize::try_from(SHORT - TINY).unwrap() - 6]).unwrap();
        assert!(!store.is_long(held, &journal).unwrap());
        journal.append(held, b"x").unwrap();
        assert!(store.is_long(held, &journal).unwrap());
    }

    #[test]
    fn one_holds_the_lock_at_a_time() {
        let storage = MemoryStorage::default();
        let [mine, other] = [storage.clone(), storage].map(|one| Store::new(Rc::new(one), "s".parse().unwrap()));
        let held = mine.lock.acquire().unwrap();
        assert_eq!(other.lock.try_acquire().unwrap_err().kind, crate::error::ErrorKind::Busy);
        drop(held);
        other.lock.try_acquire().unwrap();
    }
}
