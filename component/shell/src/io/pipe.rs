//! A pipe: bytes on their way from one command to the next. Whoever finds it full or empty lets the others go on.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use bytes::Bytes;

use super::BrokenPipe;
use crate::script::turns::Turns;

/// The most bytes on their way, as in Linux.
const ROOM: usize = 64 * 1024;

#[derive(Debug)]
struct Pipe {
    bytes: RefCell<Vec<u8>>,
    /// The first that was not read.
    at: Cell<usize>,
    readers: Cell<usize>,
    writers: Cell<usize>,
    turns: Rc<Turns>,
}

/// The end to read from.
#[derive(Debug)]
pub struct Reader(Rc<Pipe>);

/// The end to write to.
#[derive(Debug)]
pub struct Writer(Rc<Pipe>);

/// A new pipe.
pub fn pipe(turns: &Rc<Turns>) -> (Reader, Writer) {
    let one = Cell::new(1);
    let pipe = Rc::new(Pipe {
        bytes: RefCell::default(),
        at: Cell::new(0),
        readers: one.clone(),
        writers: one,
        turns: Rc::clone(turns),
    });
    (Reader(Rc::clone(&pipe)), Writer(pipe))
}

impl Reader {
    /// The next bytes, up to and with the first `until`. None at the end.
    pub async fn take(&self, until: Option<u8>) -> Option<Bytes> {
        loop {
            if let Some(taken) = self.try_take(until) {
                return Some(taken);
            }
            if self.0.writers.get() == 0 {
                return None;
            }
            self.0.turns.others().await;
        }
    }

    /// The next byte. None at the end.
    pub async fn byte(&self) -> Option<u8> {
        loop {
            let at = self.0.at.get();
            let byte = self.0.bytes.borrow().get(at).copied();
            if byte.is_some() {
                self.0.at.set(at + 1);
                let mut bytes = self.0.bytes.borrow_mut();
                if at + 1 == bytes.len() {
                    bytes.clear();
                    self.0.at.set(0);
                }
                self.0.turns.made();
                return byte;
            }
            if self.0.writers.get() == 0 {
                return None;
            }
            self.0.turns.others().await;
        }
    }

    fn try_take(&self, until: Option<u8>) -> Option<Bytes> {
        let mut bytes = self.0.bytes.borrow_mut();
        let left = &bytes[self.0.at.get()..];
        if left.is_empty() {
            return None;
        }
        let end = until.and_then(|until| left.iter().position(|byte| *byte == until)).map_or(left.len(), |at| at + 1);
        self.0.turns.made();
        if end == left.len() && self.0.at.get() == 0 {
            return Some(std::mem::take(&mut *bytes).into());
        }
        let taken = Bytes::copy_from_slice(&left[..end]);
        self.0.at.set(self.0.at.get() + end);
        if self.0.at.get() == bytes.len() {
            bytes.clear();
            self.0.at.set(0);
        }
        Some(taken)
    }
}

impl Writer {
    /// Writes all of it, as soon as there is room.
    pub async fn write(&self, mut content: &[u8]) -> Result<(), BrokenPipe> {
        loop {
            if self.0.readers.get() == 0 {
                return Err(BrokenPipe);
            }
            let room = ROOM.saturating_sub(self.0.bytes.borrow().len() - self.0.at.get());
            let (now, later) = content.split_at(room.min(content.len()));
            if !now.is_empty() {
                self.0.bytes.borrow_mut().extend_from_slice(now);
                self.0.turns.made();
            }
            content = later;
            if content.is_empty() {
                return Ok(());
            }
            self.0.turns.others().await;
        }
    }
}

impl Clone for Reader {
    fn clone(&self) -> Reader {
        self.0.readers.set(self.0.readers.get() + 1);
        Reader(Rc::clone(&self.0))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.readers.set(self.0.readers.get() - 1);
        self.0.turns.made();
    }
}

impl Clone for Writer {
    fn clone(&self) -> Writer {
        self.0.writers.set(self.0.writers.get() + 1);
        Writer(Rc::clone(&self.0))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.writers.set(self.0.writers.get() - 1);
        self.0.turns.made();
    }
}
