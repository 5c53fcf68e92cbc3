//! `audit.log`: the gate's ledger, kept durably.

use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use gate::id::SandboxId;
use gate::ledger::{Ledger, Record};
use gate::{Fault, FaultKind};

use super::disk::{self, Disk};

/// The ledger's file. Appending needs the sandbox's lock. Reading without the lock may miss the
/// last lines.
#[derive(Debug)]
pub struct LedgerFile {
    path: PathBuf,
    sandbox: SandboxId,
    disk: Arc<dyn Disk>,
    /// What was read of it before. Lines are only ever added behind others.
    known: RefCell<Option<Known>>,
}

#[derive(Debug)]
struct Known {
    ledger: Rc<Ledger>,
    /// Bytes of its lines.
    len: u64,
    /// Where the last of them begins.
    last: u64,
}

impl Known {
    /// Takes note of lines that stand behind the others.
    fn extend(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let whole = Rc::make_mut(&mut self.ledger).extend(bytes)?;
        if let Some((_, lines)) = bytes[..whole].split_last() {
            self.last = self.len + lines.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end as u64 + 1);
            self.len += whole as u64;
        }
        Ok(())
    }

    /// Whether `file` still has what is known: the hash at the beginning of the last line stands
    /// for all before it. A line whose writer could not make it durable was taken back, and another
    /// one may have come in its place.
    fn is_in(&self, file: &mut File) -> io::Result<bool> {
        if self.len == 0 {
            return Ok(true);
        }
        if file.metadata()?.len() < self.len {
            return Ok(false);
        }
        let mut hash = [0; 64];
        file.seek(SeekFrom::Start(self.last))?;
        file.read_exact(&mut hash)?;
        Ok(hash == self.ledger.head().to_string().as_bytes())
    }
}

impl LedgerFile {
    /// The ledger of `sandbox` at `path`; a file that is not there is a ledger without lines.
    pub fn new(path: PathBuf, sandbox: SandboxId, disk: Arc<dyn Disk>) -> Self {
        LedgerFile { path, sandbox, disk, known: RefCell::new(None) }
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
    /// file again.
    ///
    /// # Errors
    /// [`FaultKind::Host`]
    pub fn look(&self) -> Result<(Ledger, Option<Fault>), Fault> {
        let mut ledger = Ledger::new(&self.sandbox);
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(self.fault("read", &error)),
        };
        let damage = ledger.extend(&bytes).err();
        Ok((ledger, damage))
    }

    /// Bytes after the last whole line: an incomplete record. The next record overwrites them.
    ///
    /// # Errors
    /// [`FaultKind::Host`]
    pub fn torn(&self) -> Result<usize, Fault> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(bytes.iter().rev().take_while(|byte| **byte != b'\n').count()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
            Err(error) => Err(self.fault("read", &error)),
        }
    }

    /// All records, if any push in them is open or in doubt.
    ///
    /// # Errors
    /// As [`LedgerFile::read`].
    pub fn unsettled(&self) -> Result<Option<Rc<Ledger>>, Fault> {
        let ledger = self.read()?;
        let settled = ledger.open_intents().chain(ledger.in_doubt()).next().is_none();
        Ok((!settled).then_some(ledger))
    }

    /// Appends `record`, if it may follow what is recorded, and makes it durable.
    ///
    /// # Errors
    /// What [`Ledger::append`] finds, or [`FaultKind::Host`]: then it is not recorded, unless the
    /// disk has failed at taking it back, too. An intent that is found all the same is settled like
    /// any other, and anything else was true in any case.
    pub fn append(&self, record: Record) -> Result<(), Fault> {
        let mut known = self.known()?;
        match Rc::make_mut(&mut known.ledger).append(record) {
            Ok(line) => {
                // What could not be written is not known any more: the file is read again.
                self.write(known.len, &line).map_err(|error| self.fault("write", &error))?;
                (known.last, known.len) = (known.len, known.len + line.len() as u64);
                self.known.replace(Some(known));
                Ok(())
            }
            Err(fault) => {
                self.known.replace(Some(known));
                Err(fault)
            }
        }
    }

    /// What is known, and whatever has come behind it since. The caller puts it back.
    fn known(&self) -> Result<Known, Fault> {
        let unread = || Known { ledger: Rc::new(Ledger::new(&self.sandbox)), len: 0, last: 0 };
        let failed = |error: io::Error| self.fault("read", &error);
        let mut known = self.known.take().unwrap_or_else(unread);
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(unread()),
            Err(error) => return Err(failed(error)),
        };
        if !known.is_in(&mut file).map_err(failed)? {
            known = unread();
        }
        let mut behind = Vec::new();
        file.seek(SeekFrom::Start(known.len)).and_then(|_| file.read_to_end(&mut behind)).map_err(failed)?;
        if !behind.is_empty() {
            known.extend(&behind)?;
        }
        Ok(known)
    }

    fn write(&self, len: u64, line: &[u8]) -> io::Result<()> {
        let is_new = !self.path.try_exists()?;
        let mut file = disk::private(OpenOptions::new().write(true).create(true).truncate(false)).open(&self.path)?;
        if is_new {
            // Before the line: after it, nothing may fail but what takes the line back.
            self.disk.sync_folder(self.path.parent().expect("the ledger is in a folder"))?;
        }
        let appended = self.append_to(&mut file, len, line);
        if appended.is_err() {
            let _ = self.disk.cut(&file, len);
        }
        appended
    }

    fn append_to(&self, file: &mut File, len: u64, line: &[u8]) -> io::Result<()> {
        if file.metadata()?.len() > len {
            self.disk.cut(file, len)?;
        }
        file.seek(SeekFrom::Start(len))?;
        self.disk.write(file, line)?;
        self.disk.sync(file)
    }

    fn fault(&self, what: &str, error: &io::Error) -> Fault {
        Fault::new(FaultKind::Host, format!("cannot {what} {}: {error}", self.path.display()))
            .with_hint("make that file accessible: gitgate records every decision there before acting on it")
    }
}

