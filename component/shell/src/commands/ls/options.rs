//! The options of `ls`.

use bstr::BString;

use super::order::Sort;
use crate::commands::arguments::{Flag, Given, Reading, flag, maybe, read, valued};
use crate::exec::{Call, Ended};
use crate::expand::pattern::Pattern;

const FLAGS: &[Flag] = &[
    flag('1', ""),
    flag('a', "all"),
    flag('A', "almost-all"),
    flag('B', "ignore-backups"),
    flag('c', ""),
    flag('C', ""),
    flag('d', "directory"),
    flag('f', ""),
    flag('F', ""),
    flag('g', ""),
    flag('G', "no-group"),
    flag('h', "human-readable"),
    flag('H', "dereference-command-line"),
    valued('I', "ignore"),
    flag('k', "kibibytes"),
    flag('l', ""),
    flag('L', "dereference"),
    flag('m', ""),
    flag('n', "numeric-uid-gid"),
    flag('N', "literal"),
    flag('o', ""),
    flag('p', ""),
    flag('q', "hide-control-chars"),
    flag('r', "reverse"),
    flag('R', "recursive"),
    flag('s', "size"),
    flag('S', ""),
    flag('t', ""),
    flag('u', ""),
    flag('U', ""),
    flag('v', ""),
    valued('w', "width"),
    flag('x', ""),
    flag('X', ""),
    maybe('\x01', "color"),
    flag('\x02', "group-directories-first"),
    flag('\x03', "full-time"),
    valued('\x04', "time-style"),
    valued('\x05', "sort"),
    valued('\x06', "indicator-style"),
    flag('\x07', "file-type"),
    valued('\x08', "time"),
    valued('\x0b', "format"),
    flag('\x0c', "show-control-chars"),
    maybe('\x0e', "classify"),
];

/// Which names that begin with a dot are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// None.
    No,
    /// All but the folder itself and the one above.
    Almost,
    /// All.
    All,
}

/// What is marked by a character behind its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// Nothing.
    None,
    /// Folders.
    Folders,
    /// Folders and links.
    Types,
    /// Files that can be executed as well.
    All,
}

/// How entries are listed.
#[derive(Debug)]
pub struct Options {
    /// Which hidden ones are.
    pub hidden: Hidden,
    /// Whether folders are listed as what they are, and not what is in them.
    pub itself: bool,
    /// Whether all is said about each.
    pub long: bool,
    /// Whether the owner is said.
    pub owner: bool,
    /// Whether the group is said.
    pub group: bool,
    /// Whether both are numbers.
    pub numbers: bool,
    /// Whether sizes are for people.
    pub human: bool,
    /// Whether it is said what each takes.
    pub blocks: bool,
    /// Whether folders in folders are listed too.
    pub recursive: bool,
    /// Whether the order is turned around.
    pub reverses: bool,
    /// What they are sorted by.
    pub sort: Sort,
    /// Whether folders come first.
    pub folders_first: bool,
    /// Whether links are followed.
    pub follows: bool,
    /// Whether links are followed that are operands.
    pub follows_operands: bool,
    /// What is marked.
    pub marks: Marks,
    /// How times are written.
    pub style: BString,
    /// What is not listed.
    pub left_out: Vec<Pattern>,
    /// Whether names that end with a tilde are not listed.
    pub backups_left_out: bool,
}

/// Reads the options and the operands.
pub async fn read_all(call: &mut Call<'_>) -> Result<(Options, Vec<BString>), Ended> {
    let mut given = read(call, Reading { flags: FLAGS, status: 2, stops: false }).await?;
    let operands = std::mem::take(&mut given.operands);
    match options(&given) {
        Ok(mut options) => {
            if let (false, Some(style)) = (given.has('\x04') || given.has('\x03'), call.shell.vars.text("TIME_STYLE")) {
                options.style = style.clone();
            }
            Ok((options, operands))
        }
        Err(message) => {
            let status = call.misused(message, 2).await?;
            Err(Ended::Status(status))
        }
    }
}

