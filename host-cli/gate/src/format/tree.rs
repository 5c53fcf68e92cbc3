//! Trees: a lenient reader, and the rules for trees.

use patch::sort::sort;
use std::cmp::Ordering;

use bstr::{BStr, ByteSlice};
use gix_hash::{ObjectId, oid};
use gix_object::Kind;

use super::{Broken, Link, dotgit, special::Special};
use crate::{pack::Origin, text};

/// The kind of a tree entry: the file type of its mode, and the executable bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// 100644
    File,
    /// 100755
    Executable,
    /// 120000
    Symlink,
    /// 40000
    Tree,
    /// 160000: a commit of another repository.
    Submodule,
}

impl Mode {
    /// The mode as git writes it in a patch: six octal digits.
    pub fn value(self) -> u32 {
        match self {
            Mode::File => 0o100644,
            Mode::Executable => 0o100755,
            Mode::Symlink => 0o120000,
            Mode::Tree => 0o040000,
            Mode::Submodule => 0o160000,
        }
    }

    /// The mode in the bytes of a tree, if it is one of the five that git writes today.
    fn canonical(digits: &[u8]) -> Option<Self> {
        Some(match digits {
            b"100644" => Mode::File,
            b"100755" => Mode::Executable,
            b"120000" => Mode::Symlink,
            b"40000" => Mode::Tree,
            b"160000" => Mode::Submodule,
            _ => return None,
        })
    }

    /// The mode as git reads older spellings: leading zeros, other permission bits.
    pub(crate) fn lenient(digits: &[u8]) -> Option<Self> {
        if digits.is_empty() || digits.len() > 7 || !digits.iter().all(|digit| (b'0'..=b'7').contains(digit)) {
            return None;
        }
        let value = digits.iter().fold(0u32, |value, digit| value << 3 | u32::from(digit - b'0'));
        Some(match value & 0o170000 {
            0o100000 if value & 0o100 == 0 => Mode::File,
            0o100000 => Mode::Executable,
            0o120000 => Mode::Symlink,
            0o040000 => Mode::Tree,
            0o160000 => Mode::Submodule,
            _ => return None,
        })
    }

    /// The kind of object that such an entry names; `None` for submodules, whose commits live
    /// elsewhere.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Mode::File | Mode::Executable | Mode::Symlink => Some(Kind::Blob),
            Mode::Tree => Some(Kind::Tree),
            Mode::Submodule => None,
        }
    }
}

/// One entry of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Its kind.
    pub mode: Mode,
    /// Its name in the folder.
    pub name: &'a BStr,
    /// The object it names.
    pub id: &'a oid,
    /// Whether the mode is spelled as git spells it today.
    canonical: bool,
}

/// The entries of a tree, in order. Stops after the first unreadable one.
pub fn entries(tree: &[u8]) -> impl Iterator<Item = Result<Entry<'_>, Broken>> {
    let mut rest = tree;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let read = entry(&mut rest).ok_or_else(|| Broken::format("an entry is cut short or has no known mode"));
        if read.is_err() {
            rest = &[];
        }
        Some(read)
    })
}

fn entry<'a>(rest: &mut &'a [u8]) -> Option<Entry<'a>> {
    let (digits, after) = rest.split_once_str(b" ")?;
    let (name, after) = after.split_at(after.find_byte(0)?);
    let (id, after) = after[1..].split_at_checked(20)?;
    *rest = after;
    let canonical = Mode::canonical(digits);
    let mode = canonical.or_else(|| Mode::lenient(digits))?;
    Some(Entry { mode, name: name.as_bstr(), id: oid::from_bytes_unchecked(id), canonical: canonical.is_some() })
}

/// Git's order of entries: a folder sorts as if its name ended in a slash.
pub fn order(a: (&BStr, Mode), b: (&BStr, Mode)) -> Ordering {
    let end = |mode| if mode == Mode::Tree { b'/' } else { 0 };
    let common = a.0.len().min(b.0.len());
    a.0[..common].cmp(&b.0[..common]).then_with(|| {
        let at = |(name, mode): (&BStr, Mode)| name.get(common).copied().unwrap_or(end(mode));
        at(a).cmp(&at(b))
    })
}

