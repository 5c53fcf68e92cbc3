//! A terminal that gives each key as it is pressed.

use std::fs::File;
use std::io;

use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use crate::interrupt;

/// Enters the alternate screen, so that what stood there comes back.
const ENTER: &str = "\x1b[?1049h\x1b[?25l";
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";

/// Holds a terminal in raw mode, on its alternate screen.
pub(super) struct Raw<'a> {
    terminal: &'a File,
}

impl<'a> Raw<'a> {
    pub fn enter(terminal: &'a File) -> io::Result<Self> {
        let former = tcgetattr(terminal)?;
        let mut raw = former.clone();
        raw.make_raw();
        // A signal that ends the process leaves the terminal as it was.
        interrupt::restore_terminal(Some((terminal.try_clone()?, former, LEAVE)));
        let entered = Raw { terminal };
        tcsetattr(terminal, OptionalActions::Now, &raw)?;
        io::Write::write_all(&mut &*terminal, ENTER.as_bytes())?;
        Ok(entered)
    }

    pub fn terminal(&self) -> &'a File {
        self.terminal
    }
}

impl Drop for Raw<'_> {
    fn drop(&mut self) {
        interrupt::restore_terminal(None);
    }
}
