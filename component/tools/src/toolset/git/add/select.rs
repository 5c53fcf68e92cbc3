//! Selects the files that `git_add` takes, as `git add` does.

use std::rc::Rc;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Flags;
use gix::index::{Entry, State};

use super::ignored;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::pathspec::{Item, Pathspec};
use crate::git::store::repo::Repo;
use crate::git::words::advice::advice;
use crate::git::worktree::add_to_index::Staging;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::sparse::Sparse;
use crate::git::worktree::{diff_files, nested};
use crate::platform::Kind;

/// Which files qualify.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Which {
    /// Tracked and new files.
    Any,
    /// Tracked files only.
    Tracked,
}

/// The paths that the index should take from the working folder. Without a pathspec, all of them. What is `forced` is taken although it is
/// ignored.
///
/// # Errors
///
/// In git's words, for a path that matches nothing, is ignored, is outside the sparse checkout, is behind a link, or is in a submodule.
pub fn select(
    repo: &Repo,
    index: &Rc<State>,
    pathspec: &Pathspec,
    which: Which,
    forced: &[BString],
    deadline: &Deadline,
) -> Result<Staging, ToolError> {
    let items = pathspec.items();
    items.iter().try_for_each(|item| not_behind_a_link(repo, item))?;
    items.iter().try_for_each(|item| outside_submodules(index, item))?;
    let attributes = Attributes::of(repo, index.clone(), deadline);
    let options = diff_files::Options { untracked: which == Which::Any, compare: diff_files::Compare::Stat, pathspec };
    let scan = diff_files::scan(repo, index, &attributes, &options, deadline)?;
    let mut staging = Staging::default();
    let new = scan.untracked_files.into_iter().map(|(path, _)| path);
    let counts = |path: &BString| match path.ends_with(b"/") {
        true => pathspec.matches_repository(path.as_bstr()),
        false => pathspec.matches(path.as_bstr()),
    };
    staging.untracked.extend(new.filter(counts));
    staging.untracked.extend(forced.iter().cloned());
    let mut left_out: Vec<&str> = Vec::new();
    for item in items {
        deadline.poll()?;
        let is_new = staging.untracked.iter().any(|path| item.matches(path.as_bstr()));
        if is_new || has_tracked(index, item, |entry| !is_skipped(entry)) {
            continue;
        }
        if has_tracked(index, item, is_skipped) {
            left_out.push(item.original());
        } else if !item.path().is_empty() && !is_there(repo, item.path()) {
            return Err(ToolError::not_found(format!("fatal: pathspec '{}' did not match any files", item.original())));
        }
    }
    let warning = if left_out.is_empty() { String::new() } else { outside_of_sparse(&left_out) };
    let sparse = Sparse::load(repo)?;
    let is_in = |path: &BStr| sparse.as_ref().is_none_or(|sparse| sparse.contains(path));
    for change in scan.changes.into_iter().filter(|change| is_in(change.path.as_bstr())) {
        staging.take(repo, change).map_err(|error| error.behind(&warning))?;
    }
    if which == Which::Tracked {
        every_item_is_tracked(index, items).map_err(|error| error.behind(&warning))?;
    }
    let outside: Vec<String> =
        staging.untracked.iter().filter(|path| !is_in(path.as_bstr())).map(ToString::to_string).collect();
    left_out.extend(outside.iter().map(String::as_str));
    let mut complaints = String::new();
    if !left_out.is_empty() {
        complaints.push_str(&outside_of_sparse(&left_out));
    }
    if which == Which::Any && forced.is_empty() {
        complaints.push_str(&ignored::complaint(repo, index, items, deadline)?);
    }
    let nested = staging.untracked.iter().find(|path| path.ends_with(b"/"));
    if let Some(nested) = nested {
        return Err(nested::refusal(repo, nested.as_bstr(), "adding").behind(&complaints));
    }
    if !complaints.is_empty() {
        return Err(ToolError::failed(complaints.trim_end())
            .hint("Nothing was added. Leave these paths out. Call git_status to see what you can add."));
    }
    Ok(staging)
}

fn is_skipped(entry: &Entry) -> bool {
    entry.flags.contains(Flags::SKIP_WORKTREE)
}

fn is_there(repo: &Repo, path: &BStr) -> bool {
    // A slash at the end requires a folder.
    let is_folder = path.ends_with(b"/");
    repo.stat(path.trim_end_with(|c| c == '/').as_bstr()).is_ok_and(|stat| !is_folder || stat.kind == Kind::Folder)
}

/// Whether the item matches an entry for which `counts` is true.
fn has_tracked(index: &State, item: &Item, counts: impl Fn(&Entry) -> bool) -> bool {
    let (path, literal) = (item.path(), item.literal());
    let is_path = path == literal && !path.is_empty();
    // A plain path matches only itself and what is below it.
    let prefix = if is_path { path.trim_end_with(|c| c == '/').as_bstr() } else { literal };
    let from = index.entries().partition_point(|entry| entry.path(index) < prefix);
    let candidates = index.entries()[from..].iter().take_while(|entry| entry.path(index).starts_with(prefix));
    let mut matching = candidates.filter(|entry| item.matches_mode(entry.path(index), entry.mode.bits()));
    matching.any(counts)
}

fn every_item_is_tracked(index: &State, items: &[Item]) -> Result<(), ToolError> {
    let missing = items.iter().filter(|item| !has_tracked(index, item, |_| true));
    let lines: Vec<String> = missing
        .map(|item| format!("error: pathspec '{}' did not match any file(s) known to git", item.original()))
        .collect();
    if lines.is_empty() { Ok(()) } else { Err(ToolError::not_found(lines.join("\n"))) }
}

/// Refuses a path behind a symbolic link.
fn not_behind_a_link(repo: &Repo, item: &Item) -> Result<(), ToolError> {
    for slash in item.path().find_iter(b"/") {
        match repo.stat(item.path()[..slash].as_bstr()).map(|stat| stat.kind) {
            Ok(Kind::Link) => {
                let message = format!("fatal: pathspec '{}' is beyond a symbolic link", item.original());
                return Err(ToolError::failed(message).hint("Name the files by their real paths."));
            }
            Ok(Kind::Folder) => {}
            _ => break,
        }
    }
    Ok(())
}

/// Refuses a path in a submodule of `index`.
fn outside_submodules(index: &State, item: &Item) -> Result<(), ToolError> {
    let Some(folder) = nested::submodule_above(index, item.path()) else { return Ok(()) };
    let message = format!("fatal: Pathspec '{}' is in submodule '{folder}'", item.original());
    Err(ToolError::failed(message).hint(nested::OUTSIDE))
}

fn outside_of_sparse(paths: &[&str]) -> String {
    let list: String = paths.iter().map(|path| format!("{path}\n")).collect();
    format!(
        "The following paths and/or pathspecs matched paths that exist\noutside of your sparse-checkout definition, so will not be\n\
         updated in the index:\n{list}{}",
        advice(
            "If you intend to update such entries, try one of the following:\n* Use the --sparse option.\n\
             * Disable or modify the sparsity rules.",
            "updateSparsePath"
        )
    )
}
