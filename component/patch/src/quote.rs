//! git's C-style quoting of names, with `core.quotePath` on as by default.
//!
//! A name with a control character, a quote, a backslash or a byte above ASCII stands in double
//! quotes, with `\t`-like escapes where C has one and three octal digits otherwise.

use std::borrow::Cow;

use bstr::{BStr, BString};

/// C's letters for the control characters 7 to 13.
const LETTERS: [u8; 7] = *b"abtnvfr";
const FIRST_LETTER: u8 = 7;

fn needs_quoting(byte: u8) -> bool {
    !(b' '..=b'~').contains(&byte) || matches!(byte, b'"' | b'\\')
}

fn push_escaped(name: &[u8], out: &mut Vec<u8>) {
    for &byte in name {
        if !needs_quoting(byte) {
            out.push(byte);
            continue;
        }
        out.push(b'\\');
        let letter = byte.checked_sub(FIRST_LETTER).and_then(|index| LETTERS.get(usize::from(index)));
        match (byte, letter) {
            (b'"' | b'\\', _) => out.push(byte),
            (_, Some(&letter)) => out.push(letter),
            _ => out.extend_from_slice(&[b'0' + (byte >> 6), b'0' + (byte >> 3 & 7), b'0' + (byte & 7)]),
        }
    }
}

fn in_quotes(parts: &[&[u8]]) -> BString {
    let mut quoted = Vec::with_capacity(parts.iter().map(|part| part.len()).sum::<usize>() + 2);
    quoted.push(b'"');
    for part in parts {
        push_escaped(part, &mut quoted);
    }
    quoted.push(b'"');
    quoted.into()
}

/// `path` as git prints names: unchanged, or quoted as a whole.
pub fn quote_path(path: &BStr) -> Cow<'_, BStr> {
    if path.iter().copied().any(needs_quoting) { Cow::Owned(in_quotes(&[path])) } else { Cow::Borrowed(path) }
}

/// `prefix` and `path` as one name, as in `diff --git a/x b/x`: the quotes enclose both.
pub fn quote_prefixed(prefix: &BStr, path: &BStr) -> BString {
    if prefix.iter().chain(path.iter()).copied().any(needs_quoting) {
        in_quotes(&[prefix, path])
    } else {
        let mut name = prefix.to_vec();
        name.extend_from_slice(path);
        name.into()
    }
}

/// `path` as the short and porcelain forms of `git status` print it: they quote names with a space
/// too.
pub fn quote_status_path(path: &BStr) -> Cow<'_, BStr> {
    if path.contains(&b' ') || path.iter().copied().any(needs_quoting) {
        Cow::Owned(in_quotes(&[path]))
    } else {
        Cow::Borrowed(path)
    }
}

/// The name that git has written so, in quotes or not.
pub fn unquote_path(written: &BStr) -> Cow<'_, BStr> {
    let Some(inner) = written.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) else {
        return written.into();
    };
    let (mut name, mut rest) = (BString::default(), inner);
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        let Some((escaped, behind)) = (*byte == b'\\').then(|| rest.split_first()).flatten() else {
            name.push(*byte);
            continue;
        };
        let digits = rest.iter().take(3).take_while(|byte| (b'0'..=b'7').contains(*byte)).count();
        if digits == 3 {
            let value = rest[..3].iter().fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
            name.push(value as u8);
            rest = &rest[3..];
            continue;
        }
        let letter = LETTERS.iter().zip(FIRST_LETTER..).find(|(letter, _)| *letter == escaped);
        name.push(letter.map_or(*escaped, |(_, byte)| byte));
        rest = behind;
    }
    Cow::Owned(name)
}

#[cfg(test)]
mod tests {
    use bstr::ByteSlice as _;

    use super::*;

    #[test]
    fn plain_names_stay_as_they_are() {
        assert_eq!(*quote_path("a b/c.rs".into()), "a b/c.rs");
        assert_eq!(quote_prefixed("a/".into(), "x".into()), "a/x");
    }

    #[test]
    fn a_name_is_read_back_as_it_was_written() {
        for name in [&b"a"[..], b"a b", b"\"", b"a\\b\t\n\x07\x7f", "d\u{f6}/\u{65e5}".as_bytes(), b"\xff0"] {
            for written in [quote_path(name.into()), quote_status_path(name.into())] {
                assert_eq!(*unquote_path(&written), *name, "{written}");
            }
        }
        for odd in [&b"\""[..], b"a\"", b"\"a"] {
            assert_eq!(*unquote_path(odd.into()), *odd);
        }
        assert_eq!(*unquote_path(b"\"\\z\\12\"".into()), *b"z12");
    }

    #[test]
    fn control_characters_quotes_and_bytes_above_ascii_are_escaped() {
        assert_eq!(
            *quote_path(b"\x01\x07\x08\t\n\x0b\x0c\r\x1b\"\\\x7f\xc3\xa9".as_bstr()),
            r#""\001\a\b\t\n\v\f\r\033\"\\\177\303\251""#
        );
        assert_eq!(quote_prefixed("a/".into(), "tab\there".into()), r#""a/tab\there""#);
    }

    #[test]
    fn status_quotes_spaces_too() {
        assert_eq!(*quote_status_path("a b".into()), r#""a b""#);
        assert_eq!(*quote_status_path("ab".into()), "ab");
    }
}
