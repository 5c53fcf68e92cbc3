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

/// A text and the part of it that is on the screen. Whatever is counted is rows: a line may take many, and what was drawn of it in part has
/// not been seen.
pub(super) struct View<'a> {
    text: &'a Painted<'a>,
    columns: usize,
    rows: usize,
    colour: bool,
    /// The row that each line begins with on a screen of so many columns, and the number of all.
    starts: Vec<usize>,
    /// The row on top.
    top: usize,
    /// What is searched for, and whether it is still being typed.
    search: Option<(String, bool)>,
    /// Whether the last search found nothing.
    is_missing: bool,
}

impl<'a> View<'a> {
    pub fn new(text: &'a Painted<'a>, (columns, rows): (usize, usize), colour: bool) -> Self {
        let starts = Vec::new();
        let mut view = View { text, columns: 0, rows: 1, colour, starts, top: 0, search: None, is_missing: false };
        view.resize((columns, rows));
        view
    }

    /// Fits the screen anew if its size has changed. The line on top stays there.
    pub fn resize(&mut self, (columns, rows): (usize, usize)) {
        let (columns, rows) = (columns.max(1), rows.max(2));
        self.rows = rows;
        if self.columns == columns {
            return;
        }
        let line = if self.starts.is_empty() { 0 } else { self.line(self.top) };
        self.columns = columns;
        self.starts.clear();
        let mut row = 0;
        for line in 0..self.text.count() {
            self.starts.push(row);
            row += wrap::count(self.text.plain(line), columns);
        }
        self.starts.push(row);
        self.top = self.starts[line];
    }

    /// Rows for the text; the last one of the screen is the status.
    fn height(&self) -> usize {
        self.rows - 1
    }

    /// Rows of the text.
    fn count(&self) -> usize {
        *self.starts.last().expect("the number of all rows is the last")
    }

    /// The line that a row belongs to.
    fn line(&self, row: usize) -> usize {
        self.starts.partition_point(|start| *start <= row).saturating_sub(1).min(self.text.count().saturating_sub(1))
    }

    pub fn press(&mut self, key: Key) -> Step {
        if let Some((typed, true)) = &mut self.search {
            match key {
                Key::Char(char) => typed.push(char),
                Key::Backspace => drop(typed.pop()),
                Key::Enter | Key::Newline => {
                    self.search = self.search.take().map(|(typed, _)| (typed, false));
                    self.find(self.line(self.top));
                }
                Key::Escape | Key::Ctrl('c') => self.search = None,
                _ => {}
            }
            return Step::Stay;
        }
        let page = self.height();
        match key {
            Key::Char('q') | Key::Escape | Key::Ctrl('c') => return Step::Leave,
            Key::Char('j') | Key::Down | Key::Enter | Key::Newline => self.forth(1),
            Key::Char('k') | Key::Up => self.back(1),
            Key::Char(' ' | 'f') | Key::PageDown | Key::Ctrl('f') => self.forth(page),
            Key::Char('b') | Key::PageUp | Key::Ctrl('b') => self.back(page),
            Key::Char('d') | Key::Ctrl('d') => self.forth(page.div_ceil(2)),
            Key::Char('u') | Key::Ctrl('u') => self.back(page.div_ceil(2)),
            Key::Char('g' | '<') | Key::Home => self.top = 0,
            Key::Char('G' | '>') | Key::End => self.top = self.last_top(),
            Key::Char('/') => self.search = Some((String::new(), true)),
            Key::Char('n') => self.find(self.line(self.top) + 1),
            _ => {}
        }
        Step::Stay
    }

    fn forth(&mut self, rows: usize) {
        self.top = (self.top + rows).min(self.last_top());
    }

    fn back(&mut self, rows: usize) {
        self.top = self.top.saturating_sub(rows);
    }

    /// The top at which the end of the text is at the end of the screen.
    fn last_top(&self) -> usize {
        self.count().saturating_sub(self.height())
    }

