//! One key, read without Enter.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

/// What Ctrl-D sends, which ends the input at the start of a line.
pub(super) const END: u8 = 0x04;
const ESCAPE: u8 = 0x1b;

/// Reads one key of a terminal in the mode [`EachKey`](super::raw::EachKey). Enter alone is an empty text, and so is a key that writes nothing. `None` at the
/// end of input. An Enter that comes with the key, as from fingers that are used to it, is swallowed.
pub(super) fn read(input: &mut BufReader<File>) -> io::Result<Option<String>> {
    // A signal that ended nothing.
    while input.fill_buf().is_err_and(|error| error.kind() == io::ErrorKind::Interrupted) {}
    let buffered = input.fill_buf()?;
    let Some((key, length)) = first(buffered) else { return Ok(None) };
    let with_enter = buffered.get(length).is_some_and(|byte| is_enter(*byte)) && !key.is_empty();
    input.consume(length + usize::from(with_enter));
    Ok(Some(key))
}

/// The first key of `bytes`, and how many of them it is. `None` if they end, or the key ends the input.
fn first(bytes: &[u8]) -> Option<(String, usize)> {
    match *bytes.first()? {
        END => None,
        // An arrow, say: all that it sends comes at once.
        ESCAPE => Some((String::new(), bytes.len())),
        byte if is_enter(byte) => Some((String::new(), 1)),
        _ => {
            let text = bytes.utf8_chunks().next()?;
            let char = text.valid().chars().next();
            // A byte that is no text is a key that nothing knows.
            Some(char.map_or_else(|| ("\u{fffd}".to_owned(), 1), |char| (char.to_string(), char.len_utf8())))
        }
    }
}

fn is_enter(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_one_character_and_what_follows_stays() {
        for (bytes, key, length) in
            [("a", "a", 1), ("ay", "a", 1), ("\n", "", 1), ("é!", "é", 2), ("\x1b[A", "", 3), ("?\n", "?", 1)]
        {
            assert_eq!(first(bytes.as_bytes()), Some((key.to_owned(), length)), "{bytes:?}");
        }
        assert_eq!(first(b"\xff"), Some(("\u{fffd}".to_owned(), 1)));
        assert_eq!(first(b"\x04"), None);
        assert_eq!(first(b""), None);
    }
}
