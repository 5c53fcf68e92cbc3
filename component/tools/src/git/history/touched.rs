//! Whether two trees differ at paths that count, as soon as it is known.

use gix::ObjectId;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::content::SUBMODULE;
use crate::git::pathspec::Pathspec;
use crate::git::repo::Repo;
use crate::git::tree_diff::{Difference, TreeDiff};

/// Compares trees at the paths of a pathspec.
pub struct Touched<'a> {
    diff: TreeDiff<'a>,
    pathspec: &'a Pathspec,
}

impl<'a> Touched<'a> {
    /// Of the paths that `pathspec` picks.
    pub fn new(repo: &'a Repo, pathspec: &'a Pathspec) -> Touched<'a> {
        Touched { diff: TreeDiff::new(repo), pathspec }
    }

    /// Whether `new` is another tree than `old` is, at these paths; without `old`, whether it has any of them.
    pub fn differs(&mut self, old: Option<ObjectId>, new: ObjectId, deadline: &Deadline) -> Result<bool, ToolError> {
        self.diff.open(old, Some(new))?;
        while let Some(found) = self.diff.next(deadline, |folder| self.pathspec.may_match_below(folder))? {
            if self.picks(&found) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a difference counts. A pathspec that names a folder picks a submodule, too.
    fn picks(&self, found: &Difference) -> bool {
        let path = self.diff.path();
        let has_submodule = [found.old, found.new].iter().flatten().any(|version| version.mode == SUBMODULE);
        self.pathspec.matches(path) || (has_submodule && self.pathspec.matches_mode(path, SUBMODULE))
    }
}
