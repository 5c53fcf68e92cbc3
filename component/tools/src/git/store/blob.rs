//! Blobs: the content behind an id, and the id of a content.

use gix::ObjectId;

use crate::error::ToolError;
use crate::git::store::missing;
use crate::git::store::repo::{Repo, damaged};

/// The content of the blob `id`; none if it is not here, as in a sparse sandbox. Then the call is made again once it is: what it makes of
/// nothing in its place is not seen.
pub fn read(repo: &Repo, id: ObjectId) -> Result<Option<Vec<u8>>, ToolError> {
    let found = repo.gix.try_find_object(id).map_err(|error| damaged(&error))?;
    if found.is_none() {
        missing::note(repo, [id]);
    }
    Ok(found.map(|blob| blob.detach().data))
}

/// The id that git gives to a blob.
pub fn hash(repo: &Repo, content: &[u8]) -> Result<ObjectId, ToolError> {
    gix::objs::compute_hash(repo.gix.object_hash(), gix::objs::Kind::Blob, content).map_err(|error| damaged(&error))
}
