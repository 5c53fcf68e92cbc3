//! The options of `grep`, without its patterns.

use bstr::{BString, ByteSlice};

use super::scan::{Marks, Style};
use crate::commands::arguments::{Flag, Given, flag, maybe, valued};
use crate::commands::glob::Glob;

/// All of them.
pub const FLAGS: &[Flag] = &[
    flag('E', "extended-regexp"),
    flag('F', "fixed-strings"),
    flag('G', "basic-regexp"),
    flag('P', "perl-regexp"),
    valued('e', "regexp"),
    valued('f', "file"),
    flag('i', "ignore-case"),
    flag('y', ""),
    flag('\x09', "no-ignore-case"),
    flag('w', "word-regexp"),
    flag('x', "line-regexp"),
    flag('z', "null-data"),
    flag('s', "no-messages"),
    flag('v', "invert-match"),
    valued('m', "max-count"),
    flag('b', "byte-offset"),
    flag('n', "line-number"),
    flag('\x01', "line-buffered"),
    flag('H', "with-filename"),
    flag('h', "no-filename"),
    valued('\x02', "label"),
    flag('o', "only-matching"),
    flag('q', "quiet"),
    flag('q', "silent"),
    valued('\x03', "binary-files"),
    flag('a', "text"),
    flag('I', ""),
    valued('d', "directories"),
    valued('D', "devices"),
    flag('r', "recursive"),
    flag('R', "dereference-recursive"),
    valued('\x04', "include"),
    valued('\x05', "exclude"),
    valued('\x06', "exclude-dir"),
    flag('L', "files-without-match"),
    flag('l', "files-with-matches"),
    flag('c', "count"),
    flag('Z', "null"),
    valued('A', "after-context"),
    valued('B', "before-context"),
    valued('C', "context"),
    maybe('\x07', "color"),
    maybe('\x07', "colour"),
    flag('U', "binary"),
    flag('0', ""),
    flag('1', ""),
    flag('2', ""),
    flag('3', ""),
    flag('4', ""),
    flag('5', ""),
    flag('6', ""),
    flag('7', ""),
    flag('8', ""),
    flag('9', ""),
];

/// What is done with a file that is no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// It is said that it matches.
    Say,
    /// It is searched as text.
    Text,
    /// It does not match.
    Skip,
}

/// How to search.
#[derive(Debug)]
pub struct Options {
    /// How lines are selected and printed.
    pub style: Style,
    /// Names of files are printed: None if that depends on whether the operand is a folder.
    pub names: Option<bool>,
    /// Names of files that match.
    pub lists: bool,
    /// Names of files that do not.
    pub lists_rest: bool,
    /// Counts of lines.
    pub counts: bool,
    /// Only the status matters.
    pub quiet: bool,
    /// Files that cannot be read are not spoken of.
    pub silent: bool,
    /// Folders are searched.
    pub recurses: bool,
    /// Folders are left out.
    pub skips_folders: bool,
    /// Links in folders are followed.
    pub follows: bool,
    /// What is done with a file that is no text.
    pub binary: Binary,
    /// The name of what is read without a name.
    pub label: BString,
    /// Patterns of files, and whether they are to be searched.
    pub files: Vec<(Glob, bool)>,
    /// Patterns of folders that are left out.
    pub folders: Vec<Glob>,
}

impl Options {
    /// Reads what was given.
    pub fn read(given: &Given) -> Result<Options, String> {
        let quiet = given.has('q');
        let (lists, lists_rest) = match given.last(&['l', 'L']) {
            Some('l') => (true, false),
            Some(_) => (false, true),
            None => (false, false),
        };
        let recursive = given.last(&['r', 'R', 'd']);
        let directories = given.value('d').map_or("read", |value| value.to_str().unwrap_or("?"));
        if !["read", "recurse", "skip"].contains(&directories) {
            return Err(format!("invalid argument '{directories}' for '--directories'"));
        }
        let recurses = matches!(recursive, Some('r' | 'R')) || (recursive == Some('d') && directories == "recurse");
        let counts = given.has('c') && !lists && !lists_rest;
        let many = given.operands.len() > 1;
        let names = match given.last(&['h', 'H']) {
            Some(last) => Some(last == 'H'),
            None if many => Some(true),
            None => {
                if recurses {
                    None
                } else {
                    Some(false)
                }
            }
        };
        let context = context(given)?;
        let stops = quiet || lists || lists_rest;
        let most = match given.value('m') {
            Some(text) => number(text, "invalid max count")?,
            None => None,
        };
        let style = Style {
            inverts: given.has('v'),
            only: given.has('o'),
            counts: stops || counts,
            numbers: given.has('n'),
            offsets: given.has('b'),
            zero: given.has('Z'),
            // Nobody sits at a terminal, which is what `auto` asks for.
            colors: given.value('\x07').is_some_and(|when| matches!(&when[..], b"always" | b"yes" | b"force")),
            context: if stops || counts { (0, 0) } else { context },
            marks: Marks { parts: (context != (0, 0)).then(|| "--".into()), ..Marks::default() },
            most: if stops { Some(most.map_or(1, |most| most.min(1))) } else { most },
            end: if given.has('z') { 0 } else { b'\n' },
            raw: binary(given)? == Binary::Text,
            ..Style::default()
        };
        Ok(Options {
            style,
            names,
            lists,
            lists_rest,
            counts,
            quiet,
            silent: given.has('s'),
            recurses,
            skips_folders: recursive == Some('d') && directories == "skip",
            follows: recursive == Some('R'),
            binary: binary(given)?,
            label: given.value('\x02').cloned().unwrap_or_else(|| "(standard input)".into()),
            files: chosen(given),
            folders: given.values('\x06').map(|text| Glob::new(trimmed(text), false)).collect(),
        })
    }

