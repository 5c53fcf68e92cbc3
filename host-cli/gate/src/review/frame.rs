//! A frame of rows on a terminal, where foreign text can never look like a row of its own.
//!
//! Each row starts with words of this crate. Foreign text follows on the same row, and is cut at its end. If it must appear in full, each
//! further row starts with [`GOES_ON`].

use std::fmt::Write;

use crate::columns::{GOES_ON, MARKS, is_mark, usual, widest};

/// The screen that shows a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Its width in columns.
    pub columns: usize,
    /// Its height in rows.
    pub rows: usize,
    /// Whether it shows colours.
    pub colour: bool,
}

impl Default for Screen {
    fn default() -> Self {
        Screen { columns: 80, rows: 24, colour: false }
    }
}

/// The subject of a row, which decides its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Title,
    Added,
    Deleted,
    Low,
    Medium,
    High,
}

impl Tone {
    /// The parameters of its `SGR` sequence (ECMA-48, 8.3.117).
    fn sgr(self) -> &'static str {
        match self {
            Tone::Plain => "0",
            Tone::Title => "1",
            Tone::Added => "32",
            Tone::Deleted => "31",
            // The background decides whether a pale colour is readable, so the least severe tone uses the default.
            Tone::Low => "39",
            // Yellow is unreadable on a light background.
            Tone::Medium => "35",
            Tone::High => "1;31",
        }
    }
}

/// Marks a cut.
const CUT: char = '…';
/// Columns on each side between frame and text.
const MARGIN: usize = 2;
/// The narrowest and the widest frame, in columns. A screen narrower than the first wraps it.
const WIDTHS: std::ops::RangeInclusive<usize> = 40..=1000;
/// The least columns of a foreign text on a row, however narrow the screen: those of a character.
const NARROWEST: usize = 2;

/// Rows of a frame that is as wide as its screen.
pub(super) struct Frame {
    screen: Screen,
    rows: Vec<(Tone, String)>,
}

impl Frame {
    pub fn new(screen: Screen) -> Self {
        let columns = screen.columns.clamp(*WIDTHS.start(), *WIDTHS.end());
        Frame { screen: Screen { columns, ..screen }, rows: Vec::new() }
    }

    /// The number of rows that `fill` adds to a frame on this screen.
    pub fn rows_of(screen: Screen, fill: impl FnOnce(&mut Frame)) -> usize {
        let mut frame = Frame::new(screen);
        fill(&mut frame);
        frame.len()
    }

    /// Columns for text.
    pub fn room(&self) -> usize {
        self.screen.columns - 2 - 2 * MARGIN
    }

    /// The rows so far.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// A row of this crate's own, short words.
    pub fn row(&mut self, tone: Tone, words: impl Into<String>) {
        self.rows.push((tone, words.into()));
    }

    /// One row: `lead`, as much of the foreign `text` as fits, and `tail`.
    pub fn one(&mut self, tone: Tone, lead: &str, text: &str, tail: &str) {
        let room = self.room().saturating_sub(at_most(lead) + at_most(tail));
        let text = cut(&tame(text), room);
        self.rows.push((tone, format!("{lead}{text}{tail}")));
    }

    /// The rows that `lead` and the foreign `text` need, but at most `most`, with the rest cut.
    pub fn at_most(&mut self, most: usize, tone: Tone, lead: &str, text: &str) {
        self.rows.extend(rows(most, lead, text, self.room()).into_iter().map(|row| (tone, row)));
    }

    /// Draws the frame.
    pub fn draw(&self) -> String {
        let inner = self.screen.columns - 2;
        let mut out = format!("┌{}┐\n", "─".repeat(inner));
        for (tone, row) in &self.rows {
            let gap = " ".repeat((inner - MARGIN).saturating_sub(row.chars().map(usual).sum()));
            let (begin, end) = match (self.screen.colour, tone) {
                (false, _) | (_, Tone::Plain) => (String::new(), ""),
                (true, tone) => (format!("\x1b[{}m", tone.sgr()), "\x1b[0m"),
            };
            writeln!(out, "│{}{begin}{row}{end}{gap}│", " ".repeat(MARGIN)).expect("writing to a string does not fail");
        }
        out + &format!("└{}┘\n", "─".repeat(inner))
    }
}

