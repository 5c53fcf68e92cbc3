//! The keys of `sort`: which part of a line, and in which order.

use std::cmp::Ordering;

use super::super::feed::{number, quoted};
use super::compare::{general, human, is_blank, month, numeric, random};
use super::version::version;

/// Letters of options that say how a key is compared. `B` stands for blanks that are skipped at the key's end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order(u64);

impl Order {
    /// With one more letter.
    pub fn with(self, letter: u8) -> Order {
        Order(self.0 | 1 << (letter - b'A'))
    }

    /// Whether a letter was given.
    pub fn has(self, letter: u8) -> bool {
        self.0 >> (letter - b'A') & 1 == 1
    }

    /// Whether nothing but the direction was given.
    pub fn is_plain(self) -> bool {
        self == Order::default() || self == Order::default().with(b'r')
    }

    /// The letters that exclude each other, if there are such.
    fn conflict(self) -> Option<String> {
        let kinds = b"ghMn".iter().filter(|letter| self.has(**letter)).count();
        let others = b"diRV".iter().any(|letter| self.has(*letter));
        (kinds + usize::from(others) > 1).then(|| {
            let letters =
                b"dghiMnRV".iter().filter(|letter| self.has(**letter) && !(**letter == b'i' && self.has(b'd')));
            letters.map(|letter| char::from(*letter)).collect()
        })
    }
}

/// How keys are compared, once it is known.
type Compare = fn(&[u8], &[u8]) -> Ordering;

/// A key.
#[derive(Debug)]
pub struct Key {
    /// Fields and bytes in front of it.
    begin: (usize, usize),
    /// Fields up to its end, and bytes of the next field. None for the end of the line.
    end: Option<(usize, usize)>,
    order: Order,
    compare: Option<Compare>,
    /// What each byte counts as, if not as itself: none if it does not count at all.
    bytes: Option<Vec<Option<u8>>>,
}

impl Key {
    /// The whole line.
    pub fn whole() -> Key {
        Key { begin: (0, 0), end: None, order: Order::default(), compare: None, bytes: None }
    }

    /// Reads what follows `-k`.
    pub fn read(text: &[u8]) -> Result<Key, String> {
        let invalid = |why: &str| format!("{why}: invalid field specification {}", quoted(text));
        let mut key = Key::whole();
        let mut rest = text;
        let field = count(&mut rest).ok_or_else(|| invalid_count(text))?;
        key.begin.0 = field.checked_sub(1).ok_or_else(|| invalid("field number is zero"))?;
        if let [b'.', behind @ ..] = rest {
            rest = behind;
            let offset = count(&mut rest).ok_or_else(|| invalid_count(behind))?;
            key.begin.1 = offset.checked_sub(1).ok_or_else(|| invalid("character offset is zero"))?;
        }
        key.letters(&mut rest, b'b');
        if let [b',', behind @ ..] = rest {
            rest = behind;
            let field = count(&mut rest).ok_or_else(|| invalid_count(behind))?;
            let field = field.checked_sub(1).ok_or_else(|| invalid("field number is zero"))?;
            let mut offset = 0;
            if let [b'.', behind @ ..] = rest {
                rest = behind;
                offset = count(&mut rest).ok_or_else(|| invalid_count(behind))?;
            }
            // Without bytes, all of the field is meant.
            key.end = Some(if offset == 0 { (field + 1, 0) } else { (field, offset) });
            key.letters(&mut rest, b'B');
        }
        if rest.is_empty() { Ok(key) } else { Err(invalid("stray character in field spec")) }
    }

    fn letters(&mut self, rest: &mut &[u8], blank: u8) {
        while let [letter, behind @ ..] = rest {
            match letter {
                b'b' => self.order = self.order.with(blank),
                b'd' | b'f' | b'g' | b'h' | b'i' | b'M' | b'n' | b'R' | b'r' | b'V' => {
                    self.order = self.order.with(*letter)
                }
                _ => break,
            }
            *rest = behind;
        }
    }