    /// Goes to the next line from `first` on that holds what is searched for, letters' case aside.
    fn find(&mut self, first: usize) {
        let Some((wanted, _)) = self.search.as_ref().filter(|(wanted, _)| !wanted.is_empty()) else { return };
        let wanted = wanted.to_lowercase();
        let found = (first..self.text.count()).find(|line| self.text.plain(*line).to_lowercase().contains(&wanted));
        self.is_missing = found.is_none();
        if let Some(line) = found {
            self.top = self.starts[line].min(self.last_top());
        }
    }

    /// The whole screen.
    pub fn draw(&self) -> String {
        let mut out = String::from("\x1b[H");
        let (mut row, end) = (self.top, self.count().min(self.top + self.height()));
        while row < end {
            let line = self.line(row);
            let rows = wrap::rows(&self.text.line(line), self.columns);
            for drawn in &rows[row - self.starts[line]..rows.len().min(end - self.starts[line])] {
                // Behind a full row, a terminal would erase its last column.
                out.push_str("\x1b[K");
                out.push_str(&wrap::drawn(drawn, self.colour));
                out.push_str("\r\n");
            }
            row = self.starts[line] + rows.len();
        }
        out.push_str(&"\x1b[K\r\n".repeat(self.height() - (end - self.top)));
        let status: String = self.status(end).chars().take(self.columns - 1).collect();
        out + &format!("\x1b[K\x1b[7m{status}\x1b[0m")
    }

    fn status(&self, end: usize) -> String {
        match &self.search {
            Some((typed, true)) => return format!("/{typed}"),
            Some((wanted, false)) if self.is_missing => return format!("not found below: {wanted}"),
            _ => {}
        }
        let rows = self.count();
        let place = if end == rows { "end".to_owned() } else { format!("{}%", 100 * end / rows.max(1)) };
        format!("rows {}-{end} of {rows}, {place}   {KEYS}", (self.top + 1).min(rows))
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
    fn attack_18_the_end_is_the_last_row_and_not_a_part_of_the_last_line() {
        // What stands behind so many words of nothing is code.
        let text = format!("{}+{}evil()\n", numbers(20), "..".repeat(800));
        let painted = Painted::of(&text);
        let mut view = View::new(&painted, (80, 24), false);
        let first = rows(&view);
        assert!(first[23].starts_with("rows 1-23 of 41, 56%"), "{:?}", first[23]);
        let mut seen = first[..23].concat();
        press(&mut view, " ");
        assert!(rows(&view)[23].starts_with("rows 19-41 of 41, end"), "{:?}", rows(&view)[23]);
        seen += &rows(&view)[..23].concat();
        assert!(seen.ends_with("evil()"), "{seen}");
        press(&mut view, "k");
        assert!(rows(&view)[23].contains("97%"), "{:?}", rows(&view)[23]);
    }

    #[test]
    fn attack_18_every_row_is_passed_on_the_way_to_the_end_at_any_size() {
        let text: String = (0..40).map(|at| format!("{}\t日本{at}\n", "x".repeat(at * at))).collect();
        let painted = Painted::of(&text);
        for (columns, height) in [(20, 5), (33, 2), (80, 24), (7, 3)] {
            let all: Vec<String> = (0..painted.count())
                .flat_map(|line| wrap::rows(&painted.line(line), columns))
                .map(|row| wrap::drawn(&row, false))
                .collect();
            let mut view = View::new(&painted, (columns, height), false);
            let mut seen = rows(&view)[..height - 1].to_vec();
            while !view.status(view.count().min(view.top + view.height())).contains(", end") {
                let before = view.top;
                press(&mut view, " ");
                let new = (view.top - before).min(height - 1);
                seen.extend_from_slice(&rows(&view)[height - 1 - new..height - 1]);
            }
            assert_eq!(seen, all, "{columns} columns");
        }
    }

    #[test]
    fn a_screen_of_another_width_keeps_the_line_on_top() {
        let text = format!("{}{}", "abcdefghij\n".repeat(10), numbers(10));
        let painted = Painted::of(&text);
        let mut view = View::new(&painted, (5, 4), false);
        press(&mut view, "/line 3\n");
        view.resize((40, 4));
        assert_eq!(rows(&view)[0], "line 3");
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
