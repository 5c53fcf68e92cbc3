//! The files below a folder that `rg` searches.

use std::cmp::Ordering;

use bstr::{BString, ByteSlice};

use super::flags::*;
use super::ignored::Rules;
use super::options::{holds, number};
use super::types::Types;
use crate::commands::arguments::Given;
use crate::commands::entries::parent;
use crate::commands::walk::{Entry, Order, Step, Walk};
use crate::exec::{Call, Ended};
use crate::io::reason;
use crate::state::Shell;
use crate::world::{Kind, Stat};

/// The files that have rules: those before others hold against them.
const NAMES: [&str; 3] = [".rgignore", ".ignore", ".gitignore"];

/// Which files are searched.
#[derive(Debug)]
pub struct Filter {
    /// Those of `-g`, whose meaning is the other way round.
    globs: Rules,
    types: Types,
    /// Those of `--ignore-file`.
    given: Vec<Rules>,
    /// What is wrong with the files of rules that were given.
    pub wrong: Vec<String>,
    /// Which of the files that have rules are read.
    reads: [bool; 3],
    parents: bool,
    hidden: bool,
    follows: bool,
    ignores_case: bool,
    /// How many patterns of options are tried on every entry.
    weight: usize,
    deepest: usize,
    largest: Option<u64>,
    order: Option<Order>,
}

/// The rules in force for what is in a folder.
type Level = [Option<Rules>; 3];

/// A walk through the files of a folder.
#[derive(Debug)]
pub struct Files<'a> {
    filter: &'a Filter,
    walk: Walk,
    levels: Vec<Level>,
    /// How many patterns each level has.
    weights: Vec<usize>,
}

/// What a walk has come to.
#[derive(Debug)]
pub enum Found {
    /// A file that is to be searched.
    File(Entry),
    /// Something that is wrong.
    Wrong(String),
}

impl Filter {
    /// Reads what was given.
    pub fn read(call: &Call<'_>, given: &Given) -> Result<Filter, String> {
        let unrestricted = given.flags.iter().filter(|(letter, _)| *letter == 'u').count();
        let all = holds(given, NO_IGNORE, IGNORE) || unrestricted > 0;
        let dot = !all && !holds(given, NO_IGNORE_DOT, IGNORE_DOT);
        let vcs = !all && !holds(given, NO_IGNORE_VCS, IGNORE_VCS);
        let ignores_case = given.has(IGNORE_FILE_CASE);
        let (mut rules, mut wrong) = (Vec::new(), Vec::new());
        if !(all || holds(given, NO_IGNORE_FILES, IGNORE_FILES)) {
            for name in given.values(IGNORE_FILE) {
                match call.shell.base.files.read(call.shell.path(name).as_bstr()) {
                    Ok(text) => rules.push(Rules::read(call.shell.folder.clone(), &text, ignores_case)),
                    Err(error) => wrong.push(format!("{name}: {}", os(&error))),
                }
            }
        }
        let largest = given.value(MAX_FILESIZE).map(|text| size(text)).transpose()?;
        let globs = globs(call.shell, given)?;
        Ok(Filter {
            weight: globs.weight() + rules.iter().map(Rules::weight).sum::<usize>(),
            globs,
            types: Types::read(given)?,
            given: rules,
            wrong,
            reads: [!all, dot, vcs],
            parents: !all && !holds(given, NO_IGNORE_PARENT, IGNORE_PARENT),
            hidden: holds(given, '.', NO_HIDDEN) || unrestricted > 1,
            follows: holds(given, 'L', NO_FOLLOW),
            ignores_case,
            deepest: number(given, 'd', "max-depth")?.unwrap_or(usize::MAX),
            largest,
            order: order(given)?,
        })
    }

    /// Whether an entry of a folder is left out.
    fn leaves_out(&self, levels: &[Level], entry: &Entry) -> bool {
        let is_folder = entry.stat.kind == Kind::Folder;
        let (path, name) = (&entry.path, entry.path.rfind_byte(b'/').map_or(0, |at| at + 1));
        if !self.globs.is_empty() {
            // What `-g` names without a mark is what is wanted.
            match self.globs.leaves_out(path, is_folder) {
                Some(wants) => return !wants,
                None if self.globs.excludes() && !is_folder => return true,
                None => (),
            }
        }
        let ignored = self.ignored(levels, path, is_folder);
        if ignored == Some(true) {
            return true;
        }
        let other = if is_folder { None } else { self.types.leaves_out(&path[name..]) };
        match other {
            Some(leaves_out) => leaves_out,
            None => ignored.is_none() && !self.hidden && path.get(name) == Some(&b'.'),
        }
    }

    fn ignored(&self, levels: &[Level], path: &[u8], is_folder: bool) -> Option<bool> {
        for rank in 0..NAMES.len() {
            let rules = levels.iter().rev().filter_map(|level| level[rank].as_ref());
            for rules in rules {
                if let Some(leaves_out) = rules.leaves_out(path, is_folder) {
                    return Some(leaves_out);
                }
            }
        }
        self.given.iter().rev().find_map(|rules| rules.leaves_out(path, is_folder))
    }

    /// The rules that a folder has.
    fn level(&self, shell: &Shell, folder: &BString) -> Result<Level, Ended> {
        let mut level: Level = [None, None, None];
        for (rank, name) in NAMES.iter().enumerate().filter(|(rank, _)| self.reads[*rank]) {
            let path = crate::commands::entries::below(folder, name.as_bytes());
            if let Ok(text) = shell.base.files.read(path.as_bstr()) {
                shell.work(1 + u32::try_from(text.len() / 64).unwrap_or(u32::MAX))?;
                let rules = Rules::read(folder.clone(), &text, self.ignores_case);
                level[rank] = Some(rules).filter(|rules| !rules.is_empty());
            }
        }
        Ok(level)
    }

