//! Summarises the files of a staged commit: `A /workspace/src/new.rs (+25)`.

use gix::bstr::{BStr, ByteSlice};
use patch::{Content, Side};
use serde::Serialize;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::blob;
use crate::git::store::repo::Repo;
use crate::git::store::version::{SUBMODULE, Version};
use crate::git::worktree::changes::Change;

/// What happened to a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// It is new.
    Create,
    /// Its content or mode is another.
    Update,
    /// It is gone.
    Delete,
}

/// A file of a staged commit.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct File {
    /// As callers name it, in git's quotes where it is not plain text.
    path: String,
    operation: Operation,
    /// Bytes; for a deletion, of what was there.
    size: u64,
    /// git's id of the content.
    content_hash: String,
    #[serde(skip)]
    added: u64,
    #[serde(skip)]
    deleted: u64,
    #[serde(skip)]
    binary: bool,
    /// Whether it has the markers of an unfinished merge.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    conflict: bool,
}

/// The files of `changes`, in the same order.
pub fn files(repo: &Repo, changes: &[Change], deadline: &Deadline) -> Result<Vec<File>, ToolError> {
    changes.iter().map(|change| file(repo, change, deadline)).collect()
}

impl File {
    /// Its path as callers name it, if it has the markers of an unfinished merge.
    pub fn in_conflict(&self) -> Option<&str> {
        self.conflict.then_some(self.path.as_str())
    }

    /// Formats the file as in the git toolset's reference: `M /workspace/src/index.ts (+10 -3)`.
    pub fn line(&self) -> String {
        let Self { path, added, deleted, .. } = self;
        let letter = match self.operation {
            Operation::Create => 'A',
            Operation::Update => 'M',
            Operation::Delete => 'D',
        };
        if self.binary {
            return format!("{letter} {path} (binary)");
        }
        match self.operation {
            Operation::Create => format!("{letter} {path} (+{added})"),
            Operation::Update => format!("{letter} {path} (+{added} -{deleted})"),
            Operation::Delete => format!("{letter} {path} (-{deleted})"),
        }
    }
}

fn file(repo: &Repo, change: &Change, deadline: &Deadline) -> Result<File, ToolError> {
    deadline.poll_units(16)?;
    let old = change.old.map(|version| load(repo, version)).transpose()?;
    let new = change.new.map(|version| load(repo, version)).transpose()?;
    let path = change.path.as_bstr();
    let (operation, present, compared) = match (&old, &new) {
        (None, Some(new)) => (Operation::Create, new, patch::Change::Add(new.side(path))),
        (Some(old), None) => (Operation::Delete, old, patch::Change::Delete(old.side(path))),
        (Some(old), Some(new)) => {
            (Operation::Update, new, patch::Change::Modify { old: old.side(path), new: new.side(path) })
        }
        (None, None) => return Err(ToolError::failed("A change has neither an old nor a new version")),
    };
    let poll = || deadline.flow(64);
    let options = patch::Options { deadline: patch::Deadline::new(&poll), ..patch::Options::default() };
    let counts = patch::count(&compared, &options).map_err(|_| deadline.timeout(String::new()))?;
    Ok(File {
        path: patch::quote::quote_path(format!("/workspace/{path}").as_bytes().as_bstr()).to_str_lossy().into_owned(),
        operation,
        size: present.content.as_ref().map_or(0, Vec::len) as u64,
        content_hash: present.version.id.to_string(),
        added: counts.added,
        deleted: counts.deleted,
        binary: counts.binary,
        conflict: new
            .as_ref()
            .and_then(|new| new.content.as_ref())
            .is_some_and(|content| patch::conflict::is_marked(content)),
    })
}

/// A version with its content. `None` for a submodule, and for a missing blob.
struct Loaded {
    version: Version,
    content: Option<Vec<u8>>,
}

impl Loaded {
    fn side<'a>(&'a self, path: &'a BStr) -> Side<'a> {
        let content = match &self.content {
            Some(content) => Content::Bytes(content),
            None if self.version.mode == SUBMODULE => Content::Submodule,
            None => Content::Absent,
        };
        Side { path, mode: self.version.mode, id: self.version.id, content }
    }
}

fn load(repo: &Repo, version: Version) -> Result<Loaded, ToolError> {
    if version.mode == SUBMODULE {
        return Ok(Loaded { version, content: None });
    }
    Ok(Loaded { version, content: blob::read(repo, version.id)? })
}
