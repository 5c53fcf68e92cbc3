//! The audit log: the gate's ledger, kept durably.

use std::cell::RefCell;
use std::rc::Rc;

use gate::id::SandboxId;
use gate::ledger::{Ledger, Record};
use gate::{Fault, FaultKind};

use super::storage::{Held, Log, Mark, Storage, read_to};
use crate::error::{HostError, Result as HostResult};

/// The ledger as it is stored. Who reads it without the lock may miss the last lines.
#[derive(Debug)]
pub struct LedgerLog {
    storage: Rc<dyn Storage>,
    sandbox: SandboxId,
    /// What was read of it before. Lines are only ever added behind others.
    known: RefCell<Option<Known>>,
}

#[derive(Debug)]
struct Known {
    ledger: Rc<Ledger>,
    /// The end of its lines. `None` if there is no log.
    end: Option<Mark>,
    /// Where the last of them begins.
    last: u64,
}

impl Known {
    /// Takes note of lines that stand behind the others, which end at `end`.
    fn extend(&mut self, end: Mark, bytes: &[u8]) -> Result<(), Fault> {
        let whole = Rc::make_mut(&mut self.ledger).extend(bytes)?;
        if let Some((_, lines)) = bytes[..whole].split_last() {
            self.last = end.length + lines.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end as u64 + 1);
            self.end = Some(end.at(end.length + whole as u64));
        }
        Ok(())
    }

    /// Whether the log that has come as far as `now` still has what is known: the hash at the
    /// beginning of the last line stands for all before it. A line whose writer could not make it
    /// durable was taken back, and another one may have come in its place.
    fn is_in(&self, storage: &dyn Storage, now: Mark) -> HostResult<bool> {
        let Some(end) = self.end.filter(|end| end.generation == now.generation && end.length <= now.length) else {
            return Ok(false);
        };
        if end.length == 0 {
            return Ok(true);
        }
        let hash = read_to(storage, Log::Audit, now.at(self.last), self.last + 64)?;
        Ok(hash == self.ledger.head().to_string().as_bytes())
    }
}

impl LedgerLog {
    /// The ledger of `sandbox`; a log that is not there is a ledger without lines.
    pub fn new(storage: Rc<dyn Storage>, sandbox: SandboxId) -> Self {
        LedgerLog { storage, sandbox, known: RefCell::new(None) }
    }

    /// All records. Cheap while nothing is appended.
    ///
    /// # Errors
    /// What [`Ledger::extend`] finds, or [`FaultKind::Host`].
    pub fn read(&self) -> Result<Rc<Ledger>, Fault> {
        self.known().map(|known| {
            let ledger = Rc::clone(&known.ledger);
            self.known.replace(Some(known));
            ledger
        })
    }

    /// All records before the first damaged line, and what is wrong with that line. Reads the whole
    /// log again.
    ///
    /// # Errors
    /// [`FaultKind::Host`]
    pub fn look(&self) -> Result<(Ledger, Option<Fault>), Fault> {
        let mut ledger = Ledger::new(&self.sandbox);
        let damage = ledger.extend(&self.bytes()?).err();
        Ok((ledger, damage))
    }

    /// Bytes after the last whole line: an incomplete record. The next record overwrites them.
    ///
    /// # Errors
    /// [`FaultKind::Host`]
    pub fn torn(&self) -> Result<usize, Fault> {
        Ok(self.bytes()?.iter().rev().take_while(|byte| **byte != b'\n').count())
    }

    /// All records, if any push in them is open or in doubt.
    ///
    /// # Errors
    /// As [`LedgerLog::read`].
    pub fn unsettled(&self) -> Result<Option<Rc<Ledger>>, Fault> {
        let ledger = self.read()?;
        let settled = ledger.open_intents().chain(ledger.in_doubt()).next().is_none();
        Ok((!settled).then_some(ledger))
    }

    /// Appends `record`, if it may follow what is recorded, and makes it durable.
    ///
    /// # Errors
    /// What [`Ledger::append`] finds, or [`FaultKind::Host`]: then it is not recorded, unless the
    /// storage has failed at taking it back, too. An intent that is found all the same is settled
    /// like any other, and anything else was true in any case.
    pub fn append(&self, held: &Held, record: Record) -> Result<(), Fault> {
        let mut known = self.known()?;
        match Rc::make_mut(&mut known.ledger).append(record) {
            Ok(line) => {
                // What could not be written is not known any more: the log is read again.
                let (end, wrote) = self.write(held, known.end, line).map_err(fault)?;
                (known.last, known.end) = (end, Some(wrote));
                self.known.replace(Some(known));
                Ok(())
            }
            Err(fault) => {
                self.known.replace(Some(known));
                Err(fault)
            }
        }
    }