    /// A walk through what is below an operand.
    pub fn files(&self, shell: &Shell, name: &[u8], stat: Stat) -> Result<Files<'_>, Ended> {
        let walk = Walk::new(shell, name, stat, self.follows).ordered(self.order);
        let mut levels = Vec::new();
        let mut folder = shell.path(name);
        while self.parents && folder != "/" {
            folder = parent(folder.as_bstr()).to_owned();
            levels.push(self.level(shell, &folder)?);
        }
        levels.reverse();
        let weights = levels.iter().map(weight).collect();
        Ok(Files { filter: self, walk, levels, weights })
    }
}

impl Files<'_> {
    fn leave(&mut self) {
        self.levels.pop();
        self.weights.pop();
    }

    /// The next file.
    pub fn next(&mut self, shell: &Shell) -> Result<Option<Found>, Ended> {
        while let Some(step) = self.walk.next(shell)? {
            match step {
                Step::Entry(entry) => {
                    let is_folder = entry.stat.kind == Kind::Folder;
                    let tried = self.weights.iter().sum::<usize>() + self.filter.weight;
                    shell.work(u32::try_from(tried / 16).unwrap_or(u32::MAX))?;
                    if entry.depth > 0 && self.filter.leaves_out(&self.levels, &entry) {
                        if is_folder {
                            self.walk.skip();
                        }
                        continue;
                    }
                    match entry.stat.kind {
                        Kind::Folder if entry.depth >= self.filter.deepest => self.walk.skip(),
                        Kind::Folder => {
                            let level = self.filter.level(shell, &entry.path)?;
                            self.weights.push(weight(&level));
                            self.levels.push(level);
                        }
                        Kind::File if self.filter.largest.is_some_and(|largest| entry.stat.size > largest) => (),
                        Kind::File => return Ok(Some(Found::File(entry))),
                        Kind::Link if self.filter.follows => {
                            let error = os(&std::io::ErrorKind::NotFound.into());
                            let shown = entry.shown;
                            return Ok(Some(Found::Wrong(format!(
                                "{shown}: IO error for operation on {shown}: {error}"
                            ))));
                        }
                        Kind::Link => (),
                    }
                }
                Step::Leave(_) => self.leave(),
                Step::Unlisted(entry, error) => {
                    self.leave();
                    return Ok(Some(Found::Wrong(format!("{}: {}", entry.shown, os(&error)))));
                }
                Step::Cycle(entry) => {
                    let text = format!("File system loop found: {} points to an ancestor", entry.shown);
                    return Ok(Some(Found::Wrong(text)));
                }
            }
        }
        Ok(None)
    }
}

fn weight(level: &Level) -> usize {
    level.iter().flatten().map(Rules::weight).sum()
}

fn globs(shell: &Shell, given: &Given) -> Result<Rules, String> {
    let mut globs = Rules::new(shell.folder.clone());
    if given.has(GLOB_CASE) {
        globs.ignore_case();
    }
    for glob in given.values('g') {
        globs.add(glob)?;
    }
    globs.ignore_case();
    for glob in given.values(IGLOB) {
        globs.add(glob)?;
    }
    Ok(globs)
}

fn order(given: &Given) -> Result<Option<Order>, String> {
    let last = given.flags.iter().rev().find(|(letter, _)| matches!(*letter, SORT | SORTR));
    let Some((letter, by)) = last else { return Ok(None) };
    let reverses = *letter == SORTR;
    let by_name: Order = |(one, _), (other, _)| other.cmp(one);
    let by_time: Order = |(_, one), (_, other)| one.modified.cmp(&other.modified);
    let by_time_back: Order =
        |(_, one): &(BString, Stat), (_, other)| -> Ordering { other.modified.cmp(&one.modified) };
    match (by.as_slice(), reverses) {
        (b"none", _) | (b"path", false) => Ok(None),
        (b"path", true) => Ok(Some(by_name)),
        (b"modified" | b"accessed" | b"created", false) => Ok(Some(by_time)),
        (b"modified" | b"accessed" | b"created", true) => Ok(Some(by_time_back)),
        _ => Err(format!(
            "error: '{by}' isn't a valid value for '--sort <SORTBY>'\n\t[possible values: accessed, created, modified, none, path]\n"
        )),
    }
}

fn size(text: &[u8]) -> Result<u64, String> {
    let wrong = || {
        format!(
            "invalid format for size '{}', which should be a sequence of digits followed by an optional 'K', 'M' or 'G' suffix",
            text.as_bstr()
        )
    };
    let (digits, shift) = match text.split_last() {
        Some((b'K', digits)) => (digits, 10),
        Some((b'M', digits)) => (digits, 20),
        Some((b'G', digits)) => (digits, 30),
        _ => (text, 0),
    };
    let number: u64 = digits.to_str().ok().and_then(|digits| digits.parse().ok()).ok_or_else(wrong)?;
    number.checked_mul(1 << shift).ok_or_else(wrong)
}

/// What went wrong, as Rust's library writes it.
pub fn os(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    let number = match error.kind() {
        ErrorKind::NotFound => 2,
        ErrorKind::PermissionDenied => 13,
        ErrorKind::NotADirectory => 20,
        ErrorKind::IsADirectory => 21,
        _ => return reason(error),
    };
    format!("{} (os error {number})", reason(error))
}
