//! Translates a basic regular expression to the syntax of the `regex` crate.

use std::fmt::Write;

use super::brackets::{self, Set};
use super::error::{Invalid, Refusal};
use super::interval;
use super::tokens::{Token, Tokens};

/// The limit on the nesting of groups. Each group takes several levels in the compiled pattern.
const MAX_GROUPS: usize = 40;

/// An open group, or the whole pattern.
#[derive(Default)]
struct Level {
    /// The translated part.
    done: String,
    /// The last atom, which a repetition may follow.
    atom: String,
}

impl Level {
    /// Makes `atom` the last one.
    fn put(&mut self, atom: &str) {
        self.done.push_str(&self.atom);
        self.atom = atom.to_owned();
    }

    /// Ends the last atom, so no repetition can follow it.
    fn finish(&mut self) {
        self.put("");
    }
}

/// Translates `pattern`. The result is for the search in one line.
pub fn translate(pattern: &[u8]) -> Result<String, Refusal> {
    let mut tokens = Tokens::new(pattern);
    // The open groups, outermost first.
    let mut outer: Vec<Level> = Vec::new();
    let mut level = Level::default();
    let mut groups = Groups::default();
    let mut after_opening = true;
    loop {
        let token = tokens.next(after_opening);
        after_opening = matches!(token, Token::Open | Token::Or);
        match token {
            Token::End if outer.is_empty() => {
                level.finish();
                return Ok(format!("(?:{})", level.done));
            }
            Token::End => return Err(Invalid::Group.into()),
            Token::Backslash => return Err(Invalid::TrailingBackslash.into()),
            Token::OpenInterval => return Err(Invalid::Repetition.into()),
            Token::Reference(number) if groups.is_closed(number) => return Err(Refusal::BackReference),
            Token::Reference(_) => return Err(Invalid::BackReference.into()),
            Token::Open => {
                if outer.len() == MAX_GROUPS {
                    return Err(Refusal::TooLarge);
                }
                groups.open();
                outer.push(std::mem::take(&mut level));
                continue;
            }
            Token::Or => {
                level.finish();
                level.done.push('|');
                continue;
            }
            Token::Close => {
                level.finish();
                let above = outer.pop().ok_or(Invalid::Group)?;
                let group = format!("(?:{})", std::mem::replace(&mut level, above).done);
                groups.close();
                level.put(&group);
            }
            Token::Place(place) => {
                // An anchor cannot be repeated: a star after it is literal.
                level.finish();
                level.done.push_str(place);
                continue;
            }
            Token::Any => level.put(r"[^\n\x00]"),
            Token::Class(class) => level.put(class),
            Token::Bracket => {
                let (set, length) = brackets::parse(tokens.rest())?;
                tokens.at += length;
                level.put(&class(&set));
            }
            Token::Byte(byte) => level.put(&literal(byte)),
            Token::Star => level.put(r"\*"),
            Token::Plus => level.put(r"\+"),
            Token::Optional => level.put(r"\?"),
            Token::CloseInterval => level.put(r"\}"),
        }
        repeat(&mut level.atom, &mut tokens)?;
    }
}

/// Reads all repetitions after `atom` and applies them.
fn repeat(atom: &mut String, tokens: &mut Tokens<'_>) -> Result<(), Refusal> {
    // Any sequence of operators reduces to at most one of each kind.
    let (mut first, mut plus, mut optional) = (None, false, false);
    loop {
        let before = tokens.at;
        match tokens.next(false) {
            Token::Plus => plus = true,
            Token::Optional => optional = true,
            // Only the first operator may be one of these.
            Token::Star | Token::OpenInterval if first.is_some() || plus || optional => {
                return Err(Invalid::Repetition.into());
            }
            Token::Star => first = Some((0, None)),
            Token::OpenInterval => first = Some(interval::parse(tokens)?),
            _ => {
                tokens.at = before;
                break;
            }
        }
    }
    match first {
        Some((0, None)) => atom.push('*'),
        Some((least, None)) => *atom = format!("(?:{atom}{{{least},}})"),
        Some((least, Some(most))) => *atom = format!("(?:{atom}{{{least},{most}}})"),
        None => {}
    }
    match (plus, optional) {
        _ if first == Some((0, None)) => {}
        (true, true) => atom.push('*'),
        (true, false) => atom.push('+'),
        (false, true) => atom.push('?'),
        (false, false) => {}
    }
    Ok(())
}

/// The groups that a back-reference can name.
#[derive(Default)]
struct Groups {
    /// The numbers of the open groups.
    open: Vec<usize>,
    opened: usize,
    /// A bit for each of the first nine groups that is closed.
    closed: u16,
}

impl Groups {
    fn open(&mut self) {
        self.open.push(self.opened);
        self.opened += 1;
    }

    fn close(&mut self) {
        if let Some(number) = self.open.pop().filter(|number| *number < 9) {
            self.closed |= 1 << number;
        }
    }

    fn is_closed(&self, number: u8) -> bool {
        self.closed & 1 << number != 0
    }
}

fn literal(byte: u8) -> String {
    match byte {
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => char::from(byte).to_string(),
        byte => format!(r"\x{byte:02x}"),
    }
}

fn class(set: &Set) -> String {
    let mut class = String::from("[");
    let mut at = 0;
    while at < set.len() {
        if !set[at] {
            at += 1;
            continue;
        }
        let end = set[at..].iter().position(|belongs| !belongs).map_or(set.len(), |length| at + length);
        write!(class, r"\x{at:02x}-\x{:02x}", end - 1).expect("a String can be written to");
        at = end;
    }
    match class.len() {
        // `class` has no syntax for an empty set.
        1 => r"[^\x00-\xff]".to_owned(),
        _ => class + "]",
    }
}
