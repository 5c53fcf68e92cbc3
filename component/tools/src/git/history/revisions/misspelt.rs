//! git's error messages for unknown revisions.

use std::borrow::Cow;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::index::entry::Stage;

use super::{RULES, Revisions, sides, without_parent};
use crate::error::ToolError;
use crate::git::history::tracking;
use crate::git::store::refs::{self, reflog};
use crate::git::store::repo::Head;

/// The error for the unknown revision `named`.
pub fn explain(revisions: &Revisions<'_>, named: &str) -> ToolError {
    let message = format!("{}{}", revisions.said(), message(revisions, named));
    ToolError::not_found(message).hint(match revisions.is_path(named) {
        true => format!("{named} is a file or folder. Name it in paths."),
        false => "Name a branch, a tag, a commit or HEAD~n. Name files in paths.".to_owned(),
    })
}

fn message(revisions: &Revisions<'_>, named: &str) -> String {
    if without_parent(named).is_some_and(|(_, number)| number.is_none()) {
        // git has not looked anything up.
        return unknown(revisions, named);
    }
    let is_range = named.contains("..");
    for side in sides(named) {
        if let Some(message) = upstream(revisions, side).or_else(|| log(revisions, side)) {
            return message;
        }
        // If one side is unknown, git takes the whole range as one name.
        if is_range && !is_known(revisions, side) {
            let message = upstream(revisions, named).or_else(|| missing(revisions, named));
            return message.unwrap_or_else(|| unknown(revisions, named));
        }
    }
    missing(revisions, named).unwrap_or_else(|| unknown(revisions, named))
}

/// The message for a name without any meaning.
fn unknown(revisions: &Revisions<'_>, named: &str) -> String {
    if revisions.has_end {
        return format!("fatal: bad revision '{named}'");
    }
    if let Some(message) = in_tree(revisions, named).or_else(|| in_index(revisions, named)) {
        return message;
    }
    format!(
        "fatal: ambiguous argument '{named}': unknown revision or path not in the working tree.\n\
         Use '--' to separate paths from revisions, like this:\n\
         'git <command> [<revision>...] -- [<file>...]'"
    )
}

/// The id, if `name` is one in full, whether the object exists or not.
pub fn full(name: &str) -> Option<ObjectId> {
    ObjectId::from_hex(name.as_bytes()).ok()
}

fn exists(revisions: &Revisions<'_>, name: &str) -> bool {
    spelt_out(revisions, name)
        .is_some_and(|name| revisions.repo.gix.rev_parse_single(name.as_bytes().as_bstr()).is_ok())
}

/// Whether one side of a range names an object, even a missing one.
pub fn is_known(revisions: &Revisions<'_>, side: &str) -> bool {
    full(side).is_some() || exists(revisions, if side.is_empty() { "HEAD" } else { side })
}

/// The message for an id whose object is missing.
fn missing(revisions: &Revisions<'_>, named: &str) -> Option<String> {
    if full(named).is_some() {
        return Some(format!("fatal: bad object {named}"));
    }
    let (what, two) = match named.split_once("...") {
        Some(two) => ("symmetric difference expression", two),
        None => ("revision range", named.split_once("..")?),
    };
    (is_known(revisions, two.0) && is_known(revisions, two.1)).then(|| format!("fatal: Invalid {what} {named}"))
}

/// Replaces each upstream in `named` by the full name of its ref, if that is a local branch, and each reflog entry by its id. `None` if a
/// log lacks the entry.
pub fn spelt_out<'n>(revisions: &Revisions<'_>, named: &'n str) -> Option<Cow<'n, str>> {
    if !named.contains("@{") {
        return Some(Cow::Borrowed(named));
    }
    let dots = if named.contains("...") { "..." } else { ".." };
    let spelt = |side| spelt_upstream(revisions, side).or_else(|| spelt_log(revisions, side));
    let sides: Option<Vec<_>> = sides(named).map(spelt).collect();
    sides.map(|sides| Cow::Owned(sides.join(dots)))
}

