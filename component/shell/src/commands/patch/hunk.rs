//! Hunks: what is changed at one place.

use bstr::BString;

use super::text::Text;
use super::{context, normal, unified};

/// How a patch is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As `diff -u` writes it.
    Unified,
    /// As `diff -c` writes it.
    Context,
    /// As `diff` writes it.
    Normal,
    /// As git writes what is not text.
    Binary,
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It stays.
    Context,
    /// It goes.
    Delete,
    /// It comes.
    Insert,
}

/// What is changed at one place.
/// Of the lines between two that stay, those that go stand before those that come.
#[derive(Clone, Debug, Default)]
pub struct Hunk {
    /// The number of its first line in the old file, or of the line that it stands before.
    pub old_first: usize,
    /// The same in the new file.
    pub new_first: usize,
    /// Its lines with their ends, which the last line of a file may lack.
    pub lines: Vec<(Kind, BString)>,
    /// What its heading says behind the numbers.
    pub function: BString,
}

impl Hunk {
    /// One with lines in whatever order, and with numbers as they are written: those of an empty range are one less.
    pub fn new(old: usize, new: usize, lines: Vec<(Kind, BString)>, function: BString) -> Hunk {
        let mut hunk = Hunk { old_first: old, new_first: new, lines: ordered(lines), function };
        if hunk.count(Kind::Insert) == 0 {
            hunk.old_first += 1;
        }
        if hunk.count(Kind::Delete) == 0 {
            hunk.new_first += 1;
        }
        hunk
    }

    /// How many lines there are without those of a kind: the old ones lack those that come.
    pub fn count(&self, without: Kind) -> usize {
        self.lines.iter().filter(|(kind, _)| *kind != without).count()
    }

    /// The lines that the old file has.
    pub fn old(&self) -> Vec<&[u8]> {
        self.lines.iter().filter(|(kind, _)| *kind != Kind::Insert).map(|(_, text)| text.as_slice()).collect()
    }

    /// How many lines stay at its beginning.
    pub fn prefix(&self) -> usize {
        self.lines.iter().take_while(|(kind, _)| *kind == Kind::Context).count()
    }

    /// How many lines stay at its end.
    pub fn suffix(&self) -> usize {
        self.lines.iter().rev().take_while(|(kind, _)| *kind == Kind::Context).count()
    }

    /// The hunk that takes it back.
    pub fn reversed(self) -> Hunk {
        let lines = self.lines.into_iter().map(|(kind, text)| match kind {
            Kind::Context => (Kind::Context, text),
            Kind::Delete => (Kind::Insert, text),
            Kind::Insert => (Kind::Delete, text),
        });
        let lines = ordered(lines.collect());
        Hunk { old_first: self.new_first, new_first: self.old_first, lines, function: self.function }
    }
}

fn ordered(lines: Vec<(Kind, BString)>) -> Vec<(Kind, BString)> {
    let mut all = Vec::with_capacity(lines.len());
    let mut come = Vec::new();
    for (kind, text) in lines {
        match kind {
            Kind::Insert => come.push((kind, text)),
            Kind::Delete => all.push((kind, text)),
            Kind::Context => {
                all.append(&mut come);
                all.push((kind, text));
            }
        }
    }
    all.append(&mut come);
    all
}

/// Reads the next hunk of a patch. None if something else comes. What is wrong with it is an error.
pub fn next(text: &mut Text, form: Form) -> Result<Option<Hunk>, String> {
    match form {
        Form::Unified => unified::next(text),
        Form::Context => context::next(text),
        Form::Normal => normal::next(text),
        Form::Binary => Ok(None),
    }
}

/// Reads a number at the beginning of a text, and what stands behind it.
pub fn number<'a>(line: &'a [u8], text: &Text, whole: &[u8]) -> Result<(usize, &'a [u8]), String> {
    let length = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let at = text.mark.line;
    if length == 0 {
        return Err(format!("missing line number at line {at}: {}", bstr::BStr::new(whole)));
    }
    let digits = bstr::BStr::new(&line[..length]);
    // Lines are counted in an isize, with room to add to it.
    match digits.to_string().parse::<usize>() {
        Ok(number) if number <= usize::MAX / 8 => Ok((number, &line[length..])),
        _ => Err(format!("line number {digits} is too large at line {at}: {}", bstr::BStr::new(whole))),
    }
}

/// What a heading says behind its numbers, with the blank before it.
pub fn function(rest: &[u8]) -> BString {
    if !rest.starts_with(b" ") {
        return BString::default();
    }
    rest.strip_suffix(b"\n").unwrap_or(rest).into()
}

/// The error about a line that cannot stand where it stands.
pub fn malformed(text: &Text, line: &[u8]) -> String {
    format!("malformed patch at line {}: {}", text.mark.line, bstr::BStr::new(line))
}
