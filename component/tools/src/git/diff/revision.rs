//! Revisions as arguments: what they name, and git's words where they name nothing.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::revision::plumbing::Spec;

use super::misspelt;
use super::select::Selection;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::repo::{Repo, damaged};

/// The tree of what `named` means. `has_paths` is for git's words only, which differ where paths follow.
pub fn tree(repo: &Repo, named: &str, has_paths: bool) -> Result<ObjectId, ToolError> {
    match parse(repo, named, has_paths)? {
        Spec::Include(id) => peel(repo, id, named),
        _ => Err(ToolError::bad_args(format!("Not a single revision: {named}"))),
    }
}

/// What a single argument asks for: `a` against the working tree, `a..b`, or `a...b`.
pub fn selection(repo: &Repo, named: &str, has_paths: bool, deadline: &Deadline) -> Result<Selection, ToolError> {
    deadline.poll()?;
    match parse(repo, named, has_paths)? {
        Spec::Include(id) => Ok(Selection::TreeToWorktree(peel(repo, id, named)?)),
        Spec::Range { from, to } => {
            let from = peel(repo, from, named)?;
            Ok(Selection::Trees(from, peel(repo, to, named)?))
        }
        Spec::Merge { theirs, ours } => {
            let base = repo
                .gix
                .merge_base(theirs, ours)
                .map_err(|error| damaged(&error))?
                .ok_or_else(|| ToolError::failed(format!("fatal: {named}: no merge base")))?;
            let base = peel(repo, base.detach(), named)?;
            Ok(Selection::Trees(base, peel(repo, ours, named)?))
        }
        _ => Err(ToolError::bad_args(format!("Not a revision to compare with: {named}"))),
    }
}

/// What `named` means to git: a revision, or several.
pub fn parse(repo: &Repo, named: &str, has_paths: bool) -> Result<Spec, ToolError> {
    // A name never starts with a dash: git would take it for an option.
    if named.is_empty() || named.starts_with('-') || named.contains('\0') {
        return Err(unknown(repo, named, has_paths));
    }
    let parsed = repo.gix.rev_parse(named.as_bytes().as_bstr());
    parsed.map(|spec| spec.detach()).map_err(|_| unknown(repo, named, has_paths))
}

fn peel(repo: &Repo, id: ObjectId, named: &str) -> Result<ObjectId, ToolError> {
    let object = repo.gix.find_object(id).map_err(|error| damaged(&error))?;
    let tree = object.peel_to_tree().map_err(|_| ToolError::bad_args(format!("Not a commit or a tree: {named}")))?;
    Ok(tree.id)
}

fn unknown(repo: &Repo, named: &str, has_paths: bool) -> ToolError {
    let is_name = !named.is_empty() && !named.contains('\0');
    let is_path = is_name && repo.stat(named.into()).is_ok();
    // Where a path has that name, git can say only what it says with a -- behind the revision.
    let message = match misspelt::diagnose(repo, named) {
        _ if has_paths || is_path => format!("fatal: bad revision '{named}'"),
        Some(message) if is_name => message,
        _ => format!(
            "fatal: ambiguous argument '{named}': unknown revision or path not in the working tree.\n\
             Use '--' to separate paths from revisions, like this:\n\
             'git <command> [<revision>...] -- [<file>...]'"
        ),
    };
    ToolError::not_found(message).hint(match is_path {
        true => format!("{named} is a file or folder: name it in paths."),
        false => "Name a branch, a tag, a commit or HEAD~n; files go into paths.".to_owned(),
    })
}