/// Replaces an upstream at one side, if it is a local branch. gix reads the others itself.
fn spelt_upstream(revisions: &Revisions<'_>, side: &str) -> Option<String> {
    let (at, end) = mark(side)?;
    let branch = match &side[..at] {
        "" | "HEAD" | "@" => revisions.repo.head().ok().and_then(|head| head.branch().cloned()),
        name => Some(format!("refs/heads/{name}").into()),
    };
    let upstream = branch.and_then(|branch| tracking::name(revisions.repo, branch.as_bstr()));
    let local = upstream.filter(|name| name.starts_with(b"refs/heads/"));
    Some(local.map_or_else(|| side.to_owned(), |name| format!("{name}{}", &side[end..])))
}

/// Replaces a numbered reflog entry at one side by its id. `None` if the log has no such entry.
fn spelt_log(revisions: &Revisions<'_>, side: &str) -> Option<String> {
    let unchanged = || Some(side.to_owned());
    let Some((name, entry)) = side.split_once("@{") else { return unchanged() };
    if name.is_empty() && entry.starts_with(['-', 'u', 'p']) {
        return unchanged();
    }
    let Some(full) = logged(revisions, name) else { return unchanged() };
    match number(entry) {
        Some((number, rest)) => numbered(revisions, &full, number).map(|id| format!("{id}{rest}")),
        // With HEAD detached, `@{…}` means HEAD's own log. gix knows only that of a branch.
        None if name.is_empty() && full != "HEAD" => unchanged(),
        None => Some(format!("{full}@{{{entry}")),
    }
}

/// The id of entry `number` in the log of the ref `full`.
fn numbered(revisions: &Revisions<'_>, full: &str, number: usize) -> Option<ObjectId> {
    let lines = reflog::lines(revisions.repo, full.into()).ok()?.unwrap_or_default();
    let mut reference = revisions.repo.gix.try_find_reference(full).ok()??;
    let tip = reference.follow_to_object().ok()?.detach();
    reflog::at(&lines, number, tip)
}

/// The number at the beginning of `entry`, the text after `@{`, and the rest.
fn number(entry: &str) -> Option<(usize, &str)> {
    let (number, rest) = entry.split_once('}')?;
    let is_number = number.bytes().all(|digit| digit.is_ascii_digit());
    number.parse().ok().filter(|_| is_number).map(|number| (number, rest))
}

/// The ref whose log `name` means. This skips refs without a log, except a symbolic ref to one with a log (git's refs.c, `repo_dwim_log`).
/// An empty name means the current branch or HEAD, with or without a log.
fn logged(revisions: &Revisions<'_>, name: &str) -> Option<String> {
    let resolved = |full: &str| {
        let mut reference = revisions.repo.gix.try_find_reference(full).ok()??;
        let is_it = reference.name().as_bstr() == full.as_bytes();
        for _ in 0..refs::DEEPEST {
            match reference.follow() {
                Some(followed) => reference = followed.ok()?,
                None => return is_it.then_some(reference),
            }
        }
        None
    };
    if name.is_empty() {
        return Some(resolved("HEAD")?.name().as_bstr().to_str_lossy().into_owned());
    }
    RULES.iter().find_map(|rule| {
        let full = rule.replace('%', name);
        let reference = resolved(&full)?;
        let has_log = |name: &str| revisions.repo.gix.refs.reflog_exists(name).unwrap_or(false);
        let target = reference.name().as_bstr().to_str_lossy();
        if has_log(&full) { Some(full) } else { has_log(&target).then(|| target.into_owned()) }
    })
}

/// The position and the end of the mark of an upstream.
fn mark(side: &str) -> Option<(usize, usize)> {
    let lower = side.to_ascii_lowercase();
    ["@{u}", "@{upstream}"].into_iter().find_map(|mark| lower.find(mark).map(|at| (at, at + mark.len())))
}

