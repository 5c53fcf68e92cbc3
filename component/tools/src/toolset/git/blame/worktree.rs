//! The file in the working tree, treated as if it were committed now on top of HEAD and of any merge in progress.

use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::index::State;

use super::history::History;
use crate::deadline::Deadline;
use crate::error::{ErrorKind, ToolError};
use crate::git::change::operation;
use crate::git::store::blob;
use crate::git::store::repo::{Repo, damaged};
use crate::git::store::tree_path::TreePath;
use crate::git::store::version::{LINK, Version};
use crate::git::worktree::attributes::Attributes;
use crate::paths::{Access, WORKSPACE};
use crate::platform::{self, Kind};
use crate::session::Context;

/// A file of the working tree.
pub struct Worktree {
    /// The content as git would store it.
    pub content: Rc<Vec<u8>>,
    /// The mode, and the id of the content.
    pub version: Version,
}

/// The parents that a new commit would have.
pub fn parents(repo: &Repo) -> Result<Vec<ObjectId>, ToolError> {
    let head = repo.head()?.id();
    let head = head.ok_or_else(|| {
        ToolError::not_found("fatal: no such ref: HEAD")
            .hint("There is no commit yet. First make one with git_stage or git_commit.")
    })?;
    let mut parents = vec![head];
    let Some(merged) = operation::read(repo, "MERGE_HEAD")? else {
        return Ok(parents);
    };
    for line in merged.lines() {
        let id = ObjectId::from_hex(&line[..line.len().min(repo.gix.object_hash().len_in_hex())]).map_err(|_| {
            ToolError::failed(format!("fatal: unknown line in '.git/MERGE_HEAD': {}", line.to_str_lossy()))
        })?;
        let object = repo.gix.try_find_object(id).map_err(|error| damaged(&error))?;
        let commit = object.and_then(|object| object.peel_to_kind(gix::objs::Kind::Commit).ok());
        let commit = commit.ok_or_else(|| ToolError::not_found(format!("fatal: no such commit {id}")))?;
        parents.push(commit.id);
    }
    Ok(parents)
}

/// Fails unless one of the commits `parents`, or the index, has a file at `path`.
pub fn ensure_tracked(
    history: &mut History<'_>,
    parents: &[ObjectId],
    index: &State,
    path: &mut TreePath,
    deadline: &Deadline,
) -> Result<(), ToolError> {
    for parent in parents {
        let place = history.place(*parent);
        let tree = history.tree(place)?;
        if path.find(history.repo, tree, deadline)?.is_some_and(|found| found.is_blob()) {
            return Ok(());
        }
    }
    if index.entry_range(path.path().as_ref()).is_some() {
        return Ok(());
    }
    Err(ToolError::not_found(format!("fatal: no such path '{}' in HEAD", path.path())).hint(
        "Only tracked files have a history. Call git_status to see untracked files. If the file was deleted, \
         name a commit that has it.",
    ))
}

/// Reads the file at `path`, which is relative to the root of the repository.
pub fn read(
    context: &Context<'_>,
    repo: &Repo,
    attributes: &Attributes<'_>,
    path: &BStr,
) -> Result<Worktree, ToolError> {
    let named = path.to_str_lossy();
    let zones = &context.session.zones;
    let root = zones.workspace();
    // A parent folder may be a link, so resolve the path inside the sandbox.
    let real = zones.resolve(&format!("/{WORKSPACE}/{named}"), &root, Access::Look)?.real();
    let failed = |error: std::io::Error| ToolError::io(&named, &error);
    let stat = platform::stat(&real).map_err(|error| cannot_lstat(&named, &error))?;
    let (content, mode) = match stat.kind {
        Kind::File if stat.executable => (platform::read(&real).map_err(failed)?.to_vec(), 0o100_755),
        Kind::File => (platform::read(&real).map_err(failed)?.to_vec(), 0o100_644),
        Kind::Link => {
            let target = std::fs::read_link(&real).map_err(failed)?;
            (target.into_os_string().into_encoded_bytes(), LINK)
        }
        Kind::Folder | Kind::Other => {
            return Err(ToolError::failed(format!("fatal: unsupported file type {named}")).hint("Name a file."));
        }
    };
    let content = attributes.to_git(path, &content)?.into_owned();
    let version = Version::worktree(mode, blob::hash(repo, &content)?);
    Ok(Worktree { content: Rc::new(content), version })
}

fn cannot_lstat(path: &str, error: &std::io::Error) -> ToolError {
    let reason = match error.kind() {
        std::io::ErrorKind::NotADirectory => "Not a directory".to_owned(),
        std::io::ErrorKind::NotFound => "No such file or directory".to_owned(),
        _ => ToolError::io(path, error).message,
    };
    ToolError::new(ErrorKind::NotFound, format!("fatal: Cannot lstat '{path}': {reason}"))
        .hint("The file is not in the working tree. Name a commit that has it, such as HEAD.")
}
