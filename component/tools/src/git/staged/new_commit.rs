//! Creates commits on top of HEAD.

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::objs::{self};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::staged::ids::Ids;
use crate::git::store::commit_object;
use crate::git::store::refs::{self, Refs};
use crate::git::store::repo::{Head, Repo};
use crate::git::words::identity::Signatures;
use crate::git::words::message;

/// A commit to create on top of HEAD.
pub struct NewCommit<'a> {
    /// Its tree.
    pub tree: ObjectId,
    /// Its message.
    pub message: &'a BString,
    /// Its parents besides HEAD.
    pub more_parents: Vec<ObjectId>,
    /// The line in the reflogs.
    pub log: String,
}

/// Creates a commit of `tree` on top of HEAD, which is `head`, and moves the branch to it. Returns its name and its new id.
pub fn on_head(
    repo: &Repo,
    by: &Signatures,
    head: &Head,
    tree: ObjectId,
    message: &BString,
    deadline: &Deadline,
) -> Result<(ObjectId, String), ToolError> {
    let kind = if head.id().is_some() { "commit" } else { "commit (initial)" };
    let log = format!("{kind}: {}", message::subject(message).to_str_lossy());
    create(repo, by, head, NewCommit { tree, message, more_parents: Vec::new(), log }, deadline)
}

/// The same for a commit that may be a merge.
pub fn create(
    repo: &Repo,
    by: &Signatures,
    head: &Head,
    new: NewCommit<'_>,
    deadline: &Deadline,
) -> Result<(ObjectId, String), ToolError> {
    let id = commit_object::write(
        repo,
        &objs::Commit {
            tree: new.tree,
            parents: head.id().into_iter().chain(new.more_parents).collect(),
            author: by.author.clone(),
            committer: by.committer.clone(),
            encoding: None,
            message: new.message.clone(),
            extra_headers: Vec::new(),
        },
    )?;
    refs::move_head(&by.committer, &Refs::of(repo, deadline), head, id, &new.log)?;
    let mut ids = Ids::load(repo)?;
    let short_id = ids.give(id);
    ids.store(repo)?;
    Ok((id, short_id))
}
