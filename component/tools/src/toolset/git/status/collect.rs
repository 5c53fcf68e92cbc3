//! Collects everything that a status shows, before formatting.

use gix::bstr::{BString, ByteSlice};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::caches::Caches;
use crate::git::history::tracking::{self, Upstream};
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::{Head, Repo};
use crate::git::store::{flat_tree, index};
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::changes::{self, Change};
use crate::git::worktree::content::Contents;
use crate::git::worktree::diff_files::{self, Scan};

/// The state of a repository and its working tree.
pub struct Status {
    /// HEAD.
    pub head: Head,
    /// The upstream of the branch, if one is configured.
    pub upstream: Option<Upstream>,
    /// The changes of the index against HEAD, with renames.
    pub staged: Vec<Change>,
    /// The changes of the working tree against the index, with renames.
    pub unstaged: Vec<Change>,
    /// The scan of the working tree, without its changes, which are in `unstaged`.
    pub scan: Scan,
    /// The number of index entries.
    pub entries: usize,
}

impl Status {
    /// The status of `repo`.
    pub fn of(caches: &mut Caches, repo: &Repo, untracked: bool, deadline: &Deadline) -> Result<Status, ToolError> {
        let head = repo.head()?;
        let upstream = match head.branch() {
            Some(name) => {
                let (distances, commits) = (&mut caches.tracking, &caches.history);
                tracking::upstream(distances, commits, repo, name.as_bstr(), head.id(), deadline)?
            }
            None => None,
        };
        let index = index::load(&mut caches.index, repo)?;
        let tree = flat_tree::load(&mut caches.trees, repo, repo.head_tree()?, deadline)?;
        let attributes = Attributes::of(repo, index.clone(), deadline);
        let contents = Contents { repo, attributes: &attributes };
        let renamed = |changes| {
            let read = |path: &gix::bstr::BStr, version: &_| contents.read(path, version);
            changes::detect_renames(changes, deadline, read).map(|renamed| renamed.changes)
        };
        let staged = renamed(changes::tree_to_index(&tree, &index, deadline)?)?;
        let options = diff_files::Options { untracked, pathspec: &Pathspec::all(), compare: diff_files::Compare::Size };
        let mut scan = diff_files::scan(repo, &index, &attributes, &options, deadline)?;
        let unstaged = renamed(std::mem::take(&mut scan.changes))?;
        Ok(Status { head, upstream, staged, unstaged, scan, entries: index.entries().len() })
    }

    /// The unmerged paths with git's two letters.
    pub fn unmerged(&self) -> impl Iterator<Item = (&BString, &'static str)> {
        self.unstaged.iter().filter_map(|change| {
            let stages = change.unmerged?;
            let letters = match stages.0.map(|stage| stage.is_some()) {
                [_, false, false] => "DD",
                [false, true, false] => "AU",
                [true, true, false] => "UD",
                [false, false, true] => "UA",
                [true, false, true] => "DU",
                [false, true, true] => "AA",
                [true, true, true] => "UU",
            };
            Some((&change.path, letters))
        })
    }

    /// Staged changes without unmerged paths.
    pub fn merged_staged(&self) -> impl Iterator<Item = &Change> {
        self.staged.iter().filter(|change| change.unmerged.is_none())
    }

    /// Unstaged changes without unmerged paths.
    pub fn merged_unstaged(&self) -> impl Iterator<Item = &Change> {
        self.unstaged.iter().filter(|change| change.unmerged.is_none())
    }
}
