//! The commit that a call names.

use gix::ObjectId;
use gix::actor::{Signature, SignatureRef};
use gix::objs::Kind;
use gix::revision::plumbing::Spec;

use crate::error::ToolError;
use crate::git::history::graph::{Cache, History};
use crate::git::history::revisions::Revisions;
use crate::git::store::refs::Refs;
use crate::git::store::repo::{Repo, damaged};
use crate::paths::SandboxPath;
use crate::session::Context;

/// The object that `named` means.
///
/// # Errors
///
/// If it means none, or several.
pub fn object(repo: &Repo, working_dir: &SandboxPath, named: &str) -> Result<ObjectId, ToolError> {
    let name = named.to_owned();
    let revisions = Revisions::new(repo, working_dir.relative(), false, [&name]);
    match revisions.parse(named)? {
        Spec::Include(id) => Ok(id),
        _ => Err(ToolError::bad_args(format!("Not a single commit: {named}"))
            .hint("Name one commit, such as a branch or an id. git_log shows ids.")),
    }
}

/// The commit that `named` means.
///
/// # Errors
///
/// If it means no commit, or several.
pub fn commit(repo: &Repo, working_dir: &SandboxPath, named: &str) -> Result<ObjectId, ToolError> {
    let object = repo.gix.find_object(object(repo, working_dir, named)?).map_err(|error| damaged(&error))?;
    Ok(object.peel_to_kind(Kind::Commit).map_err(|_| ToolError::bad_args(format!("Not a commit: {named}")))?.id)
}

/// The author of a commit, whom a pick of it keeps, in UTF-8 as git re-encodes it.
///
/// # Errors
///
/// If the commit cannot be read.
pub fn author(repo: &Repo, commit: ObjectId) -> Result<Signature, ToolError> {
    let commit = History::of(repo, &Cache::default())?.commit(commit)?;
    let author = SignatureRef::from_bytes(commit.author_line()).map_err(|error| damaged(&error))?;
    author.to_owned().map_err(|error| damaged(&error))
}

/// What git calls a commit in the message of its merge: `branch 'topic'` (git's builtin/merge.c, `merge_name`).
///
/// # Errors
///
/// If the refs cannot be read.
pub fn of_merge(context: &Context<'_>, repo: &Repo, named: &str) -> Result<String, ToolError> {
    let refs = Refs::of(repo, context.deadline);
    let has = |prefix: &str, name: &str| refs.id(format!("{prefix}{name}").as_str().into()).map(|id| id.is_some());
    // In the order in which git finds them.
    for (prefix, what) in
        [("refs/tags/", "tag"), ("refs/heads/", "branch"), ("refs/remotes/", "remote-tracking branch")]
    {
        if has(prefix, named)? {
            return Ok(format!("{what} '{named}'"));
        }
    }
    if let Some((branch, is_early)) = first_parent(named)
        && has("refs/heads/", branch)?
    {
        return Ok(format!("branch '{branch}'{}", if is_early { " (early part)" } else { "" }));
    }
    Ok(format!("commit '{named}'"))
}

/// The name in `name^^` or `name~2`, a commit on its first-parent line, and whether that is an earlier one.
fn first_parent(named: &str) -> Option<(&str, bool)> {
    let before = named.trim_end_matches('^');
    if before.len() < named.len() {
        return Some((before, true));
    }
    let (before, number) = named.rsplit_once('~')?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((before, number.is_empty() || number.bytes().any(|byte| byte != b'0')))
}
