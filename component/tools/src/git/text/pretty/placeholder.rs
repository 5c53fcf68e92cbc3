//! Recognises the placeholder after a `%`.

use super::arguments::{Marks, literal};
use super::colour;
use super::describe::Describe;
use super::item::{Kind, Object, Role};
use super::pad::{Pad, WIDEST};
use super::trailers::TrailerOptions;
use crate::error::ToolError;
use crate::git::words::c_number::c_number;

/// The placeholder at the beginning of `text`, and its length. `None` if git knows none.
pub fn placeholder(text: &str) -> Result<Option<(Kind, usize)>, ToolError> {
    if let Some((byte, length)) = literal(text) {
        return Ok(Some((Kind::Bytes(vec![byte]), length)));
    }
    if let Some(colour) = text.strip_prefix('C') {
        let found = colour::parse(colour)?;
        return Ok(found.map(|(sequence, length)| (Kind::Colour(sequence), 1 + length)));
    }
    if let Some(bracket) = text.strip_prefix('(') {
        return Ok(in_brackets(bracket).map(|(kind, rest)| (kind, text.len() - rest.len())));
    }
    Ok(match text.as_bytes().first() {
        Some(b'w') => wrap(text),
        Some(b'<' | b'>') => Pad::parse(text).map(|(pad, length)| (Kind::Pad(pad), length)),
        Some(first) => letter(*first, text.as_bytes().get(1).copied()),
        None => None,
    })
}

/// Placeholders of one or two letters.
fn letter(first: u8, second: Option<u8>) -> Option<(Kind, usize)> {
    let kind = match first {
        b'H' => Kind::Id(Object::Commit, false),
        b'h' => Kind::Id(Object::Commit, true),
        b'T' => Kind::Id(Object::Tree, false),
        b't' => Kind::Id(Object::Tree, true),
        b'P' => Kind::Id(Object::Parents, false),
        b'p' => Kind::Id(Object::Parents, true),
        b'm' => Kind::Mark,
        b'd' => Kind::Decorate(Marks::default()),
        b'D' => Kind::Decorate(Marks::bare()),
        b'S' => Kind::Source,
        b'N' => Kind::Note,
        b'e' => Kind::Encoding,
        b'B' => Kind::Message,
        b's' => Kind::Subject,
        b'f' => Kind::FileName,
        b'b' => Kind::Body,
        _ => return two_letters(first, second?).map(|kind| (kind, 2)),
    };
    Some((kind, 1))
}

fn two_letters(first: u8, second: u8) -> Option<Kind> {
    match (first, second) {
        (b'g', b'd' | b'D' | b's' | b'n' | b'N' | b'e' | b'E') => Some(Kind::Reflog),
        (b'G', b'G' | b'?' | b'S' | b'K' | b'F' | b'P' | b'T') => Some(Kind::Signature(second)),
        (b'a' | b'c', b'n' | b'N' | b'e' | b'E' | b'l' | b'L' | b't') => Some(Kind::Person(role(first), second)),
        (b'a' | b'c', b'd' | b'D' | b'r' | b'i' | b'I' | b'h' | b's') => Some(Kind::Person(role(first), second)),
        _ => None,
    }
}

fn role(letter: u8) -> Role {
    if letter == b'a' { Role::Author } else { Role::Committer }
}

/// Placeholders in brackets. Returns the rest from the closing bracket on.
fn in_brackets(text: &str) -> Option<(Kind, &str)> {
    let (kind, rest) = if let Some(text) = text.strip_prefix("trailers") {
        let (options, rest) = match text.strip_prefix(':') {
            Some(text) => TrailerOptions::parse(text)?,
            None => (TrailerOptions::default(), text),
        };
        (Kind::Trailers(options), rest)
    } else if let Some(text) = text.strip_prefix("decorate") {
        let (marks, rest) = text.strip_prefix(':').map_or((Marks::default(), text), Marks::parse);
        (Kind::Decorate(marks), rest)
    } else {
        let text = text.strip_prefix("describe")?;
        let (options, rest) = match text.strip_prefix(':') {
            Some(text) => Describe::parse(text)?,
            None => (Describe::default(), text),
        };
        (Kind::Describe(options), rest)
    };
    Some((kind, rest.strip_prefix(')')?))
}

/// `w(width,first,others)`. Each number is read as in C, so an empty one is zero.
fn wrap(text: &str) -> Option<(Kind, usize)> {
    let inside = text.strip_prefix("w(")?.as_bytes();
    let mut numbers = [0; 3];
    let mut rest = inside;
    for (at, number) in numbers.iter_mut().enumerate() {
        let (value, length) = c_number(rest).unwrap_or_default();
        *number = usize::try_from(value).ok().filter(|number| *number <= WIDEST)?;
        rest = &rest[length..];
        match rest.strip_prefix(b",") {
            Some(after) if at < 2 => rest = after,
            _ => break,
        }
    }
    let length = inside.len() - rest.strip_prefix(b")")?.len();
    Some((Kind::Wrap(numbers), 2 + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrap_has_up_to_three_numbers() {
        let numbers = |text: &str| match placeholder(text).unwrap() {
            Some((Kind::Wrap(numbers), length)) => Some((numbers, length)),
            _ => None,
        };
        assert_eq!(numbers("w()x"), Some(([0, 0, 0], 3)));
        assert_eq!(numbers("w(,2)x"), Some(([0, 2, 0], 5)));
        assert_eq!(numbers("w(+5,\u{b}9, 7)x"), Some(([5, 9, 7], 11)));
        assert_eq!(numbers("w(1,2,)x"), Some(([1, 2, 0], 7)));
        for text in ["w", "w(1", "w(1x)", "w( )", "w(1,2,3,)", "w(99999)", "w(-1)", "w(\u{a0}9)"] {
            assert_eq!(numbers(text), None, "{text}");
        }
    }
}
