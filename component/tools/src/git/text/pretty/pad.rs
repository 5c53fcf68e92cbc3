//! Pads or cuts placeholders to a width: `%<(…)`, `%>(…)`, `%><(…)` and `%>>(…)`.

use std::borrow::Cow;

use gix::bstr::ByteSlice;

use super::text::Text;
use crate::error::ToolError;
use crate::git::words::c_number::c_number;
use crate::git::words::columns;

/// git does not accept a greater width.
pub const WIDEST: usize = 16 << 10;
/// The width of a terminal if there is none.
const TERMINAL: i64 = 80;
/// git finds a colour from its end only up to this length in bytes.
const LONGEST_COLOUR: usize = 11;

/// The width and alignment of the next placeholder.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Pad {
    /// In columns.
    width: usize,
    /// Whether the width counts from the start of the line.
    to_column: bool,
    side: Side,
    /// How to cut wider text. If the placeholder ends before saying so, this is `None`, and the previous setting stays.
    pub cut: Option<Cut>,
}

/// The side of the text that gets the spaces.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Side {
    Right,
    Left,
    Both,
    /// On the left. If there is no room, it removes spaces before the text.
    LeftAndSteal,
}

/// The part that is cut from text that is too wide.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Cut {
    /// The text stays whole.
    #[default]
    Nothing,
    /// The end is cut.
    Right,
    /// The beginning is cut.
    Left,
    /// The middle is cut.
    Middle,
}

impl Pad {
    /// Parses the padding at the beginning of `text`. Returns it with its length, or with zero if there is an error after the width: git
    /// then sets the width, and still takes the placeholder as text.
    pub fn parse(text: &str) -> Option<(Pad, usize)> {
        let (side, rest) = [("<", Side::Right), ("><", Side::Both), (">>", Side::LeftAndSteal), (">", Side::Left)]
            .into_iter()
            .find_map(|(sign, side)| Some((side, text.strip_prefix(sign)?)))?;
        let (to_column, rest) = rest.strip_prefix('|').map_or((false, rest), |rest| (true, rest));
        let inside = rest.strip_prefix('(')?;
        let (width, _) = c_number(inside.as_bytes())?;
        let end = inside.as_bytes().find_byteset(b",)")?;
        // A number too large for C is truncated.
        let mut width = i64::from(width as i32);
        let widest = WIDEST as i64;
        if width == 0 || !(-widest..=widest).contains(&width) {
            return None;
        }
        if width < 0 {
            width += if to_column { TERMINAL } else { 0 };
        }
        let width = usize::try_from(width).ok()?;
        let rest = &inside[end..];
        let cut = match rest.strip_prefix(',') {
            None => Some((Cut::Nothing, &rest[1..])),
            Some(rest) => [("trunc)", Cut::Right), ("ltrunc)", Cut::Left), ("mtrunc)", Cut::Middle)]
                .into_iter()
                .find_map(|(word, cut)| Some((cut, rest.strip_prefix(word)?))),
        };
        let length = cut.map_or(0, |(_, rest)| text.len() - rest.len());
        Some((Pad { width, to_column, side, cut: cut.map(|(cut, _)| cut) }, length))
    }

    /// This padding, with the side of `other`.
    pub fn on_side_of(self, other: Pad) -> Pad {
        Pad { side: other.side, ..self }
    }

    /// Appends `text` to `out`, padded or cut to the width.
    ///
    /// # Errors
    ///
    /// If `out` becomes too large, or the deadline has passed.
    pub fn append(&self, text: &[u8], cut: Cut, out: &mut Text<'_>) -> Result<(), ToolError> {
        let mut room = self.width as i64;
        if self.to_column {
            let taken = out.last_line();
            let (taken, length) = (width(taken), taken.len());
            out.work(length)?;
            room -= taken as i64;
        }
        out.work(text.len())?;
        let needed = width(text) as i64;
        let mut text = Cow::Borrowed(text);
        if self.side == Side::LeftAndSteal {
            let (stolen, colours) = steal(needed - room, out)?;
            room += stolen;
            if !colours.is_empty() {
                text = Cow::Owned([&colours, &*text].concat());
            }
        }
        if needed > room {
            let over = needed - (room - 2);
            return match cut {
                Cut::Nothing => out.add(&text),
                Cut::Left => out.add(&replace(&text, 0, over)),
                Cut::Middle => out.add(&replace(&text, room / 2 - 1, over)),
                Cut::Right => out.add(&replace(&text, room - 2, over)),
            };
        }
        let spaces = usize::try_from(room - needed).expect("there is room");
        let before = match self.side {
            Side::Right => 0,
            Side::Left | Side::LeftAndSteal => spaces,
            Side::Both => spaces / 2,
        };
        out.add_spaces(before)?;
        out.add(&text)?;
        out.add_spaces(spaces - before)
    }
}

