//! What the pager shows, and what its keys do. Knows no terminal.

use super::keys::Key;
use crate::screen::paint::Painted;
use crate::screen::wrap;

/// Whether the pager goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Stay,
    Leave,
}

const KEYS: &str = "q back  space on  b up  / search  n next  g top  G end";

/// A text and the part of it that is on the screen.
pub(super) struct View<'a> {
    text: &'a Painted<'a>,
    columns: usize,
    rows: usize,
    colour: bool,
    /// The line on top, and its first row there.
    top: (usize, usize),
    /// What is searched for, and whether it is still being typed.
    search: Option<(String, bool)>,
    /// Whether the last search found nothing.
    is_missing: bool,
}

impl<'a> View<'a> {
    pub fn new(text: &'a Painted<'a>, (columns, rows): (usize, usize), colour: bool) -> Self {
        let mut view = View { text, columns: 1, rows: 1, colour, top: (0, 0), search: None, is_missing: false };
        view.resize((columns, rows));
        view
    }

    /// Fits the screen anew if its size has changed.
    pub fn resize(&mut self, (columns, rows): (usize, usize)) {
        let (columns, rows) = (columns.max(1), rows.max(2));
        if self.columns != columns {
            self.top.1 = 0;
        }
        (self.columns, self.rows) = (columns, rows);
    }

    /// Rows for the text; the last one of the screen is the status.
    fn height(&self) -> usize {
        self.rows - 1
    }

    fn count(&self, line: usize) -> usize {
        wrap::rows(&self.text.line(line), self.columns).len()
    }

    pub fn press(&mut self, key: Key) -> Step {
        if let Some((typed, true)) = &mut self.search {
            match key {
                Key::Char(char) => typed.push(char),
                Key::Backspace => drop(typed.pop()),
                Key::Enter => {
                    self.search = self.search.take().map(|(typed, _)| (typed, false));
                    self.find(self.top.0);
                }
                Key::Escape | Key::Ctrl('c') => self.search = None,
                _ => {}
            }
            return Step::Stay;
        }
        let page = self.height();
        match key {
            Key::Char('q') | Key::Escape | Key::Ctrl('c') => return Step::Leave,
            Key::Char('j') | Key::Down | Key::Enter => self.forth(1),
            Key::Char('k') | Key::Up => self.back(1),
            Key::Char(' ' | 'f') | Key::PageDown | Key::Ctrl('f') => self.forth(page),
            Key::Char('b') | Key::PageUp | Key::Ctrl('b') => self.back(page),
            Key::Char('d') | Key::Ctrl('d') => self.forth(page.div_ceil(2)),
            Key::Char('u') | Key::Ctrl('u') => self.back(page.div_ceil(2)),
            Key::Char('g' | '<') | Key::Home => self.top = (0, 0),
            Key::Char('G' | '>') | Key::End => self.forth(usize::MAX),
            Key::Char('/') => self.search = Some((String::new(), true)),
            Key::Char('n') => self.find(self.top.0 + 1),
            _ => {}
        }
        Step::Stay
    }

    fn forth(&mut self, rows: usize) {
        let last = self.last_top();
        if rows == usize::MAX {
            self.top = last;
            return;
        }
        for _ in 0..rows {
            if self.top >= last {
                return;
            }
            self.top = if self.top.1 + 1 < self.count(self.top.0) {
                (self.top.0, self.top.1 + 1)
            } else {
                (self.top.0 + 1, 0)
            };
        }
    }

    fn back(&mut self, rows: usize) {
        for _ in 0..rows {
            self.top = match self.top {
                (0, 0) => return,
                (line, 0) => (line - 1, self.count(line - 1) - 1),
                (line, row) => (line, row - 1),
            };
        }
    }

    /// The top at which the end of the text is at the end of the screen.
    fn last_top(&self) -> (usize, usize) {
        let mut left = self.height();
        for line in (0..self.text.count()).rev() {
            let count = self.count(line);
            if count >= left {
                return (line, count - left);
            }
            left -= count;
        }
        (0, 0)
    }

