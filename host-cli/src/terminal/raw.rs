//! A terminal that gives each key as it is pressed.

use std::fs::File;
use std::io;

use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};

use crate::interrupt;

/// Enters the alternate screen, so that what stood there comes back.
const ENTER: &str = "\x1b[?1049h\x1b[?25l";
/// Leaves it, and takes back what [`MOUSE`] asks for.
const LEAVE: &str = "\x1b[?2004l\x1b[?1006l\x1b[?1000l\x1b[?25h\x1b[?1049l";
/// Asks for clicks and the wheel, and for marks around what is pasted (xterm's modes 1000, 1006 and 2004).
pub(super) const MOUSE: &str = "\x1b[?1000h\x1b[?1006h\x1b[?2004h";

/// Holds a terminal in a mode that gives each key as it is pressed, and still turns Ctrl-C into a signal. What stands on the screen stays.
pub(super) struct EachKey;

impl EachKey {
    /// Reads wait for a key.
    pub fn enter(terminal: &File) -> io::Result<Self> {
        let former = tcgetattr(terminal)?;
        let mut each = former.clone();
        each.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        each.special_codes[SpecialCodeIndex::VMIN] = 1;
        each.special_codes[SpecialCodeIndex::VTIME] = 0;
        interrupt::restore_terminal(Some((terminal.try_clone()?, former, "")));
        let entered = EachKey;
        tcsetattr(terminal, OptionalActions::Now, &each)?;
        Ok(entered)
    }
}

impl Drop for EachKey {
    fn drop(&mut self) {
        interrupt::restore_terminal(None);
    }
}

/// Holds a terminal in raw mode, on its alternate screen.
pub(super) struct Raw<'a> {
    terminal: &'a File,
}

impl<'a> Raw<'a> {
    /// Reads wait for a key.
    pub fn enter(terminal: &'a File) -> io::Result<Self> {
        Self::enter_with(terminal, 1, 0)
    }

    /// Reads wait for a key so many tenths of a second, and then read nothing.
    pub fn enter_for_a_while(terminal: &'a File, tenths: u8) -> io::Result<Self> {
        Self::enter_with(terminal, 0, tenths)
    }

    /// The same on the screen that is there.
    pub fn enter_quietly(terminal: &'a File, tenths: u8) -> io::Result<Self> {
        Self::enter_as(terminal, (0, tenths), None)
    }

    fn enter_with(terminal: &'a File, least: u8, tenths: u8) -> io::Result<Self> {
        Self::enter_as(terminal, (least, tenths), Some(LEAVE))
    }

    /// `least` bytes and `tenths` of a second are POSIX's MIN and TIME (11.1.7).
    fn enter_as(terminal: &'a File, (least, tenths): (u8, u8), alternate: Option<&'static str>) -> io::Result<Self> {
        let former = tcgetattr(terminal)?;
        let mut raw = former.clone();
        raw.make_raw();
        raw.special_codes[SpecialCodeIndex::VMIN] = least;
        raw.special_codes[SpecialCodeIndex::VTIME] = tenths;
        // A signal that ends the process leaves the terminal as it was.
        interrupt::restore_terminal(Some((terminal.try_clone()?, former, alternate.unwrap_or_default())));
        let entered = Raw { terminal };
        tcsetattr(terminal, OptionalActions::Now, &raw)?;
        if alternate.is_some() {
            io::Write::write_all(&mut &*terminal, ENTER.as_bytes())?;
        }
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
