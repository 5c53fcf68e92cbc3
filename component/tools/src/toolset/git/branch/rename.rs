//! Renames a branch.

use gix::bstr::{BStr, ByteSlice};

use super::create::{allowed, free};
use super::in_use::{Worktree, bisected, rebased, worktrees};
use super::report::Done;
use crate::error::ToolError;
use crate::git::change::operation::Operations;
use crate::git::history::branch_name::{HEADS, full, interpret, is_allowed, refuse};
use crate::git::store::config_file;
use crate::git::store::refs::{self, Refs};
use crate::git::store::repo::Repo;
use crate::session::Context;

/// Renames the branch that a call names `old_given` to `new_given`.
pub fn rename(context: &mut Context<'_>, repo: &Repo, old_given: &str, new_given: &str) -> Result<Done, ToolError> {
    let refs = Refs::of(repo, context.deadline);
    refs.head()?;
    let old = full(interpret(&refs, old_given)?.as_bstr());
    // A branch may have a name that is no longer allowed. It can still be renamed.
    let is_misnamed = !is_allowed(old_given, old.as_bstr());
    let id = refs.id(old.as_bstr())?;
    if is_misnamed && id.is_none() {
        return Err(refuse(&format!("invalid branch name: '{old_given}'")));
    }
    let all = worktrees(&refs)?;
    let users: Vec<&Worktree> = all.iter().filter(|worktree| worktree.head.as_ref() == Some(&old)).collect();
    if users.is_empty() && id.is_none() {
        return Err(ToolError::not_found(format!("fatal: no branch named '{old_given}'"))
            .hint("Call git_branch without arguments to list the branches."));
    }
    let new = if old_given == new_given { allowed(&refs, new_given)? } else { free(&refs, new_given)? };
    ensure_idle(repo, &all, old.as_bstr())?;
    let [old_short, new_short] = [&old, &new].map(|name| name[HEADS.len()..].as_bstr());
    let config =
        config_file::Renaming::of(repo, old_short, Some(new_short), context.deadline).map_err(|error| ToolError {
            message: format!("{}\nfatal: branch is renamed, but update of config-file failed", error.message),
            ..error
        })?;
    let message = [b"Branch: renamed ", old.as_bytes(), b" to ", new.as_bytes()].concat();
    let who = context.reflog_signature();
    if !users.first().is_some_and(|worktree| worktree.is_unborn) {
        refs::rename(&who, &refs, old.as_bstr(), new.as_bstr(), &message).map_err(|error| ToolError {
            message: format!("{}\nfatal: branch rename failed", error.message),
            ..error
        })?;
    }
    let mut stderr = String::new();
    if is_misnamed {
        stderr.push_str(&format!("warning: renamed a misnamed branch '{old_short}' away\n"));
    }
    let refs = Refs::of(repo, context.deadline);
    for worktree in users {
        refs::point_head(&who, &refs, &worktree.folder, new.as_bstr(), &message)?;
    }
    config.write(repo)?;
    let shown = |name: &BStr| name.to_str_lossy().into_owned();
    Ok(Done {
        operation: "rename",
        stderr,
        name: shown(old_short),
        new_name: Some(shown(new_short)),
        commit_id: id.map(|id| id.to_string()),
        ..Done::default()
    })
}

/// Refuses to rename a branch to which a rebase or a bisection will return.
fn ensure_idle(repo: &Repo, worktrees: &[Worktree], name: &BStr) -> Result<(), ToolError> {
    let Some(worktree) = worktrees.iter().find(|worktree| !worktree.is_linked && worktree.head.is_none()) else {
        return Ok(());
    };
    let operations = Operations::of(repo)?;
    let what = match () {
        () if rebased(&operations).is_some_and(|branch| branch == name) => "rebased",
        () if bisected(&operations).is_some_and(|branch| branch == name) => "bisected",
        () => return Ok(()),
    };
    Err(ToolError::failed(format!("fatal: branch {name} is being {what} at {}", worktree.path)))
}
