//! Reads blobs by id, and hashes contents.

use gix::ObjectId;

use crate::error::ToolError;
use crate::git::store::missing;
use crate::git::store::repo::{Repo, damaged};

/// The content of the blob `id`. `None` if a sparse sandbox lacks it. Then the host fetches it and repeats the call, so nobody sees what
/// this call returns.
pub fn read(repo: &Repo, id: ObjectId) -> Result<Option<Vec<u8>>, ToolError> {
    let found = repo.gix.try_find_object(id).map_err(|error| damaged(&error))?;
    if found.is_none() {
        missing::note(repo, [id]);
    }
    Ok(found.map(|blob| blob.detach().data))
}

/// The id of `content` as a blob.
pub fn hash(repo: &Repo, content: &[u8]) -> Result<ObjectId, ToolError> {
    gix::objs::compute_hash(repo.gix.object_hash(), gix::objs::Kind::Blob, content).map_err(|error| damaged(&error))
}
