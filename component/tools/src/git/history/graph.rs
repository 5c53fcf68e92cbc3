//! The commit graph, with a cache of commits that lives from call to call.

mod commit;
mod ident;
mod limit;
mod node;
mod touched;
mod walk;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use gix::ObjectId;
use gix::hashtable::HashMap;

pub use self::commit::Commit;
pub use self::ident::Ident;
pub use self::limit::{Commits, hidden, leave_out};
pub use self::touched::Touched;
pub use self::walk::{Limits, Walk};
use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};

/// Limit of the cache, in commits; they take some tens of megabytes.
const KEPT: usize = 200_000;

/// The known commits. They never change, because an id is a hash of the content.
#[derive(Clone, Default)]
pub struct Cache(Rc<RefCell<HashMap<ObjectId, Rc<Node>>>>);

/// A commit as a node of the graph.
#[derive(Debug)]
pub struct Node {
    /// The commit.
    pub id: ObjectId,
    /// Its tree.
    pub tree: ObjectId,
    /// The parents in the commit object, including missing ones.
    parents: Vec<ObjectId>,
    /// The committer's time, in seconds since the epoch; 0 if git cannot read it.
    pub time: u64,
}

/// The history of a repository.
pub struct History<'a> {
    repo: &'a Repo,
    cache: Cache,
    /// The boundary commits of a shallow clone.
    shallow: BTreeSet<ObjectId>,
}

impl<'a> History<'a> {
    /// The history of `repo`, with the commits in `cache`.
    pub fn of(repo: &'a Repo, cache: &Cache) -> Result<History<'a>, ToolError> {
        Ok(History { repo, cache: cache.clone(), shallow: repo.shallow()? })
    }

    /// The same history, as somebody sees it who has not the parents of these commits either.
    pub fn ending_at(mut self, commits: impl IntoIterator<Item = ObjectId>) -> History<'a> {
        self.shallow.extend(commits);
        self
    }

    /// The commit `id`.
    pub fn node(&self, id: ObjectId) -> Result<Rc<Node>, ToolError> {
        if let Some(node) = self.cache.0.borrow().get(&id) {
            return Ok(node.clone());
        }
        let object = self.repo.gix.find_object(id).map_err(|error| damaged(&error))?;
        if object.kind != gix::objs::Kind::Commit {
            return Err(ToolError::failed(format!("{id} is not a commit")));
        }
        let node = Rc::new(node::node(id, &object.data)?);
        let mut kept = self.cache.0.borrow_mut();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(id, node.clone());
        Ok(node)
    }

    /// The parents of `node`, but none for a boundary commit.
    pub fn parents<'n>(&self, node: &'n Node) -> &'n [ObjectId] {
        if self.shallow.contains(&node.id) { &[] } else { &node.parents }
    }

    /// The boundary commits of a shallow clone.
    pub fn boundary(&self) -> &BTreeSet<ObjectId> {
        &self.shallow
    }

    /// The commit `id` with all its fields.
    pub fn commit(&self, id: ObjectId) -> Result<Commit, ToolError> {
        let node = self.node(id)?;
        let object = self.repo.gix.find_commit(id).map_err(|error| damaged(&error))?;
        Ok(Commit::new(id, node.tree, self.parents(&node).to_vec(), object.detach().data))
    }
}
