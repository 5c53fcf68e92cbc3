//! Placeholders brought to a width: `%<(…)`, `%>(…)`, `%><(…)` and `%>>(…)`.

use gix::bstr::ByteSlice;

use super::placeholder::WIDEST;
use crate::git::columns;

/// The columns of a terminal where there is none.
const TERMINAL: i64 = 80;

/// How the next placeholder is brought to a width.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Pad {
    /// Columns.
    width: usize,
    /// Whether the width counts from the start of the line.
    to_column: bool,
    side: Side,
    cut: Cut,
}

/// Where the spaces go.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Side {
    Right,
    Left,
    Both,
    /// To the left; where there is no room, spaces before it are taken away.
    LeftAndSteal,
}

/// What becomes of what is too wide.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Cut {
    Nothing,
    Right,
    Left,
    Middle,
}

impl Pad {
    /// The padding that `text` begins with, and its length.
    pub fn parse(text: &str) -> Option<(Pad, usize)> {
        let (side, rest) = [("<", Side::Right), ("><", Side::Both), (">>", Side::LeftAndSteal), (">", Side::Left)]
            .into_iter()
            .find_map(|(sign, side)| Some((side, text.strip_prefix(sign)?)))?;
        let (to_column, rest) = rest.strip_prefix('|').map_or((false, rest), |rest| (true, rest));
        let inside = rest.strip_prefix('(')?;
        let end = inside.find([',', ')'])?;
        let mut width = number(&inside[..end])?;
        let widest = WIDEST as i64;
        if width == 0 || !(-widest..=widest).contains(&width) {
            return None;
        }
        if width < 0 {
            width += if to_column { TERMINAL } else { 0 };
        }
        let width = usize::try_from(width).ok()?;
        let rest = &inside[end..];
        let (cut, rest) = match rest.strip_prefix(',') {
            None => (Cut::Nothing, &rest[1..]),
            Some(rest) => [("trunc)", Cut::Right), ("ltrunc)", Cut::Left), ("mtrunc)", Cut::Middle)]
                .into_iter()
                .find_map(|(word, cut)| Some((cut, rest.strip_prefix(word)?)))?,
        };
        Some((Pad { width, to_column, side, cut }, text.len() - rest.len()))
    }

    /// Appends `text` to `out`, brought to the width.
    pub fn append(&self, text: &[u8], out: &mut Vec<u8>) {
        let mut room = self.width as i64;
        if self.to_column {
            // git takes what is there for a text that ends at its first NUL.
            let text = &out[..out.find_byte(0).unwrap_or(out.len())];
            let line = text.rfind_byte(b'\n').unwrap_or(0);
            room -= width(&text[line..]) as i64;
        }
        let needed = width(text) as i64;
        let mut text = text.to_vec();
        if self.side == Side::LeftAndSteal {
            room += steal(needed - room, out, &mut text);
        }
        if needed > room {
            let over = needed - (room - 2);
            match self.cut {
                Cut::Nothing => out.extend_from_slice(&text),
                Cut::Left => out.extend_from_slice(&replace(&text, 0, over)),
                Cut::Middle => out.extend_from_slice(&replace(&text, room / 2 - 1, over)),
                Cut::Right => out.extend_from_slice(&replace(&text, room - 2, over)),
            }
            return;
        }
        let spaces = usize::try_from(room - needed).expect("there is room");
        let before = match self.side {
            Side::Right => 0,
            Side::Left | Side::LeftAndSteal => spaces,
            Side::Both => spaces / 2,
        };
        out.resize(out.len() + before, b' ');
        out.extend_from_slice(&text);
        out.resize(out.len() + spaces - before, b' ');
    }
}

/// A number as C reads it: what stands behind its digits does not count.
fn number(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let signed = usize::from(text.starts_with(['-', '+']));
    let digits = text[signed..].bytes().take_while(u8::is_ascii_digit).count();
    text[..signed + digits].parse().ok()
}

/// Takes up to `wanted` spaces from the end of `out`. Colours among them go before `text`.
fn steal(wanted: i64, out: &mut Vec<u8>, text: &mut Vec<u8>) -> i64 {
    let mut stolen = 0;
    // The first byte of all stays.
    while stolen < wanted && out.len() > 1 {
        if out.last() == Some(&b' ') {
            out.pop();
            stolen += 1;
            continue;
        }
        let start = out.iter().rposition(|byte| *byte == 0x1b).unwrap_or(out.len());
        let length = out.len() - start;
        if start == 0 || length == 0 || columns::colour_sequence(&out[start..]) != length {
            break;
        }
        text.splice(0..0, out.drain(start..));
    }
    stolen
}

/// The columns of `text`; colours take none.
fn width(text: &[u8]) -> usize {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.first() {
        match columns::colour_sequence(rest) {
            0 => {
                plain.push(*first);
                rest = &rest[1..];
            }
            length => rest = &rest[length..],
        }
    }
    match columns::width(&plain) {
        width if width == plain.len() && std::str::from_utf8(&plain).is_err() => text.len(),
        width => width,
    }
}

/// `text` with two dots in the place of the columns `from` to `from + count`; as it is, if it is not UTF-8.
fn replace(text: &[u8], from: i64, count: i64) -> Vec<u8> {
    let mut kept = Vec::with_capacity(text.len());
    let mut dots = true;
    let mut column = 0;
    let mut rest = text;
    loop {
        let colour = columns::colour_sequence(rest);
        kept.extend_from_slice(&rest[..colour]);
        rest = &rest[colour..];
        if rest.is_empty() {
            return kept;
        }
        if columns::colour_sequence(rest) > 0 {
            continue;
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

    fn padded(pad: &str, before: &str, text: &str) -> String {
        let (pad, length) = Pad::parse(pad).unwrap_or_else(|| panic!("{pad}"));
        assert!(length > 0);
        let mut out = before.as_bytes().to_vec();
        pad.append(text.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn spaces_go_where_the_sign_says() {
        assert_eq!(padded("<(5)", "", "ab"), "ab   ");
        assert_eq!(padded(">(5)", "", "ab"), "   ab");
        assert_eq!(padded("><(5)", "", "ab"), " ab  ");
        assert_eq!(padded(">>(3)", "x    ", "abcde"), "x  abcde");
        assert_eq!(padded("<|(5)", "xyz", "a"), "xyza ");
        assert_eq!(padded("<(4)", "", "日"), "日  ");
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
        for text in ["<", "<5", "<(", "<()", "<(0)", "<(-5)", "<(a)", "<(5,cut)", "<(99999)", "<(5,trunc"] {
            assert_eq!(Pad::parse(text), None, "{text}");
        }
        assert_eq!(Pad::parse("<(5x)z").map(|(_, length)| length), Some(5));
        assert_eq!(Pad::parse("<|(-70)").map(|(pad, _)| pad.width), Some(10));
    }
}
