//! Counts the terminal columns of a text as git does when it aligns text.

mod table;

use std::cmp::Ordering;

/// The number of columns of `text`. Control characters take none. For text that is not UTF-8, it is the length in bytes.
pub fn width(text: &[u8]) -> usize {
    let mut width = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let Some((c, length)) = first(rest) else {
            return text.len();
        };
        width += of(c).unwrap_or(0);
        rest = &rest[length..];
    }
    width
}

/// The number of columns of a character. `None` for a control character.
pub fn of(c: char) -> Option<usize> {
    let code = u32::from(c);
    match code {
        0 => Some(0),
        1..32 | 0x7f..0xa0 => None,
        _ if is_in(table::ZERO, code) => Some(0),
        _ if is_in(table::DOUBLE, code) => Some(2),
        _ => Some(1),
    }
}

/// The first character of `text`, and its length in bytes. `None` if git sees no character there: invalid UTF-8, U+FFFE or U+FFFF.
pub fn first(text: &[u8]) -> Option<(char, usize)> {
    let (c, length) = gix::bstr::decode_utf8(text);
    c.filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}')).map(|c| (c, length))
}

/// The length of the colour sequence (`ESC [ … m`) at the beginning of `text`, or zero.
pub fn colour_sequence(text: &[u8]) -> usize {
    let Some(parameters) = text.strip_prefix(b"\x1b[") else {
        return 0;
    };
    let length = parameters.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
    if parameters.get(length) == Some(&b'm') { length + 3 } else { 0 }
}

/// The length of all the colour sequences at the beginning of `text`.
pub fn colour_sequences(text: &[u8]) -> usize {
    let mut rest = text;
    loop {
        match colour_sequence(rest) {
            0 => return text.len() - rest.len(),
            length => rest = &rest[length..],
        }
    }
}

fn is_in(table: &[(u32, u32)], code: u32) -> bool {
    let order = |&(first, last): &(u32, u32)| match () {
        () if code < first => Ordering::Greater,
        () if code > last => Ordering::Less,
        () => Ordering::Equal,
    };
    table.binary_search_by(order).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_marks_and_ideographs_take_one_none_and_two() {
        assert_eq!(width("añ".as_bytes()), 2);
        assert_eq!(width("e\u{301}".as_bytes()), 1);
        assert_eq!(width("日本".as_bytes()), 4);
        assert_eq!(width(b"a\tb"), 2);
        assert_eq!(width(b"a\xff\xffb"), 4);
    }

    #[test]
    fn a_colour_sequence_is_known_by_its_end() {
        assert_eq!(colour_sequence(b"\x1b[1;31mred"), 7);
        assert_eq!(colour_sequence(b"\x1b[mred"), 3);
        assert_eq!(colour_sequence(b"\x1b[1;31red"), 0);
        assert_eq!(colour_sequence(b"red"), 0);
        assert_eq!(colour_sequences(b"\x1b[1m\x1b[31mred\x1b[m"), 9);
        assert_eq!(colour_sequences(b"red"), 0);
    }
}
