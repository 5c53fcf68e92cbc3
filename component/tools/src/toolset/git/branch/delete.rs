//! Deletes a branch.

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};

use super::report::Done;
use super::{in_use, upstream};
use crate::error::{ErrorKind, ToolError};
use crate::git::history::branch_name::{full, interpret};
use crate::git::history::{merge_base, peeling, tracking};
use crate::git::store::abbrev::Abbrev;
use crate::git::store::config_file;
use crate::git::store::refs::{self, End, Refs, Value};
use crate::git::store::repo::Repo;
use crate::git::words::advice::advice;
use crate::session::Context;

/// Which branches may be deleted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Force {
    /// Only merged ones.
    No,
    /// All.
    Yes,
}

/// Deletes the branch that a call names `given`.
pub fn delete(context: &mut Context<'_>, repo: &Repo, given: &str, force: Force) -> Result<Done, ToolError> {
    let refs = Refs::of(repo, context.deadline);
    refs.head()?;
    let short = interpret(&refs, given)?;
    let name = full(short.as_bstr());
    if let Some(path) = in_use::users(&refs)?.get(&name) {
        let words = format!("error: cannot delete branch '{short}' used by worktree at '{path}'");
        return Err(ToolError::new(ErrorKind::Conflict, words).hint("First switch to another branch."));
    }
    let mut stderr = String::new();
    let (was, commit) = match refs.value(name.as_bstr())? {
        Some(Value::Symbolic(target)) => (target, None),
        Some(Value::Id(_)) if !refs::is_valid(&name, false) => (BString::from("broken"), None),
        Some(Value::Id(id)) => {
            let branch = Branch { name: name.as_bstr(), short: short.as_bstr(), id };
            stderr = match force {
                Force::No => branch.ensure_merged(context, &refs)?,
                Force::Yes => peeling::peel(repo, id)?.complaint,
            };
            (Abbrev::of(repo)?.short(&id)?.into(), Some(id))
        }
        Some(Value::Broken) | None => return Err(not_found(&refs, short.as_bstr())?),
    };
    let config = config_file::Renaming::of(repo, short.as_bstr(), None, context.deadline);
    refs::delete(&context.reflog_signature(), &refs, name.as_bstr(), b"").map_err(|error| {
        let message = format!("{stderr}error: could not delete reference {name}: {}", error.message);
        ToolError { message, ..error }
    })?;
    match config {
        Ok(config) => config.write(repo)?,
        Err(error) if error.kind == ErrorKind::ExecutionFailed => {
            stderr.push_str(&format!("{}\nwarning: update of config-file failed\n", error.message));
        }
        Err(error) => return Err(error),
    }
    let operation = if force == Force::Yes { "force_delete" } else { "delete" };
    Ok(Done {
        operation,
        stdout: format!("Deleted branch {short} (was {was}).\n").into(),
        stderr,
        name: short.to_str_lossy().into_owned(),
        commit_id: commit.map(|id| id.to_string()),
        ..Done::default()
    })
}

fn not_found(refs: &Refs<'_>, short: &BStr) -> Result<ToolError, ToolError> {
    let remote = BString::from([b"refs/remotes/", short.as_bytes()].concat());
    let error = match refs.value(remote.as_bstr())? {
        Some(Value::Id(_) | Value::Symbolic(_)) => {
            ToolError::not_found(format!("error: branch '{short}' not found.\nDid you forget --remote?"))
                .hint("This is a remote-tracking branch. Only git_pull changes remote-tracking branches.")
        }
        _ => ToolError::not_found(format!("error: branch '{short}' not found"))
            .hint("Call git_branch without arguments to list the branches."),
    };
    Ok(error)
}

/// The branch to delete.
struct Branch<'b> {
    name: &'b BStr,
    short: &'b BStr,
    id: ObjectId,
}

impl Branch<'_> {
    /// Fails unless the branch is merged into its upstream or, without one, into HEAD. Returns
    /// git's warnings.
    fn ensure_merged(&self, context: &Context<'_>, refs: &Refs<'_>) -> Result<String, ToolError> {
        let repo = refs.repo;
        let Branch { name, short, id } = self;
        let commit_of = |id: Option<ObjectId>| id.map(|id| peeling::peel(repo, id)).transpose();
        let head = commit_of(refs.id("HEAD".into())?)?.unwrap_or_default();
        let commit = peeling::peel(repo, *id)?;
        let mut stderr = format!("{}{}", head.complaint, commit.complaint);
        let Some(commit) = commit.id else {
            let words = format!("{stderr}error: couldn't look up commit object for '{name}'");
            return Err(ToolError::failed(words).hint(FORCE));
        };
        let looked_up = upstream::looked_up(refs, name)?;
        let looked_up = looked_up.as_ref().map(|name| name.as_bstr());
        let complaints = upstream::complaints(refs, looked_up.unwrap_or_default());
        stderr.push_str(&complaints.map_err(|error| error.behind(&stderr))?);
        let upstream = looked_up.and_then(|name| tracking::name(repo, name));
        let upstream = match upstream.map(|upstream| refs.follow(upstream.as_bstr())).transpose()? {
            Some(End::Id { name, id }) => Some((name, peeling::peel(repo, id)?)),
            _ => None,
        };
        let is_in = |other: Option<ObjectId>| match other {
            Some(other) => Ok(merge_base::of(repo, commit, other, context.deadline)?.contains(&commit)),
            None => Ok::<_, ToolError>(false),
        };
        let upstream = upstream.and_then(|(name, peeled)| {
            stderr.push_str(&peeled.complaint);
            Some((name, peeled.id?))
        });
        let reference = upstream.as_ref().map(|(_, id)| *id).or(head.id);
        let is_merged = is_in(reference)?;
        if let Some((upstream, _)) = upstream.filter(|_| reference != head.id)
            && is_in(head.id)? != is_merged
        {
            stderr.push_str(&match is_merged {
                true => format!(
                    "warning: deleting branch '{short}' that has been merged to\n         '{upstream}', but not yet merged to HEAD\n"
                ),
                false => format!(
                    "warning: not deleting branch '{short}' that is not yet merged to\n         '{upstream}', even though it is merged to HEAD\n"
                ),
            });
        }
        if is_merged {
            return Ok(stderr);
        }
        let advice =
            advice(&format!("If you are sure you want to delete it, run 'git branch -D {short}'"), "forceDeleteBranch");
        let words = format!("{stderr}error: the branch '{short}' is not fully merged\n{}", advice.trim_end());
        Err(ToolError::failed(words).hint(FORCE))
    }
}

const FORCE: &str = "If you no longer need its commits, use force_delete.";
