//! The commit that a call names.

use gix::ObjectId;
use gix::revision::plumbing::Spec;

use crate::error::ToolError;
use crate::git::history::revisions::Revisions;
use crate::git::store::refs::Refs;
use crate::git::store::repo::{Repo, damaged};
use crate::paths::SandboxPath;
use crate::session::Context;

/// The commit that `named` means.
///
/// # Errors
///
/// If it means no commit, or several.
pub fn commit(repo: &Repo, working_dir: &SandboxPath, named: &str) -> Result<ObjectId, ToolError> {
    let name = named.to_owned();
    let revisions = Revisions::new(repo, working_dir.relative(), false, [&name]);
    let Spec::Include(id) = revisions.parse(named)? else {
        return Err(ToolError::bad_args(format!("Not a single commit: {named}"))
            .hint("Name one commit, such as a branch or an id. git_log shows ids."));
    };
    let object = repo.gix.find_object(id).map_err(|error| damaged(&error))?;
    let commit = object.peel_to_kind(gix::objs::Kind::Commit);
    Ok(commit.map_err(|_| ToolError::bad_args(format!("Not a commit: {named}")))?.id)
}

/// What git calls a commit in the message of its merge: `branch 'topic'` (git's fmt-merge-msg.c and builtin/merge.c, `merge_name`).
///
/// # Errors
///
/// If the refs cannot be read.
pub fn of_merge(context: &Context<'_>, repo: &Repo, named: &str) -> Result<String, ToolError> {
    let refs = Refs::of(repo, context.deadline);
    let has = |prefix: &str, name: &str| refs.id(format!("{prefix}{name}").as_str().into()).map(|id| id.is_some());
    for (prefix, what) in
        [("refs/heads/", "branch"), ("refs/remotes/", "remote-tracking branch"), ("refs/tags/", "tag")]
    {
        if has(prefix, named)? {
            return Ok(format!("{what} '{named}'"));
        }
    }
    // `topic~2` and `topic^`, but not `topic^2`: commits on the first-parent line of a branch.
    let early = named.trim_end_matches(|c: char| c == '^' || c == '~' || c.is_ascii_digit());
    let suffix = &named[early.len()..];
    let is_first_parents = suffix.starts_with(['^', '~']) && !suffix.contains("^2") && !suffix.ends_with("^0");
    if is_first_parents && has("refs/heads/", early)? {
        return Ok(format!("branch '{early}' (early part)"));
    }
    Ok(format!("commit '{named}'"))
}