/// The most bytes of one name. Git's fsck warns about longer ones.
const LONGEST_NAME: usize = 4096;

/// Refuses entries of new trees that no list of changed files would show, because the folder has no
/// file, and whose name means something to git that they are not.
pub(crate) fn check_new(entry: &Entry<'_>) -> Result<(), Broken> {
    if entry.mode == Mode::Tree && entry.id.is_empty_tree() {
        return Err(Broken::format(format!("{}: an empty folder, which git does not keep", text::name(entry.name)))
            .with_hint("put a file into the folder, or leave it out"));
    }
    let no_file = matches!(entry.mode, Mode::Tree | Mode::Submodule);
    match Special::named(entry.name) {
        Some(Special::Modules) if no_file || entry.mode == Mode::Symlink => {}
        Some(Special::Attributes) if no_file => {}
        _ => return Ok(()),
    }
    Err(Broken::path(format!("{}: git reads a file of that name, but this is not a file", text::name(entry.name))))
}

/// Checks every entry and reports the objects it names.
pub(super) fn check(tree: &[u8], origin: Origin, link: &mut dyn FnMut(Link)) -> Result<(), Broken> {
    let mut previous: Option<Entry<'_>> = None;
    // Files whose names a later folder may still repeat: `a`, `a.txt`, then `a/`.
    let mut open: Vec<&BStr> = Vec::new();
    let mut sorted = true;
    for entry in entries(tree) {
        let entry = entry?;
        let quoted = || text::name(entry.name);
        if let Some(why) = dotgit::unsafe_name(entry.name) {
            return Err(Broken::path(format!("{}: {why}", quoted())));
        }
        if entry.mode == Mode::Symlink && dotgit::is_gitmodules(entry.name) {
            return Err(Broken::path(format!("{}: .gitmodules must not be a symlink", quoted())));
        }
        if origin == Origin::New {
            if !entry.canonical {
                return Err(Broken::format(format!("{}: a mode that git does not write", quoted())));
            }
            if entry.id.is_null() {
                return Err(Broken::format(format!("{}: names the null id", quoted())));
            }
            if entry.name.len() > LONGEST_NAME {
                return Err(Broken::path(format!("a name has more than the {LONGEST_NAME} bytes allowed")));
            }
            check_new(&entry)?;
        }
        if let Some(previous) = previous {
            sorted &= order((previous.name, previous.mode), (entry.name, entry.mode)).is_lt();
            if previous.name == entry.name {
                return Err(twice(entry.name));
            }
        }
        if sorted {
            while open.pop_if(|file| !entry.name.starts_with(file)).is_some() {}
            if entry.mode == Mode::Tree {
                if open.last().is_some_and(|file| *file == entry.name) {
                    return Err(twice(entry.name));
                }
            } else {
                open.push(entry.name);
            }
        } else if origin == Origin::New {
            return Err(Broken::format(format!("{}: the entries are not in git's order", quoted())));
        }
        if let Some(kind) = entry.mode.kind() {
            link(Link::To(entry.id.to_owned(), kind));
        }
        previous = Some(entry);
    }
    if sorted { Ok(()) } else { no_name_twice(tree) }
}

/// The slow way, for trees that are not sorted.
fn no_name_twice(tree: &[u8]) -> Result<(), Broken> {
    let mut names = entries(tree).map(|entry| entry.map(|entry| entry.name)).collect::<Result<Vec<_>, _>>()?;
    sort(&mut names);
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(twice(pair[0])),
        None => Ok(()),
    }
}

fn twice(name: &BStr) -> Broken {
    Broken::path(format!("{}: the name appears twice in one folder", text::name(name)))
}

/// The entries as owned values, for a verified tree or one from the host.
pub fn read(tree: &[u8]) -> Result<Vec<(bstr::BString, Mode, ObjectId)>, Broken> {
    entries(tree).map(|entry| entry.map(|entry| (entry.name.to_owned(), entry.mode, entry.id.to_owned()))).collect()
}
