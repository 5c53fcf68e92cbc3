//! How members are shown.

use bstr::{BString, ByteSlice};

use super::super::date;
use super::header::Header;

/// Shows members in lines whose columns grow with what was shown before.
pub struct Shown {
    width: usize,
    offset: i32,
    numeric: bool,
}

impl Shown {
    /// With times so many seconds east of UTC.
    pub fn new(offset: i32, numeric: bool) -> Shown {
        Shown { width: 18, offset, numeric }
    }

    /// A line about a member.
    pub fn line(&mut self, header: &Header) -> Vec<u8> {
        let owner = |name: &BString, number: u64| match name.is_empty() || self.numeric {
            true => number.to_string(),
            false => name.to_string(),
        };
        let owners =
            format!("{}/{}", owner(&header.user, header.user_number), owner(&header.group, header.group_number));
        let size = if matches!(header.kind, b'1' | b'2' | b'5') { "0".to_owned() } else { header.size.to_string() };
        let used = owners.len() + size.len();
        self.width = self.width.max(used);
        let width = self.width - owners.len();
        let time = date::format(b"%Y-%m-%d %H:%M", i128::from(header.modified) * 1_000_000_000, self.offset);
        let mut out = format!("{} {owners} {size:>width$} {time} ", modes(header)).into_bytes();
        out.extend(quoted(&header.name));
        let arrow: &[u8] = match header.kind {
            b'1' => b" link to ",
            b'2' => b" -> ",
            _ => return out,
        };
        out.extend_from_slice(arrow);
        out.extend(quoted(&header.link));
        out
    }
}

fn modes(header: &Header) -> String {
    let mut text = String::new();
    text.push(match header.kind {
        b'1' => 'h',
        b'2' => 'l',
        b'3' => 'c',
        b'4' => 'b',
        b'5' => 'd',
        b'6' => 'p',
        _ => '-',
    });
    for shift in [6, 3, 0] {
        let bits = header.mode >> shift;
        text.push(if bits & 4 > 0 { 'r' } else { '-' });
        text.push(if bits & 2 > 0 { 'w' } else { '-' });
        let special = header.mode >> (9 + shift / 3) & 1 > 0;
        let letter = if shift == 0 { 't' } else { 's' };
        text.push(match (special, bits & 1 > 0) {
            (false, false) => '-',
            (false, true) => 'x',
            (true, true) => letter,
            (true, false) => letter.to_ascii_uppercase(),
        });
    }
    text
}

/// A name with what cannot be seen written out.
pub fn quoted(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (begin, end, char) in name.char_indices() {
        let bytes = &name[begin..end];
        match char {
            '\\' => out.extend_from_slice(br"\\"),
            '\n' => out.extend_from_slice(br"\n"),
            '\t' => out.extend_from_slice(br"\t"),
            '\r' => out.extend_from_slice(br"\r"),
            '\u{7}' => out.extend_from_slice(br"\a"),
            '\u{8}' => out.extend_from_slice(br"\b"),
            '\u{b}' => out.extend_from_slice(br"\v"),
            '\u{c}' => out.extend_from_slice(br"\f"),
            char if char.is_control() || (char == '\u{fffd}' && bytes != "\u{fffd}".as_bytes()) => {
                bytes.iter().for_each(|byte| out.extend_from_slice(format!("\\{byte:03o}").as_bytes()));
            }
            _ => out.extend_from_slice(bytes),
        }
    }
    out
}
