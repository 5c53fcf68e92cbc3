//! Patterns (Pattern Matching in bash's manual), with the extended ones. Matching follows every way at once, so no pattern takes long.

use std::collections::BTreeSet;

/// A part of a pattern.
#[derive(Clone, Debug)]
enum Part {
    /// This character.
    Char(char),
    /// This byte, which is no character.
    Byte(u8),
    /// `?`
    Any,
    /// `*`
    Many,
    /// `[…]`
    Class(Class),
    /// `@(…)` and its like.
    Extended(Kind, Vec<Vec<Part>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `?(…)`
    Optional,
    /// `*(…)`
    Any,
    /// `+(…)`
    Some,
    /// `@(…)`
    One,
    /// `!(…)`
    Not,
}

#[derive(Clone, Debug)]
struct Class {
    negated: bool,
    items: Vec<Item>,
}

#[derive(Clone, Debug)]
enum Item {
    Range(char, char),
    Named(String),
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    parts: Vec<Part>,
    ignores_case: bool,
}

/// How deeply extended patterns may lie in each other. Deeper ones stand for themselves.
const DEEPEST: usize = 20;

impl Pattern {
    /// Reads a pattern. A quoted byte stands for itself.
    pub fn of(bytes: &[u8], quoted: &[bool]) -> Pattern {
        let mut reader = Reader { bytes, quoted, at: 0, depth: 0 };
        Pattern { parts: reader.parts(false), ignores_case: false }
    }

    /// One of plain text, in which a backslash quotes, as commands have them.
    pub fn written(bytes: &[u8]) -> Pattern {
        let mut plain = Vec::new();
        let mut quoted = Vec::new();
        let mut rest = bytes.iter();
        while let Some(byte) = rest.next() {
            match (*byte, rest.as_slice().first()) {
                (b'\\', Some(next)) => {
                    rest.next();
                    plain.push(*next);
                    quoted.push(true);
                }
                (byte, _) => {
                    plain.push(byte);
                    quoted.push(false);
                }
            }
        }
        Pattern::of(&plain, &quoted)
    }

