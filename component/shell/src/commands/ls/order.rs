//! In which order `ls` has names.

use std::cmp::Ordering;

use bstr::ByteSlice;

use super::{Item, Options};
use crate::commands::entries::size;
use crate::world::Kind;

/// What names are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// The name.
    Name,
    /// The time, the latest first.
    Time,
    /// The size, the largest first.
    Size,
    /// What is behind the last dot.
    Extension,
    /// The name, with numbers in it as such.
    Version,
    /// Nothing.
    None,
}

/// Sorts entries.
pub fn sort(items: &mut [Item], options: &Options) {
    items.sort_by(|one, other| {
        let folders = match options.folders_first {
            true => other.leads_to_folder().cmp(&one.leads_to_folder()),
            false => Ordering::Equal,
        };
        let order = order(one, other, options.sort);
        folders.then(if options.reverses { order.reverse() } else { order })
    });
}

fn order(one: &Item, other: &Item, sort: Sort) -> Ordering {
    let by_name = one.name.cmp(&other.name);
    match sort {
        Sort::None => Ordering::Equal,
        Sort::Name => by_name,
        Sort::Time => other.stat.modified.cmp(&one.stat.modified).then(by_name),
        Sort::Size => size(&other.stat).cmp(&size(&one.stat)).then(by_name),
        Sort::Extension => extension(&one.name).cmp(extension(&other.name)).then(by_name),
        Sort::Version => version(&one.name, &other.name).then(by_name),
    }
}

fn extension(name: &[u8]) -> &[u8] {
    name.rfind_byte(b'.').map(|at| &name[at..]).unwrap_or_default()
}

/// Compares names as versions: by turns what is no digit, and numbers. What looks like extensions only counts if the rest is equal.
fn version(one: &[u8], other: &[u8]) -> Ordering {
    let rank = |name: &[u8]| match name {
        b"." => 0,
        b".." => 1,
        name if name.starts_with(b".") => 2,
        _ => 3,
    };
    match rank(one).cmp(&rank(other)) {
        Ordering::Equal if rank(one) < 2 => return Ordering::Equal,
        Ordering::Equal => (),
        order => return order,
    }
    let (short, other_short) = (without_extensions(one), without_extensions(other));
    let cut = if short == other_short { Ordering::Equal } else { parts(short, other_short) };
    if cut == Ordering::Equal { parts(one, other) } else { cut }
}

/// Without the longest end that is made of a dot, a letter or tilde, and letters, digits and tildes, several times.
fn without_extensions(name: &[u8]) -> &[u8] {
    let mut end = name.len();
    while let Some(at) = name[..end].rfind_byte(b'.') {
        let is_extension = name[at + 1..end].first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'~')
            && name[at + 1..end].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'~');
        if !is_extension || at == 0 {
            break;
        }
        end = at;
    }
    &name[..end]
}

fn parts(mut one: &[u8], mut other: &[u8]) -> Ordering {
    let weight = |byte: Option<&u8>| match byte {
        None => 0,
        Some(b'~') => -1,
        Some(digit) if digit.is_ascii_digit() => 0,
        Some(letter) if letter.is_ascii_alphabetic() => i32::from(*letter),
        Some(byte) => i32::from(*byte) + 256,
    };
    let is_text = |byte: &&u8| !byte.is_ascii_digit();
    while !one.is_empty() || !other.is_empty() {
        while one.first().filter(is_text).is_some() || other.first().filter(is_text).is_some() {
            let order = weight(one.first()).cmp(&weight(other.first()));
            if order != Ordering::Equal {
                return order;
            }
            one = one.get(1..).unwrap_or_default();
            other = other.get(1..).unwrap_or_default();
        }
        let (number, rest) = number(one);
        let (other_number, other_rest) = self::number(other);
        let order = number.len().cmp(&other_number.len()).then_with(|| number.cmp(other_number));
        if order != Ordering::Equal {
            return order;
        }
        (one, other) = (rest, other_rest);
    }
    Ordering::Equal
}

/// The number that a text begins with, without zeros in front, and the rest.
fn number(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    (digits.trim_start_with(|char| char == '0'), rest)
}

impl Item {
    /// Whether it is a folder, or leads to one.
    pub fn leads_to_folder(&self) -> bool {
        self.goal.as_ref().unwrap_or(&self.stat).kind == Kind::Folder
    }
}
