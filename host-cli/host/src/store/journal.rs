//! The journal: the sandbox's history, in the bytes that the component returned for each call.
//!
//! The host does not interpret the bytes. It guarantees that appended bytes are durable before
//! anybody learns of them, and that a failed append leaves nothing in the journal.

use std::rc::Rc;

use super::storage::{Held, Item, Log, Mark, Storage};
use crate::error::{ErrorKind, HostError, Result};
use crate::hint::{Act, Hint};

/// An open journal, and the part of it that this process has read.
#[derive(Debug)]
pub struct Journal {
    storage: Rc<dyn Storage>,
    known: Mark,
}

impl Journal {
    /// Creates the journal with `content`, durably.
    pub fn create(storage: Rc<dyn Storage>, held: &Held, content: &[u8]) -> Result<Self> {
        let mut content = Some(content.to_vec());
        let known = storage.replace(held, Log::Journal, &mut || Ok(content.take()))?;
        Ok(Journal { storage, known })
    }

    /// Opens the journal. Its whole content counts as known, so the caller must replay it.
    pub fn open(storage: Rc<dyn Storage>) -> Result<Self> {
        let known = storage.mark(Log::Journal)?.ok_or_else(|| missing(&*storage))?;
        Ok(Journal { storage, known })
    }

    /// Bytes that this process knows to be in the journal.
    pub fn len(&self) -> u64 {
        self.known.length
    }

    /// True if it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The end of what is known. It never comes back once it has passed.
    pub fn mark(&self) -> Mark {
        self.known
    }

    /// Passes the known content to `take` in order, in parts of at most `part` bytes.
    pub fn read(&self, part: usize, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut at = self.known.at(0);
        let mut buf = vec![0; part.min(usize::try_from(self.len()).unwrap_or(part))];
        while at.length < self.len() {
            let want = buf.len().min(usize::try_from(self.len() - at.length).unwrap_or(usize::MAX));
            let mut read = 0;
            while read < want {
                match self.storage.read(Log::Journal, at, &mut buf[read..want])? {
                    0 => return Err(self.shortened()),
                    more => {
                        read += more;
                        at.length += more as u64;
                    }
                }
            }
            take(&buf[..want])?;
        }
        Ok(())
    }

    /// Appends `record` and makes it durable. On an error the journal is as it was before.
    pub fn append(&mut self, held: &Held, record: &[u8]) -> Result<()> {
        let mut record = Some(record.to_vec());
        self.append_parts(held, || Ok(record.take()))
    }

    /// As [`append`](Self::append), for a record that `part` gives piece by piece, and nothing when
    /// it is at its end.
    ///
    /// If the storage could not take back what it had written, the journal
    /// [has moved](Self::has_moved): it must be opened and replayed anew.
    pub fn append_parts(&mut self, held: &Held, mut part: impl FnMut() -> Result<Option<Vec<u8>>>) -> Result<()> {
        self.known = self.storage.append(held, Log::Journal, self.known, &mut part)?;
        Ok(())
    }

    /// Cuts the journal to its first `len` bytes. The rest is an interrupted write.
    pub fn truncate(&mut self, held: &Held, len: u64) -> Result<()> {
        if len < self.len() {
            self.storage.cut(held, Log::Journal, self.known.at(len))?;
            self.known.length = len;
        }
        Ok(())
    }

    /// Replaces this journal with another one. `part` gives it piece by piece, and nothing at its
    /// end.
    pub fn replace(&mut self, held: &Held, mut part: impl FnMut() -> Result<Option<Vec<u8>>>) -> Result<()> {
        let replaced = self.storage.replace(held, Log::Journal, &mut part);
        // Even a failure may have put the new one in place; both stand for the same sandbox.
        self.known = match &replaced {
            Ok(mark) => *mark,
            Err(_) => self.storage.mark(Log::Journal)?.ok_or_else(|| missing(&*self.storage))?,
        };
        replaced.map(|_| ())
    }