    /// The same, for letters of either case.
    #[must_use]
    pub fn ignoring_case(mut self, ignores: bool) -> Pattern {
        self.ignores_case |= ignores;
        self
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether it matches more than itself.
    pub fn is_special(&self) -> bool {
        self.parts.iter().any(|part| !matches!(part, Part::Char(_) | Part::Byte(_)))
    }

    /// Whether it begins with a dot itself.
    pub fn begins_with_dot(&self) -> bool {
        matches!(self.parts.first(), Some(Part::Char('.')))
    }

    /// Whether it matches the whole text.
    pub fn matches(&self, text: &[u8]) -> bool {
        self.ends(&self.parts, text, BTreeSet::from([0])).contains(&text.len())
    }

    /// The lengths of the beginnings of a text that it matches, from short to long.
    pub fn prefixes(&self, text: &[u8]) -> Vec<usize> {
        self.ends(&self.parts, text, BTreeSet::from([0])).into_iter().collect()
    }

    /// Where the shortest or longest end of a text begins that it matches.
    pub fn suffix(&self, text: &[u8], shortest: bool) -> Option<usize> {
        let mut places: Vec<usize> =
            bstr::ByteSlice::char_indices(text).map(|(at, ..)| at).chain([text.len()]).collect();
        if shortest {
            places.reverse();
        }
        places.into_iter().find(|at| self.matches(&text[*at..]))
    }

    /// Where the parts can end that begin at one of these places.
    fn ends(&self, parts: &[Part], text: &[u8], mut places: BTreeSet<usize>) -> BTreeSet<usize> {
        for part in parts {
            if places.is_empty() {
                break;
            }
            places = self.after(part, text, &places);
        }
        places
    }

    fn after(&self, part: &Part, text: &[u8], places: &BTreeSet<usize>) -> BTreeSet<usize> {
        match part {
            Part::Many => {
                let first = *places.first().expect("there is a place");
                bstr::ByteSlice::char_indices(&text[first..]).map(|(at, ..)| first + at).chain([text.len()]).collect()
            }
            Part::Extended(kind, ways) => self.extended(*kind, ways, text, places),
            part => places.iter().filter_map(|at| self.step(part, &text[*at..]).map(|length| at + length)).collect(),
        }
    }

    fn extended(&self, kind: Kind, ways: &[Vec<Part>], text: &[u8], places: &BTreeSet<usize>) -> BTreeSet<usize> {
        let once = |places: &BTreeSet<usize>| -> BTreeSet<usize> {
            ways.iter().flat_map(|way| self.ends(way, text, places.clone())).collect()
        };
        match kind {
            Kind::One => once(places),
            Kind::Optional => once(places).union(places).copied().collect(),
            Kind::Any | Kind::Some => {
                let mut all = if kind == Kind::Any { places.clone() } else { BTreeSet::new() };
                let mut last = places.clone();
                loop {
                    let next: BTreeSet<usize> = once(&last).difference(&all).copied().collect();
                    if next.is_empty() {
                        return all;
                    }
                    all.extend(&next);
                    last = next;
                }
            }
            Kind::Not => {
                let mut all = BTreeSet::new();
                for place in places {
                    let not = once(&BTreeSet::from([*place]));
                    let ends = bstr::ByteSlice::char_indices(&text[*place..]).map(|(at, ..)| place + at);
                    all.extend(ends.chain([text.len()]).filter(|end| !not.contains(end)));
                }
                all
            }
        }
    }

    /// How many bytes a part takes that takes one character.
    fn step(&self, part: &Part, text: &[u8]) -> Option<usize> {
        let (char, length) = bstr::decode_utf8(text);
        if length == 0 {
            return None;
        }
        let takes = match (part, char) {
            (Part::Any, _) => true,
            (Part::Char(wanted), Some(char)) => self.same(*wanted, char),
            (Part::Byte(wanted), _) => return (text[0] == *wanted).then_some(1),
            (Part::Class(class), Some(char)) => self.contains(class, char),
            (Part::Class(class), None) => class.negated,
            _ => false,
        };
        takes.then_some(length)
    }

    fn same(&self, one: char, other: char) -> bool {
        one == other || (self.ignores_case && one.to_lowercase().eq(other.to_lowercase()))
    }

    fn contains(&self, class: &Class, char: char) -> bool {
        let has = |char: char| {
            class.items.iter().any(|item| match item {
                Item::Range(first, last) => (*first..=*last).contains(&char),
                Item::Named(name) => named(name, char),
            })
        };
        let found = has(char) || (self.ignores_case && (char.to_lowercase().any(has) || char.to_uppercase().any(has)));
        found != class.negated
    }
}

/// Whether a character is in one of POSIX's classes.
pub fn named(name: &str, char: char) -> bool {
    match name {
        "alnum" => char.is_alphanumeric(),
        "alpha" => char.is_alphabetic(),
        "blank" => matches!(char, ' ' | '\t'),
        "cntrl" => char.is_control(),
        "digit" => char.is_ascii_digit(),
        "graph" => !char.is_control() && !char.is_whitespace(),
        "lower" => char.is_lowercase(),
        "print" => !char.is_control(),
        "punct" => {
            char.is_ascii_punctuation()
                || (!char.is_ascii() && !char.is_alphanumeric() && !char.is_whitespace() && !char.is_control())
        }
        "space" => char.is_whitespace(),
        "upper" => char.is_uppercase(),
        "xdigit" => char.is_ascii_hexdigit(),
        "word" => char.is_alphanumeric() || char == '_',
        _ => false,
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    quoted: &'a [bool],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    /// The byte here, if it is not quoted.
    fn special(&self) -> Option<u8> {
        (!*self.quoted.get(self.at)?).then(|| self.bytes[self.at])
    }

    fn parts(&mut self, inside: bool) -> Vec<Part> {
        let mut parts = Vec::new();
        while self.at < self.bytes.len() {
            let special = self.special();
            if inside && matches!(special, Some(b'|' | b')')) {
                break;
            }
            let opens = special.and_then(|byte| self.extended(byte));
            parts.push(match (special, opens) {
                (_, Some(extended)) => extended,
                (Some(b'?'), _) => self.take(Part::Any),
                (Some(b'*'), _) => {
                    self.at += 1;
                    if matches!(parts.last(), Some(Part::Many)) {
                        continue;
                    }
                    Part::Many
                }
                (Some(b'['), _) => match self.class() {
                    Some(class) => Part::Class(class),
                    None => self.char(),
                },
                _ => self.char(),
            });
        }
        parts
    }

    fn take(&mut self, part: Part) -> Part {
        self.at += 1;
        part
    }

    fn char(&mut self) -> Part {
        match bstr::decode_utf8(&self.bytes[self.at..]) {
            (Some(char), length) => {
                self.at += length;
                Part::Char(char)
            }
            (None, _) => {
                self.at += 1;
                Part::Byte(self.bytes[self.at - 1])
            }
        }
    }

    /// An extended pattern that begins here.
    fn extended(&mut self, byte: u8) -> Option<Part> {
        let kind = match byte {
            b'?' => Kind::Optional,
            b'*' => Kind::Any,
            b'+' => Kind::Some,
            b'@' => Kind::One,
            b'!' => Kind::Not,
            _ => return None,
        };
        let begin = self.at;
        if self.bytes.get(begin + 1) != Some(&b'(') || self.quoted[begin + 1] || self.depth == DEEPEST {
            return None;
        }
        self.at += 2;
        self.depth += 1;
        let mut ways = Vec::new();
        loop {
            ways.push(self.parts(true));
            match self.special() {
                Some(b'|') => self.at += 1,
                Some(_) => {
                    self.at += 1;
                    self.depth -= 1;
                    return Some(Part::Extended(kind, ways));
                }
                None => break,
            }
        }
        self.at = begin;
        self.depth -= 1;
        None
    }

    /// A class that begins here. None if nothing ends it.
    fn class(&mut self) -> Option<Class> {
        let begin = self.at;
        self.at += 1;
        let negated = matches!(self.special(), Some(b'!' | b'^'));
        self.at += usize::from(negated);
        let mut items = Vec::new();
        let mut is_first = true;
        loop {
            if self.at >= self.bytes.len() {
                self.at = begin;
                return None;
            }
            match self.special() {
                Some(b']') if !is_first => {
                    self.at += 1;
                    return Some(Class { negated, items });
                }
                Some(b'[') if matches!(self.bytes.get(self.at + 1), Some(b':' | b'.' | b'=')) => {
                    let mark = self.bytes[self.at + 1];
                    let rest = &self.bytes[self.at + 2..];
                    let end = rest.windows(2).position(|pair| pair == [mark, b']']);
                    match end {
                        Some(end) => {
                            let name = String::from_utf8_lossy(&rest[..end]).into_owned();
                            self.at += end + 4;
                            items.push(match (mark, name.chars().next()) {
                                (b'.' | b'=', Some(char)) => Item::Range(char, char),
                                _ => Item::Named(name),
                            });
                        }
                        None => items.push(self.item()),
                    }
                }
                _ => items.push(self.item()),
            }
            is_first = false;
        }
    }

    fn item(&mut self) -> Item {
        let first = self.member();
        let ranges = self.special() == Some(b'-')
            && self.bytes.get(self.at + 1).is_some_and(|next| *next != b']' || self.quoted[self.at + 1]);
        if !ranges {
            return Item::Range(first, first);
        }
        self.at += 1;
        Item::Range(first, self.member())
    }

    fn member(&mut self) -> char {
        match self.char() {
            Part::Char(char) => char,
            _ => char::REPLACEMENT_CHARACTER,
        }
    }
}
