//! Looks one path up in many trees.

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::hashtable::HashMap;
use gix::objs::tree::EntryMode;

use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};

/// Limit of the cache for each component of the path, in trees; they take some megabytes.
const KEPT: usize = 50_000;

/// The entry at a path.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Found {
    /// Its mode: file, executable file, link, folder or submodule.
    pub mode: EntryMode,
    /// The id of the blob, the tree or the submodule's commit.
    pub id: ObjectId,
}

impl Found {
    /// Whether its content can be blamed.
    pub fn is_blob(&self) -> bool {
        self.mode.is_blob_or_symlink()
    }
}

/// Looks one path up. It reads each folder once, so for trees that share a folder only the folders above it cost time.
pub struct TreePath {
    path: BString,
    /// For each component of the path, the trees already searched, and the entry that the rest of the path led to.
    known: Vec<HashMap<ObjectId, Option<Found>>>,
}

impl TreePath {
    /// Starts with an empty cache.
    pub fn new(path: BString) -> TreePath {
        let known = path.split_str("/").map(|_| HashMap::default()).collect();
        TreePath { path, known }
    }

    /// The path, from the root of the repository.
    pub fn path(&self) -> &BString {
        &self.path
    }

    /// The entry at the path in the tree `root`.
    pub fn find(&mut self, repo: &Repo, root: ObjectId, deadline: &Deadline) -> Result<Option<Found>, ToolError> {
        let mut looked = Vec::with_capacity(self.known.len());
        let mut found = None;
        let mut tree = root;
        for (depth, name) in self.path.split_str("/").enumerate() {
            if let Some(known) = self.known[depth].get(&tree) {
                found = *known;
                break;
            }
            looked.push(tree);
            let entry = entry(repo, tree, name.as_bstr(), deadline)?;
            match entry {
                Some(folder) if folder.mode.is_tree() && looked.len() < self.known.len() => tree = folder.id,
                Some(_) if looked.len() < self.known.len() => break,
                entry => {
                    found = entry;
                    break;
                }
            }
        }
        for (known, tree) in self.known.iter_mut().zip(looked) {
            if known.len() >= KEPT {
                known.clear();
            }
            known.insert(tree, found);
        }
        Ok(found)
    }
}

/// The entry `name` of the tree `id`.
fn entry(repo: &Repo, id: ObjectId, name: &BStr, deadline: &Deadline) -> Result<Option<Found>, ToolError> {
    if id == ObjectId::empty_tree(id.kind()) {
        return Ok(None);
    }
    let tree = repo.gix.find_tree(id).map_err(|error| damaged(&error))?;
    deadline.poll_units(1 + units(tree.data.len()))?;
    for entry in tree.iter() {
        let entry = entry.map_err(|error| damaged(&error))?;
        if entry.filename() == name {
            return Ok(Some(Found { mode: entry.mode(), id: entry.object_id() }));
        }
    }
    Ok(None)
}
