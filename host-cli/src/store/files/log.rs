//! A log in a file.

use std::cell::{Cell, RefCell};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;
use std::sync::Arc;

use host::store::{Mark, Parts};

use super::super::disk::{self, Disk};
use crate::error::{self, Doing, ErrorKind, HostError, Result};

/// The file, which need not exist.
#[derive(Debug)]
pub(super) struct LogFile {
    path: PathBuf,
    /// Whether it is opened for writing from the beginning, so that it is found out before a call
    /// whether its record can be written.
    is_written: bool,
    disk: Arc<dyn Disk>,
    seen: RefCell<Option<Seen>>,
    generations: Cell<u64>,
}

/// The file that was there when it was last looked at.
#[derive(Debug)]
struct Seen {
    /// Kept open, so that no other file gets its number.
    file: File,
    number: Number,
    generation: u64,
}

/// The device and the inode.
type Number = (u64, u64);

fn number(metadata: &Metadata) -> Number {
    (metadata.dev(), metadata.ino())
}

impl LogFile {
    pub(super) fn new(path: PathBuf, is_written: bool, disk: Arc<dyn Disk>) -> Self {
        LogFile { path, is_written, disk, seen: RefCell::new(None), generations: Cell::new(0) }
    }

    /// How far it has come. A file of another number is of a new generation.
    pub(super) fn mark(&self) -> Result<Option<Mark>> {
        let there = match fs::metadata(&self.path) {
            Ok(metadata) => Some(number(&metadata)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error::io("read", &self.path, &error)),
        };
        let mut seen = self.seen.borrow_mut();
        if seen.as_ref().map(|seen| seen.number) != there {
            *seen = self.look()?;
        }
        let Some(seen) = &*seen else { return Ok(None) };
        let length = seen.file.metadata().doing("read", &self.path)?.len();
        Ok(Some(Mark { generation: seen.generation, length }))
    }

    fn look(&self) -> Result<Option<Seen>> {
        let file = match OpenOptions::new().read(true).write(self.is_written).open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(error::io(if self.is_written { "open" } else { "read" }, &self.path, &error));
            }
        };
        let number = number(&file.metadata().doing("read", &self.path)?);
        Ok(Some(Seen { file, number, generation: self.next_generation() }))
    }

    fn next_generation(&self) -> u64 {
        self.generations.set(self.generations.get() + 1);
        self.generations.get()
    }

    pub(super) fn read(&self, at: Mark, into: &mut [u8]) -> Result<usize> {
        match &*self.seen.borrow() {
            Some(seen) if seen.generation == at.generation => {
                seen.file.read_at(into, at.length).doing("read", &self.path)
            }
            _ => Err(self.changed()),
        }
    }

    /// All that follows the mark `from`.
    pub(super) fn tail(&self, from: Mark) -> Result<Vec<u8>> {
        let (mut file, mut tail) = (self.open_at(from, "read")?, Vec::new());
        file.seek(SeekFrom::Start(from.length)).and_then(|_| file.read_to_end(&mut tail)).doing("read", &self.path)?;
        Ok(tail)
    }

    pub(super) fn create(&self) -> Result<Mark> {
        let mut options = OpenOptions::new();
        disk::private(options.write(true).create(true).truncate(false)).open(&self.path).doing("write", &self.path)?;
        self.disk.sync_folder(self.path.parent().expect("a log is in a folder")).doing("write", &self.path)?;
        self.mark()?.ok_or_else(|| self.changed())
    }

    pub(super) fn append(&self, at: Mark, parts: Parts<'_>) -> Result<Mark> {
        let mut file = self.open_at(at, "write")?;
        let appended = self.write_parts(&mut file, at.length, parts);
        if appended.is_err() && self.cut_file(&file, at.length).is_err() {
            // Nobody can know what it holds now.
            if let Some(seen) = &mut *self.seen.borrow_mut() {
                seen.generation = self.next_generation();
            }
        }
        appended.map(|length| at.at(length))
    }

    /// Writes the parts from `length` on, and gives the new length.
    fn write_parts(&self, file: &mut File, mut length: u64, parts: Parts<'_>) -> Result<u64> {
        if file.metadata().doing("read", &self.path)?.len() > length {
            self.disk.cut(file, length).doing("write", &self.path)?;
        }
        file.seek(SeekFrom::Start(length)).doing("write", &self.path)?;
        while let Some(bytes) = parts()? {
            self.disk.write(file, &bytes).doing("write", &self.path)?;
            length += bytes.len() as u64;
        }
        self.disk.sync(file).doing("write", &self.path)?;
        Ok(length)
    }

    pub(super) fn cut(&self, at: Mark) -> Result<()> {
        let file = self.open_at(at, "cut")?;
        self.cut_file(&file, at.length).doing("cut", &self.path)
    }

    fn cut_file(&self, file: &File, length: u64) -> io::Result<()> {
        self.disk.cut(file, length)?;
        self.disk.sync(file)
    }

    pub(super) fn replace(&self, parts: Parts<'_>) -> Result<Mark> {
        let mut fault = None;
        let replaced = disk::replace(&*self.disk, &self.path, |file| {
            loop {
                match parts() {
                    Ok(Some(bytes)) => self.disk.write(file, &bytes)?,
                    Ok(None) => return Ok(()),
                    Err(error) => {
                        fault = Some(error);
                        return Err(io::Error::other("the new file is incomplete"));
                    }
                }
            }
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
        replaced.doing("write", &self.path)?;
        self.mark()?.ok_or_else(|| self.changed())
    }

    /// Opens the file to `what` it, if it is still the one of that generation and as long.
    fn open_at(&self, at: Mark, what: &str) -> Result<File> {
        let file = OpenOptions::new().read(true).write(true).open(&self.path).doing(what, &self.path)?;
        let metadata = file.metadata().doing("read", &self.path)?;
        let seen = self.seen.borrow();
        let is_seen = seen.as_ref().is_some_and(|seen| {
            seen.generation == at.generation && seen.number == number(&metadata) && metadata.len() >= at.length
        });
        if is_seen { Ok(file) } else { Err(self.changed()) }
    }

    fn changed(&self) -> HostError {
        HostError::new(ErrorKind::Storage, format!("{} must be opened again", self.path.display()))
            .hint("try again; something else has changed the file")
    }
}
