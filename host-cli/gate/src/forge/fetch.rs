//! What is asked of a server for a sandbox, and what is fetched.

use std::{num::NonZeroU32, rc::Rc};

use bstr::{BString, ByteSlice};
use bytes::Bytes;
use gix_hash::ObjectId;
use gix_object::Kind;

use super::Fault;
use crate::{format::tree::entries, history::tree_of, objects::Objects, pack::PackLimits};

/// A wanted commit, and what the sandbox has.
#[derive(Clone)]
pub struct Wanted {
    /// A commit that a branch or tag reaches.
    pub want: ObjectId,
    /// What the branches and tags point to, tags peeled, as the host has just read it. The
    /// likeliest to reach `want` come first.
    pub tips: Vec<ObjectId>,
    /// Commits that the sandbox has, with their history as far as it has any. The repository need
    /// not know them. The likeliest to be below `want` come first.
    pub have: Vec<ObjectId>,
    /// Those of them that the sandbox has without their parents.
    pub shallow: Vec<ObjectId>,
    /// The maximum depth from `want`, if the repository knows none of `have`.
    pub depth: Option<NonZeroU32>,
    /// True if the blobs are wanted, too. Each takes a request.
    pub blobs: bool,
    /// Objects that the host has verified and given to the sandbox. They are not fetched again.
    pub known: Rc<dyn Objects>,
    /// Bounds of what is fetched.
    pub limits: PackLimits,
}

/// A wanted blob, and a path where a commit has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobAt {
    /// A commit that the host has given to the sandbox with its trees.
    pub commit: ObjectId,
    /// From the root of its tree.
    pub path: BString,
    /// The blob.
    pub id: ObjectId,
}

/// The objects that a sandbox lacked, with the right ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// A whole pack: no delta in it has a base elsewhere.
    pub pack: Bytes,
    /// Commits in it whose parents were left out, sorted.
    pub shallow: Vec<ObjectId>,
}

/// Fails unless the commit, as the host knows it, has the blob at that path.
pub(crate) fn ensure_stands(known: &dyn Objects, blob: &BlobAt) -> Result<(), Fault> {
    let (mut id, mut kind, mut content) = (tree_of(known, &blob.commit)?, Some(Kind::Tree), Vec::new());
    for name in blob.path.split_str("/") {
        let here = std::mem::replace(&mut id, ObjectId::null(gix_hash::Kind::Sha1));
        if kind.take() != Some(Kind::Tree) || known.find(&here, &mut content)? != Some(Kind::Tree) {
            break;
        }
        for entry in entries(&content) {
            let entry = entry.map_err(|broken| broken.of(Kind::Tree, &here))?;
            if entry.name == name {
                (id, kind) = (entry.id.to_owned(), entry.mode.kind());
            }
        }
    }
    if kind == Some(Kind::Blob) && id == blob.id {
        return Ok(());
    }
    let path = crate::text::name(&blob.path);
    Err(Fault::missing(blob.id, format!("the commit {} has no blob {} at '{path}'", blob.commit, blob.id)))
}
