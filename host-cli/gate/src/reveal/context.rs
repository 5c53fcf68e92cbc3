//! Judges invisible characters, blanks and marks by their neighbours: some scripts need them.

use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};
use unicode_width::UnicodeWidthChar;

use super::table::shows_nothing;
use crate::columns::MARKS;

const NON_JOINER: char = '\u{200c}';
const JOINER: char = '\u{200d}';
/// The variation selectors of emoji: text and picture.
const STYLES: std::ops::RangeInclusive<char> = '\u{fe0e}'..='\u{fe0f}';
/// A wide blank occurs alone, or with a few others.
const BLANKS: usize = 8;
const DOT_ABOVE: char = '\u{307}';
/// Marks drawn over a letter.
const OVERLAYS: std::ops::RangeInclusive<char> = '\u{334}'..='\u{338}';
/// The keycap around a digit.
const KEYCAP: char = '\u{20e3}';

/// A walk along a line that knows the previous and the next character.
pub(super) struct Around<'a> {
    rest: std::str::CharIndices<'a>,
    /// The last character that is drawn on its own.
    base: Option<char>,
    /// The number of marks since then.
    marks: usize,
    before: Option<char>,
    now: Option<char>,
}

impl<'a> Around<'a> {
    pub fn of(line: &'a str) -> Self {
        Around { rest: line.char_indices(), base: None, marks: 0, before: None, now: None }
    }

    /// Advances to the next character.
    pub fn next(&mut self) -> Option<(usize, char)> {
        if let Some(passed) = self.now {
            if is_combining_mark(passed) {
                self.marks += 1;
            } else if !shows_nothing(passed) {
                (self.base, self.marks) = (Some(passed), 0);
            }
            self.before = Some(passed);
        }
        let (at, char) = self.rest.next()?;
        self.now = Some(char);
        Some((at, char))
    }

    fn behind(&self) -> Option<char> {
        self.rest.as_str().chars().next()
    }

    /// Whether the current character is there on purpose. `None` if it is visible.
    pub fn hides(&self, char: char) -> Option<bool> {
        if char.is_ascii() {
            return None;
        }
        if shows_nothing(char) {
            return Some(self.is_needed(char));
        }
        if char.is_whitespace() {
            return self.is_blank(char);
        }
        (is_combining_mark(char) && !self.is_carried(char)).then_some(false)
    }

    fn is_needed(&self, char: char) -> bool {
        match char {
            JOINER if self.base.is_some_and(is_picture) => self.behind().is_some_and(is_picture),
            // Persian and the Indic scripts need these.
            NON_JOINER | JOINER => {
                let is_joined = |char: char| !char.is_ascii() && (char.is_alphabetic() || is_combining_mark(char));
                self.before.is_some_and(is_joined)
                    && self.behind().is_none_or(|char| is_joined(char) || !char.is_alphanumeric())
            }
            _ if STYLES.contains(&char) => self.base.is_some_and(|base| {
                is_picture(base) || self.behind() == Some(KEYCAP) && matches!(base, '0'..='9' | '#' | '*')
            }),
            _ => false,
        }
    }

    /// A blank other than the space. A wide one is visible between wide characters.
    fn is_blank(&self, char: char) -> Option<bool> {
        let is_wide = |char: char| !char.is_ascii() && char.width() == Some(2) && char != '\u{3000}';
        let (before, behind) = (self.base, self.rest.as_str().chars().take(BLANKS).find(|next| *next != char));
        if char == '\u{3000}' && [before, behind].into_iter().flatten().any(is_wide) {
            return None;
        }
        // French puts them before its punctuation, many countries in numbers and before units.
        let is_narrow = matches!(char, '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{200a}' | '\u{2007}');
        let is_typeset = |char: char| {
            char.is_ascii_digit()
                || matches!(char, ':' | ';' | '!' | '?' | '%' | '$' | '\u{a1}'..) && !char.is_whitespace()
        };
        Some(is_narrow && [before, self.behind()].into_iter().flatten().any(is_typeset))
    }

    /// Whether a mark is on a letter that it belongs to.
    fn is_carried(&self, mark: char) -> bool {
        let Some(base) = self.base.filter(|_| self.before.is_some_and(|before| !before.is_whitespace())) else {
            return false;
        };
        // More would reach into other rows.
        if self.marks >= MARKS {
            return false;
        }
        match mark.script() {
            _ if mark == KEYCAP => true,
            // The mark does not change the letter's look, or makes it look like another letter.
            _ if mark == DOT_ABOVE && matches!(base, 'i' | 'j' | '\u{131}' | '\u{237}') => false,
            _ if base.is_ascii() && OVERLAYS.contains(&mark) => false,
            Script::Inherited | Script::Common => base.is_alphanumeric() || !base.is_ascii() && !base.is_whitespace(),
            script => {
                mark.script_extension().contains_script(base.script()) || base.script() == script || base == '\u{25cc}'
            }
        }
    }
}

/// Characters drawn as pictures: symbols beyond those of text, and skin tone modifiers.
fn is_picture(char: char) -> bool {
    matches!(char, '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21ff}'
        | '\u{2300}'..='\u{27bf}' | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}'
        | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}