    /// Goes to the next line from `first` on that holds what is searched for, letters' case aside.
    fn find(&mut self, first: usize) {
        let Some((wanted, _)) = self.search.as_ref().filter(|(wanted, _)| !wanted.is_empty()) else { return };
        let wanted = wanted.to_lowercase();
        let found = (first..self.text.count()).find(|line| self.text.plain(*line).to_lowercase().contains(&wanted));
        self.is_missing = found.is_none();
        if let Some(line) = found {
            self.top = (line, 0).min(self.last_top());
        }
    }

    /// The whole screen.
    pub fn draw(&self) -> String {
        let mut out = String::from("\x1b[H");
        let (mut filled, (mut line, mut skip)) = (0, self.top);
        while filled < self.height() && line < self.text.count() {
            for row in wrap::rows(&self.text.line(line), self.columns).into_iter().skip(skip) {
                if filled == self.height() {
                    break;
                }
                // Behind a full row, a terminal would erase its last column.
                out.push_str("\x1b[K");
                out.push_str(&wrap::drawn(&row, self.colour));
                out.push_str("\r\n");
                filled += 1;
            }
            (line, skip) = (line + 1, 0);
        }
        out.push_str(&"\x1b[K\r\n".repeat(self.height() - filled));
        let status: String = self.status(line).chars().take(self.columns - 1).collect();
        out + &format!("\x1b[K\x1b[7m{status}\x1b[0m")
    }

    fn status(&self, end: usize) -> String {
        match &self.search {
            Some((typed, true)) => return format!("/{typed}"),
            Some((wanted, false)) if self.is_missing => return format!("not found below: {wanted}"),
            _ => {}
        }
        let lines = self.text.count();
        let place = if end >= lines { "end".to_owned() } else { format!("{}%", 100 * end / lines.max(1)) };
        format!("lines {}-{end} of {lines}, {place}   {KEYS}", self.top.0 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of a screen without their colours.
    fn rows(view: &View<'_>) -> Vec<String> {
        let mut text = view.draw();
        for sequence in ["\x1b[H", "\x1b[K", "\x1b[7m", "\x1b[0m"] {
            text = text.replace(sequence, "");
        }
        text.split("\r\n").map(str::to_owned).collect()
    }

    fn press(view: &mut View<'_>, keys: &str) {
        for char in keys.chars() {
            let key = if char == '\n' { Key::Enter } else { Key::Char(char) };
            assert_eq!(view.press(key), Step::Stay, "{char}");
        }
    }

    fn numbers(count: usize) -> String {
        (1..=count).map(|number| format!("line {number}\n")).collect()
    }

    #[test]
    fn keys_move_through_the_text_and_stop_at_its_ends() {
        let text = numbers(10);
        let painted = Painted::of(&text);
        let mut view = View::new(&painted, (40, 5), false);
        let mut at = |keys: &str| {
            press(&mut view, keys);
            rows(&view)[0].clone()
        };
        for (keys, first) in
            [("k", 1), ("j", 2), ("\n", 3), (" ", 7), (" ", 7), ("b", 3), ("g", 1), ("G", 7), ("u", 5), ("d", 7)]
        {
            assert_eq!(at(keys), format!("line {first}"), "{keys:?}");
        }
    }

    #[test]
    fn a_long_line_is_shown_whole_row_by_row() {
        let text = format!("{}\nend\n", "abcde".repeat(4));
        let painted = Painted::of(&text);
        let mut view = View::new(&painted, (5, 4), false);
        assert_eq!(rows(&view)[..3], ["abcde", "abcde", "abcde"]);
        press(&mut view, "G");
        assert_eq!(rows(&view)[..3], ["abcde", "abcde", "end"]);
    }

    #[test]
    fn a_search_goes_to_the_next_line_that_has_it() {
        let text = numbers(30);
        let painted = Painted::of(&text);
        let mut view = View::new(&painted, (40, 5), false);
        press(&mut view, "/LINE 2\n");
        assert_eq!(rows(&view)[0], "line 2");
        press(&mut view, "n");
        assert_eq!(rows(&view)[0], "line 20");
        press(&mut view, "/q\n");
        assert!(rows(&view)[4].starts_with("not found"), "{:?}", rows(&view));
        assert_eq!(view.press(Key::Char('q')), Step::Leave);
    }
}
