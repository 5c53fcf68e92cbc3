//! Whether two trees differ at paths that count, as soon as it is known.

use gix::ObjectId;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::pathspec::Pathspec;
use crate::git::repo::Repo;
use crate::git::tree_diff::TreeDiff;

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
        while self.diff.next(deadline, |folder| self.pathspec.may_match_below(folder))?.is_some() {
            if self.pathspec.matches(self.diff.path()) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
