//! A commit made once more on top of another one: what it changed, merged onto what is there.
//!
//! The new commit has the author, the committer and the message of the old one, so that the same commit on the same place is always the
//! same object, whenever it is made.

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::BString;
use gix::diff::tree_with_rewrites::Change;
use gix::merge::tree::{Conflict, TreatAsUnresolved};
use gix::objs;

use crate::error::ToolError;
use crate::git::commit;
use crate::git::repo::{Repo, damaged};
use crate::git::write_tree::write_tree;
use crate::session::Context;

/// What came of it.
#[derive(Debug)]
pub enum Replayed {
    /// The commit that was made; the old one itself where it stands on that place already.
    Applied(ObjectId),
    /// What it changed is there already.
    Empty,
    /// These paths cannot be merged; sorted.
    Conflicts(Vec<BString>),
}

/// Makes `commit` on top of `onto`, or as a first commit; moves nothing. A merge has no change of its own, and is an error.
pub fn replay(
    repo: &Repo,
    commit: ObjectId,
    onto: Option<ObjectId>,
    context: &Context<'_>,
) -> Result<Replayed, ToolError> {
    let parent = parent(repo, commit)?;
    if parent == onto {
        return Ok(Replayed::Applied(commit));
    }
    let (base, ours, theirs) = (tree_below(repo, parent)?, tree_below(repo, onto)?, repo.tree_of(commit)?);
    let options = repo.gix.tree_merge_options().map_err(|error| damaged(&error))?;
    let merged =
        repo.gix.merge_trees(base, ours, theirs, Default::default(), options).map_err(|error| damaged(&error))?;
    context.deadline.poll_units(64)?;
    let unresolved = merged.conflicts.iter().filter(|conflict| conflict.is_unresolved(TreatAsUnresolved::default()));
    let paths: BTreeSet<BString> = unresolved.flat_map(paths).collect();
    if !paths.is_empty() {
        return Ok(Replayed::Conflicts(paths.into_iter().collect()));
    }
    let tree = write_tree(repo, merged.tree.detach())?;
    // One that never changed anything is made again all the same.
    if tree == ours && theirs != base {
        return Ok(Replayed::Empty);
    }
    rewrite(repo, commit, tree, onto).map(Replayed::Applied)
}

/// Writes `commit` with another tree and another parent. A signature, and whatever else stands in a header that only some know, would not
/// be true of the new one.
pub fn rewrite(repo: &Repo, commit: ObjectId, tree: ObjectId, parent: Option<ObjectId>) -> Result<ObjectId, ToolError> {
    let old = repo.gix.find_commit(commit).map_err(|error| damaged(&error))?;
    let old: objs::Commit =
        old.decode().map_err(|error| damaged(&error))?.try_into().map_err(|error| damaged(&error))?;
    let new = objs::Commit { tree, parents: parent.into_iter().collect(), extra_headers: Vec::new(), ..old };
    commit::write(repo, &new)
}

/// The tree of `commit`, or the empty one below a first commit.
pub fn tree_below(repo: &Repo, commit: Option<ObjectId>) -> Result<ObjectId, ToolError> {
    commit.map_or(Ok(ObjectId::empty_tree(gix::hash::Kind::Sha1)), |commit| repo.tree_of(commit))
}

/// The commit that `commit` was made on.
pub fn parent(repo: &Repo, commit: ObjectId) -> Result<Option<ObjectId>, ToolError> {
    let object = repo.gix.find_commit(commit).map_err(|error| damaged(&error))?;
    let mut parents = object.parent_ids().map(gix::Id::detach);
    match (parents.next(), parents.next()) {
        (parent, None) => Ok(parent),
        (_, Some(_)) => Err(ToolError::failed(format!("Commit {} is a merge", commit.to_hex_with_len(8)))
            .hint("A merge cannot be made again without its other side.")),
    }
}

/// Where the two sides of a conflict are.
fn paths(conflict: &Conflict) -> [BString; 2] {
    [&conflict.ours, &conflict.theirs].map(|change: &Change| change.location().to_owned())
}
