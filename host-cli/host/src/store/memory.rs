//! A sandbox in memory: for tests, and for a body that keeps nothing.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use bytes::Bytes;
use gate::hex;

use super::storage::{Blob, BlobId, Held, Item, Kind, Log, Mark, Parts, Storage, Wait};
use crate::error::{ErrorKind, HostError, Result};

/// The storage. A clone is another process on the same sandbox.
#[derive(Clone, Debug, Default)]
pub struct MemoryStorage {
    world: Rc<RefCell<World>>,
    fault: Rc<Cell<Option<Fault>>>,
}

#[derive(Debug, Default)]
struct World {
    held: bool,
    generations: u64,
    logs: BTreeMap<Log, Content>,
    records: BTreeMap<(Kind, String), Vec<u8>>,
    blobs: BTreeMap<BlobId, Bytes>,
    /// The blobs that were found whole, and not touched since.
    whole: BTreeSet<BlobId>,
    texts: BTreeMap<String, String>,
    /// What was set aside, by where.
    aside: BTreeMap<String, Vec<u8>>,
}

#[derive(Clone, Debug)]
struct Content {
    generation: u64,
    bytes: Vec<u8>,
}

impl Content {
    fn mark(&self) -> Mark {
        Mark { generation: self.generation, length: self.bytes.len() as u64 }
    }
}

/// A failure that a test has asked for.
#[derive(Clone, Copy, Debug)]
struct Fault {
    /// Steps that still succeed.
    left: usize,
    /// Whether every later step fails, too.
    stays: bool,
    /// Whether a step has failed.
    has_come: bool,
}

impl MemoryStorage {
    /// Another process on the same sandbox, whose step `at`, from 0, fails.
    #[must_use]
    pub fn failing(&self, at: usize) -> Self {
        self.with(Fault { left: at, stays: false, has_come: false })
    }

    /// As [`failing`](Self::failing), with every later step failing, too.
    #[must_use]
    pub fn failing_from(&self, at: usize) -> Self {
        self.with(Fault { left: at, stays: true, has_come: false })
    }

    fn with(&self, fault: Fault) -> Self {
        MemoryStorage { world: Rc::clone(&self.world), fault: Rc::new(Cell::new(Some(fault))) }
    }

    /// Another sandbox with the same content, which shares nothing with this one.
    #[must_use]
    pub fn copied(&self) -> Self {
        let World { generations, logs, records, blobs, whole, texts, aside, .. } = &*self.world.borrow();
        let world = World {
            held: false,
            generations: *generations,
            logs: logs.clone(),
            records: records.clone(),
            blobs: blobs.clone(),
            whole: whole.clone(),
            texts: texts.clone(),
            aside: aside.clone(),
        };
        MemoryStorage { world: Rc::new(RefCell::new(world)), fault: Rc::default() }
    }

    /// True if the failure that was asked for has come.
    pub fn has_failed(&self) -> bool {
        self.fault.get().is_some_and(|fault| fault.has_come)
    }

    /// Everything that is stored, names and content.
    pub fn everything(&self) -> Vec<u8> {
        let World { logs, records, blobs, texts, aside, .. } = &*self.world.borrow();
        let logs = logs.iter().map(|(log, content)| (log.name().to_owned(), &content.bytes[..]));
        let records = records.iter().map(|((kind, key), content)| (format!("{}/{key}", kind.name()), &content[..]));
        let blobs = blobs.iter().map(|(id, content)| (hex::encode(id), &content[..]));
        let texts = texts.iter().map(|(name, text)| (name.clone(), text.as_bytes()));
        let aside = aside.iter().map(|(place, content)| (place.clone(), &content[..]));
        let all = logs.chain(records).chain(blobs).chain(texts).chain(aside);
        all.flat_map(|(name, content)| [name.as_bytes(), b"\n", content, b"\n"].concat()).collect()
    }

    /// All bytes of a log.
    pub fn log(&self, log: Log) -> Option<Vec<u8>> {
        self.world.borrow().logs.get(&log).map(|content| content.bytes.clone())
    }