/// The rows of `lead`, this crate's words, and the foreign `text`, already escaped. Nothing in it can be mistaken for more than text, no
/// row has more than `columns`, and there are at most `most` rows.
pub fn in_rows(most: usize, lead: &str, text: &str, columns: usize) -> String {
    rows(most, lead, text, columns).join("\n")
}

fn rows(most: usize, lead: &str, text: &str, columns: usize) -> Vec<String> {
    let indent = " ".repeat(at_most(lead)) + GOES_ON;
    let (mut rest, mut lead, mut rows) = (&*tame(text), lead, Vec::new());
    loop {
        let room = columns.saturating_sub(at_most(lead)).max(NARROWEST);
        if rows.len() + 1 == most {
            rows.push(format!("{lead}{}", cut(rest, room)));
            return rows;
        }
        let (part, behind) = rest.split_at(row(rest, room));
        rows.push(format!("{lead}{part}"));
        if behind.is_empty() {
            return rows;
        }
        (rest, lead) = (behind, &indent);
    }
}

/// Foreign text, already escaped, with nothing that could be mistaken for a part of the frame. Characters that draw lines become
/// `<U+2502>`, and so does every blank that only widens a gap, and every mark that no letter of the text carries.
fn tame(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Its first character follows a blank of ours.
    let (mut after_blank, mut marks) = (true, MARKS);
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let blank = char.is_whitespace();
        let widens = blank && (after_blank || char != ' ' || chars.peek().is_none());
        marks = if is_mark(char) { marks + 1 } else { 0 };
        if widens || marks > MARKS || draws_lines(char) {
            write!(out, "<U+{:04X}>", u32::from(char)).expect("writing to a string does not fail");
        } else {
            out.push(char);
        }
        after_blank = blank;
        if blank {
            marks = MARKS;
        }
    }
    out
}

/// Box drawing, block elements, arrows, and characters that look like the bars and rows of a frame.
fn draws_lines(char: char) -> bool {
    matches!(char, '\u{2190}'..='\u{21ff}' | '\u{2500}'..='\u{259f}' | '\u{23b8}'..='\u{23bf}'
        | '\u{1fb00}'..='\u{1fbff}' | '¦' | '⎜' | '⎟' | '∣' | '❘' | '｜' | '￨' | '—' | '―' | '⸺' | '⸻')
}

/// `text` with each run of blanks as one blank, and none at its ends.
pub(super) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Foreign text, already escaped, for a row with words of its own. Nothing in it can be mistaken for more than text, and it has at most
/// `columns`.
pub fn one_row(text: &str, columns: usize) -> String {
    cut(&tame(text), columns)
}

/// `text`, or its beginning with a mark.
fn cut(text: &str, room: usize) -> String {
    if fits(text, room) == text.len() {
        return text.to_owned();
    }
    format!("{}{CUT}", &text[..fits(text, room.saturating_sub(1))])
}

/// The length in bytes of the beginning of `text` that fits into `room` columns on any terminal.
fn fits(text: &str, room: usize) -> usize {
    let mut columns = 0;
    for (at, char) in text.char_indices() {
        columns += widest(char);
        if columns > room {
            return at;
        }
    }
    text.len()
}

/// The length in bytes of the beginning of `text` for one of several rows: whole words, unless a word fills half of the row.
fn row(text: &str, room: usize) -> usize {
    let end = fits(text, room);
    let words = text[..end].rfind(' ').map_or(0, |at| at + 1);
    if end < text.len() && 2 * words > end { words } else { end }
}

