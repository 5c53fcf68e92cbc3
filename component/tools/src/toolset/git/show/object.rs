//! Resolves a revision to the objects to show.

use gix::ObjectId;
use gix::hashtable::HashSet;
use gix::objs::Kind;
use gix::revision::plumbing::Spec;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::graph::{self, History};
use crate::git::history::merge_base;
use crate::git::history::revisions::Revisions;
use crate::git::store::repo::{Repo, damaged};
use crate::git::text::pretty::Origin;

/// The requested objects.
pub enum Asked {
    /// These objects, one after the other.
    Objects(Vec<Tip>),
    /// The commits reachable from `tips` and not in `hidden`.
    Range {
        /// The start of the walk.
        tips: Vec<Tip>,
        /// The excluded commits.
        hidden: HashSet<ObjectId>,
    },
}

/// A requested object, or the start of a walk.
pub struct Tip {
    /// The object.
    pub id: ObjectId,
    /// The caller's name for it.
    pub source: String,
    /// Whether it is the left side of `a...b`.
    pub is_left: bool,
}

impl Tip {
    fn new(id: ObjectId, named: &str) -> Tip {
        let source = if named.is_empty() { "HEAD" } else { named }.to_owned();
        Tip { id, source, is_left: false }
    }

    /// The origin that the format prints for commits reached from here.
    pub fn origin(&self) -> Origin<'_> {
        Origin { source: &self.source, is_left: self.is_left }
    }
}

/// How to show an object.
pub enum Shown {
    /// As a commit.
    Commit,
    /// As a tag with this content.
    Tag(Vec<u8>),
    /// As a folder.
    Tree,
    /// As a file.
    Blob,
}

/// The objects for which `named` asks.
pub fn asked(
    revisions: &Revisions<'_>,
    history: &History<'_>,
    named: &str,
    deadline: &Deadline,
) -> Result<Asked, ToolError> {
    let repo = revisions.repo;
    let commit = |id: ObjectId| commit_of(repo, id, named);
    let range = |tips: Vec<Tip>, hidden: Vec<ObjectId>| -> Result<Asked, ToolError> {
        let ids: Vec<_> = tips.iter().map(|tip| tip.id).collect();
        Ok(Asked::Range { hidden: graph::hidden(history, &hidden, &ids, deadline)?, tips })
    };
    match revisions.parse(named)? {
        Spec::Include(id) => Ok(Asked::Objects(vec![Tip::new(id, named)])),
        Spec::Exclude(id) => range(Vec::new(), vec![commit(id)?]),
        Spec::Range { from, to } => {
            let source = named.split_once("..").map_or_else(|| source(named), |(_, source)| source);
            range(vec![Tip::new(commit(to)?, source)], vec![commit(from)?])
        }
        Spec::Merge { theirs, ours } => {
            let (first, second) = named.split_once("...").unwrap_or_default();
            let bases = merge_base::of(repo, commit(theirs)?, commit(ours)?, deadline)?;
            let left = Tip { is_left: true, ..Tip::new(theirs, first) };
            let right = Tip::new(ours, second);
            if bases.is_empty() {
                // The histories share no commit, so there is nothing to exclude, and git shows both sides without a walk.
                return Ok(Asked::Objects(vec![left, right]));
            }
            let peeled = |tip: Tip| Ok(Tip { id: commit(tip.id)?, ..tip });
            range([left, right].into_iter().map(peeled).collect::<Result<_, ToolError>>()?, bases)
        }
        Spec::IncludeOnlyParents(id) => {
            let node = history.node(commit(id)?)?;
            let parents = history.parents(&node).iter().map(|parent| Tip::new(*parent, source(named)));
            Ok(Asked::Objects(parents.collect()))
        }
        Spec::ExcludeParents(id) => {
            let node = history.node(commit(id)?)?;
            range(vec![Tip::new(node.id, source(named))], history.parents(&node).to_vec())
        }
    }
}

/// git's name for the source of `named`: without the suffixes for parents.
fn source(named: &str) -> &str {
    let all = named.strip_suffix("^!").or_else(|| named.strip_suffix("^@"));
    all.or_else(|| named.split_once("^-").map(|(name, _)| name)).unwrap_or(named)
}

fn commit_of(repo: &Repo, id: ObjectId, named: &str) -> Result<ObjectId, ToolError> {
    let object = repo.gix.find_object(id).map_err(|error| damaged(&error))?;
    let commit = object.peel_to_commit().map_err(|_| {
        ToolError::bad_args(format!("Not a commit range: {named}")).hint("Name commits on both sides of the dots.")
    })?;
    Ok(commit.id)
}

/// How to show the object `id`.
pub fn read(repo: &Repo, id: ObjectId) -> Result<Shown, ToolError> {
    let object = repo.gix.try_find_object(id).map_err(|error| damaged(&error))?;
    // A missing object can only be a blob, as in a sparse sandbox.
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
