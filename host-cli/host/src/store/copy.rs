//! A copy of a sandbox, in another storage.
//!
//! A copy keeps the id of its original. The journal and the audit log are bound to that id, and no host
//! rewrites what the component and the gate have written. So the id tells no approval of the one from
//! an approval of the other, and a copy gets nothing that somebody has approved and nobody has used:
//!
//! - It gets no push that was shown. The digest of a push is computed with the nonce that was shown with
//!   it, and only the original keeps that nonce. Whatever the copy shows has a random nonce of its own.
//! - It gets the calls that wait, but no answer to them. An answer is for one call, once.
//!
//! A nonce that the original has spent is spent in the copy, because the audit log says so.

use super::storage::{Held, Item, Kind, Log, Storage};
use super::{BASE, Store};
use crate::error::{ErrorKind, HostError, Result};
use crate::settings::SandboxFile;
use crate::settings::policy::REMEMBERED;

/// The kinds of records that a copy gets.
pub const COPIED_KINDS: [Kind; 4] = [Kind::Waiting, Kind::Sent, Kind::Comments, Kind::Seen];
/// The texts that a copy gets. A storage without settings has no sandbox, so they come last.
pub const COPIED_TEXTS: [&str; 3] = [BASE, REMEMBERED, SandboxFile::NAME];

/// Bytes that are copied at once.
const PART: usize = 1 << 20;

impl Store {
    /// Copies what this store has into `to`, which has nothing yet. Both are locked. [`Store::part`]
    /// makes a sandbox of it.
    ///
    /// # Errors
    /// If the sandbox's files are not in the store, or one of its attachments is damaged.
    pub fn copy_to(&self, _: &Held, to: &Store, held: &Held) -> Result<()> {
        if self.settings()?.on_disk.is_some() {
            return Err(HostError::new(
                ErrorKind::Refused,
                "the tools of this sandbox run on a folder of this machine",
            )
            .hint("copy a sandbox that is sealed: two cannot have one folder"));
        }
        let (from, into) = (&*self.storage, &*to.storage);
        for log in [Log::Audit, Log::Journal] {
            copy_log(from, log, into, held)?;
        }
        for id in self.attachments.list()? {
            // A copy must not count as whole what is damaged here, so it is checked on the way.
            let mut content = Vec::new();
            self.attachments.read(&id, PART, |_, part| {
                content.extend_from_slice(part);
                Ok(())
            })?;
            into.add_blob(held, &id, &content)?;
        }
        for kind in COPIED_KINDS {
            for key in from.records(kind)? {
                let place = |error: HostError| {
                    let message = format!("cannot read {}: {}", from.place(Item::Record(kind, &key)), error.message);
                    HostError { message, ..error }
                };
                if let Some(content) = from.record(kind, &key).map_err(place)? {
                    into.put(held, kind, &key, &content)?;
                }
            }
        }
        for name in COPIED_TEXTS {
            if let Some(text) = from.text(name)? {
                into.put_text(held, name, &text)?;
            }
        }
        Ok(())
    }

    /// Makes a sandbox of its own of what was copied here. `created` is when, in RFC 3339. Until then
    /// nobody may use it.
    pub fn part(&self, held: &Held, created: String) -> Result<()> {
        self.waiting.forget_answers(held)?;
        self.put_settings(held, &SandboxFile { created, ..self.settings()? })
    }
}