    /// What was set aside, by where it was said to be.
    pub fn aside(&self, place: &str) -> Option<Vec<u8>> {
        self.world.borrow().aside.get(place).cloned()
    }

    /// Writes other bytes into a log, as no host does. It stays of its generation.
    pub fn overwrite(&self, log: Log, bytes: &[u8]) {
        let mut world = self.world.borrow_mut();
        let content = world.logs.entry(log).or_insert(Content { generation: 0, bytes: Vec::new() });
        content.bytes = bytes.to_vec();
    }

    /// Writes other bytes into a blob, as no host does.
    pub fn overwrite_blob(&self, id: &BlobId, bytes: &[u8]) {
        let mut world = self.world.borrow_mut();
        world.whole.remove(id);
        world.blobs.insert(*id, Bytes::copy_from_slice(bytes));
    }

    /// A step of a change.
    fn step(&self) -> Result<()> {
        let Some(fault) = self.fault.get() else { return Ok(()) };
        match fault.left {
            0 if fault.has_come && !fault.stays => Ok(()),
            0 => {
                self.fault.set(Some(Fault { has_come: true, ..fault }));
                Err(HostError::new(ErrorKind::Storage, "cannot write: no space left")
                    .hint("free some space, then try again"))
            }
            left => {
                self.fault.set(Some(Fault { left: left - 1, ..fault }));
                Ok(())
            }
        }
    }

    /// Everything that `parts` gives; each part is a step.
    fn gather(&self, parts: Parts<'_>) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        while let Some(part) = parts()? {
            self.step()?;
            all.extend_from_slice(&part);
        }
        Ok(all)
    }
}

impl World {
    fn next_generation(&mut self) -> u64 {
        self.generations += 1;
        self.generations
    }

    /// The log, if it still has what is before the mark `at`.
    fn at(&mut self, log: Log, at: Mark) -> Result<(&mut Content, usize)> {
        let content = self.logs.get_mut(&log).filter(|content| content.generation == at.generation);
        let length = usize::try_from(at.length).ok();
        match (content, length) {
            (Some(content), Some(length)) if length <= content.bytes.len() => Ok((content, length)),
            _ => Err(HostError::new(ErrorKind::Storage, format!("{} must be opened again", log.name()))
                .hint("try again; another process has changed it")),
        }
    }
}

impl Storage for MemoryStorage {
    fn lock(&self, _wait: Wait) -> Result<Held> {
        // Whoever holds it is below this function on the stack, so a wait would never end.
        if std::mem::replace(&mut self.world.borrow_mut().held, true) {
            return Err(HostError::new(ErrorKind::Busy, "another process is using the sandbox")
                .hint("try again when that process is done"));
        }
        Ok(Held::new(Guard(Rc::clone(&self.world))))
    }

    fn mark(&self, log: Log) -> Result<Option<Mark>> {
        Ok(self.world.borrow().logs.get(&log).map(Content::mark))
    }

    fn read(&self, log: Log, at: Mark, into: &mut [u8]) -> Result<usize> {
        let mut world = self.world.borrow_mut();
        let (content, from) = world.at(log, at)?;
        let rest = &content.bytes[from..];
        let read = rest.len().min(into.len());
        into[..read].copy_from_slice(&rest[..read]);
        Ok(read)
    }

    fn create(&self, _: &Held, log: Log) -> Result<Mark> {
        self.step()?;
        let mut world = self.world.borrow_mut();
        let generation = world.next_generation();
        Ok(world.logs.entry(log).or_insert(Content { generation, bytes: Vec::new() }).mark())
    }

    fn append(&self, _: &Held, log: Log, at: Mark, parts: Parts<'_>) -> Result<Mark> {
        self.world.borrow_mut().at(log, at)?;
        let new = self.gather(parts).and_then(|new| self.step().map(|()| new));
        let mut world = self.world.borrow_mut();
        let (content, length) = world.at(log, at)?;
        content.bytes.truncate(length);
        content.bytes.extend_from_slice(&new?);
        Ok(content.mark())
    }