    /// Writes a line behind the others, which end at `end`. Says where it begins and ends.
    fn write(&self, held: &Held, end: Option<Mark>, line: Vec<u8>) -> HostResult<(u64, Mark)> {
        let end = match end {
            Some(end) => end,
            // Before the line: after it, nothing may fail but what takes the line back.
            None => self.storage.create(held, Log::Audit)?,
        };
        let mut line = Some(line);
        let now = self.storage.append(held, Log::Audit, end, &mut || Ok(line.take()))?;
        Ok((end.length, now))
    }

    /// What is known, and whatever has come behind it since. The caller puts it back.
    fn known(&self) -> Result<Known, Fault> {
        let storage = &*self.storage;
        let unread = |end| Known { ledger: Rc::new(Ledger::new(&self.sandbox)), end, last: 0 };
        let known = self.known.take();
        let Some(now) = storage.mark(Log::Audit).map_err(fault)? else { return Ok(unread(None)) };
        let mut known = known.unwrap_or_else(|| unread(None));
        if !known.is_in(storage, now).map_err(fault)? {
            known = unread(Some(now.at(0)));
        }
        let end = known.end.unwrap_or(now.at(0));
        let behind = read_to(storage, Log::Audit, end, now.length).map_err(fault)?;
        if !behind.is_empty() {
            known.extend(end, &behind)?;
        }
        Ok(known)
    }

    /// All bytes of the log.
    fn bytes(&self) -> Result<Vec<u8>, Fault> {
        match self.storage.mark(Log::Audit).map_err(fault)? {
            Some(now) => read_to(&*self.storage, Log::Audit, now.at(0), now.length).map_err(fault),
            None => Ok(Vec::new()),
        }
    }
}

fn fault(error: HostError) -> Fault {
    Fault::new(FaultKind::Host, error.message)
        .with_hint("make that file accessible: gitgate records every decision there before acting on it")
}

#[cfg(test)]
mod tests {
    use gate::ledger::{Brief, CallVerdict, Decided, DecidedCall, How, Intent, Outcome, PushResult};
    use gate::time::Timestamp;

    use super::super::memory::MemoryStorage;
    use super::super::storage::Wait;
    use super::*;

    const NONCE: &str = "0123456789abcdef0123456789abcdef";

    /// The log as one more process has it.
    fn log(storage: &MemoryStorage) -> LedgerLog {
        LedgerLog::new(Rc::new(storage.clone()), "s".parse().unwrap())
    }

    /// Appends as a process that takes the lock for it.
    fn append(log: &LedgerLog, record: Record) -> Result<(), Fault> {
        log.append(&log.storage.lock(Wait::Not).unwrap(), record)
    }

    fn decided() -> Decided {
        Decided { by: Brief::of("ada"), how: How::Prompt }
    }

    fn call(n: u64) -> Record {
        Record::Call(Box::new(DecidedCall {
            call_id: Brief::of(&n.to_string()),
            caller: gate::policy::Caller::Agent,
            tool: Brief::of("git_stage"),
            summary: Brief::default(),
            verdict: CallVerdict::Approved,
            decided: decided(),
            at: Timestamp(n),
        }))
    }

    fn intent() -> Record {
        let id = gix_hash::ObjectId::null(gix_hash::Kind::Sha1);
        Record::Intent(Box::new(Intent {
            sandbox: "s".parse().unwrap(),
            call_id: "c".to_owned(),
            call: serde_json::json!({}),
            nonce: NONCE.parse().unwrap(),
            digest: "0".repeat(64).parse().unwrap(),
            approved: decided(),
            target: "local:/t".parse().unwrap(),
            reference: "refs/heads/main".parse().unwrap(),
            old: None,
            new: id,
            at: Timestamp(1),
            host: serde_json::json!(null),
        }))
    }

    fn outcome() -> Record {
        Record::Outcome(Outcome {
            nonce: NONCE.parse().unwrap(),
            result: PushResult::Landed,
            by: None,
            at: Timestamp(2),
        })
    }

