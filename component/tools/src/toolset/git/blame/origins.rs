//! The files in commits from which lines may come.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString};
use patch::sort::sort_by_key;

use super::history::Place;
use super::spans::Span;
use crate::git::store::tree_path::TreePath;

/// An origin's index in the [`Origins`].
pub type OriginAt = usize;

/// A path's index in the [`Origins`].
pub type PathAt = usize;

/// A file in a commit.
pub struct Origin {
    pub commit: Place,
    pub path: PathAt,
    pub blob: ObjectId,
    /// Whether it is a symbolic link, whose content is its target.
    pub is_link: bool,
    /// The content, while it is needed.
    pub content: Option<Rc<Vec<u8>>>,
    /// The lines that may come from it, in its own line order.
    pub suspected: Vec<Span>,
}

/// All files that the blame has met, and a queue of the commits to process.
#[derive(Default)]
pub struct Origins {
    all: Vec<Origin>,
    /// The files of each commit that the blame has met, most recently used first.
    of_commit: Vec<Vec<OriginAt>>,
    paths: Vec<TreePath>,
    by_name: BTreeMap<BString, PathAt>,
    /// Ordered by time. Of equal times, the first added comes first.
    pending: BinaryHeap<(u64, Reverse<usize>, Place)>,
    queued: usize,
}

impl Origins {
    /// The file at `at`.
    pub fn get(&self, at: OriginAt) -> &Origin {
        &self.all[at]
    }

    /// The file at `at`, mutable.
    pub fn get_mut(&mut self, at: OriginAt) -> &mut Origin {
        &mut self.all[at]
    }

    /// The index of `path`.
    pub fn path(&mut self, path: &BStr) -> PathAt {
        *self.by_name.entry(path.to_owned()).or_insert_with(|| {
            self.paths.push(TreePath::new(path.to_owned()));
            self.paths.len() - 1
        })
    }

    /// The tree lookup of the path at `at`.
    pub fn tree_path(&mut self, at: PathAt) -> &mut TreePath {
        &mut self.paths[at]
    }

    /// The path at `at`, from the root of the repository.
    pub fn name(&self, at: PathAt) -> &BStr {
        self.paths[at].path().as_ref()
    }

    /// The file at `path` in `commit`, if the blame has met it.
    pub fn known(&self, commit: Place, path: PathAt) -> Option<OriginAt> {
        let of_commit = self.of_commit.get(commit)?;
        of_commit.iter().copied().find(|at| self.all[*at].path == path)
    }

    /// Adds the file at `path` in `commit`, which has the content `blob`.
    pub fn meet(&mut self, commit: Place, path: PathAt, blob: ObjectId, is_link: bool) -> OriginAt {
        let at = self.known(commit, path).unwrap_or_else(|| {
            self.all.push(Origin { commit, path, blob, is_link, content: None, suspected: Vec::new() });
            self.all.len() - 1
        });
        if self.of_commit.len() <= commit {
            self.of_commit.resize_with(commit + 1, Vec::new);
        }
        let of_commit = &mut self.of_commit[commit];
        of_commit.retain(|other| *other != at);
        of_commit.insert(0, at);
        at
    }

    /// Adds lines that may come from the file at `at`, whose commit has the time `time`.
    pub fn suspect(&mut self, at: OriginAt, spans: Vec<Span>, time: u64) {
        if spans.is_empty() {
            return;
        }
        let commit = self.all[at].commit;
        if self.next_of(commit).is_none() {
            self.queued += 1;
            self.pending.push((time, Reverse(self.queued), commit));
        }
        let suspected = &mut self.all[at].suspected;
        suspected.extend(spans);
        sort_by_key(suspected, |span| span.origin);
    }

    /// The latest commit with a file from which lines may come.
    pub fn next_commit(&mut self) -> Option<Place> {
        self.pending.pop().map(|(_, _, commit)| commit)
    }

    /// The first file of `commit` from which lines may come.
    pub fn next_of(&self, commit: Place) -> Option<OriginAt> {
        let of_commit = self.of_commit.get(commit)?;
        of_commit.iter().copied().find(|at| !self.all[*at].suspected.is_empty())
    }
}
