//! Merges trees of the repository, or the working folder with a tree, as git does.

use std::collections::BTreeMap;
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use patch::merge::Labels;
use patch::sort::map;
use patch::tree_merge::{self, Driver, Entry, Files, Merged, Options, Outcome};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::change::labels::LABELS;
use crate::git::store::flat_tree::FlatTree;
use crate::git::store::repo::{Repo, damaged};
use crate::git::store::version::{Place, Version};
use crate::git::store::{blob, missing};
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::changes::Change;
use crate::git::worktree::content::Contents;

/// The destination of merged contents.
enum Kept {
    /// The repository, for a commit.
    InRepository,
    /// Memory, for the working folder.
    InMemory(BTreeMap<ObjectId, Vec<u8>>),
}

/// Reads the sides of a merge.
pub struct Sides<'a> {
    contents: Contents<'a>,
    /// The path and version of each content that exists only in the working folder.
    in_worktree: BTreeMap<ObjectId, (BString, Version)>,
    kept: Kept,
}

impl<'a> Sides<'a> {
    /// Merges trees and writes the result to the repository.
    pub fn trees(repo: &'a Repo, attributes: &'a Attributes<'a>) -> Sides<'a> {
        Sides { contents: Contents { repo, attributes }, in_worktree: BTreeMap::new(), kept: Kept::InRepository }
    }

    /// Merges a tree with the working folder, which has `changes`. The result stays in memory.
    pub fn worktree(repo: &'a Repo, attributes: &'a Attributes<'a>, changes: &[Change]) -> Sides<'a> {
        let new = changes.iter().filter_map(|change| Some((&change.path, change.new?)));
        let new = new.filter(|(_, version)| version.place == Place::Worktree);
        let in_worktree = map(new.map(|(path, version)| (version.id, (path.clone(), version))));
        Sides { contents: Contents { repo, attributes }, in_worktree, kept: Kept::InMemory(BTreeMap::new()) }
    }

    /// The content of `id`. `None` if it is missing.
    pub fn read(&self, id: ObjectId) -> Result<Option<Vec<u8>>, ToolError> {
        if let Kept::InMemory(kept) = &self.kept
            && let Some(content) = kept.get(&id)
        {
            return Ok(Some(content.clone()));
        }
        match self.in_worktree.get(&id) {
            Some((path, version)) => self.contents.read(path.as_bstr(), version),
            None => blob::read(self.contents.repo, id),
        }
    }

    /// Whether the content of `id` is available.
    pub fn has(&self, id: ObjectId) -> bool {
        let is_kept = matches!(&self.kept, Kept::InMemory(kept) if kept.contains_key(&id));
        is_kept || self.is_in_worktree(id) || self.contents.repo.gix.has_object(id)
    }

    /// Whether the content of `id` comes from the working folder.
    pub fn is_in_worktree(&self, id: ObjectId) -> bool {
        self.in_worktree.contains_key(&id)
    }

    /// Merges the changes of `ours` and `theirs` to `base`.
    pub fn merge(
        &mut self,
        base: Rc<FlatTree>,
        ours: &[Change],
        theirs: &[Change],
        deadline: &Deadline,
    ) -> Result<Outcome, ToolError> {
        self.merge_as(LABELS, base, ours, theirs, deadline)
    }

    /// Like [`merge`](Self::merge), with other labels for the sides.
    pub fn merge_as(
        &mut self,
        labels: Labels<'_>,
        base: Rc<FlatTree>,
        ours: &[Change],
        theirs: &[Change],
        deadline: &Deadline,
    ) -> Result<Outcome, ToolError> {
        let poll = || deadline.flow(1024);
        let options = Options { labels, deadline: patch::Deadline::new(&poll), ..Options::default() };
        let changes = |changes: &[Change]| changes.iter().map(side).collect::<Vec<_>>();
        let merged = tree_merge::merge(&Base(base), &changes(ours), &changes(theirs), self, &options);
        match merged {
            Ok(Merged::Done(outcome)) => Ok(outcome),
            Ok(Merged::Absent(absent)) => {
                Err(missing::blobs(self.contents.repo, absent.into_iter().map(|(_, id)| id).collect()))
            }
            Err(Stopped::Failed(error)) => Err(error),
            Err(Stopped::Interrupted) => Err(deadline.timeout(String::new())),
        }
    }
}

/// The reason why a merge ended early.
pub enum Stopped {
    /// A read or write failed.
    Failed(ToolError),
    /// The deadline has passed.
    Interrupted,
}

impl From<patch::Interrupted> for Stopped {
    fn from(_: patch::Interrupted) -> Stopped {
        Stopped::Interrupted
    }
}

impl tree_merge::Objects for Sides<'_> {
    type Error = Stopped;

    fn blob(&mut self, _: &BStr, id: &ObjectId) -> Result<Option<Vec<u8>>, Stopped> {
        self.read(*id).map_err(Stopped::Failed)
    }

    fn write(&mut self, content: &[u8]) -> Result<ObjectId, Stopped> {
        let repo = self.contents.repo;
        match &mut self.kept {
            Kept::InRepository => {
                let written = repo.gix.write_blob(content).map_err(|error| Stopped::Failed(damaged(&error)))?;
                Ok(written.detach())
            }
            Kept::InMemory(kept) => {
                let id = blob::hash(repo, content).map_err(Stopped::Failed)?;
                kept.insert(id, content.to_vec());
                Ok(id)
            }
        }
    }

    fn driver(&mut self, path: &BStr) -> Result<Driver, Stopped> {
        self.contents.attributes.merge_driver(path).map_err(Stopped::Failed)
    }
}

/// A tree as the base of a merge.
struct Base(Rc<FlatTree>);

impl Files for Base {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, at: usize) -> (&BStr, Entry) {
        let (path, version) = self.0.get(at).expect("it is below the length");
        (path, entry(version))
    }
}

fn entry(version: Version) -> Entry {
    Entry { mode: version.mode, id: version.id }
}

fn side(change: &Change) -> tree_merge::Change {
    tree_merge::Change { path: change.path.clone(), old: change.old.map(entry), new: change.new.map(entry) }
}