/// Columns of a text on the terminal that draws it widest.
fn at_most(text: &str) -> usize {
    text.chars().map(widest).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(fill: impl FnOnce(&mut Frame)) -> Vec<String> {
        let mut frame = Frame::new(Screen { columns: 66, ..Screen::default() });
        fill(&mut frame);
        frame.draw().lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_text_that_stands_in_full_loses_nothing() {
        let text = "x".repeat(200);
        let drawn = frame(|frame| frame.at_most(usize::MAX, Tone::High, "  high  ", &text));
        let joined: String = drawn[1..drawn.len() - 1]
            .iter()
            .map(|row| row.trim_matches(['│', ' ']).trim_start_matches("high  ").trim_start_matches(GOES_ON))
            .collect();
        assert_eq!(joined, text);
        assert!(drawn[2..drawn.len() - 1].iter().all(|row| row.starts_with("│          ↳ ")), "{drawn:#?}");
    }

    #[test]
    fn a_text_of_too_many_rows_is_cut_with_a_mark() {
        let drawn = frame(|frame| frame.at_most(2, Tone::High, "  high  ", &"x".repeat(200)));
        assert_eq!(drawn.len(), 4);
        assert!(drawn[2].starts_with("│          ↳ xxx") && drawn[2].ends_with("x…  │"), "{drawn:#?}");
    }

    #[test]
    fn a_text_that_is_too_long_is_cut_with_a_mark() {
        let drawn = frame(|frame| frame.one(Tone::Plain, "  + ", &"x".repeat(200), " (1.2 KB)"));
        assert_eq!(drawn[1], format!("│    + {}… (1.2 KB)  │", "x".repeat(46)));
    }

    #[test]
    fn every_row_is_as_wide_as_the_frame() {
        let drawn = frame(|frame| {
            frame.one(Tone::Plain, "", "日本語の名前", "");
            frame.at_most(usize::MAX, Tone::Plain, "", &"日本語の名前".repeat(20));
            frame.row(Tone::Title, "");
        });
        assert!(drawn.iter().all(|row| row.chars().map(usual).sum::<usize>() == 66), "{drawn:#?}");
    }

    #[test]
    fn attack_15_foreign_text_draws_no_frame_and_makes_no_gap() {
        assert_eq!(tame("a  b"), "a <U+0020>b");
        assert_eq!(tame(" a "), "<U+0020>a<U+0020>");
        assert_eq!(tame("a\u{3000}b\u{a0}c"), "a<U+3000>b<U+00A0>c");
        assert_eq!(tame("│┐─↳"), "<U+2502><U+2510><U+2500><U+21B3>");
        assert_eq!(one_row("a  [y,n]? ", 12), "a <U+0020>[…");
        assert_eq!(collapsed("  a \u{3000} b "), "a b");
        assert_eq!(in_rows(9, "x: ", "a long text  [y]es", 12), "x: a long \n   ↳ text \n   ↳ <U+0020\n   ↳ >[y]es");
    }

    #[test]
    fn attack_21_marks_stay_over_the_letters_of_their_text() {
        assert_eq!(tame("a\u{301}\u{323}\u{302}\u{301}b"), "a\u{301}\u{323}\u{302}<U+0301>b");
        assert_eq!(tame("\u{301}a \u{301}"), "<U+0301>a <U+0301>");
        let drawn = frame(|frame| frame.one(Tone::Plain, "", &format!("a{}", "\u{301}".repeat(100_000)), ""));
        assert!(drawn[1].chars().count() < 66 * (MARKS + 1));
    }

    /// Each takes one or two columns on some terminal, though Unicode's tables say none.
    #[test]
    fn attack_21_no_character_pushes_a_row_over_the_edge() {
        for char in ["\u{9be}", "\u{d3e}", "\u{1b35}", "\u{302e}", "\u{1161}", "\u{11a8}", "\u{941}", "\u{10efc}"] {
            let text = format!("b{}| Warnings: none", char.repeat(200));
            for row in frame(|frame| frame.at_most(usize::MAX, Tone::High, "  high  ", &text)) {
                assert!(row.trim_end_matches([' ', '│']).chars().count() <= 66, "{row}");
                assert!(row.matches(char).count() * 2 <= 66 - 6, "{row}");
            }
        }
    }

    #[test]
    fn a_narrow_screen_gets_the_narrowest_frame() {
        let frame = Frame::new(Screen { columns: 1, ..Screen::default() });
        assert_eq!(frame.room(), 40 - 6);
    }

    #[test]
    fn colours_take_no_columns() {
        let mut frame = Frame::new(Screen { colour: true, ..Screen::default() });
        frame.row(Tone::High, "x");
        assert_eq!(frame.draw().lines().nth(1), Some(&*format!("│  \x1b[1;31mx\x1b[0m{}│", " ".repeat(75))));
    }
}
