//! The keys that answer what stands above the screen.

use gate::comment::Weight;
use host::review::{Change, Draft};

use super::effect::{Effect, Outcome};
use super::input::{Input, Typed};
use super::overview::Tone;
use super::popup::{Popup, Purpose, Sure};
use super::screen::{Focus, Screen};
use crate::approve::Revision;
use crate::terminal::Key;

impl Screen<'_> {
    /// Asks for a text. One that was given up before is there again.
    pub fn ask(&mut self, purpose: Purpose, rows: Vec<(Tone, String)>) {
        let typed = match purpose {
            Purpose::Filter => self.filter.clone(),
            _ => self.typed.get(&key(&purpose)).cloned().unwrap_or_default(),
        };
        self.popup = Some(Popup::Text { purpose, rows, input: Input::new(&typed) });
    }

    pub fn press_popup(&mut self, pressed: Key) -> Vec<Effect> {
        let Some(mut popup) = self.popup.take() else { return Vec::new() };
        match &mut popup {
            Popup::Help(top) => match pressed {
                Key::Char('j') | Key::Down | Key::Char(' ') | Key::PageDown => *top += 1,
                Key::Char('k') | Key::Up | Key::PageUp => *top = top.saturating_sub(1),
                Key::Wheel { down, .. } => *top = if down { *top + 3 } else { top.saturating_sub(3) },
                _ => return Vec::new(),
            },
            Popup::Sure { what, rows, top } => {
                let last = self.popup_rows(rows).len().saturating_sub(self.popup_height());
                match pressed {
                    Key::Char('n' | 'q') | Key::Escape | Key::Ctrl('c') => return Vec::new(),
                    // Nothing is decided about what does not stand there yet.
                    Key::Char('y') if *top < last => *top = (*top + self.popup_height()).min(last),
                    Key::Char('y') => return self.sure(&what.clone(), rows.clone()),
                    Key::Char('j' | ' ') | Key::Down | Key::PageDown => *top = (*top + 1).min(last),
                    Key::Char('k') | Key::Up | Key::PageUp => *top = top.saturating_sub(1),
                    _ => {}
                }
            }
            Popup::Text { purpose, input, .. } => {
                if let (Key::Tab, Purpose::Comment { weight, .. }) = (pressed, &mut *purpose) {
                    *weight = if *weight == Weight::Must { Weight::Note } else { Weight::Must };
                    self.popup = Some(popup);
                    return Vec::new();
                }
                if pressed == Key::Ctrl('e') && purpose.is_long() {
                    let text = input.text().to_owned();
                    self.popup = Some(popup);
                    return vec![Effect::EditTyped(text)];
                }
                let is_long = purpose.is_long();
                match input.press(if pressed == Key::Newline && !is_long { Key::Enter } else { pressed }) {
                    Typed::Taken | Typed::Other => {}
                    Typed::Done => {
                        let (purpose, text) = (purpose.clone(), input.text().to_owned());
                        return self.typed(purpose, text, popup);
                    }
                    Typed::Left => {
                        // Nothing that was typed is lost.
                        if is_long && !input.text().is_empty() {
                            self.typed.insert(key(purpose), input.text().to_owned());
                            self.say("What you typed is kept: the same key brings it back.");
                        }
                        if *purpose == Purpose::Filter {
                            self.filter.clear();
                            self.plant();
                        }
                        return Vec::new();
                    }
                }
                if *purpose == Purpose::Filter {
                    self.filter = input.text().to_owned();
                    self.plant();
                    self.reveal_node();
                }
            }
        }
        self.popup = Some(popup);
        Vec::new()
    }

    /// Takes what the person has made of a text in their editor.
    pub fn edited_typed(&mut self, text: &str) {
        if let Some(Popup::Text { input, .. }) = &mut self.popup {
            *input = Input::new(text.trim_end());
        }
    }

    fn sure(&mut self, what: &Sure, rows: Vec<(Tone, String)>) -> Vec<Effect> {
        vec![Effect::End(match what {
            Sure::Name => {
                self.ask_name(rows);
                return Vec::new();
            }
            Sure::Approve => Outcome::Approve,
            Sure::Remember => Outcome::Remember,
            Sure::Revise => Outcome::Revise(self.model.revision(self.edited.clone())),
            Sure::Upto(commit) => Outcome::Revise(Revision { upto: Some(commit.clone()), ..Revision::default() }),
            Sure::Leave => Outcome::Left,
        })]
    }

    fn typed(&mut self, purpose: Purpose, text: String, popup: Popup) -> Vec<Effect> {
        self.typed.remove(&key(&purpose));
        match purpose {
            Purpose::Comment { place, weight } => {
                self.selected = None;
                if text.trim().is_empty() {
                    return Vec::new();
                }
                let draft = self.model.draft(place).map(|draft| Draft { weight, text, ..draft });
                draft.map(Effect::Comment).into_iter().collect()
            }
            Purpose::Answer { comment } if text.trim().is_empty() => {
                let _ = comment;
                Vec::new()
            }
            Purpose::Answer { comment } => vec![Effect::Change(comment, Change::Reply { text })],
            Purpose::Search => {
                self.search = text;
                if !self.search.is_empty() {
                    self.find(true, true);
                }
                Vec::new()
            }
            Purpose::Filter => {
                self.filter = text;
                self.plant();
                self.focus = Focus::Files;
                self.reveal_node();
                Vec::new()
            }
            Purpose::Reject => vec![Effect::End(Outcome::Reject(text.trim().to_owned()))],
            Purpose::AskChanges if text.trim().is_empty() && self.model.open().next().is_none() => {
                self.popup = Some(popup);
                self.fail("Say what is to change, or comment on lines first.");
                Vec::new()
            }
            Purpose::AskChanges => vec![Effect::End(Outcome::AskChanges(text.trim().to_owned()))],
            Purpose::Branch if Some(text.trim()) == self.model.overview.protected.as_deref() => {
                vec![Effect::End(Outcome::Approve)]
            }
            Purpose::Branch => {
                self.fail("That is not its name, so nothing is approved.");
                Vec::new()
            }
        }
    }
}

/// What a text that was given up is kept by.
pub fn key(purpose: &Purpose) -> String {
    match purpose {
        Purpose::Comment { place, .. } => place.line(),
        other => format!("{other:?}"),
    }
}
