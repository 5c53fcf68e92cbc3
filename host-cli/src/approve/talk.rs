//! A conversation with a person.

use std::io;

use gate::review::Screen;

use crate::terminal::Terminal;

/// What stands on the screen after a text was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// What stood there before.
    Former,
    /// The text, perhaps.
    Text,
}

/// Where a person reads and types, line by line.
pub trait Talk {
    /// The screen.
    fn screen(&self) -> Screen;

    /// Prints `text`.
    fn say(&mut self, text: &str) -> io::Result<()>;

    /// Forgets what was typed before a question could be read.
    fn forget_typed(&mut self) -> io::Result<()>;

    /// Reads a line. `None` at the end of input.
    fn line(&mut self) -> io::Result<Option<String>>;

    /// The terminal, if it can show a review in full screen.
    fn full_screen(&mut self) -> Option<&mut Terminal> {
        None
    }

    /// Shows a long text, page by page. Returns what stands on the screen then.
    fn page(&mut self, text: &str) -> io::Result<After>;

    /// Lets the person edit `text`, in a file of this name.
    fn edit(&mut self, text: &str, name: &str) -> io::Result<String>;

    /// Prints `prompt`, and reads a line without the blanks around it. `None` at the end of input.
    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        self.say(prompt)?;
        let line = self.line()?;
        if line.is_none() {
            self.say("\n")?;
        }
        Ok(line.map(|line| line.trim().to_owned()))
    }

    /// Prints `prompt`, and reads one key, where a terminal gives one without Enter; else a line. `None` at the end of input.
    fn press(&mut self, prompt: &str) -> io::Result<Option<String>> {
        self.ask(prompt)
    }
}

/// A person who types what was written down before.
#[cfg(test)]
pub(crate) struct Played {
    input: std::collections::VecDeque<String>,
    /// Everything that was shown.
    pub shown: String,
    /// What the person makes of a text in their editor.
    pub edited: String,
}

#[cfg(test)]
impl Played {
    pub fn new(input: &str) -> Self {
        Played { input: input.lines().map(str::to_owned).collect(), shown: String::new(), edited: String::new() }
    }
}

#[cfg(test)]
impl Talk for Played {
    fn screen(&self) -> Screen {
        Screen::default()
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.shown.push_str(text);
        Ok(())
    }

    fn forget_typed(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn line(&mut self) -> io::Result<Option<String>> {
        Ok(self.input.pop_front())
    }

    fn page(&mut self, text: &str) -> io::Result<After> {
        self.say(text)?;
        Ok(After::Text)
    }

    fn edit(&mut self, _: &str, _: &str) -> io::Result<String> {
        Ok(self.edited.clone())
    }
}
