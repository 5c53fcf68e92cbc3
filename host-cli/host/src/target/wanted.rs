//! What a sandbox lacks of a repository, and what was fetched for it.

use std::num::NonZeroU32;

use bstr::BString;
use bytes::Bytes;
use gix_hash::ObjectId;

/// A wanted commit, and what the sandbox has.
#[derive(Clone, Debug)]
pub struct CommitsWanted {
    /// A commit that the refs reach.
    pub want: ObjectId,
    /// Commits that the sandbox has, with their history down to `shallow`. This repository need not
    /// know them.
    pub have: Vec<ObjectId>,
    /// Commits that the sandbox has without their parents. It does not want earlier ones.
    pub shallow: Vec<ObjectId>,
    /// The maximum depth from `want`, if this repository knows none of `have`.
    pub depth: Option<NonZeroU32>,
    /// True if the blobs are wanted, too.
    pub blobs: bool,
}

/// A wanted blob, and a path where a commit has it.
#[derive(Clone, Debug)]
pub struct BlobAt {
    /// A commit that the refs reach.
    pub commit: ObjectId,
    /// From the root of its tree.
    pub path: BString,
    /// The blob.
    pub id: ObjectId,
}

/// The verified objects that a sandbox lacked.
#[derive(Debug)]
pub struct Fetched {
    /// A whole pack.
    pub pack: Bytes,
    /// Its index.
    pub index: Bytes,
    /// Commits in it whose parents were left out.
    pub shallow: Vec<ObjectId>,
}
