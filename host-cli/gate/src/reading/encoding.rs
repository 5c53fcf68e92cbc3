//! Text in UTF-16 and UTF-32, where no ASCII character is a single byte.

use std::fmt::Write as _;

use crate::reveal::shows_nothing;

/// How characters are encoded in units of several bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// UTF-16, the low byte first.
    Utf16Le,
    /// UTF-16, the high byte first.
    Utf16Be,
    /// UTF-32, the lowest byte first.
    Utf32Le,
    /// UTF-32, the highest byte first.
    Utf32Be,
}

use Encoding::{Utf16Be, Utf16Le, Utf32Be, Utf32Le};

/// The byte order marks (Unicode, 23.8). UTF-32's starts like UTF-16's.
const MARKS: [(&[u8], Encoding); 4] = [
    (&[0xff, 0xfe, 0, 0], Utf32Le),
    (&[0, 0, 0xfe, 0xff], Utf32Be),
    (&[0xff, 0xfe], Utf16Le),
    (&[0xfe, 0xff], Utf16Be),
];

/// The units of a content, counted under some encoding.
#[derive(Default)]
struct Count {
    all: usize,
    /// Characters that occur in text.
    text: usize,
    /// The ASCII characters among them.
    ascii: usize,
}

impl Encoding {
    /// The name of the encoding.
    pub fn name(self) -> &'static str {
        match self {
            Utf16Le | Utf16Be => "UTF-16",
            Utf32Le | Utf32Be => "UTF-32",
        }
    }

    /// The encoding of the byte order mark at the start of `content`.
    pub fn marked(content: &[u8]) -> Option<Self> {
        MARKS.iter().find(|(mark, _)| content.starts_with(mark)).map(|(_, encoding)| *encoding)
    }

    /// The encoding in which `content`, which git takes for binary, is text. A program believes a mark, so half of the rest must be text.
    /// Without a mark most of it must be ASCII, because any other bytes are characters of some script.
    pub fn of(content: &[u8]) -> Option<Self> {
        let marked = Self::marked(content).filter(|encoding| {
            let count = encoding.count(content);
            2 * count.text >= count.all && count.all > 1
        });
        // At least a NUL for every second character. This skips most binary content.
        let nuls = content.iter().filter(|byte| **byte == 0).count();
        let is_plain = |encoding: &Encoding| {
            let count = encoding.count(content);
            2 * count.ascii >= count.all && 10 * count.text >= 9 * count.all && count.all > 1
        };
        let all = [Utf32Le, Utf32Be, Utf16Le, Utf16Be];
        marked.or_else(|| all.into_iter().filter(|_| 4 * nuls >= content.len()).find(is_plain))
    }

    /// The text in UTF-8, without its mark. An invalid unit becomes `<U+D800>`, and incomplete bytes at the end become `\xNN`.
    pub fn decode(self, content: &[u8]) -> Vec<u8> {
        let mut text = String::with_capacity(content.len() / 2);
        let body =
            MARKS.iter().find(|(mark, of)| *of == self && content.starts_with(mark)).map_or(0, |(mark, _)| mark.len());
        let rest = self.each(&content[body..], &mut |unit| match unit {
            Ok(char) => text.push(char),
            Err(unit) => write!(text, "<U+{unit:04X}>").expect("writing to a string does not fail"),
        });
        for byte in rest {
            write!(text, "\\x{byte:02x}").expect("writing to a string does not fail");
        }
        text.into_bytes()
    }

    /// Reports the place of each ASCII character.
    pub fn each_ascii(self, content: &[u8], give: &mut dyn FnMut(std::ops::Range<usize>)) {
        let mut at = 0;
        let width = if matches!(self, Utf16Le | Utf16Be) { 2 } else { 4 };
        self.each(content, &mut |unit| {
            let bytes = if width == 2 { unit.map_or(1, char::len_utf16) * 2 } else { 4 };
            if unit.is_ok_and(|char| char.is_ascii()) {
                give(at..at + bytes);
            }
            at += bytes;
        });
    }

    fn count(self, content: &[u8]) -> Count {
        let mut count = Count::default();
        self.each(content, &mut |unit| {
            let is_text = |char: char| (!char.is_control() || char.is_ascii_whitespace()) && !shows_nothing(char);
            count.all += 1;
            if let Some(char) = unit.ok().filter(|char| is_text(*char) || *char == '\u{feff}') {
                count.text += 1;
                count.ascii += usize::from(char.is_ascii());
            }
        });
        count
    }

    /// Reports each character or invalid unit. Returns the bytes left over.
    fn each<'a>(self, content: &'a [u8], give: &mut dyn FnMut(Result<char, u32>)) -> &'a [u8] {
        match self {
            Utf16Le | Utf16Be => {
                let unit = if self == Utf16Le { u16::from_le_bytes } else { u16::from_be_bytes };
                let (units, rest) = content.as_chunks::<2>();
                for char in char::decode_utf16(units.iter().map(|bytes| unit(*bytes))) {
                    give(char.map_err(|error| u32::from(error.unpaired_surrogate())));
                }
                rest
            }
            Utf32Le | Utf32Be => {
                let unit = if self == Utf32Le { u32::from_le_bytes } else { u32::from_be_bytes };
                let (units, rest) = content.as_chunks::<4>();
                for bytes in units {
                    let code = unit(*bytes);
                    give(char::from_u32(code).ok_or(code));
                }
                rest
            }
        }
    }
}