#[cfg(test)]
mod tests {
    use gate::ledger::{Brief, CallVerdict, Decided, DecidedCall, How, Intent, Outcome, PushResult};
    use gate::time::Timestamp;

    use super::super::disk::RealDisk;
    use super::super::disk::faulty::Faulty;
    use super::*;

    const NONCE: &str = "0123456789abcdef0123456789abcdef";

    fn file(folder: &tempfile::TempDir, disk: impl Disk + 'static) -> LedgerFile {
        LedgerFile::new(folder.path().join("audit.log"), "s".parse().unwrap(), Arc::new(disk))
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
        let id = gix::ObjectId::null(gix::hash::Kind::Sha1);
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
        let folder = tempfile::tempdir().unwrap();
        let file = file(&folder, RealDisk);
        assert_eq!(file.read().unwrap().entries(), []);
        assert_eq!(file.unsettled().unwrap(), None);
        file.append(intent()).unwrap();
        assert_eq!(file.unsettled().unwrap().unwrap().open_intents().count(), 1);
        file.append(outcome()).unwrap();
        assert_eq!(file.unsettled().unwrap(), None);
        assert_eq!(file.unsettled().unwrap(), None);
        assert_eq!(file.read().unwrap().open_intents().count(), 0);
    }

    #[test]
    fn attack_17_a_nonce_is_spent_once_whoever_asks() {
        let folder = tempfile::tempdir().unwrap();
        file(&folder, RealDisk).append(intent()).unwrap();
        let again = file(&folder, RealDisk).append(intent()).unwrap_err();
        assert_eq!(again.kind, FaultKind::Spent);
    }

    #[test]
    fn attack_24_two_that_append_by_turns_write_one_chain() {
        let folder = tempfile::tempdir().unwrap();
        let both = [file(&folder, RealDisk), file(&folder, RealDisk)];
        for n in 0..20 {
            both[usize::from(n % 3 == 0)].append(call(n)).unwrap();
        }
        let (ledger, damage) = file(&folder, RealDisk).look().unwrap();
        assert_eq!((ledger.entries().len(), damage), (20, None));
        assert_eq!(*both[0].read().unwrap(), ledger);
    }

    #[test]
    fn attack_24_a_line_that_another_has_taken_back_is_not_built_on() {
        let folder = tempfile::tempdir().unwrap();
        let (mine, path) = (file(&folder, RealDisk), folder.path().join("audit.log"));
        mine.append(call(0)).unwrap();
        let whole = fs::read(&path).unwrap();
        mine.append(call(1)).unwrap();
        // As if its writer had been another process, which could not make the line durable, and a
        // third one had come after it.
        fs::write(&path, &whole).unwrap();
        file(&folder, RealDisk).append(call(2)).unwrap();
        mine.append(call(3)).unwrap();
        let (ledger, damage) = mine.look().unwrap();
        assert_eq!((ledger.entries().len(), damage), (3, None));
    }

    #[test]
    fn the_first_line_is_recorded_whole_or_not_at_all_whichever_step_fails() {
        for step in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let appended = file(&folder, Faulty::at(step)).append(intent());
            let ledger = file(&folder, RealDisk).read().unwrap();
            assert_eq!(ledger.open_intents().count(), usize::from(appended.is_ok()), "step {step}");
            if appended.is_ok() {
                assert_eq!(step, 3, "every step was tried");
                break;
            }
        }
    }

    #[test]
    fn an_append_that_fails_at_any_step_leaves_a_ledger_that_can_be_read_and_appended_to() {
        for step in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let good = file(&folder, RealDisk);
            good.append(intent()).unwrap();
            let failed = file(&folder, Faulty::from(step)).append(outcome());
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
                good.append(outcome()).unwrap();
            }
            assert_eq!(good.read().unwrap().open_intents().count(), 0, "step {step}");
        }
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_a_damaged_one_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.log");
        let log = file(&folder, RealDisk);
        log.append(intent()).unwrap();
        let whole = fs::read(&path).unwrap();
        fs::write(&path, [&whole[..], b"0123 torn"].concat()).unwrap();
        log.append(outcome()).unwrap();
        assert_eq!(log.read().unwrap().open_intents().count(), 0);
        fs::write(&path, [b"x", &whole[1..]].concat()).unwrap();
        for log in [&log, &file(&folder, RealDisk)] {
            assert_eq!(log.append(outcome()).unwrap_err().kind, FaultKind::DamagedLedger);
            assert_eq!(log.read().unwrap_err().kind, FaultKind::DamagedLedger);
        }
        let (before, damage) = log.look().unwrap();
        assert_eq!((before.entries().len(), damage.unwrap().kind), (0, FaultKind::DamagedLedger));
    }
}
