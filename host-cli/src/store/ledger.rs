//! `pushes.log`: the gate's ledger, kept durably.

use std::cell::Cell;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use gate::ledger::{Ledger, Record};
use gate::{Fault, FaultKind};

use super::disk::{self, Disk};

/// The ledger's file. It is appended to under the sandbox's lock; whoever reads it without may miss the last lines.
#[derive(Debug)]
pub struct LedgerFile {
    path: PathBuf,
    disk: Arc<dyn Disk>,
    /// The length at which no push was open or in doubt, if it was ever seen.
    settled_at: Cell<Option<u64>>,
}

impl LedgerFile {
    /// The ledger at `path`; a file that is not there is a ledger without lines.
    pub fn new(path: PathBuf, disk: Arc<dyn Disk>) -> Self {
        LedgerFile { path, disk, settled_at: Cell::new(None) }
    }

    /// All that is recorded.
    ///
    /// # Errors
    /// What [`Ledger::parse`] finds, or [`FaultKind::Host`].
    pub fn read(&self) -> Result<Ledger, Fault> {
        self.read_whole_lines().map(|(ledger, _)| ledger)
    }

    /// All that is recorded, if any push in it is open or in doubt. Cheap while nothing is appended.
    ///
    /// # Errors
    /// As [`LedgerFile::read`].
    pub fn unsettled(&self) -> Result<Option<Ledger>, Fault> {
        let len = match fs::metadata(&self.path) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.fault("read", &error)),
        };
        if self.settled_at.get() == Some(len) {
            return Ok(None);
        }
        let ledger = self.read()?;
        let settled = ledger.open_intents().chain(ledger.in_doubt()).next().is_none();
        self.settled_at.set(settled.then_some(len));
        Ok((!settled).then_some(ledger))
    }

    /// Appends `record`, if it may follow what is recorded, and makes it durable.
    ///
    /// # Errors
    /// What [`Ledger::add`] finds, or [`FaultKind::Host`]: then it is not recorded, unless the disk has failed at taking it back, too.
    /// An intent that is found all the same is settled like any other, and an outcome was true in any case.
    pub fn append(&self, record: Record) -> Result<(), Fault> {
        let (mut ledger, len) = self.read_whole_lines()?;
        let line = record.line();
        ledger.add(record)?;
        self.write(len, &line).map_err(|error| self.fault("write", &error))
    }

    fn read_whole_lines(&self) -> Result<(Ledger, u64), Fault> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(self.fault("read", &error)),
        };
        let (ledger, len) = Ledger::parse(&bytes)?;
        Ok((ledger, len as u64))
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
        use io::Seek;
        if file.metadata()?.len() > len {
            self.disk.cut(file, len)?;
        }
        file.seek(io::SeekFrom::Start(len))?;
        self.disk.write(file, line)?;
        self.disk.sync(file)
    }

    fn fault(&self, what: &str, error: &io::Error) -> Fault {
        Fault::new(FaultKind::Host, format!("cannot {what} {}: {error}", self.path.display()))
            .with_hint("every push is recorded there before it is made")
    }
}

#[cfg(test)]
mod tests {
    use gate::ledger::{Intent, Outcome, PushResult};
    use gate::time::Timestamp;

    use super::super::disk::RealDisk;
    use super::super::disk::faulty::Faulty;
    use super::*;

    const NONCE: &str = "0123456789abcdef0123456789abcdef";

    fn intent() -> Record {
        let id = gix::ObjectId::null(gix::hash::Kind::Sha1);
        Record::Intent(Box::new(Intent {
            sandbox: "s".parse().unwrap(),
            call_id: "c".to_owned(),
            call: serde_json::json!({}),
            nonce: NONCE.parse().unwrap(),
            digest: "0".repeat(64).parse().unwrap(),
            target: "local:/t".parse().unwrap(),
            reference: "refs/heads/main".parse().unwrap(),
            old: None,
            new: id,
            at: Timestamp(1),
            host: serde_json::json!(null),
        }))
    }

    fn outcome() -> Record {
        Record::Outcome(Outcome { nonce: NONCE.parse().unwrap(), result: PushResult::Landed, at: Timestamp(2) })
    }

    #[test]
    fn what_is_appended_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = LedgerFile::new(folder.path().join("pushes.log"), Arc::new(RealDisk));
        assert_eq!(file.read().unwrap(), Ledger::default());
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
        let path = folder.path().join("pushes.log");
        LedgerFile::new(path.clone(), Arc::new(RealDisk)).append(intent()).unwrap();
        let again = LedgerFile::new(path, Arc::new(RealDisk)).append(intent()).unwrap_err();
        assert_eq!(again.kind, FaultKind::Spent);
    }

    #[test]
    fn the_first_line_is_recorded_whole_or_not_at_all_whichever_step_fails() {
        for step in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("pushes.log");
            let appended = LedgerFile::new(path.clone(), Arc::new(Faulty::at(step))).append(intent());
            let ledger = LedgerFile::new(path, Arc::new(RealDisk)).read().unwrap();
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
            let path = folder.path().join("pushes.log");
            let good = LedgerFile::new(path.clone(), Arc::new(RealDisk));
            good.append(intent()).unwrap();
            let failed = LedgerFile::new(path, Arc::new(Faulty::from(step))).append(outcome());
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
        let path = folder.path().join("pushes.log");
        let file = LedgerFile::new(path.clone(), Arc::new(RealDisk));
        file.append(intent()).unwrap();
        let whole = fs::read(&path).unwrap();
        fs::write(&path, [&whole[..], b"0123 torn"].concat()).unwrap();
        file.append(outcome()).unwrap();
        assert_eq!(file.read().unwrap().open_intents().count(), 0);
        fs::write(&path, [b"x", &whole[1..]].concat()).unwrap();
        assert_eq!(file.read().unwrap_err().kind, FaultKind::DamagedLedger);
        assert_eq!(file.append(outcome()).unwrap_err().kind, FaultKind::DamagedLedger);
    }
}
