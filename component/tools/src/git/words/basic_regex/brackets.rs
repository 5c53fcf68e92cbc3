//! Parses brackets: sets of bytes, `[^a-z[:digit:]]`.

use super::error::Invalid;

/// The longest name in a bracket, in bytes.
const MAX_NAME: usize = 32;

/// The name of a class, and a test for its bytes.
type Class = (&'static str, fn(u8) -> bool);

/// The classes of the C locale.
const CLASSES: [Class; 12] = [
    ("alnum", |byte| byte.is_ascii_alphanumeric()),
    ("alpha", |byte| byte.is_ascii_alphabetic()),
    ("blank", |byte| matches!(byte, b' ' | b'\t')),
    ("cntrl", |byte| byte.is_ascii_control()),
    ("digit", |byte| byte.is_ascii_digit()),
    ("graph", |byte| byte.is_ascii_graphic()),
    ("lower", |byte| byte.is_ascii_lowercase()),
    ("print", |byte| byte == b' ' || byte.is_ascii_graphic()),
    ("punct", |byte| byte.is_ascii_punctuation()),
    ("space", |byte| matches!(byte, b'\t'..=b'\r' | b' ')),
    ("upper", |byte| byte.is_ascii_uppercase()),
    ("xdigit", |byte| byte.is_ascii_hexdigit()),
];

/// The bytes that belong to a set.
pub type Set = [bool; 256];

/// An element of a bracket: a byte, or one end of a range.
enum Element {
    Byte(u8),
    /// `[.a.]`, `[=a=]` or `[:alpha:]`, with the byte inside its brackets.
    Named(u8, Vec<u8>),
}

/// A bracket during parsing.
struct Bracket<'a> {
    rest: &'a [u8],
}

/// Parses the bracket whose opening is just before `pattern`. Returns its set, and the length read.
pub fn parse(pattern: &[u8]) -> Result<(Set, usize), Invalid> {
    let mut bracket = Bracket { rest: pattern };
    let mut set = [false; 256];
    let negated = bracket.takes(b'^');
    if bracket.rest.is_empty() {
        return Err(Invalid::Pattern);
    }
    if negated {
        // The search runs line by line, so no set needs the line feed.
        set[usize::from(b'\n')] = true;
    }
    let mut is_first = true;
    // A closing bracket in first position is literal.
    while is_first || !bracket.takes(b']') {
        let first = bracket.element(is_first)?;
        is_first = false;
        match bracket.range_end(&first)? {
            Some(last) => add_range(&mut set, &first, &last)?,
            None => add(&mut set, &first)?,
        }
        if bracket.rest.is_empty() {
            return Err(Invalid::Bracket);
        }
    }
    if negated {
        set = set.map(|belongs| !belongs);
    }
    Ok((set, pattern.len() - bracket.rest.len()))
}

impl Bracket<'_> {
    fn takes(&mut self, byte: u8) -> bool {
        let rest = self.rest.strip_prefix(&[byte]);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// The next element. A hyphen is an element only if the caller allows it or it comes last.
    fn element(&mut self, hyphen_allowed: bool) -> Result<Element, Invalid> {
        match *self.rest {
            [b'[', side @ (b'.' | b'=' | b':'), ..] => {
                self.rest = &self.rest[2..];
                self.name(side).map(|name| Element::Named(side, name))
            }
            [byte, ..] => {
                self.rest = &self.rest[1..];
                match byte == b'-' && !hyphen_allowed && !self.rest.starts_with(b"]") {
                    true => Err(Invalid::Range),
                    false => Ok(Element::Byte(byte)),
                }
            }
            [] => Err(Invalid::Bracket),
        }
    }

    fn name(&mut self, side: u8) -> Result<Vec<u8>, Invalid> {
        let end = self.rest.windows(2).take(MAX_NAME).position(|pair| pair == [side, b']']);
        let (name, rest) = end.map(|end| (&self.rest[..end], &self.rest[end + 2..])).ok_or(Invalid::Bracket)?;
        self.rest = rest;
        Ok(name.to_vec())
    }

    /// The other end of a range that begins with `first`, if there is one.
    fn range_end(&mut self, first: &Element) -> Result<Option<Element>, Invalid> {
        if matches!(first, Element::Named(b'=' | b':', _)) {
            return Ok(None);
        }
        if self.rest.is_empty() {
            return Err(Invalid::Bracket);
        }
        if !self.rest.starts_with(b"-") || self.rest.starts_with(b"-]") {
            return Ok(None);
        }
        self.rest = &self.rest[1..];
        self.element(true).map(Some)
    }
}

/// The byte at an end of a range.
fn end_of_range(element: &Element) -> Result<u8, Invalid> {
    match element {
        Element::Byte(byte) => Ok(*byte),
        Element::Named(b'.', name) => single(name),
        Element::Named(..) => Err(Invalid::Range),
    }
}

fn single(name: &[u8]) -> Result<u8, Invalid> {
    match name {
        [byte] => Ok(*byte),
        _ => Err(Invalid::CollationCharacter),
    }
}

fn add_range(set: &mut Set, first: &Element, last: &Element) -> Result<(), Invalid> {
    if matches!(last, Element::Named(b'=' | b':', _)) {
        return Err(Invalid::Range);
    }
    let (first, last) = (end_of_range(first)?, end_of_range(last)?);
    if first > last {
        return Err(Invalid::Range);
    }
    set[usize::from(first)..=usize::from(last)].fill(true);
    Ok(())
}

fn add(set: &mut Set, element: &Element) -> Result<(), Invalid> {
    match element {
        Element::Byte(byte) => set[usize::from(*byte)] = true,
        Element::Named(b':', name) => {
            let class = CLASSES.iter().find(|(known, _)| known.as_bytes() == name);
            let (_, belongs) = class.ok_or(Invalid::ClassName)?;
            for byte in 0..=u8::MAX {
                set[usize::from(byte)] |= belongs(byte);
            }
        }
        Element::Named(_, name) => set[usize::from(single(name)?)] = true,
    }
    Ok(())
}