/// The message for a branch without an upstream.
fn upstream(revisions: &Revisions<'_>, side: &str) -> Option<String> {
    let (at, _) = mark(side)?;
    let head = revisions.repo.head().ok()?;
    let (branch, name) = match &side[..at] {
        "" | "HEAD" | "@" => match head {
            Head::Detached { .. } => return Some("fatal: HEAD does not point to a branch".to_owned()),
            Head::Branch { name, .. } | Head::Unborn { name } => {
                let short = name.strip_prefix(b"refs/heads/").unwrap_or(&name).to_str_lossy().into_owned();
                (name, short)
            }
        },
        name => (format!("refs/heads/{name}").into(), name.to_owned()),
    };
    let config = revisions.repo.gix.config_snapshot();
    let Some(merge) = config.string(format!("branch.{name}.merge").as_str()) else {
        return Some(match revisions.repo.has_ref(branch.as_bstr()).ok()? {
            true => format!("fatal: no upstream configured for branch '{name}'"),
            false => format!("fatal: no such branch: '{name}'"),
        });
    };
    match tracking::name(revisions.repo, branch.as_bstr()) {
        Some(_) => None,
        None => Some(format!("fatal: upstream branch '{merge}' not stored as a remote-tracking branch")),
    }
}

/// The message for a reflog with too few entries.
fn log(revisions: &Revisions<'_>, side: &str) -> Option<String> {
    let (name, entry) = side.split_once("@{")?;
    let (number, _) = number(entry)?;
    let full = logged(revisions, name)?;
    let shown = if name.is_empty() { full.strip_prefix("refs/heads/").unwrap_or("HEAD") } else { name };
    match reflog::lines(revisions.repo, full.as_str().into()).ok()?.unwrap_or_default().len() {
        // Entry 0 of an empty log is the ref's value.
        0 if number == 0 => None,
        0 => Some(format!("fatal: log for {full} is empty")),
        entries if number >= entries => Some(format!("fatal: log for '{shown}' only has {entries} entries")),
        _ => None,
    }
}

/// The message for a path that a tree does not have.
fn in_tree(revisions: &Revisions<'_>, named: &str) -> Option<String> {
    let (object, path) = named.split_once(':').filter(|(object, _)| !object.is_empty())?;
    if full(object).is_none() && !exists(revisions, object) {
        return Some(format!("fatal: invalid object name '{object}'."));
    }
    if revisions.repo.stat(path.trim_end_matches('/').into()).is_ok() {
        return Some(format!("fatal: path '{path}' exists on disk, but not in '{object}'"));
    }
    let below = format!("{}/{path}", revisions.folder);
    if !revisions.folder.is_empty() && exists(revisions, &format!("{object}:{below}")) {
        return Some(format!(
            "fatal: path '{below}' exists, but not '{path}'\n\
             hint: Did you mean '{object}:{below}' aka '{object}:./{path}'?"
        ));
    }
    Some(format!("fatal: path '{path}' does not exist in '{object}'"))
}

/// The message for `:path`, or for `:n:path` with a stage.
fn in_index(revisions: &Revisions<'_>, named: &str) -> Option<String> {
    let named = named.strip_prefix(':')?;
    let staged = named.split_once(':').filter(|(stage, _)| matches!(*stage, "0" | "1" | "2" | "3"));
    let (stage, path) = staged.unwrap_or(("0", named));
    if path.is_empty() || named.starts_with('/') {
        return None;
    }
    let index = revisions.repo.gix.index_or_empty().ok()?;
    let stages = [Stage::Unconflicted, Stage::Base, Stage::Ours, Stage::Theirs];
    if let Some(at) = stages.into_iter().position(|stage| index.entry_by_path_and_stage(path.into(), stage).is_some()) {
        return Some(format!(
            "fatal: path '{path}' is in the index, but not at stage {stage}\nhint: Did you mean ':{at}:{path}'?"
        ));
    }
    Some(match revisions.repo.stat(path.into()) {
        Ok(_) => format!("fatal: path '{path}' exists on disk, but not in the index"),
        Err(_) => format!("fatal: path '{path}' does not exist (neither on disk nor in the index)"),
    })
}
