//! Reads the content of a version: a blob, or a file of the working tree in the form that git stores.

use gix::bstr::BStr;

use crate::error::ToolError;
use crate::git::store::blob;
use crate::git::store::repo::Repo;
use crate::git::store::version::{LINK, Place, SUBMODULE, Version};
use crate::git::worktree::attributes::Attributes;

/// Reads the contents of versions.
pub struct Contents<'a> {
    /// The repository.
    pub repo: &'a Repo,
    /// Convert files to the form that git stores.
    pub attributes: &'a Attributes<'a>,
}

impl Contents<'_> {
    /// The content of `version` at `path`. `None` for a submodule, and for a missing blob.
    pub fn read(&self, path: &BStr, version: &Version) -> Result<Option<Vec<u8>>, ToolError> {
        match (version.place, version.mode) {
            (_, SUBMODULE) => Ok(None),
            (Place::Objects, _) => blob::read(self.repo, version.id),
            (Place::Worktree, LINK) => self.attributes.read_link(path).map(Some),
            (Place::Worktree, _) => self.attributes.read_file(path).map(Some),
        }
    }
}