fn options(given: &Given) -> Result<Options, String> {
    let hidden = match given.last(&['a', 'A', 'f']) {
        None => Hidden::No,
        Some('A') => Hidden::Almost,
        Some(_) => Hidden::All,
    };
    // One name a line is how everything is listed but the long way, which the last of these decides.
    let word = given.value('\x0b').map(|word| word.to_string());
    let long_word = matches!(word.as_deref(), Some("long" | "verbose"));
    let last = given.last(&['l', 'g', 'o', 'n', '\x03', 'C', 'x', 'm', '\x0b']);
    let long = match last {
        Some('\x0b') => long_word,
        Some(letter) => matches!(letter, 'l' | 'g' | 'o' | 'n' | '\x03'),
        None => false,
    };
    let sort = self::sort(given, long)?;
    Ok(Options {
        hidden,
        itself: given.has('d'),
        long,
        owner: !given.has('g'),
        group: !given.has('o') && !given.has('G'),
        numbers: given.has('n'),
        human: given.last(&['h', 'k']) == Some('h'),
        blocks: given.has('s'),
        recursive: given.has('R') && !given.has('d'),
        reverses: given.has('r'),
        sort,
        folders_first: given.has('\x02') && sort != Sort::None,
        follows: given.last(&['L', 'H']) == Some('L'),
        follows_operands: given.has('H'),
        marks: marks(given)?,
        style: match given.last(&['\x03', '\x04']) {
            Some('\x03') => "full-iso".into(),
            Some(_) => style(given)?,
            None => BString::default(),
        },
        left_out: given.values('I').map(|pattern| Pattern::written(pattern)).collect(),
        backups_left_out: given.has('B'),
    })
}

fn style(given: &Given) -> Result<BString, String> {
    let style = given.value('\x04').cloned().unwrap_or_default();
    let bare = style.strip_prefix(b"posix-").unwrap_or(&style);
    match bare {
        b"full-iso" | b"long-iso" | b"iso" | b"locale" | [b'+', ..] => Ok(bare.into()),
        _ => Err(format!("invalid argument ‘{style}’ for ‘time style’")),
    }
}

fn sort(given: &Given, long: bool) -> Result<Sort, String> {
    let last = given.last(&['t', 'S', 'X', 'U', 'f', 'v', '\x05']);
    Ok(match last {
        Some('t') => Sort::Time,
        Some('S') => Sort::Size,
        Some('X') => Sort::Extension,
        Some('v') => Sort::Version,
        Some('\x05') => match &***given.value('\x05').expect("it was given") {
            b"none" => Sort::None,
            b"name" => Sort::Name,
            b"time" => Sort::Time,
            b"size" => Sort::Size,
            b"extension" => Sort::Extension,
            b"version" => Sort::Version,
            _ => return Err(format!("invalid argument ‘{}’ for ‘--sort’", given.value('\x05').expect("it was given"))),
        },
        Some(_) => Sort::None,
        // Times that are not shown are sorted by.
        None if !long && (given.has('c') || given.has('u') || given.has('\x08')) => Sort::Time,
        None => Sort::Name,
    })
}

fn marks(given: &Given) -> Result<Marks, String> {
    Ok(match given.last(&['F', '\x0e', 'p', '\x06', '\x07']) {
        None => Marks::None,
        Some('F') => Marks::All,
        Some('\x0e') => match &***given.value('\x0e').expect("it was given") {
            b"" | b"always" | b"yes" | b"force" => Marks::All,
            // The output is no terminal.
            b"auto" | b"never" | b"no" | b"none" | b"tty" | b"if-tty" => Marks::None,
            other => return Err(format!("invalid argument ‘{}’ for ‘--classify’", BString::from(other))),
        },
        Some('p') => Marks::Folders,
        Some('\x07') => Marks::Types,
        Some(_) => match &***given.value('\x06').expect("it was given") {
            b"none" => Marks::None,
            b"slash" => Marks::Folders,
            b"file-type" => Marks::Types,
            b"classify" => Marks::All,
            other => return Err(format!("invalid argument ‘{}’ for ‘--indicator-style’", BString::from(other))),
        },
    })
}
