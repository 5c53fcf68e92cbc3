//! A person who has pressed a key before the question came.

use std::io;

use gate::review::Screen;

use super::{After, Talk};
use crate::terminal::Terminal;

/// Gives the first question this answer, and shows it as if it had been typed.
#[derive(Debug)]
pub struct Pressed<T> {
    talk: T,
    key: Option<&'static str>,
}

impl<T> Pressed<T> {
    /// The person at `talk`, who has pressed `key`.
    pub fn new(talk: T, key: &'static str) -> Self {
        Pressed { talk, key: Some(key) }
    }
}

impl<T: Talk> Talk for Pressed<T> {
    fn screen(&self) -> Screen {
        self.talk.screen()
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.talk.say(text)
    }

    fn forget_typed(&mut self) -> io::Result<()> {
        self.talk.forget_typed()
    }

    fn line(&mut self) -> io::Result<Option<String>> {
        let Some(key) = self.key.take() else { return self.talk.line() };
        self.talk.say(&format!("{key}\n"))?;
        Ok(Some(key.to_owned()))
    }

    fn press(&mut self, prompt: &str) -> io::Result<Option<String>> {
        if self.key.is_some() { self.ask(prompt) } else { self.talk.press(prompt) }
    }

    fn full_screen(&mut self) -> Option<&mut Terminal> {
        // The key is an answer to the question in its frame.
        if self.key.is_some() { None } else { self.talk.full_screen() }
    }

    fn page(&mut self, text: &str) -> io::Result<After> {
        self.talk.page(text)
    }

    fn edit(&mut self, text: &str, name: &str) -> io::Result<String> {
        self.talk.edit(text, name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::talk::Played;
    use super::*;

    #[test]
    fn the_first_question_is_answered_and_no_other() {
        let mut talk = Pressed::new(Played::new("too much\n"), "r");
        assert_eq!(talk.ask("> ").unwrap().as_deref(), Some("r"));
        assert_eq!(talk.ask("Reason: ").unwrap().as_deref(), Some("too much"));
        assert_eq!(talk.ask("> ").unwrap(), None);
        assert_eq!(talk.talk.shown, "> r\nReason: > \n");
    }
}
