//! The journal: the sandbox's history, in the bytes that the component returned for each call.
//!
//! The host does not interpret the bytes. It guarantees that appended bytes are on the disk before
//! anybody learns of them, and that a failed append leaves nothing in the file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::{self, Disk};
use crate::error::{self, Doing, ErrorKind, HostError, Result};

/// An open journal, and the length that this process has read.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    len: u64,
    disk: Arc<dyn Disk>,
    /// Set when the file could not be brought back to the known length: it must be opened and
    /// replayed anew.
    astray: bool,
}

impl Journal {
    /// Creates a journal with `content` at `path`, durably.
    pub fn create(path: &Path, content: &[u8], disk: Arc<dyn Disk>) -> Result<Self> {
        disk::replace(&*disk, path, |file| disk.write(file, content)).doing("write", path)?;
        Journal::open(path, disk)
    }

    /// Opens the journal at `path`. Its whole content counts as known, so the caller must replay
    /// it.
    pub fn open(path: &Path, disk: Arc<dyn Disk>) -> Result<Self> {
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                HostError::new(ErrorKind::Damaged, format!("the sandbox has no journal: {} is missing", path.display()))
                    .hint("restore the file from a backup, or remove the sandbox with `gitgate rm`")
            }
            _ => error::io("open", path, &error),
        })?;
        let len = file.metadata().doing("read", path)?.len();
        Ok(Journal { path: path.to_owned(), file, len, disk, astray: false })
    }

    /// Bytes that this process knows to be in the journal.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// True if it is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Passes the known content to `take` in order, in parts of at most `part` bytes.
    pub fn read(&mut self, part: usize, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        self.file.seek(SeekFrom::Start(0)).doing("read", &self.path)?;
        let mut left = self.len;
        let mut buf = vec![0; part.min(usize::try_from(left).unwrap_or(part))];
        while left > 0 {
            let want = buf.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            self.file.read_exact(&mut buf[..want]).doing("read", &self.path)?;
            take(&buf[..want])?;
            left -= want as u64;
        }
        Ok(())
    }

    /// Appends `record` and makes it durable. On an error the journal is as it was before.
    pub fn append(&mut self, record: &[u8]) -> Result<()> {
        let mut record = Some(record.to_vec());
        self.append_parts(|| Ok(record.take()))
    }

    /// As [`append`](Self::append), for a record that `part` gives piece by piece, and nothing when
    /// it is at its end.
    pub fn append_parts(&mut self, mut part: impl FnMut() -> Result<Option<Vec<u8>>>) -> Result<()> {
        if self.astray {
            return Err(HostError::new(ErrorKind::Storage, format!("{} must be opened again", self.path.display())));
        }
        let appended = self.write_parts(&mut part);
        match appended {
            Ok(len) => self.len += len,
            Err(_) => self.astray = self.cut_file(self.len).is_err(),
        }
        appended.map(|_| ())
    }

    /// Writes the parts behind the known content, and gives their length.
    fn write_parts(&mut self, part: &mut dyn FnMut() -> Result<Option<Vec<u8>>>) -> Result<u64> {
        self.file.seek(SeekFrom::Start(self.len)).doing("write", &self.path)?;
        let mut len = 0;
        while let Some(bytes) = part()? {
            self.disk.write(&mut self.file, &bytes).doing("write", &self.path)?;
            len += bytes.len() as u64;
        }
        self.disk.sync(&self.file).doing("write", &self.path)?;
        Ok(len)
    }

    /// The known content behind the first `valid` bytes.
    pub fn tail(&mut self, valid: u64) -> Result<Vec<u8>> {
        let mut tail = Vec::new();
        self.file.seek(SeekFrom::Start(valid)).doing("read", &self.path)?;
        (&self.file).take(self.len.saturating_sub(valid)).read_to_end(&mut tail).doing("read", &self.path)?;
        Ok(tail)
    }

    /// Cuts the journal to its first `len` bytes. The rest is an interrupted write.
    pub fn truncate(&mut self, len: u64) -> Result<()> {
        if len < self.len {
            self.cut_file(len).doing("cut", &self.path)?;
            self.len = len;
        }
        Ok(())
    }

    fn cut_file(&self, len: u64) -> io::Result<()> {
        self.disk.cut(&self.file, len)?;
        self.disk.sync(&self.file)
    }

    /// Replaces this journal with a shorter one. `part` gives it piece by piece, and nothing at its
    /// end.
    pub fn replace(&mut self, mut part: impl FnMut() -> Result<Option<Vec<u8>>>) -> Result<()> {
        let mut fault = None;
        let disk = Arc::clone(&self.disk);
        let replaced = disk::replace(&*disk, &self.path, |file| {
            loop {
                match part() {
                    Ok(Some(bytes)) => disk.write(file, &bytes)?,
                    Ok(None) => return Ok(()),
                    Err(error) => {
                        fault = Some(error);
                        return Err(io::Error::other("the new journal is incomplete"));
                    }
                }
            }
        });
        // Even a failure may have put the new file in place; both stand for the same sandbox.
        *self = Journal::open(&self.path, disk)?;
        match fault {
            Some(fault) => Err(fault),
            None => replaced.doing("write", &self.path),
        }
    }

    /// Whether the file is no longer what this process knows: another one has appended to it or
    /// replaced it.
    pub fn has_moved(&self) -> Result<bool> {
        let (mine, now) = (self.file.metadata(), std::fs::metadata(&self.path));
        let (mine, now) = (mine.doing("read", &self.path)?, now.doing("read", &self.path)?);
        Ok(self.astray || now.len() != self.len || !same_file(&mine, &now))
    }
}

