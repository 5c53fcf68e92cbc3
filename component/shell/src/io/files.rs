//! The tree as commands see it. What is written piece by piece, as in a loop, reaches the world as whole files, as soon as anybody looks.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::rc::Rc;

use bstr::{BStr, BString, ByteSlice};
use bytes::Bytes;

use super::reason;
use super::sink::Unwritten;
use crate::script::clock::Clock;
use crate::world::{Kind, Now, Stat, World};

/// The world's tree, with what is not written yet.
pub struct Files {
    world: Rc<dyn World>,
    clock: Rc<Clock>,
    dirty: RefCell<BTreeMap<BString, Vec<u8>>>,
}

impl fmt::Debug for Files {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Files").field("dirty", &self.dirty).finish_non_exhaustive()
    }
}

type Result<T> = io::Result<T>;

impl Files {
    /// Those of a world.
    pub fn new(world: Rc<dyn World>, clock: Rc<Clock>) -> Files {
        Files { world, clock, dirty: RefCell::default() }
    }

    /// Writes what is not written yet.
    pub fn flush(&self) -> Result<()> {
        for (path, content) in self.dirty.take() {
            self.world.write(path.as_bstr(), content)?;
        }
        Ok(())
    }

    /// The time: what the world says, and what the script has slept since.
    pub fn now(&self) -> Now {
        let now = self.world.now();
        Now { nanos: now.nanos + i128::from(self.clock.slept()), ..now }
    }

    /// Bytes that are not written yet.
    pub fn held(&self) -> usize {
        self.dirty.borrow().values().map(Vec::len).sum()
    }

    /// Writes into a file that was made by [`begin`](Self::begin), at a place or at its end. Returns the place behind.
    pub fn write(&self, path: &BString, at: Option<usize>, content: &[u8]) -> std::result::Result<usize, Unwritten> {
        let mut dirty = self.dirty.borrow_mut();
        if !dirty.contains_key(path) {
            let now = match self.world.read(path.as_bstr()) {
                Ok(now) => now.into(),
                // It was removed while it was open: what is written is gone with it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(at.unwrap_or(0) + content.len()),
                Err(error) => return Err(Unwritten::Failed(reason(&error))),
            };
            dirty.insert(path.clone(), now);
        }
        let file = dirty.get_mut(path).expect("it was put there");
        let at = at.unwrap_or(file.len());
        if file.len() < at {
            file.resize(at, 0);
        }
        let over = content.len().min(file.len() - at);
        file[at..at + over].copy_from_slice(&content[..over]);
        file.extend_from_slice(&content[over..]);
        Ok(at + content.len())
    }

    /// Opens a file for writing: makes it, if it is not there, and empties it, unless it is to be appended to.
    pub fn begin(&self, path: &BStr, appends: bool) -> Result<()> {
        let known = self.dirty.borrow().contains_key(path);
        let exists = known || {
            self.flush()?;
            match self.world.stat(path, true) {
                Ok(stat) if stat.kind == Kind::Folder => return Err(io::ErrorKind::IsADirectory.into()),
                Ok(stat) if !stat.writable => return Err(io::ErrorKind::PermissionDenied.into()),
                Ok(_) => true,
                Err(error) if error.kind() == io::ErrorKind::NotFound => false,
                Err(error) => return Err(error),
            }
        };
        if !exists {
            self.world.write(path, Vec::new())?;
        }
        if !appends {
            self.dirty.borrow_mut().insert(path.to_owned(), Vec::new());
        }
        Ok(())
    }

    /// Writes a whole file.
    pub fn put(&self, path: &BStr, content: Vec<u8>) -> Result<()> {
        self.flush()?;
        self.world.write(path, content)
    }

    /// The world, after everything was written. All but writing piece by piece goes through this.
    pub fn world(&self) -> Result<&dyn World> {
        self.flush()?;
        Ok(&*self.world)
    }

    /// The world as it is, for what has nothing to do with files.
    pub fn around(&self) -> &dyn World {
        &*self.world
    }

    /// The content of a file.
    pub fn read(&self, path: &BStr) -> Result<Bytes> {
        self.world()?.read(path)
    }

    /// The metadata of an entry.
    pub fn stat(&self, path: &BStr, follow: bool) -> Result<Stat> {
        self.world()?.stat(path, follow)
    }

    /// The entries of a folder.
    pub fn list(&self, path: &BStr) -> Result<Vec<(BString, Stat)>> {
        self.world()?.list(path)
    }
}
