//! Which objects a revision asks for.

use gix::ObjectId;
use gix::hashtable::HashSet;
use gix::objs::Kind;
use gix::revision::plumbing::Spec;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::diff::revision::Revisions;
use crate::git::history::History;
use crate::git::repo::{Repo, damaged};

/// What was asked for.
pub enum Asked {
    /// These objects, one after the other.
    Objects(Vec<ObjectId>),
    /// What is reached from `tips` and not in `hidden`.
    Range {
        /// Where the walk begins.
        tips: Vec<Tip>,
        /// Everything that does not count.
        hidden: HashSet<ObjectId>,
    },
}

/// Where a walk begins.
pub struct Tip {
    /// The commit.
    pub id: ObjectId,
    /// What the caller named it.
    pub source: String,
}

/// An object, as it is shown.
pub enum Shown {
    /// A commit.
    Commit,
    /// A tag's content.
    Tag(Vec<u8>),
    /// A folder.
    Tree,
    /// A file.
    Blob,
}

/// What `named` asks for.
pub fn asked(
    revisions: &Revisions<'_>,
    history: &History<'_>,
    named: &str,
    deadline: &Deadline,
) -> Result<Asked, ToolError> {
    let repo = revisions.repo;
    let commit = |id: ObjectId| commit_of(repo, id, named);
    let tip =
        |id: ObjectId, source: &str| Tip { id, source: if source.is_empty() { "HEAD" } else { source }.to_owned() };
    let range = |tips: Vec<Tip>, hidden: Vec<ObjectId>| -> Result<Asked, ToolError> {
        Ok(Asked::Range { tips, hidden: reached(history, hidden, deadline)? })
    };
    match revisions.parse(named)? {
        Spec::Include(id) => Ok(Asked::Objects(vec![id])),
        Spec::Exclude(id) => range(Vec::new(), vec![commit(id)?]),
        Spec::Range { from, to } => {
            let (_, source) = named.split_once("..").unwrap_or_default();
            range(vec![tip(commit(to)?, source)], vec![commit(from)?])
        }
        Spec::Merge { theirs, ours } => {
            let (theirs, ours) = (commit(theirs)?, commit(ours)?);
            let (first, second) = named.split_once("...").unwrap_or_default();
            let bases = repo.gix.merge_bases_many(theirs, &[ours]).map_err(|error| damaged(&error))?;
            range(vec![tip(theirs, first), tip(ours, second)], bases.into_iter().map(gix::Id::detach).collect())
        }
        Spec::IncludeOnlyParents(id) => {
            let node = history.node(commit(id)?)?;
            Ok(Asked::Objects(history.parents(&node).to_vec()))
        }
        Spec::ExcludeParents(id) => {
            let node = history.node(commit(id)?)?;
            range(vec![tip(node.id, source(named))], history.parents(&node).to_vec())
        }
    }
}

/// What a walk that begins at `named` began at, to git: without what asks for its parents.
pub fn source(named: &str) -> &str {
    named.strip_suffix("^!").or_else(|| named.strip_suffix("^@")).unwrap_or(named)
}

fn commit_of(repo: &Repo, id: ObjectId, named: &str) -> Result<ObjectId, ToolError> {
    let object = repo.gix.find_object(id).map_err(|error| damaged(&error))?;
    let commit = object.peel_to_commit().map_err(|_| {
        ToolError::bad_args(format!("Not a range of commits: {named}")).hint("Name commits on both sides of the dots.")
    })?;
    Ok(commit.id)
}

/// Everything that is reached from `tips`.
fn reached(history: &History<'_>, tips: Vec<ObjectId>, deadline: &Deadline) -> Result<HashSet<ObjectId>, ToolError> {
    let mut reached = HashSet::default();
    let mut pending = tips;
    while let Some(id) = pending.pop() {
        deadline.poll()?;
        if reached.insert(id) {
            let node = history.node(id)?;
            pending.extend_from_slice(history.parents(&node));
        }
    }
    Ok(reached)
}

/// What the object `id` is.
pub fn read(repo: &Repo, id: ObjectId) -> Result<Shown, ToolError> {
    let object = repo.gix.try_find_object(id).map_err(|error| damaged(&error))?;
    // What is not here can only be a blob, as in a sparse sandbox.
    let Some(object) = object else {
        return Ok(Shown::Blob);
    };
    Ok(match object.kind {
        Kind::Commit => Shown::Commit,
        Kind::Tree => Shown::Tree,
        Kind::Blob => Shown::Blob,
        Kind::Tag => Shown::Tag(object.detach().data),
    })
}
