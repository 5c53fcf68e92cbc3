//! A screen that is drawn again and again, of which only the rows are written that have changed.

use std::fmt::Write as _;
use std::io::{self, ErrorKind, Read, Write};

use rustix::termios::{QueueSelector, tcflush, tcgetattr};

use super::Terminal;
use super::keys::{Key, Reader};
use super::raw::{MOUSE, Raw};

/// How long a read waits for a key, in tenths of a second. The screen's size is looked at as often.
const TICK: u8 = 2;
/// Bytes that are read at once. What is pasted may be long.
const READ: usize = 16 << 10;

/// A terminal that has such a screen, as long as this lives.
pub(crate) struct Live<'a> {
    terminal: &'a Terminal,
    raw: Raw<'a>,
    /// What stands on the screen, and how large it was then.
    drawn: Option<(Vec<String>, (usize, usize))>,
    reader: Reader,
}

impl<'a> Live<'a> {
    /// Takes the terminal.
    pub fn enter(terminal: &'a Terminal) -> io::Result<Self> {
        Ok(Live {
            terminal,
            raw: Raw::enter_for_a_while(&terminal.output, TICK)?,
            drawn: None,
            reader: Reader::default(),
        })
    }

    /// The same, where the mouse counts, and what is pasted is told from what is typed.
    pub fn enter_with_mouse(terminal: &'a Terminal) -> io::Result<Self> {
        let live = Live::enter(terminal)?;
        live.raw.terminal().write_all(MOUSE.as_bytes())?;
        Ok(live)
    }

    /// The columns and rows of the terminal.
    pub fn size(&self) -> (usize, usize) {
        self.terminal.size()
    }

    /// Draws these rows, of which none is wider than the screen.
    pub fn draw(&mut self, rows: Vec<String>) -> io::Result<()> {
        let size = self.terminal.size();
        let drawn = self.drawn.as_ref().filter(|(_, drawn)| *drawn == size);
        let changes = changes(drawn.map(|(rows, _)| rows.as_slice()), &rows);
        if !changes.is_empty() {
            self.raw.terminal().write_all(changes.as_bytes())?;
        }
        self.drawn = Some((rows, size));
        Ok(())
    }

    /// Forgets what stands on the screen: something else may have been written to it.
    pub fn forget(&mut self) {
        self.drawn = None;
    }

    /// Forgets what was typed before the screen could be read.
    pub fn forget_typed(&mut self) -> io::Result<()> {
        self.reader = Reader::default();
        Ok(tcflush(self.raw.terminal(), QueueSelector::IFlush)?)
    }

    /// Rings the bell.
    pub fn ring(&self) -> io::Result<()> {
        self.raw.terminal().write_all(crate::notify::BELL.as_bytes())
    }

    /// The keys that were pressed, after a while at the latest. `None` if the terminal is gone.
    pub fn keys(&mut self) -> io::Result<Option<Vec<Key>>> {
        let mut bytes = [0; READ];
        match self.raw.terminal().read(&mut bytes) {
            // The end of a terminal is read as no key is.
            Ok(0) => Ok(tcgetattr(self.raw.terminal()).is_ok().then(Vec::new)),
            Ok(read) => Ok(Some(self.reader.keys(&bytes[..read]))),
            // A signal that ended nothing.
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(Some(Vec::new())),
            Err(error) => Err(error),
        }
    }
}

/// What makes the rows of a screen out of those that stand there, or out of anything.
fn changes(before: Option<&[String]>, rows: &[String]) -> String {
    let mut out = String::new();
    if before.is_none() {
        out.push_str("\x1b[0m\x1b[2J");
    }
    let before = before.unwrap_or_default();
    let count = rows.len().max(before.len());
    let at = |rows: &[String], row: usize| rows.get(row).cloned().unwrap_or_default();
    for row in 0..count {
        let now = at(rows, row);
        if now != at(before, row) {
            // Behind a full row, a terminal would erase its last column.
            write!(out, "\x1b[{};1H\x1b[K{now}", row + 1).expect("writing to a string does not fail");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&str]) -> Vec<String> {
        rows.iter().map(|row| (*row).to_owned()).collect()
    }

    #[test]
    fn only_rows_that_have_changed_are_written() {
        let first = rows(&["title", "", "one"]);
        assert_eq!(changes(None, &first), "\x1b[0m\x1b[2J\x1b[1;1H\x1b[Ktitle\x1b[3;1H\x1b[Kone");
        assert_eq!(changes(Some(&first), &first), "");
        assert_eq!(changes(Some(&first), &rows(&["title", "", "two"])), "\x1b[3;1H\x1b[Ktwo");
        assert_eq!(changes(Some(&first), &rows(&["title"])), "\x1b[3;1H\x1b[K", "a row that is gone is erased");
    }
}
