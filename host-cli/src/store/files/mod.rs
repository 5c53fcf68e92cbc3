//! A sandbox in a folder of files.

mod log;
#[cfg(test)]
mod tests;

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use gate::hex;
use host::store::{BLOBS, Blob, BlobId, Held, Item, Kind, Log, Mark, Parts, Storage, Wait};

use self::log::LogFile;
use super::checked::Checked;
use super::disk::{self, Disk};
use super::lock::LockFile;
use crate::error::{self, Doing, ErrorKind, HostError, Result};

/// The files of one sandbox.
#[derive(Debug)]
pub struct FileStorage {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    lock: LockFile,
    journal: LogFile,
    audit: LogFile,
    checked: Rc<Checked>,
}

impl FileStorage {
    /// The files in `folder`, which exists.
    pub fn open(folder: &Path, disk: Arc<dyn Disk>) -> Result<Self> {
        let log = |log: Log| LogFile::new(folder.join(log.name()), log == Log::Journal, Arc::clone(&disk));
        Ok(FileStorage {
            lock: LockFile::open(&folder.join("lock"))?,
            journal: log(Log::Journal),
            audit: log(Log::Audit),
            checked: Rc::new(Checked::new(folder.join(BLOBS).with_extension("checked"), Arc::clone(&disk))),
            folder: folder.to_owned(),
            disk,
        })
    }

    fn log(&self, log: Log) -> &LogFile {
        match log {
            Log::Journal => &self.journal,
            Log::Audit => &self.audit,
        }
    }

    fn path(&self, item: Item<'_>) -> PathBuf {
        self.folder.join(item.name())
    }

    /// Writes a file whole or not at all.
    fn write(&self, path: &Path, content: &[u8]) -> Result<()> {
        disk::replace(&*self.disk, path, |file| self.disk.write(file, content)).doing("write", path)
    }

    fn folders(&self) -> Vec<PathBuf> {
        let names = ["", BLOBS].into_iter().chain(Kind::ALL.map(Kind::name));
        names.map(|name| self.folder.join(name)).collect()
    }
}

impl Storage for FileStorage {
    fn lock(&self, wait: Wait) -> Result<Held> {
        let locked = match wait {
            Wait::UntilFree => self.lock.acquire(),
            Wait::Not => self.lock.try_acquire(),
        };
        locked.map(Held::new)
    }

    fn mark(&self, log: Log) -> Result<Option<Mark>> {
        self.log(log).mark()
    }

    fn read(&self, log: Log, at: Mark, into: &mut [u8]) -> Result<usize> {
        self.log(log).read(at, into)
    }

    fn create(&self, _: &Held, log: Log) -> Result<Mark> {
        self.log(log).create()
    }

    fn append(&self, _: &Held, log: Log, at: Mark, parts: Parts<'_>) -> Result<Mark> {
        self.log(log).append(at, parts)
    }

    fn cut(&self, _: &Held, log: Log, at: Mark) -> Result<()> {
        self.log(log).cut(at)
    }

    fn replace(&self, _: &Held, log: Log, parts: Parts<'_>) -> Result<Mark> {
        self.log(log).replace(parts)
    }

    fn set_aside(&self, _: &Held, log: Log, from: Mark) -> Result<String> {
        let first = format!("{}.torn", log.name());
        let names = std::iter::once(first.clone()).chain((2..).map(|n| format!("{first}.{n}")));
        let mut free = names.map(|name| self.folder.join(name)).filter(|path| path.symlink_metadata().is_err());
        let path = free.next().expect("there is always a next name");
        self.write(&path, &self.log(log).tail(from)?)?;
        Ok(path.display().to_string())
    }

    fn records(&self, kind: Kind) -> Result<Vec<String>> {
        let folder = self.folder.join(kind.name());
        let unfinished = disk::leftovers(&folder).doing("read", &folder)?;
        let mut names = Vec::new();
        for path in files_in(&folder)?.into_iter().filter(|path| !unfinished.contains(path)) {
            names.extend(path.file_name().and_then(|name| name.to_str()).map(str::to_owned));
        }
        names.sort_unstable();
        Ok(names)
    }

