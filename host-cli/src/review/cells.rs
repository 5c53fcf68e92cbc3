//! Text in cells. Each character has as many cells as the terminal needs that draws it widest, so that nothing of a text leaves its place
//! (attack 15).

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use gate::columns::{MARKS, is_mark, widest};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier, Style};

/// Columns between tab stops.
const TAB: usize = 8;
/// Stands where the rest of a text has no room.
const CUT: char = '…';

/// The columns that a text takes.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(widest).sum() }
}

/// A line of code for cells: blanks for tabs, and no letter with more marks than fit over it.
pub fn plain(line: &str) -> Cow<'_, str> {
    if !line.contains('\t') && line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let (mut out, mut column, mut marks) = (String::with_capacity(line.len() + 8), 0, MARKS);
    for char in line.chars() {
        marks = if is_mark(char) { marks + 1 } else { 0 };
        match char {
            '\t' => {
                let blanks = TAB - column % TAB;
                out.push_str(&" ".repeat(blanks));
                column += blanks;
            }
            char if marks > MARKS => {
                let before = out.len();
                write!(out, "<U+{:04X}>", u32::from(char)).expect("writing to a string does not fail");
                column += out.len() - before;
            }
            char => {
                out.push(char);
                column += widest(char);
            }
        }
    }
    Cow::Owned(out)
}

/// The parts of a plain line that each fit in so many columns: at least one.
pub fn wrapped(line: &str, columns: usize) -> Vec<Range<usize>> {
    let columns = columns.max(2);
    if line.is_ascii() {
        let ends = (0..line.len().max(1)).step_by(columns);
        return ends.map(|at| at..(at + columns).min(line.len())).collect();
    }
    let (mut parts, mut start, mut column) = (Vec::new(), 0, 0);
    for (at, char) in line.char_indices() {
        let wide = widest(char);
        if column + wide > columns {
            parts.push(start..at);
            (start, column) = (at, 0);
        }
        column += wide;
    }
    parts.push(start..line.len());
    parts
}

/// How many parts there are.
pub fn count(line: &str, columns: usize) -> usize {
    let columns = columns.max(2);
    if line.is_ascii() && !line.contains('\t') {
        return line.len().div_ceil(columns).max(1);
    }
    wrapped(&plain(line), columns).len()
}

/// Words in rows of so many columns; a word that is longer is broken.
pub fn in_words(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(2);
    let mut rows = Vec::new();
    for line in text.split('\n') {
        let line = plain(line);
        let mut row = String::new();
        for word in line.split_inclusive(' ') {
            if !row.is_empty() && width(&row) + width(word.trim_end()) > columns {
                rows.push(std::mem::take(&mut row));
            }
            if width(word) > columns {
                for part in wrapped(word, columns) {
                    if !row.is_empty() {
                        rows.push(std::mem::take(&mut row));
                    }
                    row = word[part].to_owned();
                }
            } else {
                row.push_str(word);
            }
        }
        rows.push(row);
    }
    rows.into_iter().map(|row| row.trim_end().to_owned()).collect()
}

/// Where a text is put next, and where its room ends.
pub struct Pen<'a> {
    pub buffer: &'a mut Buffer,
    pub x: u16,
    pub y: u16,
    pub end: u16,
}

