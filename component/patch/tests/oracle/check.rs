//! Prints one diff with git and with the crate, and compares them byte for byte.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};
use patch::rename::{self, File};
use patch::stat::{FileStat, shortstat, stat};
use patch::{Abbrev, Change, Content, Options, Side, count, name_only, summary, unified};

use crate::git::{RawChange, Repo};
use crate::tree::{SUBMODULE, Tree};

/// What to print.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    Patch,
    Stat(usize),
    Shortstat,
    /// Further output, as below a commit.
    Summary,
    NameOnly,
}

/// A diff to compare: git's arguments, and the same options for the crate.
pub struct Ask<'a> {
    pub args: &'a [&'a str],
    pub form: Form,
    pub options: Options<'a>,
    /// The options of rename detection, or `None` without it.
    pub renames: Option<rename::Options<'a>>,
}

/// The source of contents: the trees that the repository was made of.
pub struct Trees<'t> {
    pub before: &'t Tree,
    pub after: &'t Tree,
}

/// Compares `ask` for the changes between `ends` (git's arguments). Returns the number of changes.
pub fn check(repo: &Repo, trees: &Trees<'_>, ends: &[&str], ask: &Ask<'_>, context: &str) -> usize {
    check_raw(repo, &repo.raw(ends), trees, ends, ask, context)
}

/// As above, for changes that are already known.
pub fn check_raw(
    repo: &Repo,
    raw: &[RawChange],
    trees: &Trees<'_>,
    ends: &[&str],
    ask: &Ask<'_>,
    context: &str,
) -> usize {
    let args: Vec<&str> = ["diff"].iter().chain(ask.args).chain(ends).copied().collect();
    let expected = repo.git(&args, b"");
    let changes = changes(raw, trees, ask.renames.as_ref());
    let abbrev = |id: &patch::ObjectId| repo.abbrev(id);
    let mut options = ask.options;
    if matches!(options.abbrev, Abbrev::Length(_)) {
        options.abbrev = Abbrev::Unique(&abbrev);
    }
    let actual = print(&changes, ask.form, &options);
    assert!(
        actual == expected,
        "{context}: git {args:?} in {}\n{}",
        repo.folder().display(),
        first_difference(&expected, &actual)
    );
    changes.len()
}

/// The crate's output for known changes.
pub fn printed(raw: &[RawChange], trees: &Trees<'_>, ask: &Ask<'_>) -> Vec<u8> {
    print(&changes(raw, trees, ask.renames.as_ref()), ask.form, &ask.options)
}

pub fn side<'a>(tree: &'a Tree, path: &'a BStr, (mode, id): (u32, patch::ObjectId)) -> Side<'a> {
    let content = if mode == SUBMODULE { Content::Submodule } else { Content::Bytes(&tree[path.as_bytes()].1) };
    Side { path, mode, id, content }
}

fn changes<'a>(raw: &'a [RawChange], trees: &'a Trees<'_>, renames: Option<&rename::Options<'_>>) -> Vec<Change<'a>> {
    let old = |change: &'a RawChange| side(trees.before, change.path.as_bstr(), change.old);
    let new = |change: &'a RawChange| side(trees.after, change.path.as_bstr(), change.new);
    let with = |status: u8| raw.iter().filter(move |change| change.status == status);
    let (deleted, added): (Vec<_>, Vec<_>) = (with(b'D').map(old).collect(), with(b'A').map(new).collect());
    let found = match renames {
        Some(options) => detect(&deleted, &added, options),
        None => Vec::new(),
    };
    let (mut next_deleted, mut next_added) = (0.., 0..);
    raw.iter()
        .filter_map(|change| match change.status {
            b'A' => {
                let index = next_added.next().expect("the range is endless");
                Some(match found.iter().find(|rename| rename.added == index) {
                    None => Change::Add(new(change)),
                    Some(rename) => Change::Rename {
                        old: deleted[rename.deleted],
                        new: new(change),
                        similarity: rename.similarity(),
                    },
                })
            }
            b'D' => {
                let index = next_deleted.next().expect("the range is endless");
                let gone = !found.iter().any(|rename| rename.deleted == index);
                gone.then(|| Change::Delete(old(change)))
            }
            b'U' => Some(Change::Unmerged { path: change.path.as_bstr() }),
            _ => Some(Change::Modify { old: old(change), new: new(change) }),
        })
        .collect()
}

fn detect(deleted: &[Side<'_>], added: &[Side<'_>], options: &rename::Options<'_>) -> Vec<rename::Rename> {
    let files = |sides: &[Side<'_>]| -> Vec<(Vec<u8>, u32, patch::ObjectId)> {
        sides.iter().map(|side| (side.path.to_vec(), side.mode, side.id)).collect()
    };
    let (old, new) = (files(deleted), files(added));
    fn borrow(files: &[(Vec<u8>, u32, patch::ObjectId)]) -> Vec<File<'_>> {
        files.iter().map(|(path, mode, id)| File { path: path.as_bstr(), mode: *mode, id: *id }).collect()
    }
    let found = rename::detect(&borrow(&old), &borrow(&new), options, |id| {
        deleted.iter().chain(added).find(|side| side.id == *id).and_then(|side| match side.content {
            Content::Bytes(bytes) => Some(Cow::Borrowed(bytes)),
            Content::Submodule | Content::Absent => None,
        })
    });
    found.expect("no deadline is set").renames
}

fn print(changes: &[Change<'_>], form: Form, options: &Options<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let stats = || -> Vec<FileStat> {
        changes
            .iter()
            .map(|change| FileStat::new(change, count(change, options).expect("no deadline is set")))
            .collect()
    };
    match form {
        Form::Patch => {
            for change in changes {
                let start = out.len();
                let counts = unified(change, options, &mut out).expect("no deadline is set");
                assert_eq!((counts.added, counts.deleted), marked_lines(&out[start..]));
            }
        }
        Form::Stat(width) => stat(&stats(), width, &mut out),
        Form::Shortstat => shortstat(&stats(), &mut out),
        Form::Summary => {
            shortstat(&stats(), &mut out);
            changes.iter().for_each(|change| summary(change, &mut out));
        }
        Form::NameOnly => changes.iter().for_each(|change| name_only(change, &mut out)),
    }
    out
}

/// The numbers of `+` and `-` lines in the hunks of a patch.
fn marked_lines(patch: &[u8]) -> (u64, u64) {
    let (mut added, mut deleted, mut in_hunk) = (0, 0, false);
    for line in patch.lines() {
        match line.first() {
            Some(b'@') => in_hunk = true,
            Some(b'd') => in_hunk = false,
            Some(b'+') if in_hunk => added += 1,
            Some(b'-') if in_hunk => deleted += 1,
            _ => {}
        }
    }
    (added, deleted)
}

pub fn first_difference(expected: &[u8], actual: &[u8]) -> String {
    let (expected, actual): (Vec<_>, Vec<_>) = (expected.lines().collect(), actual.lines().collect());
    let at = expected.iter().zip(&actual).position(|(a, b)| a != b).unwrap_or(expected.len().min(actual.len()));
    let show = |lines: &[&[u8]]| {
        let range = at.saturating_sub(12).min(lines.len())..(at + 8).min(lines.len());
        lines[range].iter().map(|line| format!("    {}\n", line.as_bstr().escape_ascii())).collect::<String>()
    };
    format!("line {}\n  git:\n{}  here:\n{}", at + 1, show(&expected), show(&actual))
}
