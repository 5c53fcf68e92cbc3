//! The refs of a repository on a server.

use gix_hash::ObjectId;

/// The refs of a repository at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The full name of the default branch, even if it has no commit yet.
    pub head: Option<String>,
    /// Nobody can push to the repository.
    pub is_archived: bool,
    /// Branches and tags, sorted by full name. None if the repository is empty.
    pub refs: Vec<RefEntry>,
    /// Refs that are not listed, sorted by full name.
    pub left_out: Vec<LeftOut>,
}

/// One ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefEntry {
    /// The full name, such as `refs/tags/v1`.
    pub name: String,
    /// The object the ref holds, a tag object for an annotated tag.
    pub id: ObjectId,
    /// The object that a tag leads to, or `None` if the ref is not an annotated tag.
    pub peeled: Option<ObjectId>,
}

/// A ref that is not listed. The repository is still usable.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    /// The full name, as the server says it.
    pub name: String,
    /// Why, in one sentence without a full stop that names the ref and is safe to print.
    pub reason: String,
}