#[cfg(unix)]
fn same_file(a: &std::fs::Metadata, b: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn same_file(a: &std::fs::Metadata, b: &std::fs::Metadata) -> bool {
    a.created().ok() == b.created().ok()
}

#[cfg(test)]
mod tests {
    use super::super::disk::RealDisk;
    use super::super::disk::faulty::Faulty;
    use super::*;

    fn content(journal: &mut Journal) -> Vec<u8> {
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

    fn journal(folder: &tempfile::TempDir, content: &[u8], disk: impl Disk + 'static) -> Journal {
        let path = folder.path().join("journal");
        Journal::create(&path, content, Arc::new(RealDisk)).unwrap();
        Journal::open(&path, Arc::new(disk)).unwrap()
    }

    #[test]
    fn what_is_appended_is_read_back_in_parts() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = journal(&folder, b"head", RealDisk);
        journal.append(b"-one").unwrap();
        journal.append(b"-two").unwrap();
        assert_eq!(content(&mut journal), b"head-one-two");
        assert_eq!(journal.len(), 12);
    }

    #[test]
    fn a_record_that_cannot_be_written_or_synced_is_not_in_the_file() {
        for step in 0..2 {
            let folder = tempfile::tempdir().unwrap();
            let mut journal = journal(&folder, b"head", Faulty::at(step));
            let error = journal.append(b"record").unwrap_err();
            assert_eq!(error.kind, ErrorKind::Storage);
            assert_eq!(std::fs::read(folder.path().join("journal")).unwrap(), b"head", "step {step}");
            journal.append(b"-next").unwrap();
            assert_eq!(content(&mut journal), b"head-next");
        }
    }

    #[test]
    fn a_file_that_cannot_be_cut_back_takes_nothing_more_until_it_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = journal(&folder, b"head", Faulty::from(0));
        journal.append(b"record").unwrap_err();
        journal.append(b"x").unwrap_err();
        assert!(journal.has_moved().unwrap());
    }

    #[test]
    fn a_torn_tail_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = journal(&folder, b"whole-to", RealDisk);
        journal.truncate(5).unwrap();
        journal.append(b"+").unwrap();
        assert_eq!(content(&mut journal), b"whole+");
    }

    #[test]
    fn another_process_is_noticed_when_it_appends_and_when_it_compacts() {
        let folder = tempfile::tempdir().unwrap();
        let mut mine = journal(&folder, b"head", RealDisk);
        let mut other = Journal::open(&folder.path().join("journal"), Arc::new(RealDisk)).unwrap();
        assert!(!mine.has_moved().unwrap());
        other.append(b"-more").unwrap();
        assert!(mine.has_moved().unwrap());
        mine = Journal::open(&folder.path().join("journal"), Arc::new(RealDisk)).unwrap();
        let mut parts = vec![b"head-more".to_vec()];
        other.replace(|| Ok(parts.pop())).unwrap();
        assert!(mine.has_moved().unwrap(), "same length, another file");
    }

    #[test]
    fn a_compaction_that_fails_at_any_step_leaves_the_old_journal_or_the_new_one() {
        for step in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let mut journal = journal(&folder, b"long-journal", Faulty::at(step));
            let mut parts = vec![b"rt".to_vec(), b"sho".to_vec()];
            let replaced = journal.replace(|| Ok(parts.pop()));
            let now = content(&mut journal);
            if replaced.is_ok() {
                assert_eq!(now, b"short");
                assert!(step > 3);
                break;
            }
            assert!(now == b"long-journal" || now == b"short", "step {step}");
        }
    }

    #[test]
    fn a_compaction_whose_parts_stop_coming_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = journal(&folder, b"long", RealDisk);
        let trap = HostError::new(ErrorKind::Component, "trapped");
        assert_eq!(journal.replace(|| Err(trap.clone())).unwrap_err(), trap);
        assert_eq!(content(&mut journal), b"long");
    }
}
