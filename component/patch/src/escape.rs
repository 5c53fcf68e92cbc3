//! Makes text safe for a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Text that a terminal shows but does not execute.
///
/// C0 controls become `\xNN`, except tab, line feed, and carriage return before a line feed. So do DEL and the C1 controls. Bytes that are
/// not UTF-8 become U+FFFD.
pub fn escape(text: &[u8]) -> Cow<'_, str> {
    // Check the whole text first: the lossy conversion goes character by character.
    let text = match std::str::from_utf8(text) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(text),
    };
    let Some(first) = next_control(&text, 0) else {
        return text;
    };
    let mut safe = String::with_capacity(text.len() + 16);
    let (mut done, mut control) = (0, Some(first));
    while let Some((at, character)) = control {
        safe.push_str(&text[done..at]);
        write!(safe, "\\x{:02x}", u32::from(character)).expect("a string takes all that is written");
        done = at + character.len_utf8();
        control = next_control(&text, done);
    }
    safe.push_str(&text[done..]);
    Cow::Owned(safe)
}

/// As [`escape`], for text that the caller gives away. Plain text is not copied.
pub fn into_escaped(text: Vec<u8>) -> String {
    match String::from_utf8(text) {
        Ok(text) if next_control(&text, 0).is_none() => text,
        Ok(text) => escape(text.as_bytes()).into_owned(),
        Err(error) => escape(error.as_bytes()).into_owned(),
    }
}

/// The longest UTF-8 character, in bytes.
const LONGEST: usize = 4;

/// The length of `text` once escaped if that is at most `most`, otherwise some greater number. Reads hardly more than `most` bytes.
pub fn escaped_len(text: &[u8], most: usize) -> usize {
    // Escaping shortens nothing. A character cut at the end has at least one of its bytes after `most`.
    let (first, rest) = text.split_at(text.len().min(most.saturating_add(LONGEST)));
    escape(first).len() + rest.len()
}

/// The beginning of `text` that suffices to show its first `most` bytes escaped, and a little more to tell that it was cut.
pub fn beginning(mut text: Vec<u8>, most: usize) -> Vec<u8> {
    text.truncate(most.saturating_add(LONGEST));
    text
}

/// Bytes scanned in one step.
const CHUNK: usize = 64;

/// The first wanted byte at or after `from`.
fn next(bytes: &[u8], mut from: usize, is_wanted: impl Fn(u8) -> bool) -> Option<usize> {
    // Wanted bytes often follow each other.
    if bytes.get(from).is_some_and(|byte| is_wanted(*byte)) {
        return Some(from);
    }
    let is_in = |chunk: &[u8]| chunk.iter().fold(false, |before, byte| before | is_wanted(*byte));
    from += bytes[from..].chunks_exact(CHUNK).take_while(|chunk| !is_in(chunk)).count() * CHUNK;
    // It is in this chunk, or in the rest that is shorter than a chunk.
    bytes[from..].iter().position(|byte| is_wanted(*byte)).map(|at| from + at)
}

/// The first control character at or after `from` that a terminal must not get.
fn next_control(text: &str, mut from: usize) -> Option<(usize, char)> {
    let bytes = text.as_bytes();
    loop {
        let at = next(bytes, from, may_begin_control)?;
        let character =
            text[at..].chars().next().expect("what may begin a control character is no rest of another one");
        let is_line_end = character == '\r' && bytes.get(at + 1) == Some(&b'\n');
        if character.is_control() && !is_line_end {
            return Some((at, character));
        }
        from = at + character.len_utf8();
    }
}

/// Whether a control character may begin with this byte. A C1 control has two bytes, and its first byte begins other characters too.
fn may_begin_control(byte: u8) -> bool {
    const C1: u8 = 0xc2;
    ((byte < b' ') & (byte != b'\t') & (byte != b'\n')) | (byte == 0x7f) | (byte == C1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_passed_on_as_it_is() {
        let text = "a\tb\r\nc\n\u{e9}\u{4e2d}";
        assert!(matches!(escape(text.as_bytes()), Cow::Borrowed(same) if same == text));
    }

    #[test]
    fn controls_are_shown_in_hex() {
        assert_eq!(escape(b"\x1b[31m\x07\x00\x7f"), "\\x1b[31m\\x07\\x00\\x7f");
        assert_eq!(escape("\u{9b}31m".as_bytes()), "\\x9b31m");
    }

    #[test]
    fn a_carriage_return_is_safe_before_a_line_feed_only() {
        assert_eq!(escape(b"a\rb\r\n\r"), "a\\x0db\r\n\\x0d");
        assert_eq!(escape(b"\r\r\n"), "\\x0d\r\n");
    }

    #[test]
    fn what_is_not_plain_is_found_wherever_it_stands() {
        for length in [0, 1, 62, 63, 64, 65, 127, 128, 200] {
            for at in 0..=length {
                let mut text = "é\u{a0}\tx".chars().cycle().take(length).collect::<Vec<char>>();
                text.insert(at, '\u{1b}');
                let text: String = text.into_iter().collect();
                assert_eq!(escape(text.as_bytes()), text.replace('\u{1b}', "\\x1b"), "{at} of {length}");
            }
        }
    }

    #[test]
    fn text_that_is_given_away_is_escaped_the_same_way() {
        for text in [&b"plain \xc3\xa9\r\n"[..], b"\x1b[31m", b"a\xffb\x9b", b"\xc2\x9b", b""] {
            assert_eq!(into_escaped(text.to_vec()), escape(text));
        }
    }

    #[test]
    fn a_length_is_exact_as_far_as_it_is_asked_for() {
        for text in [&b"a\x1bb\xc3\xa9\xff\xe2\x82\x1b\xf0\x9f\x98\x80 end"[..], &"é".repeat(20).into_bytes(), b""] {
            let exact = escape(text).len();
            for most in 0..exact + 3 {
                let told = escaped_len(text, most);
                assert!(if exact <= most { told == exact } else { told > most }, "{text:?} {most} {told}");
                let shown = escape(text);
                let shown_of_beginning = into_escaped(beginning(text.to_vec(), most));
                assert_eq!(shown.as_bytes().get(..most), shown_of_beginning.as_bytes().get(..most), "{text:?} {most}");
            }
        }
    }

    #[test]
    fn bytes_that_are_no_utf8_are_replaced() {
        assert_eq!(escape(b"a\xffb\x9b"), "a\u{fffd}b\u{fffd}");
    }

    #[test]
    fn every_control_but_tab_and_line_ends_is_escaped() {
        for code in (0..=0x1f).chain(0x7f..=0x9f) {
            let control = char::from(code);
            let escaped = escape(control.to_string().as_bytes()).into_owned();
            let expected = match control {
                '\t' | '\n' => control.to_string(),
                _ => format!("\\x{code:02x}"),
            };
            assert_eq!(escaped, expected);
        }
    }
}
