//! Notes objects that a call needs and a sparse sandbox lacks.

use std::collections::BTreeSet;

use gix::ObjectId;

use crate::error::ToolError;
use crate::git::store::repo::Repo;

/// Notes that a call needs these blobs. The host fetches what a call missed and repeats the call.
pub fn note(repo: &Repo, ids: impl IntoIterator<Item = ObjectId>) {
    repo.missed.borrow_mut().extend(ids);
}

/// Notes blobs that a call cannot go on without. The caller sees the error only if no target has them.
pub fn blobs(repo: &Repo, ids: BTreeSet<ObjectId>) -> ToolError {
    let first = ids.first().copied();
    note(repo, ids);
    let what = first.map_or_else(|| "a blob".to_owned(), |id| format!("blob {id}"));
    ToolError::not_found(format!("unable to read {what}: it is not in this sparse sandbox"))
        .hint("Pull again from the repository that the sandbox was opened from.")
}