    /// Takes over the order of the whole command if it has none of its own.
    pub fn settle(&mut self, all: Order) -> Result<(), String> {
        if self.order == Order::default() {
            self.order = all;
        }
        let order = self.order;
        if let Some(letters) = order.conflict() {
            return Err(format!("options '-{letters}' are incompatible"));
        }
        let kinds: &[(u8, Compare)] =
            &[(b'n', numeric), (b'g', general), (b'h', human), (b'M', month), (b'R', random), (b'V', version)];
        self.compare = kinds.iter().find(|(letter, _)| order.has(*letter)).map(|(_, compare)| *compare);
        if order.has(b'd') || order.has(b'i') || order.has(b'f') {
            self.bytes = Some((0..=255).map(|byte| counted(byte, order)).collect());
        }
        Ok(())
    }

    /// The part of a line that it is.
    pub fn of<'t>(&self, line: &'t [u8], tab: Option<u8>) -> &'t [u8] {
        let begin = self.begins(line, tab);
        let Some((fields, bytes)) = self.end else { return &line[begin..] };
        let mut end = behind_fields(line, fields, tab, bytes > 0);
        if bytes > 0 {
            if self.order.has(b'B') {
                end += blanks(&line[end..]);
            }
            end = end.saturating_add(bytes).min(line.len());
        }
        &line[begin..end.max(begin)]
    }

    fn begins(&self, line: &[u8], tab: Option<u8>) -> usize {
        let mut begin = behind_fields(line, self.begin.0, tab, true);
        if self.order.has(b'b') {
            begin += blanks(&line[begin..]);
        }
        begin.saturating_add(self.begin.1).min(line.len())
    }

    /// Compares two keys.
    pub fn order(&self, one: &[u8], other: &[u8]) -> Ordering {
        let order = match (self.compare, &self.bytes) {
            (None, None) => one.cmp(other),
            (Some(compare), None) => compare(one, other),
            (None, Some(bytes)) => translated(one, bytes).cmp(translated(other, bytes)),
            (Some(compare), Some(bytes)) => {
                let (one, other): (Vec<u8>, Vec<u8>) =
                    (translated(one, bytes).collect(), translated(other, bytes).collect());
                compare(&one, &other)
            }
        };
        if self.order.has(b'r') { order.reverse() } else { order }
    }
}

fn translated<'t>(text: &'t [u8], bytes: &'t [Option<u8>]) -> impl Iterator<Item = u8> + 't {
    text.iter().filter_map(|byte| bytes[usize::from(*byte)])
}

fn counted(byte: u8, order: Order) -> Option<u8> {
    let counts = if order.has(b'd') {
        byte.is_ascii_alphanumeric() || is_blank(byte)
    } else {
        !order.has(b'i') || (32..127).contains(&byte)
    };
    counts.then_some(if order.has(b'f') { byte.to_ascii_uppercase() } else { byte })
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| is_blank(**byte)).count()
}

/// Where so many fields end. With a separator, that belongs to no field: whether the last one is passed as well, can be chosen.
fn behind_fields(line: &[u8], fields: usize, tab: Option<u8>, passes: bool) -> usize {
    let mut at = 0;
    for field in 1..=fields {
        if at >= line.len() {
            break;
        }
        match tab {
            Some(tab) => {
                let Some(length) = bstr::ByteSlice::find_byte(&line[at..], tab) else { return line.len() };
                at += length;
                if field < fields || passes {
                    at += 1;
                }
            }
            None => {
                at += blanks(&line[at..]);
                at += line[at..].iter().take_while(|byte| !is_blank(**byte)).count();
            }
        }
    }
    at
}

fn count(rest: &mut &[u8]) -> Option<usize> {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, behind) = rest.split_at(digits);
    *rest = behind;
    number(digits)
}

fn invalid_count(text: &[u8]) -> String {
    format!("invalid number at field start: invalid count at start of {}", quoted(text))
}