impl Pen<'_> {
    /// Puts a text, or as much of it as there is room for.
    pub fn put(&mut self, text: &str, style: Style) {
        for char in text.chars() {
            // Whatever was to be escaped is by now. Nothing else ever gets through.
            let char = if char.is_control() { char::REPLACEMENT_CHARACTER } else { char };
            let wide = u16::try_from(widest(char)).unwrap_or(2);
            if wide == 0 {
                // A mark stands over the letter before it.
                let before = self.x.checked_sub(1).and_then(|x| self.buffer.cell_mut((x, self.y)));
                // More marks than that would reach into other rows, and a cell behind a wide letter is none.
                let takes = |symbol: &str| (1..=MARKS).contains(&symbol.chars().count());
                if let Some(cell) = before.filter(|cell| takes(cell.symbol())) {
                    let symbol = format!("{}{char}", cell.symbol());
                    cell.set_symbol(&symbol);
                }
                continue;
            }
            if self.x + wide > self.end {
                return;
            }
            if let Some(cell) = self.buffer.cell_mut((self.x, self.y)) {
                cell.set_char(char).set_style(style);
            }
            for more in 1..wide {
                if let Some(cell) = self.buffer.cell_mut((self.x + more, self.y)) {
                    cell.set_symbol("").set_style(style);
                }
            }
            self.x += wide;
        }
    }

    /// Puts a text that says where it is cut.
    pub fn cut(&mut self, text: &str, style: Style) {
        let room = usize::from(self.end.saturating_sub(self.x));
        if width(text) <= room {
            return self.put(text, style);
        }
        let mut taken = 0;
        let fits = text.char_indices().find(|(_, char)| {
            taken += widest(*char);
            taken + widest(CUT) > room
        });
        self.put(&text[..fits.map_or(text.len(), |(at, _)| at)], style);
        self.put(&CUT.to_string(), style);
    }

    /// Puts blanks to the end.
    pub fn fill(&mut self, style: Style) {
        while self.x < self.end {
            self.put(" ", style);
        }
    }
}

/// The rows of a buffer as a terminal takes them. Behind each character that a terminal may draw wider, it is told the column again.
pub fn rows(buffer: &Buffer) -> Vec<String> {
    let area = buffer.area;
    (area.top()..area.bottom()).map(|y| row(buffer, y)).collect()
}

fn row(buffer: &Buffer, y: u16) -> String {
    let blank = Cell::default().style();
    let (mut out, mut now) = (String::new(), blank);
    let mut is_lost = false;
    let end = last(buffer, y);
    for x in buffer.area.left()..end {
        let Some(cell) = buffer.cell((x, y)) else { continue };
        let symbol = cell.symbol();
        if symbol.is_empty() {
            continue;
        }
        if is_lost {
            write!(out, "\x1b[{}G", x + 1).expect("writing to a string does not fail");
        }
        let style = cell.style();
        if style != now {
            out.push_str(&sgr(style));
            now = style;
        }
        out.push_str(symbol);
        is_lost = !symbol.is_ascii();
    }
    if now != blank {
        out.push_str("\x1b[0m");
    }
    out
}

/// The column behind the last cell that differs from a blank one.
fn last(buffer: &Buffer, y: u16) -> u16 {
    let is_blank = |x: &u16| {
        buffer
            .cell((*x, y))
            .is_none_or(|cell| matches!(cell.symbol(), " " | "") && cell.bg == Color::Reset && cell.modifier.is_empty())
    };
    let blank = (buffer.area.left()..buffer.area.right()).rev().take_while(is_blank).count();
    buffer.area.right() - u16::try_from(blank).unwrap_or(0)
}

/// The `SGR` sequence of a style (ECMA-48, 8.3.117).
fn sgr(style: Style) -> String {
    let mut out = String::from("\x1b[0");
    for (modifier, code) in [
        (Modifier::BOLD, "1"),
        (Modifier::DIM, "2"),
        (Modifier::ITALIC, "3"),
        (Modifier::UNDERLINED, "4"),
        (Modifier::REVERSED, "7"),
        (Modifier::CROSSED_OUT, "9"),
    ] {
        if style.add_modifier.contains(modifier) {
            out.push(';');
            out.push_str(code);
        }
    }
    for (colour, base) in [(style.fg, 30), (style.bg, 40)] {
        out.push_str(&match colour {
            None | Some(Color::Reset) => String::new(),
            Some(Color::Rgb(r, g, b)) => format!(";{};2;{r};{g};{b}", base + 8),
            Some(Color::Indexed(index)) => format!(";{};5;{index}", base + 8),
            Some(colour) => format!(";{}", base + basic(colour)),
        });
    }
    out.push('m');
    out
}

