//! The review at a terminal: keys in, rows out, and what is to be kept in between.

use std::io;

use gate::comment::Comment;
use host::review::{Change, Draft, Look};

use super::answering::key;
use super::effect::{Done, Effect, Outcome};
use super::highlight;
use super::model::Model;
use super::popup::{Popup, Purpose};
use super::screen::{SMALLEST, Screen};
use super::theme::Theme;
use crate::error::Result;
use crate::terminal::{Terminal, ground};

/// Keeps what a person looks at and says.
pub trait Kept {
    /// Keeps what they have looked at.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn look(&self, looks: &[Look]) -> Result<()>;

    /// Makes a comment.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn comment(&self, draft: Draft) -> Result<Comment>;

    /// Changes a comment.
    ///
    /// # Errors
    /// If it cannot be changed so.
    fn change(&self, id: &str, change: &Change) -> Result<()>;

    /// The comments as they are now. Others may have made some.
    ///
    /// # Errors
    /// If they cannot be read.
    fn comments(&self) -> Result<Vec<Comment>>;
}

/// Shows a review until it ends. `who` looks at it, `kept` is for a push, and `trouble` is said first.
///
/// # Errors
/// If the terminal fails.
pub fn run(
    terminal: &mut Terminal,
    model: Model<'_>,
    who: &str,
    kept: Option<&dyn Kept>,
    trouble: Option<String>,
) -> io::Result<Outcome> {
    highlight::prepare();
    let theme = Theme::new(ground::of(terminal));
    let mut screen = Screen::new(model, theme, who.to_owned(), terminal.columns_and_rows());
    if let Some(trouble) = trouble {
        screen.fail(trouble);
    }
    loop {
        match watch(terminal, &mut screen, kept)? {
            Wish::End(outcome) => return Ok(outcome),
            // An editor needs the terminal as it was.
            Wish::EditTyped(text) => match crate::approve::Talk::edit(terminal, &text, "COMMENT.md") {
                Ok(text) => screen.edited_typed(&text),
                Err(error) => screen.fail(crate::screen::line(&error.to_string())),
            },
            Wish::EditMessage(text) => match crate::approve::Talk::edit(terminal, &text, "COMMIT_EDITMSG") {
                Ok(edited) => screen.take_message(&edited),
                Err(error) => screen.fail(crate::screen::line(&error.to_string())),
            },
        }
    }
}

/// Why the terminal is given back.
enum Wish {
    End(Outcome),
    EditTyped(String),
    EditMessage(String),
}

fn watch(terminal: &Terminal, screen: &mut Screen<'_>, kept: Option<&dyn Kept>) -> io::Result<Wish> {
    let mut live = terminal.live_with_mouse()?;
    let mut is_first = true;
    loop {
        if live.size() != screen.terminal {
            screen.resize(live.size());
        }
        let rows = drawn(screen);
        if is_first {
            // What was typed before it could be read is meant for nothing in it.
            live.forget_typed()?;
            is_first = false;
        }
        live.draw(rows)?;
        let mut keys = Vec::new();
        // Nothing is drawn anew while nothing happens.
        while keys.is_empty() {
            if screen.colour() || live.size() != screen.terminal {
                screen.resize(live.size());
                live.draw(drawn(screen))?;
            }
            match live.keys()? {
                Some(pressed) => keys = pressed,
                None => return Ok(Wish::End(Outcome::Left)),
            }
        }
        for key in keys {
            let was_asked = screen.popup.is_some();
            for effect in screen.press(key) {
                match effect {
                    Effect::End(outcome) => return Ok(Wish::End(outcome)),
                    Effect::EditTyped(text) => return Ok(Wish::EditTyped(text)),
                    Effect::EditMessage(text) => return Ok(Wish::EditMessage(text)),
                    effect => {
                        if let Some(kept) = kept
                            && let Err(error) = keep(screen, kept, &effect)
                        {
                            screen.has_failed(&effect);
                            let hint = crate::screen::hint::words(&error.hint);
                            let said = crate::screen::line(&format!("{} ({hint})", error.message));
                            screen.fail(said);
                        }
                    }
                }
            }
            if !was_asked && screen.popup.as_ref().is_some_and(Popup::is_grave) {
                // An answer must follow the question.
                let rows = drawn(screen);
                live.forget_typed()?;
                live.draw(rows)?;
                break;
            }
        }
    }
}

/// The rows of the screen, or a word where there is no room for it.
fn drawn(screen: &Screen<'_>) -> Vec<String> {
    let (columns, rows) = screen.terminal;
    match columns >= SMALLEST.0 && rows >= SMALLEST.1 {
        true => screen.rows(),
        false => vec!["too small".chars().take(columns).collect()],
    }
}

/// Keeps what the person did.
fn keep(screen: &mut Screen<'_>, kept: &dyn Kept, effect: &Effect) -> Result<()> {
    match effect {
        Effect::Look(looks) => kept.look(looks)?,
        Effect::Comment(draft) => {
            let made = kept.comment(draft.clone())?;
            screen.done.push(Done::Made(made.id));
            screen.take_comments(kept.comments()?);
        }
        Effect::Change(id, change) => {
            kept.change(id, change)?;
            screen.has_changed(id, change);
            screen.take_comments(kept.comments()?);
        }
        Effect::EditTyped(_) | Effect::EditMessage(_) | Effect::End(_) => {}
    }
    Ok(())
}

impl Screen<'_> {
    /// Notes what takes back a change of a comment that the person made.
    pub fn has_changed(&mut self, id: &str, change: &Change) {
        if std::mem::take(&mut self.is_undoing) {
            return;
        }
        self.done.extend(match change {
            Change::Settle => Some(Done::Changed(id.to_owned(), Change::Reopen)),
            Change::Reopen => Some(Done::Changed(id.to_owned(), Change::Settle)),
            Change::Reply { .. } => Some(Done::Said),
            Change::Withdraw => None,
        });
    }

    /// Brings back what the person typed, because it could not be kept.
    pub fn has_failed(&mut self, effect: &Effect) {
        match effect {
            Effect::Comment(draft) => drop(self.typed.insert(draft.place.line(), draft.text.clone())),
            Effect::Change(id, Change::Reply { text }) => {
                let purpose = Purpose::Answer { comment: id.clone() };
                self.typed.insert(key(&purpose), text.clone());
            }
            _ => {}
        }
    }

    /// Takes the comments as they are now.
    pub fn take_comments(&mut self, comments: Vec<Comment>) {
        self.model.set_comments(comments);
        self.rebuild();
    }

    /// Takes what the person has made of the message of the last commit.
    pub fn take_message(&mut self, edited: &str) {
        let was = self.model.overview.message.as_deref().unwrap_or_default();
        let is_same = edited.trim_end() == was.trim_end() || edited.trim().is_empty();
        self.edited = (!is_same).then(|| edited.trim_end().to_owned());
        match is_same {
            true => self.say("The message stays as it is."),
            false => self.say("The message is changed: a asks again about the push with it."),
        }
    }
}
