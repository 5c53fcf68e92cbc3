//! Lines in as many rows as a screen needs for them.

use unicode_width::UnicodeWidthChar;

use crate::screen::paint::Piece;

/// Columns between tab stops.
const TAB: usize = 8;

/// The rows of a line on a screen of so many columns. Nothing of it is left out. A tab becomes blanks.
pub(super) fn rows(pieces: &[Piece<'_>], columns: usize) -> Vec<Vec<(crate::screen::paint::Style, String)>> {
    let mut rows = vec![Vec::new()];
    let mut column = 0;
    for (style, text) in pieces {
        let mut part = String::new();
        for char in text.chars() {
            let wide = if char == '\t' { TAB - column % TAB } else { broadest(char) };
            if column > 0 && column + wide > columns {
                rows.last_mut().expect("there is a row").push((*style, std::mem::take(&mut part)));
                rows.push(Vec::new());
                column = 0;
            }
            match char {
                '\t' => part.push_str(&" ".repeat(wide.min(columns))),
                char => part.push(char),
            }
            column += wide;
        }
        rows.last_mut().expect("there is a row").push((*style, part));
    }
    rows
}

/// Columns of a character on a terminal that draws it widest.
fn broadest(char: char) -> usize {
    char.width().unwrap_or(0).max(char.width_cjk().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::paint::Style;

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
    fn a_tab_reaches_to_the_next_stop() {
        assert_eq!(texts("a\tb", 20), ["a       b"]);
        assert_eq!(texts("abcdefg\th", 20), ["abcdefg h"]);
    }
}