fn copy_log(from: &dyn Storage, log: Log, into: &dyn Storage, held: &Held) -> Result<()> {
    let Some(end) = from.mark(log)? else { return Ok(()) };
    let (mut at, mut part) = (end.at(0), vec![0; PART]);
    let mut next = || {
        let left = usize::try_from(end.length - at.length).unwrap_or(PART).min(PART);
        if left == 0 {
            return Ok(None);
        }
        match from.read(log, at, &mut part[..left])? {
            0 => {
                let place = from.place(Item::Log(log));
                Err(HostError::new(ErrorKind::Storage, format!("cannot copy {place}: it has become shorter"))
                    .hint("try again; another program has changed it"))
            }
            read => {
                at.length += read as u64;
                Ok(Some(part[..read].to_vec()))
            }
        }
    };
    into.replace(held, log, &mut next).map(drop)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use gate::id::Nonce;
    use gate::refname::BranchRef;
    use gate::time::Timestamp;
    use sha2::{Digest, Sha256};

    use super::super::memory::MemoryStorage;
    use super::super::{Answer, BlobId, Pending, Waiting};
    use super::*;
    use crate::fake::plain_settings;
    use crate::wit::ToolResult;

    const CREATED: &str = "2026-11-20T10:00:00+00:00";

    fn store(storage: MemoryStorage) -> Store {
        Store::new(Rc::new(storage), plain_settings().id.name())
    }

    fn id(content: &[u8]) -> BlobId {
        Sha256::digest(content).into()
    }

    fn waiting(id: &str, answer: Option<Answer>) -> Waiting {
        let (tool, arguments) = ("git_stage".to_owned(), id.to_owned());
        Waiting { id: id.to_owned(), tool, arguments, at: Timestamp(7), inside: None, topic: None, answer }
    }

    fn shown() -> Pending {
        Pending {
            target: "bare:/t.git".parse().unwrap(),
            reference: BranchRef::from_branch("main").unwrap(),
            nonce: Nonce::from_random([1; 16]),
            digest: "a".repeat(64).parse().unwrap(),
            shown_at: Timestamp(1000),
            signatures: Vec::new(),
        }
    }

    /// A sandbox with something of every kind.
    fn original() -> (MemoryStorage, Store) {
        let storage = MemoryStorage::default();
        let store = store(storage.clone());
        let held = &store.lock.acquire().unwrap();
        store.put_settings(held, &plain_settings()).unwrap();
        let long: Vec<u8> = (0..PART + PART / 2).map(|at| at.to_be_bytes()[7]).collect();
        store.create_journal(held, &long).unwrap();
        let audit = storage.create(held, Log::Audit).unwrap();
        let mut lines = Some(b"lines\n".to_vec());
        storage.append(held, Log::Audit, audit, &mut || Ok(lines.take())).unwrap();
        for content in [&long[..], b"small", b""] {
            storage.add_blob(held, &id(content), content).unwrap();
        }
        let landed = ToolResult { text: "To it".to_owned(), structured: "{}".to_owned(), truncated: false };
        let answers = [Answer::Approved, Answer::Rejected("no".to_owned()), Answer::Landed(landed)];
        let answers = std::iter::once(None).chain(answers.map(Some));
        for (key, answer) in ["1", "2", "3", "4"].into_iter().zip(answers) {
            let record = serde_json::to_vec(&waiting(key, answer)).unwrap();
            storage.put(held, Kind::Waiting, &format!("{key}.json"), &record).unwrap();
        }
        store.pending.add(held, &shown()).unwrap();
        store.sent.note(held, Nonce::from_random([2; 16]), Timestamp(9)).unwrap();
        store.put_text(held, REMEMBERED, "# rules\n").unwrap();
        store.put_text(held, "tokens.json", "[]").unwrap();
        store.note_base(held, 5).unwrap();
        (storage, store)
    }

    /// A copy as a body makes it.
    fn copy(original: &Store, into: &MemoryStorage) -> Result<Store> {
        let copy = store(into.clone());
        let held = copy.lock.acquire()?;
        original.copy_to(&original.lock.acquire()?, &copy, &held)?;
        copy.part(&held, CREATED.to_owned())?;
        drop(held);
        Ok(copy)
    }

    #[test]
    fn a_copy_has_the_state_of_its_original_and_its_id() {
        let ((storage, original), into) = (original(), MemoryStorage::default());
        let before = storage.everything();
        let copy = copy(&original, &into).unwrap();
        for log in [Log::Journal, Log::Audit] {
            assert_eq!(into.log(log), storage.log(log));
        }
        assert_eq!(copy.attachments.list().unwrap(), original.attachments.list().unwrap());
        copy.attachments.list().unwrap().iter().for_each(|id| copy.attachments.verify(id).unwrap());
        assert_eq!(copy.sent.last(Nonce::from_random([2; 16])).unwrap(), Some(Timestamp(9)));
        assert_eq!(copy.text(REMEMBERED).unwrap().as_deref(), Some("# rules\n"));
        assert_eq!(copy.text(BASE).unwrap().as_deref(), Some("5"));
        let expected = SandboxFile { created: CREATED.to_owned(), ..original.settings().unwrap() };
        assert_eq!(copy.settings().unwrap(), expected);
        assert_eq!(storage.everything(), before, "nothing has changed here");
    }

    #[test]
    fn attack_17_what_was_approved_in_the_original_is_approved_in_no_copy() {
        let ((_, original), into) = (original(), MemoryStorage::default());
        let copy = copy(&original, &into).unwrap();
        let to = |store: &Store| {
            let Pending { target, reference, digest, .. } = shown();
            store.pending.to(&target, &reference, Timestamp(1000), Some(digest)).unwrap()
        };
        assert_eq!((to(&original), to(&copy)), (vec![shown()], Vec::new()));
        let expected = ["1", "2", "3"].map(|id| waiting(id, None));
        assert_eq!(copy.waiting.all().unwrap(), expected);
        assert_eq!(original.waiting.unanswered().unwrap().len(), 1);
        assert_eq!(copy.text("tokens.json").unwrap(), None, "tokens are for one sandbox");
    }

    #[test]
    fn a_copy_that_fails_at_any_step_is_no_sandbox_and_changes_nothing_here() {
        let (storage, original) = original();
        let before = storage.everything();
        for step in 0.. {
            let into = MemoryStorage::default();
            let copied = copy(&original, &into.failing(step));
            assert!(storage.everything() == before, "step {step}");
            if copied.is_ok() {
                assert!(step > 12, "every step was tried");
                break;
            }
            // A body removes what there is of it.
            let _held = into.lock(super::super::Wait::Not).unwrap();
        }
    }

    #[test]
    fn what_is_damaged_is_not_copied_as_if_it_were_whole() {
        let ((storage, original), into) = (original(), MemoryStorage::default());
        storage.overwrite_blob(&id(b"small"), b"smell");
        assert_eq!(copy(&original, &into).unwrap_err().kind, ErrorKind::Damaged);
        assert!(!store(into).has_settings().unwrap());
    }

    #[test]
    fn a_sandbox_on_a_folder_is_not_copied() {
        let (_, original) = original();
        let held = original.lock.acquire().unwrap();
        let settings = SandboxFile { on_disk: Some("/home/ada/site".into()), ..plain_settings() };
        original.put_settings(&held, &settings).unwrap();
        drop(held);
        assert_eq!(copy(&original, &MemoryStorage::default()).unwrap_err().kind, ErrorKind::Refused);
    }
}