    /// Whether a file is left out.
    pub fn leaves_out(&self, name: &[u8], is_operand: bool) -> bool {
        let Some((_, first)) = self.files.first() else { return false };
        let matches = |glob: &Glob| match is_operand {
            true => tails(name).any(|tail| glob.matches(tail)),
            false => glob.matches(name),
        };
        match self.files.iter().rev().find(|(glob, _)| matches(glob)) {
            Some((_, includes)) => !includes,
            None => *first,
        }
    }

    /// Whether a folder is left out.
    pub fn leaves_out_folder(&self, name: &[u8], is_operand: bool) -> bool {
        self.folders.iter().any(|glob| match is_operand {
            true => tails(trimmed(name)).any(|tail| glob.matches(tail)),
            false => glob.matches(name),
        })
    }
}

/// A name, and what is behind each of its slashes.
fn tails(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::once(name).chain(name.find_iter(b"/").map(|at| &name[at + 1..]))
}

/// A name without the slashes at its end.
pub fn trimmed(name: &[u8]) -> &[u8] {
    let end = name.iter().rposition(|byte| *byte != b'/').map_or(name.len().min(1), |at| at + 1);
    &name[..end]
}

fn chosen(given: &Given) -> Vec<(Glob, bool)> {
    let flags = given.flags.iter().filter(|(letter, _)| matches!(letter, '\x04' | '\x05'));
    flags.map(|(letter, text)| (Glob::new(text, false), *letter == '\x04')).collect()
}

fn binary(given: &Given) -> Result<Binary, String> {
    let last = given.flags.iter().rev().find(|(letter, _)| matches!(letter, 'a' | 'I' | '\x03' | 'z'));
    Ok(match last {
        Some(('a', _)) => Binary::Text,
        Some(('I', _)) => Binary::Skip,
        Some(('\x03', value)) => match value.as_slice() {
            b"binary" => Binary::Say,
            b"text" => Binary::Text,
            b"without-match" => Binary::Skip,
            _ => return Err("invalid argument for '--binary-files'".to_owned()),
        },
        _ => Binary::Say,
    })
}

/// A number. None if it is as good as endless.
fn number(text: &BString, message: &str) -> Result<Option<u64>, String> {
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    if text.strip_prefix(b"-").is_some_and(is_number) && message.contains("count") {
        return Ok(None);
    }
    match is_number(text) {
        true => Ok(text.to_str_lossy().parse().ok()),
        false if message.contains("count") => Err(message.to_owned()),
        false => Err(format!("{text}: {message}")),
    }
}

fn context(given: &Given) -> Result<(usize, usize), String> {
    let mut both = None;
    let (mut before, mut after) = (None, None);
    let mut digits = String::new();
    for (letter, value) in &given.flags {
        let read = |value| {
            let number = number(value, "invalid context length argument")?;
            Ok::<usize, String>(number.and_then(|number| number.try_into().ok()).unwrap_or(usize::MAX))
        };
        match letter {
            'A' => after = Some(read(value)?),
            'B' => before = Some(read(value)?),
            'C' => both = Some(read(value)?),
            digit if digit.is_ascii_digit() => {
                digits.push(*digit);
                both = Some(digits.parse().unwrap_or(usize::MAX));
            }
            _ => (),
        }
    }
    Ok((before.or(both).unwrap_or(0), after.or(both).unwrap_or(0)))
}