/// The number of one of the sixteen colours, from the first of eight; the bright ones are 60 behind.
fn basic(colour: Color) -> u16 {
    match colour {
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 60,
        Color::LightRed => 61,
        Color::LightGreen => 62,
        Color::LightYellow => 63,
        Color::LightBlue => 64,
        Color::LightMagenta => 65,
        Color::LightCyan => 66,
        _ => 67,
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::*;

    fn drawn(columns: u16, put: impl FnOnce(&mut Pen<'_>)) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns, 1));
        put(&mut Pen { buffer: &mut buffer, x: 0, y: 0, end: columns });
        rows(&buffer).remove(0)
    }

    #[test]
    fn attack_15_a_character_that_some_terminals_draw_wide_leaves_the_next_one_in_its_column() {
        assert_eq!(drawn(9, |pen| pen.put("a①b", Style::new())), "a①\x1b[4Gb");
        assert_eq!(drawn(9, |pen| pen.put("日b", Style::new())), "日\x1b[3Gb");
        assert_eq!(drawn(3, |pen| pen.put("a日b", Style::new())), "a日");
        assert_eq!(drawn(2, |pen| pen.put("a日b", Style::new())), "a", "no half of it");
        assert_eq!(drawn(9, |pen| pen.put("e\u{301}x", Style::new())), "e\u{301}\x1b[2Gx");
        assert!(
            !drawn(9, |pen| pen.put("a\x1b[2J\tb\u{9b}", Style::new()))
                .contains(['\t', '\u{9b}', 'J', 'b'].as_slice()[0])
        );
        let stacked = format!("a{}b", "\u{301}".repeat(100));
        assert!(drawn(9, |pen| pen.put(&stacked, Style::new())).chars().count() < 12);
    }

    #[test]
    fn attack_15_marks_and_tabs_stay_within_their_line() {
        assert_eq!(plain("a\tb"), "a       b");
        let stacked = format!("a{}", "\u{301}".repeat(9));
        assert_eq!(plain(&stacked).matches("<U+0301>").count(), 6);
        assert!(plain("\u{301}a").starts_with("<U+0301>"));
    }

    #[test]
    fn a_line_is_wrapped_whole_and_no_part_is_wider() {
        for line in ["", "abcdefgh", "日本語日本語", "aα日\u{301}b", &"x".repeat(100)] {
            for columns in [2, 3, 7, 80] {
                let parts = wrapped(line, columns);
                assert_eq!(parts.iter().map(|part| &line[part.clone()]).collect::<String>(), line);
                assert!(parts.iter().all(|part| width(&line[part.clone()]) <= columns), "{line} {columns}");
                assert_eq!(count(line, columns), parts.len(), "{line} {columns}");
            }
        }
    }

    #[test]
    fn words_are_kept_whole_if_they_can_be() {
        assert_eq!(in_words("one two three", 8), ["one two", "three"]);
        assert_eq!(in_words("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(in_words("a\n\nb", 4), ["a", "", "b"]);
    }

    #[test]
    fn a_text_that_is_cut_says_so() {
        assert_eq!(drawn(4, |pen| pen.cut("abcdef", Style::new())), "ab…");
        assert_eq!(drawn(6, |pen| pen.cut("abcdef", Style::new())), "abcdef");
    }

    #[test]
    fn styles_are_written_where_they_change_and_end_with_the_row() {
        let red = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);
        assert_eq!(drawn(4, |pen| pen.put("ab", red)), "\x1b[0;1;31mab\x1b[0m");
        assert_eq!(sgr(Style::new().fg(Color::Indexed(9)).bg(Color::Rgb(1, 2, 3))), "\x1b[0;38;5;9;48;2;1;2;3m");
    }
}
