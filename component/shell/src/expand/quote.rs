//! Quoting: what `$'…'` means, and how texts are quoted.

use bstr::{BString, ByteSlice};

/// What the inside of `$'…'` means (ANSI-C Quoting in bash's manual).
pub fn ansi_c(text: &[u8]) -> BString {
    let mut out = BString::default();
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'\\' || at + 1 == text.len() {
            out.push(text[at]);
            at += 1;
            continue;
        }
        let (taken, bytes) = escape(&text[at + 1..], true);
        match bytes {
            Some(bytes) => out.extend_from_slice(&bytes),
            None => out.extend_from_slice(&text[at..at + 2]),
        }
        at += 1 + taken.max(usize::from(true));
    }
    out
}

/// What stands behind a backslash: how many bytes it takes, and what they mean. None if they mean nothing.
pub fn escape(text: &[u8], quotes: bool) -> (usize, Option<Vec<u8>>) {
    let Some(first) = text.first() else { return (0, None) };
    let one = |byte: u8| (1, Some(vec![byte]));
    match first {
        b'a' => one(7),
        b'b' => one(8),
        b'e' | b'E' => one(27),
        b'f' => one(12),
        b'n' => one(b'\n'),
        b'r' => one(b'\r'),
        b't' => one(b'\t'),
        b'v' => one(11),
        b'\\' => one(b'\\'),
        b'\'' | b'"' | b'?' if quotes => one(*first),
        b'0'..=b'7' => {
            let digits = text.iter().take(3).take_while(|digit| (b'0'..=b'7').contains(digit)).count();
            (digits, Some(vec![number(&text[..digits], 8).to_le_bytes()[0]]))
        }
        b'x' => match hex(&text[1..], 2) {
            0 => (1, None),
            digits => (1 + digits, Some(vec![number(&text[1..=digits], 16).to_le_bytes()[0]])),
        },
        b'u' | b'U' => match hex(&text[1..], if *first == b'u' { 4 } else { 8 }) {
            0 => (1, None),
            digits => {
                let char = char::from_u32(number(&text[1..=digits], 16)).unwrap_or(char::REPLACEMENT_CHARACTER);
                (1 + digits, Some(char.to_string().into_bytes()))
            }
        },
        b'c' if quotes && text.len() > 1 => (2, Some(vec![text[1].to_ascii_uppercase() ^ 0x40])),
        _ => (1, None),
    }
}

fn hex(text: &[u8], most: usize) -> usize {
    text.iter().take(most).take_while(|digit| digit.is_ascii_hexdigit()).count()
}

fn number(digits: &[u8], radix: u32) -> u32 {
    digits.iter().fold(0, |number, digit| {
        u32::wrapping_add(u32::wrapping_mul(number, radix), char::from(*digit).to_digit(radix).unwrap_or(0))
    })
}

fn is_control(text: &[u8]) -> bool {
    text.iter().any(|byte| byte.is_ascii_control()) || text.to_str().is_err()
}

/// In `$'…'`.
pub fn in_ansi_c(text: &[u8]) -> BString {
    let mut out = BString::from("$'");
    for chunk in text.utf8_chunks() {
        for char in chunk.valid().chars() {
            match char {
                '\x07' => out.extend_from_slice(b"\\a"),
                '\x08' => out.extend_from_slice(b"\\b"),
                '\t' => out.extend_from_slice(b"\\t"),
                '\n' => out.extend_from_slice(b"\\n"),
                '\x0b' => out.extend_from_slice(b"\\v"),
                '\x0c' => out.extend_from_slice(b"\\f"),
                '\r' => out.extend_from_slice(b"\\r"),
                '\x1b' => out.extend_from_slice(b"\\E"),
                '\'' => out.extend_from_slice(b"\\'"),
                '\\' => out.extend_from_slice(b"\\\\"),
                char if char.is_ascii_control() => out.extend_from_slice(format!("\\{:03o}", char as u32).as_bytes()),
                char => out.extend_from_slice(char.to_string().as_bytes()),
            }
        }
        for byte in chunk.invalid() {
            out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
        }
    }
    out.push(b'\'');
    out
}

/// In single quotes, as `${name@Q}` has it.
pub fn at_q(text: &[u8]) -> BString {
    if is_control(text) {
        return in_ansi_c(text);
    }
    single(text)
}

fn single(text: &[u8]) -> BString {
    let mut out = BString::from("'");
    out.extend_from_slice(&text.replace("'", "'\\''"));
    out.push(b'\'');
    out
}

/// With backslashes, as `printf %q` has it.
pub fn percent_q(text: &[u8]) -> BString {
    if text.is_empty() {
        return "''".into();
    }
    if is_control(text) {
        return in_ansi_c(text);
    }
    let mut out = BString::default();
    for (at, byte) in text.iter().enumerate() {
        let special = match byte {
            b'~' | b'#' => at == 0,
            byte => b" \t!\"$&'()*,;<>?[\\]^`{|}".contains(byte),
        };
        if special {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out
}

/// In double quotes, as `declare -p` has it.
pub fn double(text: &[u8]) -> BString {
    if is_control(text) {
        return in_ansi_c(text);
    }
    let mut out = BString::from("\"");
    for byte in text {
        if b"\"$\\`".contains(byte) {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out.push(b'"');
    out
}

/// As `set -x` prints it.
pub fn traced(text: &[u8]) -> BString {
    if text.is_empty() {
        return "''".into();
    }
    if is_control(text) {
        return in_ansi_c(text);
    }
    match text.iter().any(|byte| b" !\"$&'()*,;<>?[\\]^`{|}~#=".contains(byte) && *byte != b',' && *byte != b'=') {
        true => single(text),
        false => text.into(),
    }
}

/// As `set` and `declare` without names print a value.
pub fn listed(text: &[u8]) -> BString {
    if is_control(text) {
        return in_ansi_c(text);
    }
    match text.iter().any(|byte| b" \t!\"$&'()*;<>?[\\]^`{|}~#".contains(byte)) {
        true => single(text),
        false => text.into(),
    }
}
