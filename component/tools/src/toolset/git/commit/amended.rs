//! `--amend`: another commit in the place of HEAD's, as git's builtin/commit.c makes it.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::objs;

use super::report::{Amends, Made};
use crate::error::ToolError;
use crate::git::change::concluded::Concluded;
use crate::git::staged::ids::Ids;
use crate::git::store::commit_object;
use crate::git::store::refs::{self, Refs};
use crate::git::store::repo::{Head, Repo, damaged};
use crate::git::words::message as words;
use crate::output::Output;
use crate::session::Context;
use crate::toolset::git::integrate::named;

/// Makes a commit of `tree` with HEAD's parents and author. What named HEAD's commit as a staged one names it.
pub fn amend(
    context: &mut Context<'_>,
    repo: &Repo,
    head: &Head,
    tree: ObjectId,
    message: &BString,
) -> Result<Output, ToolError> {
    let Some(old) = head.id() else {
        return Err(ToolError::failed("fatal: You have nothing to amend.").hint("There is no commit yet."));
    };
    let concluded = Concluded::of(repo)?;
    let busy = [("merge", !concluded.merged.is_empty()), ("cherry-pick", concluded.picked.is_some())];
    if let Some((name, _)) = busy.iter().find(|(_, is_on)| *is_on) {
        return Err(ToolError::failed(format!("fatal: You are in the middle of a {name} -- cannot amend."))
            .hint("Nothing has changed. Commit it first, without amend."));
    }
    let by = context.signatures()?;
    let author = named::author(repo, old)?;
    // Those of the object itself: where the history is cut, it has parents that are not here.
    let parents: Vec<_> =
        repo.gix.find_commit(old).map_err(|error| damaged(&error))?.parent_ids().map(gix::Id::detach).collect();
    let is_here = |parent: &&ObjectId| repo.gix.has_object(**parent);
    let below = parents.first().filter(is_here).map(|parent| repo.tree_of(*parent)).transpose()?;
    let before = below.unwrap_or_else(|| ObjectId::empty_tree(repo.gix.object_hash()));
    let is_by_another = (&author.name, &author.email) != (&by.committer.name, &by.committer.email);
    let amends = Some(Amends { author: author.clone(), is_by_another, is_root: parents.is_empty() });
    let commit = objs::Commit {
        tree,
        parents: parents.into(),
        author,
        committer: by.committer.clone(),
        encoding: None,
        message: message.clone(),
        extra_headers: Vec::new(),
    };
    let id = commit_object::write(repo, &commit)?;
    let log = format!("commit (amend): {}", words::subject(message).to_str_lossy());
    refs::move_head(&by.committer, &Refs::of(repo, context.deadline), head, id, &log)?;
    let mut ids = Ids::load(repo)?;
    if id != old {
        ids.rewritten(&BTreeMap::from([(old, id)]));
    }
    ids.give(id);
    ids.store(repo)?;
    let short_id = ids.of(id);
    Made { id, short_id, head, trees: (before, tree), message, amends }.output(context, repo)
}
