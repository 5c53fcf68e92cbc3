//! Substitution: `s`.

use bstr::BString;

use super::escapes;
use super::script::Pattern;
use crate::exec::{Call, Ended};
use crate::regexp::{Groups, Regex};

/// What `s` does.
#[derive(Debug)]
pub struct Substitution {
    /// What is replaced.
    pub pattern: Pattern,
    /// What comes instead.
    pub replacement: Replacement,
    /// Whether every match is replaced, from the first of them that is.
    pub all: bool,
    /// The first match that is replaced, from 1.
    pub first: u64,
    /// Whether the line is printed.
    pub prints: bool,
    /// The place of the file that the line is written to.
    pub file: Option<usize>,
}

/// What comes instead of a match.
#[derive(Debug)]
pub struct Replacement {
    parts: Vec<Part>,
    /// The highest group that it has.
    pub groups: usize,
}

#[derive(Debug)]
enum Part {
    Text(BString),
    Group(usize),
    /// What follows, up to the next of these.
    Case(Case),
    /// The next character only.
    Once(Case),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Kept,
    Upper,
    Lower,
}

impl Replacement {
    /// Reads one.
    pub fn read(text: &[u8], posix: bool) -> Replacement {
        let mut parts = Vec::new();
        let mut plain = BString::default();
        let mut at = 0;
        while let Some(first) = text.get(at) {
            at += 1;
            let part = match first {
                b'&' => Part::Group(0),
                b'\\' => {
                    let rest = &text[at..];
                    match special(rest, posix) {
                        Some(part) => {
                            at += 1;
                            part
                        }
                        None => {
                            let (byte, length) = literal(rest, posix);
                            plain.push(byte);
                            at += length;
                            continue;
                        }
                    }
                }
                byte => {
                    plain.push(*byte);
                    continue;
                }
            };
            if !plain.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut plain)));
            }
            parts.push(part);
        }
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        let groups = parts.iter().map(|part| if let Part::Group(group) = part { *group } else { 0 }).max().unwrap_or(0);
        Replacement { parts, groups }
    }

    /// Writes what comes instead of a match.
    fn write(&self, text: &[u8], groups: &Groups, out: &mut BString) {
        let mut casing = Casing { mode: Case::Kept, once: None, fresh: false };
        for part in &self.parts {
            match part {
                Part::Text(text) => casing.write(text, out),
                Part::Group(group) => match groups.get(*group).copied().flatten() {
                    Some((begin, end)) => casing.write(&text[begin..end], out),
                    None => casing.write(b"", out),
                },
                Part::Case(mode) => (casing.mode, casing.once) = (*mode, None),
                Part::Once(once) => {
                    casing.once = Some(*once);
                    casing.fresh = true;
                }
            }
        }
    }
}

/// What a backslash before these bytes means, if it is no byte.
fn special(rest: &[u8], posix: bool) -> Option<Part> {
    let part = match rest.first()? {
        digit @ b'0'..=b'9' => Part::Group(usize::from(digit - b'0')),
        b'L' if !posix => Part::Case(Case::Lower),
        b'U' if !posix => Part::Case(Case::Upper),
        b'E' if !posix => Part::Case(Case::Kept),
        b'l' if !posix => Part::Once(Case::Lower),
        b'u' if !posix => Part::Once(Case::Upper),
        _ => return None,
    };
    Some(part)
}

/// The byte that a backslash before these bytes means, and how many of them it takes.
fn literal(rest: &[u8], posix: bool) -> (u8, usize) {
    match rest.first() {
        None => (b'\\', 0),
        Some(b'n') => (b'\n', 1),
        Some(first) if posix => (*first, 1),
        Some(first) => escapes::byte(rest).unwrap_or((*first, 1)),
    }
}

/// How what is written changes its case.
struct Casing {
    mode: Case,
    once: Option<Case>,
    /// Whether nothing was written since `once` was set: one empty text does not use it up.
    fresh: bool,
}

impl Casing {
    fn write(&mut self, text: &[u8], out: &mut BString) {
        let fresh = std::mem::take(&mut self.fresh);
        if text.is_empty() {
            if !fresh {
                self.once = None;
            }
            return;
        }
        let mut rest = text;
        if let Some(once) = self.once.take() {
            let length = character(rest);
            cased(&rest[..length], once, out);
            rest = &rest[length..];
        }
        cased(rest, self.mode, out);
    }
}

/// Writes a text in a case. Characters that would become several stay as they are.
fn cased(text: &[u8], case: Case, out: &mut BString) {
    if case == Case::Kept {
        out.extend_from_slice(text);
        return;
    }
    let mut rest = text;
    while !rest.is_empty() {
        let (char, length) = bstr::decode_utf8(rest);
        let changed = char.and_then(|char| match case {
            Case::Upper => only(char.to_uppercase()),
            _ => only(char.to_lowercase()),
        });
        match changed {
            Some(char) => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            None => out.extend_from_slice(&rest[..length]),
        }
        rest = &rest[length..];
    }
}

fn only(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}

/// How many bytes the first character has. A byte that belongs to none is one.
fn character(text: &[u8]) -> usize {
    match bstr::decode_utf8(text) {
        (Some(_), length) => length,
        (None, _) => text.len().min(1),
    }
}

impl Substitution {
    /// A text after it. None if nothing is replaced.
    pub fn apply(&self, call: &Call<'_>, regex: &Regex, text: &[u8]) -> Result<Option<BString>, Ended> {
        let mut out = BString::default();
        let (mut at, mut copied, mut count) = (0, 0, 0_u64);
        let (mut last, mut replaced) = (None, false);
        while at <= text.len() {
            call.work(1)?;
            let Some((groups, begin, end)) = self.found(regex, text, at) else { break };
            // Nothing matches right behind a match, unless it takes something.
            if begin == end && last == Some(begin) {
                at = begin + character(&text[begin..]).max(1);
                continue;
            }
            count += 1;
            if count >= self.first {
                out.extend_from_slice(&text[copied..begin]);
                self.replacement.write(text, &groups, &mut out);
                call.shell.hold(out.len())?;
                (copied, replaced) = (end, true);
                if !self.all {
                    break;
                }
            }
            last = Some(end);
            at = end;
        }
        if !replaced {
            return Ok(None);
        }
        out.extend_from_slice(&text[copied..]);
        Ok(Some(out))
    }

    /// The next match. Its groups are looked for only if they are needed.
    fn found(&self, regex: &Regex, text: &[u8], at: usize) -> Option<(Groups, usize, usize)> {
        if self.replacement.groups == 0 {
            let (begin, end) = regex.find(text, at)?;
            return Some((vec![Some((begin, end))], begin, end));
        }
        let groups = regex.captures(text, at)?;
        let (begin, end) = groups.first().copied().flatten()?;
        Some((groups, begin, end))
    }
}
