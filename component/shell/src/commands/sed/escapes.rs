//! Escapes that stand for bytes, in texts and in expressions.

use bstr::{BString, ByteSlice};

/// The byte that an escape stands for, and how many bytes it takes behind the backslash. `rest` begins behind that.
/// Those of line breaks, `\n`, are none of them.
pub fn byte(rest: &[u8]) -> Option<(u8, usize)> {
    let simple = match rest.first()? {
        b'a' => 7,
        b'f' => 12,
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        b'c' => return rest.get(1).map(|char| (char.to_ascii_uppercase() ^ 0x40, 2)),
        b'd' => return number(&rest[1..], 10, 3),
        b'o' => return number(&rest[1..], 8, 3),
        b'x' => return number(&rest[1..], 16, 2),
        _ => return None,
    };
    Some((simple, 1))
}

fn number(rest: &[u8], base: u32, most: usize) -> Option<(u8, usize)> {
    let digits = rest.iter().take(most).map_while(|byte| char::from(*byte).to_digit(base));
    let (value, count) = digits.fold((0, 0), |(value, count), digit| (value * base + digit, count + 1));
    // As in C, what is too large loses its upper bits.
    (count > 0).then(|| (value.to_le_bytes()[0], count + 1))
}

/// An expression as the reader of expressions wants it: escapes become bytes, which
/// may be special then. With `lines`, neither
/// `.` nor what a set leaves out is a line break.
pub fn pattern(text: &[u8], posix: bool, lines: bool) -> BString {
    let mut out = BString::default();
    let mut at = 0;
    while let Some(first) = text.get(at) {
        match first {
            b'\\' => at += escape(&text[at + 1..], posix, &mut out),
            b'[' => at += set(&text[at..], posix, lines, &mut out),
            b'.' if lines => {
                out.extend_from_slice(b"[^\n]");
                at += 1;
            }
            byte => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    out
}

/// Writes an escape. Gives how many bytes it took, with the backslash.
fn escape(rest: &[u8], posix: bool, out: &mut BString) -> usize {
    if !posix && let Some((byte, length)) = byte(rest) {
        out.push(byte);
        return 1 + length;
    }
    out.push(b'\\');
    out.extend(rest.first());
    1 + usize::from(!rest.is_empty())
}

/// Writes a set in brackets. Gives how many bytes it took.
fn set(text: &[u8], posix: bool, lines: bool, out: &mut BString) -> usize {
    let mut at = 1;
    out.push(b'[');
    let negated = text.get(at) == Some(&b'^');
    if negated {
        out.push(b'^');
        at += 1;
    }
    let begin = at;
    while let Some(first) = text.get(at) {
        let rest = &text[at + 1..];
        match (first, rest.first()) {
            (b']', _) if at > begin => {
                if negated && lines {
                    out.push(b'\n');
                }
                out.push(b']');
                return at + 1;
            }
            (b'[', Some(mark @ (b':' | b'.' | b'='))) => {
                let length = rest[1..].find([*mark, b']']).map_or(text.len() - at, |end| end + 4);
                out.extend_from_slice(&text[at..at + length]);
                at += length;
            }
            (b'\\', Some(b'n')) => {
                out.push(b'\n');
                at += 2;
            }
            (b'\\', Some(_)) if !posix && byte(rest).is_some() => {
                let (byte, length) = byte(rest).expect("it was looked at");
                out.push(byte);
                at += 1 + length;
            }
            _ => {
                out.push(*first);
                at += 1;
            }
        }
    }
    text.len()
}
