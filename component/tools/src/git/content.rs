//! What stands behind a version: a blob, or a file of the working tree as git would store it.

use gix::ObjectId;
use gix::bstr::BStr;

use crate::error::ToolError;
use crate::git::attributes::Attributes;
use crate::git::changes::{Place, Version};
use crate::git::repo::{Repo, damaged};

/// The mode of a submodule.
pub const SUBMODULE: u32 = 0o160_000;
/// The mode of a link.
pub const LINK: u32 = 0o120_000;

/// Whether `mode` is a regular file's.
pub fn is_file(mode: u32) -> bool {
    mode & 0o170_000 == 0o100_000
}

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
            (Place::Objects, _) => blob(self.repo, version.id),
            (Place::Worktree, LINK) => self.attributes.read_link(path).map(Some),
            (Place::Worktree, _) => self.attributes.read_file(path).map(Some),
        }
    }
}

/// The content of the blob `id`; none if it is not here, as in a sparse sandbox. Then the call is made again once it is: what it makes of
/// nothing in its place is not seen.
pub fn blob(repo: &Repo, id: ObjectId) -> Result<Option<Vec<u8>>, ToolError> {
    let found = repo.gix.try_find_object(id).map_err(|error| damaged(&error))?;
    if found.is_none() {
        repo.missed.borrow_mut().insert(id);
    }
    Ok(found.map(|blob| blob.detach().data))
}