    #[test]
    fn what_is_appended_is_read_back() {
        let storage = MemoryStorage::default();
        let log = log(&storage);
        assert_eq!(log.read().unwrap().entries(), []);
        assert_eq!(log.unsettled().unwrap(), None);
        append(&log, intent()).unwrap();
        assert_eq!(log.unsettled().unwrap().unwrap().open_intents().count(), 1);
        append(&log, outcome()).unwrap();
        assert_eq!(log.unsettled().unwrap(), None);
        assert_eq!(log.unsettled().unwrap(), None);
        assert_eq!(log.read().unwrap().open_intents().count(), 0);
    }

    #[test]
    fn attack_17_a_nonce_is_spent_once_whoever_asks() {
        let storage = MemoryStorage::default();
        append(&log(&storage), intent()).unwrap();
        let again = append(&log(&storage), intent()).unwrap_err();
        assert_eq!(again.kind, FaultKind::Spent);
    }

    #[test]
    fn attack_24_two_that_append_by_turns_write_one_chain() {
        let storage = MemoryStorage::default();
        let both = [log(&storage), log(&storage)];
        for n in 0..20 {
            append(&both[usize::from(n % 3 == 0)], call(n)).unwrap();
        }
        let (ledger, damage) = log(&storage).look().unwrap();
        assert_eq!((ledger.entries().len(), damage), (20, None));
        assert_eq!(*both[0].read().unwrap(), ledger);
    }

    #[test]
    fn attack_24_a_line_that_another_has_taken_back_is_not_built_on() {
        let storage = MemoryStorage::default();
        let mine = log(&storage);
        append(&mine, call(0)).unwrap();
        let whole = storage.log(Log::Audit).unwrap();
        append(&mine, call(1)).unwrap();
        // As if its writer had been another process, which could not make the line durable, and a
        // third one had come after it.
        storage.overwrite(Log::Audit, &whole);
        append(&log(&storage), call(2)).unwrap();
        append(&mine, call(3)).unwrap();
        let (ledger, damage) = mine.look().unwrap();
        assert_eq!((ledger.entries().len(), damage), (3, None));
    }

    #[test]
    fn the_first_line_is_recorded_whole_or_not_at_all_whichever_step_fails() {
        for step in 0.. {
            let storage = MemoryStorage::default();
            let appended = append(&log(&storage.failing(step)), intent());
            let ledger = log(&storage).read().unwrap();
            assert_eq!(ledger.open_intents().count(), usize::from(appended.is_ok()), "step {step}");
            if appended.is_ok() {
                assert!(step > 2, "every step was tried");
                break;
            }
        }
    }

    #[test]
    fn an_append_that_fails_at_any_step_leaves_a_ledger_that_can_be_read_and_appended_to() {
        for step in 0.. {
            let storage = MemoryStorage::default();
            let good = log(&storage);
            append(&good, intent()).unwrap();
            let failed = append(&log(&storage.failing_from(step)), outcome());
            let open = good.read().unwrap().open_intents().count();
            match failed {
                Ok(()) => {
                    assert_eq!(open, 0);
                    assert!(step > 1);
                    break;
                }
                Err(fault) => assert_eq!(fault.kind, FaultKind::Host),
            }
            if open == 1 {
                append(&good, outcome()).unwrap();
            }
            assert_eq!(good.read().unwrap().open_intents().count(), 0, "step {step}");
        }
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_a_damaged_one_is_an_error() {
        let storage = MemoryStorage::default();
        let mine = log(&storage);
        append(&mine, intent()).unwrap();
        let whole = storage.log(Log::Audit).unwrap();
        storage.overwrite(Log::Audit, &[&whole[..], b"0123 torn"].concat());
        append(&mine, outcome()).unwrap();
        assert_eq!(mine.read().unwrap().open_intents().count(), 0);
        storage.overwrite(Log::Audit, &[b"x", &whole[1..]].concat());
        for log in [&mine, &log(&storage)] {
            assert_eq!(append(log, outcome()).unwrap_err().kind, FaultKind::DamagedLedger);
            assert_eq!(log.read().unwrap_err().kind, FaultKind::DamagedLedger);
        }
        let (before, damage) = mine.look().unwrap();
        assert_eq!((before.entries().len(), damage.unwrap().kind), (0, FaultKind::DamagedLedger));
    }
}
