//! The commits of a blame. Each is read once, when the blame reaches it.

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::hashtable::HashMap;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::graph::{self, Cache, Commits};
use crate::git::store::repo::Repo;

/// A commit's index in the [`History`].
pub type Place = usize;

/// The commits that a blame has met.
pub struct History<'a> {
    pub repo: &'a Repo,
    pub links: graph::History<'a>,
    commits: Vec<Commit>,
    places: HashMap<ObjectId, Place>,
    /// The working tree. Kept apart, because a damaged commit can name a parent of all zeros.
    worktree: Option<Place>,
}

/// A commit and its state in a blame.
pub struct Commit {
    /// All zeros for the working tree.
    pub id: ObjectId,
    /// Whether the blame stops here, because the commit is older than the range or has no parent.
    pub is_boundary: bool,
    read: Option<Read>,
}

/// The data of a read commit.
struct Read {
    tree: ObjectId,
    parents: Vec<Place>,
    time: u64,
}

impl<'a> History<'a> {
    /// A history without commits.
    pub fn new(repo: &'a Repo, cache: &Cache) -> Result<History<'a>, ToolError> {
        let links = graph::History::of(repo, cache)?;
        Ok(History { repo, links, commits: Vec::new(), places: HashMap::default(), worktree: None })
    }

    /// The index of the commit `id`, read or not.
    pub fn place(&mut self, id: ObjectId) -> Place {
        *self.places.entry(id).or_insert_with(|| {
            self.commits.push(Commit { id, is_boundary: false, read: None });
            self.commits.len() - 1
        })
    }

    /// Adds the working tree as a commit on top of `parents`, made at `time` in seconds.
    pub fn worktree(&mut self, parents: &[ObjectId], time: u64) -> Place {
        let id = ObjectId::null(self.repo.gix.object_hash());
        let parents = parents.iter().map(|id| self.place(*id)).collect();
        let read = Some(Read { tree: ObjectId::empty_tree(id.kind()), parents, time });
        self.commits.push(Commit { id, is_boundary: false, read });
        let place = self.commits.len() - 1;
        self.worktree = Some(place);
        place
    }

    /// Whether `place` is the working tree.
    pub fn is_worktree(&self, place: Place) -> bool {
        self.worktree == Some(place)
    }

    /// The commit at `place`.
    pub fn get(&self, place: Place) -> &Commit {
        &self.commits[place]
    }

    /// Marks the commit at `place` as a boundary.
    pub fn mark(&mut self, place: Place) {
        self.commits[place].is_boundary = true;
    }

    /// Marks the parents of a commit that has been read, and their known ancestors.
    pub fn mark_parents(&mut self, place: Place, deadline: &Deadline) -> Result<(), ToolError> {
        let mut pending = self.known_parents(place).to_vec();
        while let Some(next) = pending.pop() {
            deadline.poll()?;
            if !self.commits[next].is_boundary {
                self.commits[next].is_boundary = true;
                pending.extend_from_slice(self.known_parents(next));
            }
        }
        Ok(())
    }

    /// Whether the commit at `old` is the one at `new` or an ancestor of it.
    pub fn reaches(&mut self, new: Place, old: Place, deadline: &Deadline) -> Result<bool, ToolError> {
        let (mut pending, mut seen) = (vec![new], BTreeSet::from([new]));
        while let Some(next) = pending.pop() {
            deadline.poll()?;
            if next == old {
                return Ok(true);
            }
            pending.extend(self.parents(next)?.into_iter().filter(|parent| seen.insert(*parent)));
        }
        Ok(false)
    }

    fn known_parents(&self, place: Place) -> &[Place] {
        self.commits[place].read.as_ref().map_or(&[], |read| &read.parents)
    }

    /// The parents of the commit at `place`. Empty where a shallow history ends.
    pub fn parents(&mut self, place: Place) -> Result<Vec<Place>, ToolError> {
        Ok(self.read(place)?.parents.clone())
    }

    /// The tree of the commit at `place`, which must not be the working tree.
    pub fn tree(&mut self, place: Place) -> Result<ObjectId, ToolError> {
        Ok(self.read(place)?.tree)
    }

    /// The time of the commit at `place`, in seconds.
    pub fn time(&mut self, place: Place) -> Result<u64, ToolError> {
        Ok(self.read(place)?.time)
    }

    fn read(&mut self, place: Place) -> Result<&Read, ToolError> {
        if self.commits[place].read.is_none() {
            let read = self.load(self.commits[place].id)?;
            self.commits[place].read = Some(read);
        }
        Ok(self.commits[place].read.as_ref().expect("it was read just now"))
    }

    fn load(&mut self, id: ObjectId) -> Result<Read, ToolError> {
        let node = self.links.node(id)?;
        let parents = self.links.parents(&node).to_vec();
        Ok(Read { tree: node.tree, parents: parents.into_iter().map(|id| self.place(id)).collect(), time: node.time })
    }
}

impl Commits for History<'_> {
    type Place = Place;

    fn parents(&mut self, place: Place) -> Result<Vec<Place>, ToolError> {
        self.parents(place)
    }

    fn time(&mut self, place: Place) -> Result<u64, ToolError> {
        self.time(place)
    }

    fn is_left_out(&self, place: Place) -> bool {
        self.get(place).is_boundary
    }

    fn leave_out(&mut self, place: Place) {
        self.mark(place);
    }

    fn leave_out_parents(&mut self, place: Place, deadline: &Deadline) -> Result<(), ToolError> {
        self.mark_parents(place, deadline)
    }
}
