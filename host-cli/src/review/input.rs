//! A text that is typed, of one or more lines.

use crate::terminal::Key;

/// The text, and where the next character goes.
#[derive(Clone, Debug, Default)]
pub struct Input {
    text: String,
    /// Bytes before the cursor.
    at: usize,
}

/// What a key was to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// It was typed, or has moved.
    Taken,
    /// The text is finished.
    Done,
    /// The text is given up.
    Left,
    /// It is for somebody else.
    Other,
}

impl Input {
    pub fn new(text: &str) -> Self {
        Input { text: text.to_owned(), at: text.len() }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor, and behind it.
    pub fn halves(&self) -> (&str, &str) {
        self.text.split_at(self.at)
    }

    pub fn press(&mut self, key: Key) -> Typed {
        match key {
            Key::Char(char) | Key::Pasted(char) => self.insert(char),
            Key::Newline => self.insert('\n'),
            Key::Enter => return Typed::Done,
            Key::Escape | Key::Ctrl('c') => return Typed::Left,
            Key::Backspace => {
                if let Some(char) = self.halves().0.chars().next_back() {
                    self.at -= char.len_utf8();
                    self.text.remove(self.at);
                }
            }
            Key::Delete => {
                if !self.halves().1.is_empty() {
                    self.text.remove(self.at);
                }
            }
            Key::Left => self.at -= self.halves().0.chars().next_back().map_or(0, char::len_utf8),
            Key::Right => self.at += self.halves().1.chars().next().map_or(0, char::len_utf8),
            Key::Home | Key::Ctrl('a') => self.at = self.halves().0.rfind('\n').map_or(0, |end| end + 1),
            Key::End => self.at += self.halves().1.find('\n').unwrap_or(self.halves().1.len()),
            Key::Ctrl('u') => {
                self.text.drain(..self.at);
                self.at = 0;
            }
            Key::Ctrl('w') => {
                let before = self.halves().0.trim_end();
                let from = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
                self.text.drain(from..self.at);
                self.at = from;
            }
            _ => return Typed::Other,
        }
        Typed::Taken
    }

    fn insert(&mut self, char: char) {
        self.text.insert(self.at, char);
        self.at += char.len_utf8();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &[Key]) -> (String, String) {
        let mut input = Input::default();
        keys.iter().for_each(|key| assert_eq!(input.press(*key), Typed::Taken, "{key:?}"));
        let (before, behind) = input.halves();
        (before.to_owned(), behind.to_owned())
    }

    #[test]
    fn a_text_is_typed_where_the_cursor_is() {
        use Key::*;
        let halves = |before: &str, behind: &str| (before.to_owned(), behind.to_owned());
        assert_eq!(typed(&[Char('a'), Char('é'), Left, Char('b')]), halves("ab", "é"));
        assert_eq!(typed(&[Char('a'), Newline, Char('b'), Home]), halves("a\n", "b"));
        assert_eq!(typed(&[Char('a'), Char('é'), Backspace]), halves("a", ""));
        assert_eq!(typed(&[Char('a'), Char('b'), Left, Delete, End]), halves("a", ""));
        assert_eq!(typed(&[Char('a'), Char(' '), Char('b'), Ctrl('w')]), halves("a ", ""));
        assert_eq!(typed(&[Char('a'), Left, Left, Right, Right, Backspace, Backspace]), halves("", ""));
    }

    #[test]
    fn enter_finishes_it_and_escape_gives_it_up() {
        let mut input = Input::new("x");
        assert_eq!(input.press(Key::Enter), Typed::Done);
        assert_eq!(input.press(Key::Escape), Typed::Left);
        assert_eq!(input.press(Key::Tab), Typed::Other);
        assert_eq!(input.text(), "x");
    }
}
