//! Notes on commits, as `git notes` keeps them: a tree whose paths are the commits' ids (git-notes, "Notes").

use gix::ObjectId;
use gix::bstr::ByteSlice;

use crate::error::ToolError;
use crate::git::content;
use crate::git::repo::{Repo, damaged};
use crate::git::tracking;

/// Where they are unless a configuration says otherwise.
const REF: &str = "refs/notes/commits";

/// The notes of a repository.
pub struct Notes<'a> {
    repo: &'a Repo,
    tree: Option<ObjectId>,
}

impl<'a> Notes<'a> {
    /// Those of `repo`, if it has any.
    pub fn of(repo: &'a Repo) -> Result<Notes<'a>, ToolError> {
        let head = tracking::resolve(repo, REF.into())?;
        let tree = head.map(|head| repo.tree_of(head)).transpose()?;
        Ok(Notes { repo, tree })
    }

    /// The note on `commit`.
    pub fn on(&self, commit: &ObjectId) -> Result<Option<Vec<u8>>, ToolError> {
        let name = commit.to_string();
        let mut rest = name.as_bytes();
        let mut tree = self.tree;
        // With many notes, two digits at a time are a folder.
        while let Some(id) = tree {
            tree = None;
            let folder = self.repo.gix.find_tree(id).map_err(|error| damaged(&error))?;
            for entry in folder.iter() {
                let entry = entry.map_err(|error| damaged(&error))?;
                if entry.mode().is_blob() && entry.filename() == rest.as_bstr() {
                    return content::blob(self.repo, entry.object_id());
                }
                if entry.mode().is_tree() && rest.len() > 2 && entry.filename() == rest[..2].as_bstr() {
                    tree = Some(entry.object_id());
                }
            }
            rest = rest.get(2..).unwrap_or_default();
        }
        Ok(None)
    }
}

/// Appends the lines of `note`, each ended, with `indent` before it.
pub fn append(note: &[u8], indent: &str, out: &mut Vec<u8>) {
    let note = note.strip_suffix(b"\n").unwrap_or(note);
    if note.is_empty() {
        return;
    }
    for line in note.split(|byte| *byte == b'\n') {
        out.extend_from_slice(indent.as_bytes());
        out.extend_from_slice(line);
        out.push(b'\n');
    }
}
