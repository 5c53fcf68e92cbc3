//! Where a command writes to.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use bstr::BString;

use super::pipe::Writer;
use super::{BrokenPipe, Files};
use crate::world::Halt;

/// What is written, and not read before the end.
#[derive(Debug, Default)]
pub struct Target(RefCell<Vec<u8>>);

impl Target {
    /// What was written.
    pub fn take(&self) -> Vec<u8> {
        self.0.take()
    }
}

/// A file that is open for writing.
#[derive(Debug)]
pub struct Open {
    path: BString,
    files: Rc<Files>,
    /// Where the next byte goes. None for the end, wherever that is.
    at: Cell<Option<usize>>,
}

/// What can be written to.
#[derive(Clone, Debug)]
pub enum Sink {
    /// A text.
    Target(Rc<Target>),
    /// What another command reads.
    Pipe(Writer),
    /// A file.
    File(Rc<Open>),
    /// Nothing.
    Null,
    /// Nothing can be written: it is closed, or open for reading only.
    Closed,
}

/// Why something cannot be written.
#[derive(Debug)]
pub enum Unwritten {
    /// Nobody reads it any more.
    Broken,
    /// In the words of the C library.
    Failed(String),
    /// The script ends.
    Halt(Halt),
}

impl From<BrokenPipe> for Unwritten {
    fn from(_: BrokenPipe) -> Unwritten {
        Unwritten::Broken
    }
}

impl From<Halt> for Unwritten {
    fn from(halt: Halt) -> Unwritten {
        Unwritten::Halt(halt)
    }
}

impl Sink {
    /// The end of a file, or its beginning.
    pub fn file(files: &Rc<Files>, path: BString, appends: bool) -> Sink {
        let at = Cell::new((!appends).then_some(0));
        Sink::File(Rc::new(Open { path, files: Rc::clone(files), at }))
    }

    /// Writes all of it.
    pub async fn write(&self, content: &[u8]) -> Result<(), Unwritten> {
        match self {
            Sink::Target(target) => {
                target.0.borrow_mut().extend_from_slice(content);
                Ok(())
            }
            Sink::Pipe(pipe) => Ok(pipe.write(content).await?),
            Sink::File(open) => {
                let next = open.files.write(&open.path, open.at.get(), content)?;
                if open.at.get().is_some() {
                    open.at.set(Some(next));
                }
                Ok(())
            }
            Sink::Null => Ok(()),
            Sink::Closed => Err(Unwritten::Failed("Bad file descriptor".to_owned())),
        }
    }

    /// Whether what is written to the other comes out at the same place.
    pub fn is(&self, other: &Sink) -> bool {
        match (self, other) {
            (Sink::Target(one), Sink::Target(other)) => Rc::ptr_eq(one, other),
            (Sink::File(one), Sink::File(other)) => Rc::ptr_eq(one, other),
            (Sink::Pipe(_), Sink::Pipe(_)) => true,
            _ => false,
        }
    }

    /// How many bytes a target has.
    pub fn held(&self) -> usize {
        match self {
            Sink::Target(target) => target.0.borrow().len(),
            _ => 0,
        }
    }
}