    fn record(&self, kind: Kind, key: &str) -> Result<Option<Vec<u8>>> {
        let path = self.path(Item::Record(kind, key));
        let content = match path.symlink_metadata() {
            Ok(metadata) if metadata.is_file() => fs::read(&path),
            // Links and devices, which gitgate never creates.
            Ok(_) => return Err(HostError::new(ErrorKind::Damaged, "it is not a file").hint("remove it")),
            Err(error) => Err(error),
        };
        match content {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(HostError::new(ErrorKind::Storage, error.to_string()).hint("make it accessible")),
        }
    }

    fn put(&self, _: &Held, kind: Kind, key: &str, content: &[u8]) -> Result<()> {
        let folder = self.folder.join(kind.name());
        disk::private_folder(&folder).doing("make", &folder)?;
        self.write(&folder.join(key), content)
    }

    fn remove(&self, _: &Held, kind: Kind, key: &str) -> Result<()> {
        remove_file(&self.path(Item::Record(kind, key)))
    }

    fn blobs(&self) -> Result<Vec<BlobId>> {
        let paths = files_in(&self.folder.join(BLOBS))?.into_iter();
        // Any other file was never finished.
        let ids = paths.filter_map(|path| hex::decode::<32>(path.file_name()?.to_str()?));
        let mut ids: Vec<BlobId> = ids.collect();
        ids.sort_unstable();
        Ok(ids)
    }

    fn blob(&self, id: &BlobId) -> Result<Option<Box<dyn Blob>>> {
        let path = self.path(Item::Blob(id));
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error::io("open", &path, &error)),
        };
        let seen = file.metadata().doing("read", &path)?;
        Ok(Some(Box::new(FileBlob { id: *id, path, file, seen, checked: Rc::clone(&self.checked) })))
    }

    fn add_blob(&self, _: &Held, id: &BlobId, content: &[u8]) -> Result<()> {
        let (folder, path) = (self.folder.join(BLOBS), self.path(Item::Blob(id)));
        disk::private_folder(&folder).doing("make", &folder)?;
        self.write(&path, content)?;
        // It was hashed for its name.
        self.checked.add(id, &fs::metadata(&path).doing("read", &path)?);
        Ok(())
    }

    fn remove_blob(&self, _: &Held, id: &BlobId) -> Result<()> {
        remove_file(&self.path(Item::Blob(id)))
    }

    fn text(&self, name: &str) -> Result<Option<String>> {
        let path = self.folder.join(name);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error::io("read", &path, &error)),
        }
    }

    fn put_text(&self, _: &Held, name: &str, text: &str) -> Result<()> {
        self.write(&self.folder.join(name), text.as_bytes())
    }

    fn leftovers(&self) -> Result<Vec<String>> {
        let mut all = Vec::new();
        for folder in self.folders() {
            let left = disk::leftovers(&folder).doing("read", &folder)?;
            all.extend(left.iter().map(|path| path.display().to_string()));
        }
        Ok(all)
    }

    fn remove_leftovers(&self, _: &Held) -> Result<()> {
        self.folders().iter().try_for_each(|folder| disk::remove_leftovers(folder).doing("clean up", folder))
    }

    fn place(&self, item: Item<'_>) -> String {
        self.path(item).display().to_string()
    }
}

/// Everything in a folder, which need not exist.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error::io("read", folder, &error)),
    };
    entries.map(|entry| Ok(entry.doing("read", folder)?.path())).collect()
}

/// Removes a file, which need not exist.
fn remove_file(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error::io("remove", path, &error)),
        _ => Ok(()),
    }
}

/// A blob's file, open.
#[derive(Debug)]
struct FileBlob {
    id: BlobId,
    path: PathBuf,
    file: File,
    /// As it was when it was opened.
    seen: Metadata,
    checked: Rc<Checked>,
}

impl Blob for FileBlob {
    fn size(&self) -> u64 {
        self.seen.len()
    }

    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        self.file.read(into).doing("read", &self.path)
    }

    fn is_known_whole(&self) -> bool {
        self.checked.contains(&self.id, &self.seen)
    }

    fn note_whole(&self) {
        self.checked.add(&self.id, &self.seen);
    }
}