/// Removes up to `wanted` spaces from the end of `out`, and the colours among them. Returns their number, and the colours.
fn steal(wanted: i64, out: &mut Text<'_>) -> Result<(i64, Vec<u8>), ToolError> {
    let mut stolen = 0;
    let mut end = out.len();
    // The very first byte stays.
    while stolen < wanted && end > 1 {
        if out[end - 1] == b' ' {
            end -= 1;
            stolen += 1;
            continue;
        }
        let Some(length) = trailing_colour(&out[..end]) else { break };
        end -= length;
    }
    let mut colours = out.split_off(end);
    out.work(colours.len())?;
    // A colour contains no space.
    colours.retain(|byte| *byte != b' ');
    Ok((stolen, colours))
}

/// The length of the colour sequence at the end of `text`, if git finds it from the end.
fn trailing_colour(text: &[u8]) -> Option<usize> {
    let nearest = text.len().saturating_sub(LONGEST_COLOUR);
    let start = nearest + text[nearest..].rfind_byte(0x1b)?;
    let length = text.len() - start;
    (columns::colour_sequence(&text[start..]) == length).then_some(length)
}

/// The width of `text` without colours. For text that is not UTF-8, it is the length in bytes.
fn width(text: &[u8]) -> usize {
    let mut width = 0;
    let mut rest = text;
    loop {
        rest = &rest[columns::colour_sequences(rest)..];
        if rest.is_empty() {
            return width;
        }
        let Some((c, length)) = columns::first(rest) else {
            return text.len();
        };
        width += columns::of(c).unwrap_or(0);
        rest = &rest[length..];
    }
}

/// Replaces the columns `from` to `from + count` of `text` by two dots. Text that is not UTF-8 stays unchanged.
fn replace(text: &[u8], from: i64, count: i64) -> Vec<u8> {
    let mut kept = Vec::with_capacity(text.len());
    let mut dots = true;
    let mut column = 0;
    let mut rest = text;
    loop {
        let (colours, after) = rest.split_at(columns::colour_sequences(rest));
        kept.extend_from_slice(colours);
        rest = after;
        if rest.is_empty() {
            return kept;
        }
        let Some((c, length)) = columns::first(rest) else {
            return text.to_vec();
        };
        let width = columns::of(c).unwrap_or(0) as i64;
        if width > 0 && (from..from + count).contains(&column) {
            if std::mem::take(&mut dots) {
                kept.extend_from_slice(b"..");
            }
        } else {
            kept.extend_from_slice(&rest[..length]);
        }
        column += width;
        rest = &rest[length..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadline::Deadline;

    fn padded(pad: &str, before: &str, text: &str) -> String {
        let (pad, length) = Pad::parse(pad).unwrap_or_else(|| panic!("{pad}"));
        assert!(length > 0);
        let deadline = Deadline::after(|| 0, u64::MAX / 2);
        let mut out = Text::new(&deadline);
        out.add(before.as_bytes()).unwrap();
        pad.append(text.as_bytes(), pad.cut.expect("it says so"), &mut out).unwrap();
        String::from_utf8(out.to_vec()).unwrap()
    }

    #[test]
    fn spaces_go_where_the_sign_says() {
        assert_eq!(padded("<(5)", "", "ab"), "ab   ");
        assert_eq!(padded(">(5)", "", "ab"), "   ab");
        assert_eq!(padded("><(5)", "", "ab"), " ab  ");
        assert_eq!(padded(">>(3)", "x    ", "abcde"), "x  abcde");
        assert_eq!(padded("<|(5)", "xyz", "a"), "xyza ");
        assert_eq!(padded("<(4)", "", "日"), "日  ");
        assert_eq!(padded(">>(3)", "x \x1b[1m  \x1b[m ", "abcdef"), "x \x1b[1m\x1b[mabcdef");
        assert_eq!(padded(">>(3)", "x \x1b[1;2;3;4;5m ", "abcdef"), "x \x1b[1;2;3;4;5mabcdef");
    }

    #[test]
    fn what_is_too_wide_is_cut_where_asked() {
        assert_eq!(padded("<(5,trunc)", "", "abcdefgh"), "abc..");
        assert_eq!(padded("<(5,ltrunc)", "", "abcdefgh"), "..fgh");
        assert_eq!(padded("<(5,mtrunc)", "", "abcdefgh"), "a..gh");
        assert_eq!(padded("<(5)", "", "abcdefgh"), "abcdefgh");
    }

    #[test]
    fn what_git_does_not_know_is_no_padding() {
        for text in
            ["<", "<5", "<(", "<()", "<(0)", "<(-5)", "<(a)", "<(99999)", "<(5", "<(\u{a0}9)", "<(9223372036854775807)"]
        {
            assert_eq!(Pad::parse(text), None, "{text}");
        }
        for text in ["<(5,cut)", "<(5,trunc"] {
            assert_eq!(
                Pad::parse(text).map(|(pad, length)| (pad.width, pad.cut, length)),
                Some((5, None, 0)),
                "{text}"
            );
        }
        assert_eq!(Pad::parse("<(5x)z").map(|(_, length)| length), Some(5));
        assert_eq!(Pad::parse("<|(-70)").map(|(pad, _)| pad.width), Some(10));
    }
}
