//! Lines in as many rows as a screen needs for them.
//!
//! A terminal wraps a long line by itself, but then a part of the text begins a row, where it could
//! be taken for a question. So each further row begins with a mark of ours.

use std::fmt::Write as _;

use gate::columns::{GOES_ON, MARKS, is_mark, widest};
use gate::review::Screen;

use super::paint::{self, Painted, Piece, Style};

/// Columns between tab stops.
const TAB: usize = 8;
/// The narrowest screen on which further rows have room for a mark.
const MARKED: usize = 20;

/// A text, with patches perhaps, as a screen shows it.
pub fn shown(text: &str, screen: &Screen) -> String {
    let painted = Painted::of(text);
    let mut out = String::new();
    for line in 0..painted.count() {
        for row in rows(&painted.line(line), screen.columns) {
            out.push_str(&drawn(&row, screen.colour));
            out.push('\n');
        }
    }
    out
}

/// A row, in colours or without.
pub fn drawn(row: &[(Style, String)], colour: bool) -> String {
    if !colour {
        return row.iter().map(|(_, text)| &**text).collect();
    }
    let pieces: Vec<Piece<'_>> = row.iter().map(|(style, text)| (*style, &**text)).collect();
    paint::ansi(&pieces)
}

/// The number of rows of a line on a screen of so many columns, whatever its colours.
pub fn count(line: &str, columns: usize) -> usize {
    let is_plain = line.len() <= columns && line.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if is_plain { 1 } else { rows(&[(Style::Plain, line)], columns).len() }
}

/// The rows of a line on a screen of so many columns. Nothing of it is left out. A tab becomes blanks.
pub fn rows(pieces: &[Piece<'_>], columns: usize) -> Vec<Vec<(Style, String)>> {
    let (mark, begin) = match columns {
        MARKED.. => (GOES_ON, GOES_ON.chars().map(widest).sum()),
        _ => ("", 0),
    };
    let mut rows = vec![Vec::new()];
    let mut column = 0;
    let (mut is_empty, mut has_any) = (true, false);
    // A line's sign carries no mark, and no letter more than some: they would reach into other rows.
    let mut marks = MARKS;
    for (style, text) in pieces {
        let mut part = String::new();
        // What stands for a mark is a text like any other: it has to fit as well.
        let mut shown = String::new();
        for char in text.chars() {
            marks = if is_mark(char) { marks + 1 } else { 0 };
            match marks > MARKS {
                true => write!(shown, "<U+{:04X}>", u32::from(char)).expect("writing to a string does not fail"),
                false => shown.push(char),
            }
            if is_empty {
                marks = MARKS;
            }
            is_empty = false;
        }
        for char in shown.chars() {
            let wide = if char == '\t' { TAB - column % TAB } else { widest(char) };
            if has_any && column + wide > columns {
                rows.last_mut().expect("there is a row").push((*style, std::mem::take(&mut part)));
                rows.push(vec![(Style::Plain, mark.to_owned())]);
                column = begin;
            }
            match char {
                '\t' => part.push_str(&" ".repeat(wide.min(columns - column.min(columns)))),
                char => part.push(char),
            }
            column += wide;
            has_any = true;
        }
        rows.last_mut().expect("there is a row").push((*style, part));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str, columns: usize) -> Vec<String> {
        let rows = rows(&[(Style::Plain, line)], columns);
        rows.iter().map(|row| row.iter().map(|(_, text)| text.as_str()).collect()).collect()
    }

    #[test]
    fn a_line_goes_on_in_the_next_row() {
        assert_eq!(texts("abcdef", 3), ["abc", "def"]);
        assert_eq!(texts("", 3), [""]);
        assert_eq!(texts("日本語", 4), ["日本", "語"]);
        assert_eq!(texts("日", 1), ["日"], "what is too wide stands alone");
    }

    #[test]
    fn attack_15_no_part_of_a_line_begins_a_row() {
        let line = format!("+{}(1/1) Push this hunk [y,n]? ", " ".repeat(79));
        let rows = texts(&line, 80);
        assert_eq!(rows, [format!("+{}", " ".repeat(79)), "↳ (1/1) Push this hunk [y,n]? ".to_owned()]);
        let screen = Screen { columns: 20, ..Screen::default() };
        assert_eq!(
            shown(&"\u{9be}".repeat(12), &screen),
            format!("{}\n↳ {}\n", "\u{9be}".repeat(10), "\u{9be}".repeat(2))
        );
    }

    #[test]
    fn attack_21_no_row_is_wider_than_the_screen_whatever_stands_in_it() {
        let marks = format!("+// a{} end", "\u{301}".repeat(90));
        let mixed =
            format!("-\t{}日本{}\u{1f468}\u{200d}", "e\u{301}\u{301}\u{301}\u{301}".repeat(40), "\u{9be}".repeat(90));
        for line in [marks, mixed, "\u{301}".repeat(200), format!("+{}", "ก\u{e34}".repeat(300))] {
            for columns in [12, 20, 41, 80, 120] {
                let rows = texts(&line, columns);
                let widths: Vec<usize> = rows.iter().map(|row| row.chars().map(widest).sum()).collect();
                assert!(widths.iter().all(|width| *width <= columns), "{columns}: {widths:?} {line:?}");
                assert_eq!(rows.len(), count(&line, columns));
            }
        }
    }

    #[test]
    fn attack_21_marks_stay_over_the_letters_of_their_line() {
        assert_eq!(texts("+\u{338}evil", 80), ["+<U+0338>evil"]);
        assert_eq!(texts("+a\u{301}\u{301}\u{301}\u{301}", 80), ["+a\u{301}\u{301}\u{301}<U+0301>"]);
    }

    #[test]
    fn a_tab_reaches_to_the_next_stop() {
        assert_eq!(texts("a\tb", 20), ["a       b"]);
        assert_eq!(texts("abcdefg\th", 20), ["abcdefg h"]);
    }
}
