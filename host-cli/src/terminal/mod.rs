//! The person's terminal. It is `/dev/tty`, which no redirection replaces.

mod editor;
pub(crate) mod ground;
mod keys;
mod live;
mod pager;
mod raw;
mod single;
mod view;

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};

use gate::review::Screen;
use rustix::termios::{QueueSelector, tcflush, tcgetwinsize};

pub(crate) use self::keys::Key;
pub(crate) use self::live::Live;
use self::raw::EachKey;
use crate::approve::{After, Talk};
use crate::screen::{self, colour};

/// Set to `1`, a review is asked about line by line, as a screen reader needs it.
pub const PLAIN: &str = "GITGATE_PLAIN";
/// The smallest terminal with room for a review in full screen.
const NARROWEST: usize = 40;
const LOWEST: usize = 10;

/// The terminal that a person sits at.
#[derive(Debug)]
pub struct Terminal {
    input: BufReader<File>,
    output: File,
}

impl Terminal {
    /// Opens it. `None` if nobody sits there: an agent's tools are run with pipes, even where the
    /// agent itself has a terminal.
    pub fn open() -> Option<Self> {
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return None;
        }
        let output = File::options().read(true).write(true).open("/dev/tty").ok()?;
        Some(Terminal { input: BufReader::new(output.try_clone().ok()?), output })
    }

    /// A screen of its own, where the mouse counts.
    pub(crate) fn live_with_mouse(&self) -> io::Result<Live<'_>> {
        Live::enter_with_mouse(self)
    }

    /// Its columns and rows.
    pub(crate) fn columns_and_rows(&self) -> (usize, usize) {
        self.size()
    }

    fn size(&self) -> (usize, usize) {
        let size = tcgetwinsize(&self.output).ok().filter(|size| size.ws_col > 0 && size.ws_row > 0);
        size.map_or((80, 24), |size| (size.ws_col.into(), size.ws_row.into()))
    }
}

impl Talk for Terminal {
    fn screen(&self) -> Screen {
        let (columns, rows) = self.size();
        Screen { columns, rows, colour: colour::on_terminal() }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    fn forget_typed(&mut self) -> io::Result<()> {
        let buffered = self.input.buffer().len();
        self.input.consume(buffered);
        Ok(tcflush(&self.output, QueueSelector::IFlush)?)
    }

    fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        loop {
            let read = match self.input.fill_buf() {
                Ok(read) => read,
                // A signal that ended nothing.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            // Ctrl-D behind a word ends it, and decides nothing. One that was typed while single keys were read is a character.
            if read.is_empty() {
                return Ok(None);
            }
            let end = read.iter().position(|byte| [b'\n', single::END].contains(byte));
            let (length, ends) = (end.unwrap_or(read.len()), end.map(|at| read[at] == b'\n'));
            line.extend_from_slice(&read[..length]);
            self.input.consume(length + usize::from(end.is_some()));
            match ends {
                Some(true) => return Ok(Some(String::from_utf8_lossy(&line).into_owned())),
                Some(false) => return Ok(None),
                None => {}
            }
        }
    }

    fn press(&mut self, prompt: &str) -> io::Result<Option<String>> {
        // Whoever sees the prompt types into this mode.
        let mode = EachKey::enter(&self.output)?;
        self.say(prompt)?;
        let key = single::read(&mut self.input)?;
        drop(mode);
        self.say(&format!("{}\n", screen::line(key.as_deref().unwrap_or_default())))?;
        Ok(key)
    }

    fn full_screen(&mut self) -> Option<&mut Terminal> {
        let says = |name: &str, value: &str| std::env::var_os(name).is_some_and(|set| set == value);
        let (columns, rows) = self.size();
        let is_plain = says("TERM", "dumb") || says(PLAIN, "1") || columns < NARROWEST || rows < LOWEST;
        (!is_plain).then_some(self)
    }

    fn page(&mut self, text: &str) -> io::Result<After> {
        pager::show(self, text)
    }

    fn edit(&mut self, text: &str, name: &str) -> io::Result<String> {
        editor::edit(&self.output, text, name)
    }
}
