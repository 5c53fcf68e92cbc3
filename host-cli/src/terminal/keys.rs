//! Keys, as a terminal in raw mode sends them.

/// A key that something on a whole screen knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Char(char),
    Enter,
    Backspace,
    Escape,
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
    /// Ctrl and a letter.
    Ctrl(char),
}

/// The keys in what was read at once. What is unknown is left out.
pub(super) fn keys(bytes: &[u8]) -> Vec<Key> {
    const SEQUENCES: [(&str, Key); 12] = [
        ("\x1b[A", Key::Up),
        ("\x1bOA", Key::Up),
        ("\x1b[B", Key::Down),
        ("\x1bOB", Key::Down),
        ("\x1b[5~", Key::PageUp),
        ("\x1b[6~", Key::PageDown),
        ("\x1b[H", Key::Home),
        ("\x1b[1~", Key::Home),
        ("\x1bOH", Key::Home),
        ("\x1b[F", Key::End),
        ("\x1b[4~", Key::End),
        ("\x1bOF", Key::End),
    ];
    let text = String::from_utf8_lossy(bytes);
    let (mut rest, mut found) = (&*text, Vec::new());
    while let Some(first) = rest.chars().next() {
        if let Some((sequence, key)) = SEQUENCES.iter().find(|(sequence, _)| rest.starts_with(sequence)) {
            found.push(*key);
            rest = &rest[sequence.len()..];
            continue;
        }
        if first == '\x1b' && rest[1..].starts_with(['[', 'O']) {
            // A sequence of another key ends with its first letter or `~`.
            let end = rest[2..].find(|char: char| char.is_ascii_alphabetic() || char == '~');
            rest = end.map_or("", |end| &rest[2 + end + 1..]);
            continue;
        }
        found.push(match first {
            '\r' | '\n' => Key::Enter,
            '\x7f' | '\x08' => Key::Backspace,
            '\x1b' => Key::Escape,
            control @ '\x01'..='\x1a' => Key::Ctrl((b'a' + control as u8 - 1) as char),
            char => Key::Char(char),
        });
        rest = &rest[first.len_utf8()..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_from_what_a_terminal_sends() {
        assert_eq!(
            keys("jé\x1b[A\x1b[6~\r\x7f\x03\x1b".as_bytes()),
            [
                Key::Char('j'),
                Key::Char('é'),
                Key::Up,
                Key::PageDown,
                Key::Enter,
                Key::Backspace,
                Key::Ctrl('c'),
                Key::Escape
            ]
        );
        assert_eq!(keys(b"\x1b[1;5Cq\x1b[99"), [Key::Char('q')], "other keys do nothing");
    }
}
