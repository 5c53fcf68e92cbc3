//! Which paths a sparse checkout has on the disk, by its patterns.
//!
//! The patterns are those of `.gitignore` with the opposite meaning, and what git writes in cone
//! mode means the same when read like this. A path is decided by the last pattern that matches it,
//! else as the folder it is in.

use gix::bstr::{BStr, ByteSlice};
use gix::glob::pattern::Case;
use gix::glob::search::pattern::List;
use gix::ignore::search::{Ignore, pattern_matching_relative_path};

use super::dir::{Dir, Parent, folder_of, last_name};
use super::error::Doing;
use crate::remote::LandError;

/// The sparse checkout of a worktree.
pub(super) struct Sparse {
    /// Without patterns the checkout is whole.
    patterns: Option<List<Ignore>>,
    case: Case,
    /// A file that is on the disk all the same counts as checked out.
    present_counts: bool,
}

impl Sparse {
    /// As the worktree's configuration and `info/sparse-checkout` have it.
    pub(super) fn of(repo: &gix::Repository) -> Result<Self, LandError> {
        let config = repo.config_snapshot();
        let is = |key: &str| config.boolean(key).unwrap_or(false);
        let case = if is("core.ignoreCase") { Case::Fold } else { Case::Sensitive };
        let mut sparse = Sparse { patterns: None, case, present_counts: false };
        if !is("core.sparseCheckout") {
            return Ok(sparse);
        }
        sparse.present_counts = !is("sparse.expectFilesOutsideOfPatterns");
        let file = repo.git_dir().join("info").join("sparse-checkout");
        match std::fs::read(&file) {
            Ok(text) => {
                let parse = Ignore { support_precious: false };
                let patterns =
                    List::from_bytes(&text, file, None, parse).doing("read the sparse checkout's patterns")?;
                sparse.patterns = Some(patterns);
            }
            // Git takes the checkout for whole as well.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).doing("read the sparse checkout's patterns"),
        }
        Ok(sparse)
    }

    /// Whether a new file at `path` is checked out.
    pub(super) fn includes(&self, path: &BStr) -> bool {
        let Some(patterns) = &self.patterns else {
            return true;
        };
        let (mut here, mut is_folder) = (path, false);
        while !here.is_empty() {
            let name_at = here.rfind_byte(b'/').map(|slash| slash + 1);
            if let Some(found) = pattern_matching_relative_path(patterns, here, name_at, Some(is_folder), self.case) {
                return !found.pattern.is_negative();
            }
            (here, is_folder) = (folder_of(here), true);
        }
        false
    }

    /// Whether a path that the index has as not checked out is on the disk and counts as checked
    /// out, as git has it.
    pub(super) fn is_present(&self, root: &Dir, path: &BStr) -> Result<bool, LandError> {
        if !self.present_counts {
            return Ok(false);
        }
        match root.parent_of(path).doing("walk the worktree")? {
            Parent::Here(parent) => Ok(parent.stat(last_name(path)).doing("check the worktree")?.is_some()),
            Parent::Missing | Parent::Blocked(_) => Ok(false),
        }
    }
}
