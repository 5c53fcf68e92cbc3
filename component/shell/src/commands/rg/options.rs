//! What the options of `rg` mean.

use bstr::{BString, ByteSlice};

use super::flags::*;
use crate::commands::arguments::Given;
use crate::commands::grep::scan::{Marks, Style};

/// What is printed of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Its lines.
    Lines,
    /// How many of them.
    Counts,
    /// Its name, if it matches.
    Names,
    /// Its name, if it does not.
    OtherNames,
    /// Nothing: only the status matters.
    Nothing,
}

/// What is done with a file that has a NUL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// It is text as well.
    Text,
    /// It is searched, and it is said that it matches.
    Say,
    /// It is left when that is seen.
    Leave,
}

/// How files are searched and printed.
#[derive(Debug)]
pub struct Options {
    /// How lines are selected and printed.
    pub style: Style,
    /// What is printed of a file.
    pub output: Output,
    /// Whether names are printed, if that is given.
    pub names: Option<bool>,
    /// Counts of nothing as well.
    pub zeros: bool,
    /// What is done with files that are found in folders.
    pub binary: Binary,
    /// Files that cannot be read are not spoken of.
    pub silent: bool,
}

/// A number that is the value of an option.
pub fn number(given: &Given, letter: char, long: &str) -> Result<Option<usize>, String> {
    let Some(text) = given.value(letter) else { return Ok(None) };
    let number = text.to_str().ok().and_then(|text| text.parse().ok());
    number
        .map(Some)
        .ok_or_else(|| format!("error: Invalid value for '--{long} <NUM>': invalid digit found in string\n"))
}

/// Whether an option was given, and not taken back behind.
pub fn holds(given: &Given, letter: char, back: char) -> bool {
    given.last(&[letter, back]) == Some(letter)
}

impl Options {
    /// Reads what was given.
    pub fn read(given: &Given) -> Result<Options, String> {
        let style = style(given)?;
        let output = output(given);
        let stops = matches!(output, Output::Names | Output::OtherNames | Output::Nothing);
        let most = number(given, 'm', "max-count")?.map(|most| most as u64);
        let inverts = given.has('v');
        let matches = output == Output::Counts && (given.has(COUNT_MATCHES) || given.has('o')) && !inverts;
        let searches_all = given.has('a') && holds(given, 'a', NO_TEXT) || given.has(NULL_DATA);
        let unrestricted = given.flags.iter().filter(|(letter, _)| *letter == 'u').count();
        let binary = match holds(given, BINARY, NO_BINARY) || unrestricted > 2 {
            _ if searches_all => Binary::Text,
            true => Binary::Say,
            false => Binary::Leave,
        };
        let names = match given.last(&['H', 'I']) {
            Some(last) => Some(last == 'H'),
            None => given.has(VIMGREP).then_some(true),
        };
        let is_plain = output == Output::Lines;
        Ok(Options {
            style: Style {
                counts: !is_plain,
                matches,
                context: if is_plain { style.context } else { (0, 0) },
                passes: is_plain && style.passes,
                most: if stops { Some(most.unwrap_or(1).min(1)) } else { most },
                ..style
            },
            output,
            names,
            zeros: given.has(INCLUDE_ZERO),
            binary,
            silent: holds(given, NO_MESSAGES, MESSAGES),
        })
    }
}

fn output(given: &Given) -> Output {
    if given.has('q') {
        return Output::Nothing;
    }
    if given.has('c') || given.has(COUNT_MATCHES) {
        return Output::Counts;
    }
    match given.last(&['l', WITHOUT_MATCH]) {
        Some('l') => Output::Names,
        Some(_) => Output::OtherNames,
        None => Output::Lines,
    }
}

fn style(given: &Given) -> Result<Style, String> {
    let columns = match given.last(&[COLUMN, NO_COLUMN]) {
        Some(last) => last == COLUMN,
        None => given.has(VIMGREP),
    };
    let numbers = match given.last(&['n', 'N']) {
        Some(last) => last == 'n',
        None => given.has(COLUMN) || given.has(VIMGREP) || given.has('p'),
    };
    let heading = match given.last(&[HEADING, NO_HEADING, VIMGREP, 'p']) {
        Some(last) => last == HEADING || last == 'p',
        None => false,
    };
    let both = number(given, 'C', "context")?.unwrap_or(0);
    let sides = (number(given, 'B', "before-context")?, number(given, 'A', "after-context")?);
    // One takes back the other.
    let (before, after) = match given.last(&['A', 'B', 'C']) {
        Some('C') => (both, both),
        _ => (sides.0.unwrap_or(0), sides.1.unwrap_or(0)),
    };
    let passes = given.has(PASSTHRU);
    let mark = |letter, usual: &str| given.value(letter).map_or(usual.into(), |text| unescaped(text));
    let parts = match given.last(&[SEPARATOR, NO_SEPARATOR]) {
        _ if passes || (before, after) == (0, 0) => None,
        Some(NO_SEPARATOR) => None,
        _ => Some(mark(SEPARATOR, "--")),
    };
    Ok(Style {
        inverts: given.has('v'),
        only: given.has('o'),
        each: given.has(VIMGREP),
        keeps: true,
        numbers,
        columns,
        offsets: given.has('b'),
        heading,
        zero: given.has('0'),
        context: if passes { (usize::MAX, usize::MAX) } else { (before, after) },
        passes,
        goes_on: true,
        marks: Marks { selected: mark(SELECTED_MARK, ":"), around: mark(AROUND_MARK, "-"), parts },
        end: if given.has(NULL_DATA) { 0 } else { b'\n' },
        raw: true,
        trims: holds(given, TRIM, NO_TRIM),
        widest: number(given, 'M', "max-columns")?.filter(|widest| *widest > 0),
        previews: holds(given, PREVIEW, NO_PREVIEW),
        ..Style::default()
    })
}

/// A text with `\n`, `\t` and their like in it.
fn unescaped(text: &[u8]) -> BString {
    let mut out = BString::default();
    let mut rest = text;
    while let Some((byte, behind)) = rest.split_first() {
        let hex = behind.strip_prefix(b"x").and_then(|hex| hex.get(..2)).and_then(|hex| hex.to_str().ok());
        let hex = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let (byte, length) = match (byte, behind.first(), hex) {
            (b'\\', Some(b'n'), _) => (b'\n', 2),
            (b'\\', Some(b't'), _) => (b'\t', 2),
            (b'\\', Some(b'r'), _) => (b'\r', 2),
            (b'\\', Some(b'0'), _) => (0, 2),
            (b'\\', Some(b'\\'), _) => (b'\\', 2),
            (b'\\', Some(b'x'), Some(value)) => (value, 4),
            (byte, ..) => (*byte, 1),
        };
        out.push(byte);
        rest = &rest[length..];
    }
    out
}
