//! Checks whether two trees differ at the selected paths, and stops at the first difference.

use gix::ObjectId;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::Repo;
use crate::git::store::tree_diff::{Difference, TreeDiff, canonical};
use crate::git::store::tree_path::{Found, TreePath};
use crate::git::store::version::SUBMODULE;

/// Compares trees at the paths of a pathspec.
pub struct Touched<'a> {
    repo: &'a Repo,
    diff: TreeDiff<'a>,
    pathspec: &'a Pathspec,
    /// The selected path, if it is the only one.
    only: Option<TreePath>,
}

impl<'a> Touched<'a> {
    /// Compares the paths that `pathspec` selects.
    pub fn new(repo: &'a Repo, pathspec: &'a Pathspec) -> Touched<'a> {
        let only = pathspec.only_path().map(|path| TreePath::new(path.to_owned()));
        Touched { repo, diff: TreeDiff::new(repo), pathspec, only }
    }

    /// Whether `old` and `new` differ at these paths. Without `old`, whether `new` has any of them.
    pub fn differs(&mut self, old: Option<ObjectId>, new: ObjectId, deadline: &Deadline) -> Result<bool, ToolError> {
        if let Some(path) = &mut self.only {
            let old = old.map(|old| path.find(self.repo, old, deadline)).transpose()?.flatten();
            let new = path.find(self.repo, new, deadline)?;
            return self.differ(old, new, deadline);
        }
        self.diff.open(old, Some(new), deadline)?;
        while let Some(found) = self.diff.next(deadline, |folder| self.pathspec.may_match_below(folder))? {
            if self.picks(&found) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the only path differs, or a path below it.
    fn differ(&mut self, old: Option<Found>, new: Option<Found>, deadline: &Deadline) -> Result<bool, ToolError> {
        let is_other = |found: &Found| !found.mode.is_tree();
        if old.iter().chain(&new).any(is_other) {
            let version = |found: Found| (canonical(u32::from(found.mode.value())), found.id);
            return Ok(old.map(version) != new.map(version));
        }
        let id = |found: Found| found.id;
        self.diff.open(old.map(id), new.map(id), deadline)?;
        Ok(self.diff.next(deadline, |_| true)?.is_some())
    }

    /// Whether the pathspec selects a difference. A pathspec ending in a slash also selects a submodule.
    fn picks(&self, found: &Difference) -> bool {
        let path = self.diff.path();
        let has_submodule = [found.old, found.new].iter().flatten().any(|version| version.mode == SUBMODULE);
        self.pathspec.matches(path) || (has_submodule && self.pathspec.matches_mode(path, SUBMODULE))
    }
}