    /// Whether the journal is no longer what this process knows: another one has appended to it or
    /// replaced it.
    pub fn has_moved(&self) -> Result<bool> {
        Ok(self.storage.mark(Log::Journal)? != Some(self.known))
    }

    fn shortened(&self) -> HostError {
        let place = self.storage.place(Item::Log(Log::Journal));
        HostError::new(ErrorKind::Storage, format!("cannot read {place}: it has become shorter"))
            .hint("try again; another program has changed the file")
    }
}

fn missing(storage: &dyn Storage) -> HostError {
    let place = storage.place(Item::Log(Log::Journal));
    let hint = Hint::new("restore the file from a backup, or ", Act::RemoveSandbox, "");
    HostError::new(ErrorKind::Damaged, format!("the sandbox has no journal: {place} is missing")).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::super::memory::MemoryStorage;
    use super::super::storage::Wait;
    use super::*;

    fn content(journal: &Journal) -> Vec<u8> {
        let mut all = Vec::new();
        journal
            .read(3, |part| {
                assert!(!part.is_empty() && part.len() <= 3);
                all.extend_from_slice(part);
                Ok(())
            })
            .unwrap();
        all
    }

    fn held(journal: &Journal) -> Held {
        journal.storage.lock(Wait::Not).unwrap()
    }

    fn journal(content: &[u8]) -> (MemoryStorage, Journal) {
        let storage = MemoryStorage::default();
        let held = storage.lock(Wait::Not).unwrap();
        let journal = Journal::create(Rc::new(storage.clone()), &held, content).unwrap();
        (storage, journal)
    }

    #[test]
    fn what_is_appended_is_read_back_in_parts() {
        let (_, mut journal) = journal(b"head");
        journal.append(&held(&journal), b"-one").unwrap();
        journal.append(&held(&journal), b"-two").unwrap();
        assert_eq!(content(&journal), b"head-one-two");
        assert_eq!(journal.len(), 12);
    }

    #[test]
    fn a_journal_that_is_not_there_is_told_with_its_place() {
        let error = Journal::open(Rc::new(MemoryStorage::default())).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Damaged);
        assert_eq!(error.message, "the sandbox has no journal: journal is missing");
    }

    #[test]
    fn a_torn_tail_is_cut_off() {
        let (_, mut journal) = journal(b"whole-to");
        journal.truncate(&held(&journal), 5).unwrap();
        journal.append(&held(&journal), b"+").unwrap();
        assert_eq!(content(&journal), b"whole+");
    }

    #[test]
    fn a_compaction_that_fails_at_any_step_leaves_the_old_journal_or_the_new_one() {
        for step in 0.. {
            let (storage, _) = journal(b"long-journal");
            let mut journal = Journal::open(Rc::new(storage.failing(step))).unwrap();
            let mut parts = vec![b"rt".to_vec(), b"sho".to_vec()];
            let replaced = journal.replace(&held(&journal), || Ok(parts.pop()));
            let now = content(&journal);
            assert!(!journal.has_moved().unwrap());
            if replaced.is_ok() {
                assert_eq!(now, b"short");
                assert!(step > 1);
                break;
            }
            assert!(now == b"long-journal" || now == b"short", "step {step}");
        }
    }

    #[test]
    fn a_compaction_whose_parts_stop_coming_changes_nothing() {
        let (_, mut journal) = journal(b"long");
        let trap = HostError::new(ErrorKind::Component, "trapped");
        assert_eq!(journal.replace(&held(&journal), || Err(trap.clone())).unwrap_err(), trap);
        assert_eq!(content(&journal), b"long");
    }

    #[test]
    fn a_mark_that_was_passed_never_comes_back() {
        let (storage, mut mine) = journal(b"head");
        let before = mine.mark();
        mine.append(&held(&mine), b"-more").unwrap();
        let mut other = Journal::open(Rc::new(storage)).unwrap();
        let mut parts = vec![b"shrt".to_vec()];
        other.replace(&held(&other), || Ok(parts.pop())).unwrap();
        assert!(mine.has_moved().unwrap());
        assert_eq!(other.len(), before.length);
        assert_ne!(other.mark(), before);
    }
}
