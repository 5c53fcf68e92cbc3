//! Keys, as a terminal in raw mode sends them.

/// A key that something on a whole screen knows, or what the mouse did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Char(char),
    Enter,
    /// A new line in a text: Alt and Enter, or Ctrl-J.
    Newline,
    /// A character that was pasted: it is text, and presses nothing.
    Pasted(char),
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

/// Reads keys from what a terminal sends, which may be cut anywhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Reader {
    /// The beginning of what is not whole yet.
    tail: Vec<u8>,
    /// Whether what comes was pasted.
    is_pasting: bool,
}

/// The keys in what was read at once. What is unknown is left out.
pub(super) fn keys(bytes: &[u8]) -> Vec<Key> {
    Reader::default().keys(bytes)
}

impl Reader {
    /// The keys in what was read, and what was left of what was read before.
    pub fn keys(&mut self, bytes: &[u8]) -> Vec<Key> {
        let mut all = std::mem::take(&mut self.tail);
        all.extend_from_slice(bytes);
        if let Err(error) = str::from_utf8(&all)
            && error.error_len().is_none()
        {
            // The rest of a character is still to come.
            self.tail = all.split_off(error.valid_up_to());
        }
        let text = String::from_utf8_lossy(&all).into_owned();
        let (mut rest, mut found) = (&*text, Vec::new());
        while let Some(first) = rest.chars().next() {
            if self.is_pasting {
                rest = self.pasted(rest, &mut found);
                continue;
            }
            if let Some(after) = rest.strip_prefix(PASTE[0]) {
                (rest, self.is_pasting) = (after, true);
                continue;
            }
            if let Some((sequence, key)) = SEQUENCES.iter().find(|(sequence, _)| rest.starts_with(sequence)) {
                found.push(*key);
                rest = &rest[sequence.len()..];
                continue;
            }
            if first == '\x1b' && rest.len() > 1 {
                match sequence(rest) {
                    Some(0) => {}
                    Some(length) => {
                        found.extend(mouse(&rest[..length]));
                        rest = &rest[length..];
                        continue;
                    }
                    None => {
                        // So long a sequence is none.
                        if rest.len() < LONGEST {
                            self.tail.splice(..0, rest.bytes());
                        }
                        break;
                    }
                }
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

    /// Takes what was pasted up to its end, and gives what follows.
    fn pasted<'a>(&mut self, text: &'a str, found: &mut Vec<Key>) -> &'a str {
        let (pasted, rest) = match text.split_once(PASTE[1]) {
            Some((pasted, rest)) => {
                self.is_pasting = false;
                (pasted, rest)
            }
            None => {
                // The mark at its end may be cut.
                let cut = (1..PASTE[1].len()).rev().find(|length| text.ends_with(&PASTE[1][..*length])).unwrap_or(0);
                self.tail.splice(..0, text.bytes().skip(text.len() - cut));
                (&text[..text.len() - cut], "")
            }
        };
        found.extend(pasted.replace("\r\n", "\n").chars().filter_map(|char| match char {
            '\r' | '\n' => Some(Key::Pasted('\n')),
            char if char.is_control() && char != '\t' => None,
            char => Some(Key::Pasted(char)),
        }));
        rest
    }
}

/// Bytes of the longest sequence that is waited for.
const LONGEST: usize = 4096;

/// The length of the sequence that `text` begins with: 0 if it is none, `None` if its end is still to come (ECMA-48, 5.4 and 5.6).
fn sequence(text: &str) -> Option<usize> {
    let inside = &text[1..];
    match inside.as_bytes().first()? {
        // It ends with its first letter or `~`.
        b'[' | b'O' => {
            inside[1..].find(|char: char| char.is_ascii_alphabetic() || char == '~').map(|end| 1 + 1 + end + 1)
        }
        // An answer to a question that came late, up to its terminator.
        b']' | b'P' | b'_' | b'^' => {
            let end = |mark: &str| inside.find(mark).map(|end| 1 + end + mark.len());
            match (end("\x1b\\"), end("\x07")) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            }
        }
        _ => Some(0),
    }
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
        assert_eq!(pasted, [Key::Pasted('a'), Key::Pasted('\n'), Key::Pasted('q'), Key::Enter]);
        assert_eq!(keys(b"\x1b\r\x1b[Z\t\n"), [Key::Newline, Key::BackTab, Key::Tab, Key::Newline]);
    }

    #[test]
    fn what_is_cut_anywhere_is_read_as_if_it_were_whole() {
        let whole = "j\x1b[A\x1b[<0;10;3Mé\x1b[200~yes\r日\x1b[201~q\x1b]11;rgb:0/0/0\x1b\\x".as_bytes();
        let expected = keys(whole);
        for at in (1..whole.len()).filter(|at| whole[at - 1] != 0x1b) {
            let mut reader = Reader::default();
            let mut found = reader.keys(&whole[..at]);
            found.extend(reader.keys(&whole[at..]));
            assert_eq!(found, expected, "{at}");
        }
        assert!(!expected.contains(&Key::Char('y')) && expected.ends_with(&[Key::Char('q'), Key::Char('x')]));
        assert_eq!(keys(b"\x1b"), [Key::Escape]);
    }

    #[test]
    fn the_mouse_is_at_a_cell() {
        let clicks = keys(b"\x1b[<0;10;3M\x1b[<0;10;3m\x1b[<65;1;1M\x1b[<2;1;1M");
        assert_eq!(clicks, [Key::Click(9, 2), Key::Wheel { down: true, at: (0, 0) }]);
    }
}
