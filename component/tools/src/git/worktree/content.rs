//! What stands behind a version: a blob, or a file of the working tree as git would store it.

use gix::bstr::BStr;

use crate::error::ToolError;
use crate::git::store::blob;
use crate::git::store::repo::Repo;
use crate::git::store::version::{LINK, Place, SUBMODULE, Version};
use crate::git::worktree::attributes::Attributes;

/// Reads versions.
pub struct Contents<'a> {
    /// The repository.
    pub repo: &'a Repo,
    /// How files become blobs.
    pub attributes: &'a Attributes<'a>,
}

impl Contents<'_> {
    /// The content of `version` at `path`; none for a submodule, and for a blob that is not here.
    pub fn read(&self, path: &BStr, version: &Version) -> Result<Option<Vec<u8>>, ToolError> {
        match (version.place, version.mode) {
            (_, SUBMODULE) => Ok(None),
            (Place::Objects, _) => blob::read(self.repo, version.id),
            (Place::Worktree, LINK) => self.attributes.read_link(path).map(Some),
            (Place::Worktree, _) => self.attributes.read_file(path).map(Some),
        }
    }
}
