//! Names and paths that match.

use bstr::{BString, ByteSlice};

use crate::expand::pattern::Pattern;
use crate::regexp::{Regex, Syntax};

/// A pattern of file names, where dots and slashes are nothing special.
#[derive(Debug)]
pub struct Glob {
    /// None if nothing matches.
    pattern: Option<Pattern>,
    /// What stands between asterisks, if nothing else in it is special. In small letters if case does not matter.
    between: Option<Vec<BString>>,
    ignores_case: bool,
}

impl Glob {
    /// Reads a pattern.
    pub fn read(text: &[u8], ignores_case: bool) -> Glob {
        let (mut bytes, mut quoted) = (Vec::new(), Vec::new());
        let mut rest = text.iter();
        while let Some(byte) = rest.next() {
            match (byte, rest.as_slice().first()) {
                (b'\\', Some(next)) => {
                    rest.next();
                    bytes.push(*next);
                    quoted.push(true);
                }
                (b'\\', None) => return Glob { pattern: None, between: None, ignores_case },
                (byte, _) => {
                    bytes.push(*byte);
                    // A parenthesis would begin an extended pattern.
                    quoted.push(*byte == b'(');
                }
            }
        }
        let pattern = Pattern::of(&bytes, &quoted).ignoring_case(ignores_case);
        Glob { pattern: Some(pattern), between: between(&bytes, &quoted, ignores_case), ignores_case }
    }

    /// Whether it matches the whole text.
    pub fn matches(&self, text: &[u8]) -> bool {
        match (&self.between, &self.pattern) {
            (Some(between), _) if !self.ignores_case => fits(between, text),
            (Some(between), _) if text.is_ascii() => fits(between, &text.to_ascii_lowercase()),
            (_, Some(pattern)) => pattern.matches(text),
            (_, None) => false,
        }
    }
}

fn between(bytes: &[u8], quoted: &[bool], ignores_case: bool) -> Option<Vec<BString>> {
    if ignores_case && !bytes.is_ascii() {
        return None;
    }
    let mut between = vec![BString::default()];
    for (byte, is_quoted) in bytes.iter().zip(quoted) {
        match byte {
            b'*' if !is_quoted => between.push(BString::default()),
            b'?' | b'[' if !is_quoted => return None,
            byte => {
                let byte = if ignores_case { byte.to_ascii_lowercase() } else { *byte };
                between.last_mut().expect("there is one").push(byte);
            }
        }
    }
    Some(between)
}

/// Whether a text begins with the first, ends with the last, and has the others between, in order.
fn fits(between: &[BString], text: &[u8]) -> bool {
    let [first, middle @ .., last] = between else {
        return between.first().is_some_and(|only| only == text);
    };
    let rest = text.strip_prefix(first.as_bytes()).and_then(|rest| rest.strip_suffix(last.as_bytes()));
    let Some(mut rest) = rest else { return false };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

/// How regular expressions are written.
#[derive(Clone, Copy, Debug, Default)]
pub enum Style {
    /// As in Emacs: `+` and `?` are special, and parentheses with a backslash.
    #[default]
    Emacs,
    Basic,
    Extended,
}

const STYLES: &[(&str, Style)] = &[
    ("findutils-default", Style::Emacs),
    ("ed", Style::Basic),
    ("emacs", Style::Emacs),
    ("gnu-awk", Style::Extended),
    ("grep", Style::Basic),
    ("posix-awk", Style::Extended),
    ("awk", Style::Extended),
    ("posix-basic", Style::Basic),
    ("posix-egrep", Style::Extended),
    ("egrep", Style::Extended),
    ("posix-extended", Style::Extended),
    ("posix-minimal-basic", Style::Basic),
    ("sed", Style::Basic),
];

impl Style {
    /// Reads a name.
    pub fn read(name: &[u8]) -> Result<Style, String> {
        if let Some((_, style)) = STYLES.iter().find(|(known, _)| name == known.as_bytes()) {
            return Ok(*style);
        }
        let names: Vec<String> = STYLES.iter().map(|(name, _)| format!("‘{name}’")).collect();
        let (name, names) = (name.as_bstr(), names.join(", "));
        Err(format!("Unknown regular expression type ‘{name}’; valid types are {names}."))
    }
}

/// A regular expression for whole paths.
#[derive(Debug)]
pub struct Expression(Regex);

impl Expression {
    /// Reads one.
    pub fn read(text: &[u8], style: Style, ignores_case: bool) -> Result<Expression, String> {
        let (extended, written) = match style {
            Style::Emacs => (true, from_emacs(text)),
            Style::Basic => (false, text.to_vec()),
            Style::Extended => (true, text.to_vec()),
        };
        Ok(Expression(Syntax { extended, ignores_case, multiline: false }.read(&written)?))
    }

    /// Whether it matches a whole path.
    pub fn matches(&self, path: &[u8]) -> bool {
        // The first match is the longest of those that begin there.
        self.0.find(path, 0) == Some((0, path.len()))
    }
}

/// An expression as POSIX would write it, extended.
fn from_emacs(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    // Whether an alternative begins here.
    let mut begins = true;
    while let Some(byte) = text.get(at) {
        let rest = &text[at + 1..];
        at += 1;
        let began = std::mem::replace(&mut begins, false);
        match (byte, rest.first()) {
            (b'\\', Some(next)) => {
                at += 1;
                begins = matches!(next, b'(' | b'|');
                match next {
                    b'(' | b')' | b'|' => out.push(*next),
                    next => out.extend_from_slice(&[b'\\', *next]),
                }
            }
            (b'[', _) => match class(rest) {
                Some(length) => {
                    out.push(b'[');
                    // There are no classes of characters in it, so what would begin one stands for itself.
                    out.extend(rest[..length].replace("[", "[.[.]"));
                    at += length;
                }
                None => out.push(b'['),
            },
            (b'(' | b')' | b'|' | b'{' | b'}', _) => out.extend_from_slice(&[b'\\', *byte]),
            (b'*' | b'+' | b'?', _) if began => out.extend_from_slice(&[b'\\', *byte]),
            (b'^', _) if !began => out.extend_from_slice(b"\\^"),
            (b'$', Some(_)) if !rest.starts_with(b"\\)") && !rest.starts_with(b"\\|") => out.extend_from_slice(b"\\$"),
            _ => out.push(*byte),
        }
    }
    out
}

/// The length of the inside of a class, with the bracket that ends it.
fn class(rest: &[u8]) -> Option<usize> {
    let negated = usize::from(rest.first() == Some(&b'^'));
    let first = negated + usize::from(rest.get(negated) == Some(&b']'));
    rest.get(first..)?.find_byte(b']').map(|at| first + at + 1)
}
