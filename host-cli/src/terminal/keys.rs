//! Keys, as a terminal in raw mode sends them.

/// A key that something on a whole screen knows, or what the mouse did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Char(char),
    Enter,
    /// A new line in a text: Alt and Enter, Ctrl-J, or one that was pasted.
    Newline,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Escape,
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    /// Ctrl and a letter.
    Ctrl(char),
    /// The left button at a column and row, from 0.
    Click(u16, u16),
    /// The wheel over a column and row: one notch down, or up.
    Wheel {
        down: bool,
        at: (u16, u16),
    },
}

const SEQUENCES: [(&str, Key); 20] = [
    ("\x1b[A", Key::Up),
    ("\x1bOA", Key::Up),
    ("\x1b[B", Key::Down),
    ("\x1bOB", Key::Down),
    ("\x1b[C", Key::Right),
    ("\x1bOC", Key::Right),
    ("\x1b[D", Key::Left),
    ("\x1bOD", Key::Left),
    ("\x1b[5~", Key::PageUp),
    ("\x1b[6~", Key::PageDown),
    ("\x1b[H", Key::Home),
    ("\x1b[1~", Key::Home),
    ("\x1bOH", Key::Home),
    ("\x1b[F", Key::End),
    ("\x1b[4~", Key::End),
    ("\x1bOF", Key::End),
    ("\x1b[3~", Key::Delete),
    ("\x1b[Z", Key::BackTab),
    ("\x1b\r", Key::Newline),
    ("\x1b\n", Key::Newline),
];
/// Around what is pasted (xterm's bracketed paste).
const PASTE: [&str; 2] = ["\x1b[200~", "\x1b[201~"];

/// The keys in what was read at once. What is unknown is left out.
pub(super) fn keys(bytes: &[u8]) -> Vec<Key> {
    let text = String::from_utf8_lossy(bytes);
    let (mut rest, mut found) = (&*text, Vec::new());
    while let Some(first) = rest.chars().next() {
        if let Some(pasted) = rest.strip_prefix(PASTE[0]) {
            let (pasted, after) = pasted.split_once(PASTE[1]).unwrap_or((pasted, ""));
            found.extend(pasted.replace("\r\n", "\n").chars().filter_map(|char| match char {
                '\r' | '\n' => Some(Key::Newline),
                '\t' => Some(Key::Char('\t')),
                char if char.is_control() => None,
                char => Some(Key::Char(char)),
            }));
            rest = after;
            continue;
        }
        if let Some((sequence, key)) = SEQUENCES.iter().find(|(sequence, _)| rest.starts_with(sequence)) {
            found.push(*key);
            rest = &rest[sequence.len()..];
            continue;
        }
        if first == '\x1b' && rest[1..].starts_with(['[', 'O']) {
            // A sequence of another key ends with its first letter or `~`.
            let end = rest[2..].find(|char: char| char.is_ascii_alphabetic() || char == '~');
            let (sequence, after) = rest.split_at(end.map_or(rest.len(), |end| 2 + end + 1));
            found.extend(mouse(sequence));
            rest = after;
            continue;
        }
        found.push(match first {
            '\r' => Key::Enter,
            // What a line feed is depends on the mode of the terminal: in the raw one it is Ctrl-J.
            '\n' => Key::Newline,
            '\t' => Key::Tab,
            '\x7f' | '\x08' => Key::Backspace,
            '\x1b' => Key::Escape,
            control @ '\x01'..='\x1a' => Key::Ctrl((b'a' + control as u8 - 1) as char),
            char => Key::Char(char),
        });
        rest = &rest[first.len_utf8()..];
    }
    found
}

/// What the mouse did, as `ESC [ < button ; column ; row M` says it (xterm's mode 1006).
fn mouse(sequence: &str) -> Option<Key> {
    let numbers = sequence.strip_prefix("\x1b[<")?.strip_suffix('M')?;
    let mut numbers = numbers.split(';').map(|number| number.parse::<u16>().ok());
    let (button, column, row) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let at = (column.checked_sub(1)?, row.checked_sub(1)?);
    match button {
        0 => Some(Key::Click(at.0, at.1)),
        64 | 65 => Some(Key::Wheel { down: button == 65, at }),
        _ => None,
    }
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
        assert_eq!(keys(b"\x1b[1;5Pq\x1b[99"), [Key::Char('q')], "other keys do nothing");
    }

    #[test]
    fn what_is_pasted_presses_no_key() {
        let pasted = keys(b"\x1b[200~a\r\nq\x03\x1b[201~\r");
        assert_eq!(pasted, [Key::Char('a'), Key::Newline, Key::Char('q'), Key::Enter]);
        assert_eq!(keys(b"\x1b\r\x1b[Z\t\n"), [Key::Newline, Key::BackTab, Key::Tab, Key::Newline]);
    }

    #[test]
    fn the_mouse_is_at_a_cell() {
        let clicks = keys(b"\x1b[<0;10;3M\x1b[<0;10;3m\x1b[<65;1;1M\x1b[<2;1;1M");
        assert_eq!(clicks, [Key::Click(9, 2), Key::Wheel { down: true, at: (0, 0) }]);
    }
}