    fn cut(&self, _: &Held, log: Log, at: Mark) -> Result<()> {
        self.step()?;
        let mut world = self.world.borrow_mut();
        let (content, length) = world.at(log, at)?;
        content.bytes.truncate(length);
        Ok(())
    }

    fn replace(&self, _: &Held, log: Log, parts: Parts<'_>) -> Result<Mark> {
        let bytes = self.gather(parts)?;
        self.step()?;
        let mut world = self.world.borrow_mut();
        let content = Content { generation: world.next_generation(), bytes };
        let mark = content.mark();
        world.logs.insert(log, content);
        Ok(mark)
    }

    fn set_aside(&self, _: &Held, log: Log, from: Mark) -> Result<String> {
        self.step()?;
        let mut world = self.world.borrow_mut();
        let (content, from) = world.at(log, from)?;
        let torn = content.bytes[from..].to_vec();
        let place = format!("{}.torn.{}", log.name(), world.aside.len());
        world.aside.insert(place.clone(), torn);
        Ok(place)
    }

    fn records(&self, kind: Kind) -> Result<Vec<String>> {
        Ok(self.world.borrow().records.keys().filter(|(of, _)| *of == kind).map(|(_, key)| key.clone()).collect())
    }

    fn record(&self, kind: Kind, key: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.world.borrow().records.get(&(kind, key.to_owned())).cloned())
    }

    fn put(&self, _: &Held, kind: Kind, key: &str, content: &[u8]) -> Result<()> {
        self.step()?;
        self.world.borrow_mut().records.insert((kind, key.to_owned()), content.to_vec());
        Ok(())
    }

    fn remove(&self, _: &Held, kind: Kind, key: &str) -> Result<()> {
        self.step()?;
        self.world.borrow_mut().records.remove(&(kind, key.to_owned()));
        Ok(())
    }

    fn blobs(&self) -> Result<Vec<BlobId>> {
        Ok(self.world.borrow().blobs.keys().copied().collect())
    }

    fn blob(&self, id: &BlobId) -> Result<Option<Box<dyn Blob>>> {
        let world = self.world.borrow();
        let Some(content) = world.blobs.get(id) else { return Ok(None) };
        let (id, content, world) = (*id, content.clone(), Rc::clone(&self.world));
        Ok(Some(Box::new(MemoryBlob { size: content.len() as u64, id, content, world })))
    }

    fn add_blob(&self, _: &Held, id: &BlobId, content: &[u8]) -> Result<()> {
        self.step()?;
        let content = Bytes::copy_from_slice(content);
        self.step()?;
        let mut world = self.world.borrow_mut();
        world.blobs.insert(*id, content);
        world.whole.insert(*id);
        Ok(())
    }

    fn remove_blob(&self, _: &Held, id: &BlobId) -> Result<()> {
        self.step()?;
        self.world.borrow_mut().blobs.remove(id);
        Ok(())
    }

    fn text(&self, name: &str) -> Result<Option<String>> {
        Ok(self.world.borrow().texts.get(name).cloned())
    }

    fn put_text(&self, _: &Held, name: &str, text: &str) -> Result<()> {
        self.step()?;
        self.world.borrow_mut().texts.insert(name.to_owned(), text.to_owned());
        Ok(())
    }

    fn leftovers(&self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn remove_leftovers(&self, _: &Held) -> Result<()> {
        Ok(())
    }

    fn place(&self, item: Item<'_>) -> String {
        item.name()
    }
}

/// The lock, held.
#[derive(Debug)]
struct Guard(Rc<RefCell<World>>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.borrow_mut().held = false;
    }
}

/// A blob that is being read.
#[derive(Debug)]
struct MemoryBlob {
    id: BlobId,
    size: u64,
    /// What is left of it.
    content: Bytes,
    world: Rc<RefCell<World>>,
}

impl Blob for MemoryBlob {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let part = self.content.split_to(self.content.len().min(into.len()));
        into[..part.len()].copy_from_slice(&part);
        Ok(part.len())
    }

    fn is_known_whole(&self) -> bool {
        self.world.borrow().whole.contains(&self.id)
    }

    fn note_whole(&self) {
        self.world.borrow_mut().whole.insert(self.id);
    }
}
