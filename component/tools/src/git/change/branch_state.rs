//! The state that git keeps in `.git` until HEAD moves: the other side of a merge, a picked commit, a prepared message, and the result of a
//! merge.

use std::io::ErrorKind;

use gix::bstr::{BStr, ByteSlice};

use crate::error::ToolError;
use crate::git::change::operation;
use crate::git::store::repo::Repo;
use crate::platform;

/// The tree that the last merge wrote to the working folder, including conflict markers.
pub const AUTO_MERGE: &str = "AUTO_MERGE";

/// Removes all of this state, as `git reset` does (git's branch.c, `remove_branch_state`).
pub fn forget(repo: &Repo) -> Result<(), ToolError> {
    let picked = remove(repo, "CHERRY_PICK_HEAD")?;
    let reverted = remove(repo, "REVERT_HEAD")?;
    if (picked || reverted) && is_at_the_last_pick(repo)? {
        let sequencer = repo.git_dir().join("sequencer");
        platform::remove_dir_all(&sequencer).map_err(|error| ToolError::io(".git/sequencer", &error))?;
    }
    for name in [AUTO_MERGE, "SQUASH_MSG", "MERGE_HEAD", "MERGE_RR", "MERGE_MSG", "MERGE_MODE"] {
        remove(repo, name)?;
    }
    Ok(())
}

/// Whether a pick or revert of several commits is at its last one.
fn is_at_the_last_pick(repo: &Repo) -> Result<bool, ToolError> {
    let todo = operation::read(repo, "sequencer/todo")?;
    Ok(todo.is_some_and(|todo| todo.iter().skip_while(|byte| **byte != b'\n').nth(1).is_none()))
}

/// Removes a file in `.git`. Returns whether it existed.
pub fn remove(repo: &Repo, name: &str) -> Result<bool, ToolError> {
    match platform::remove_file(&repo.git_dir().join(name)) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(ToolError::io(&format!(".git/{name}"), &error)),
    }
}

/// Prepares the message of the commit that ends a merge, a pick or a revert, with the files in conflict as a comment.
pub fn prepare_message(repo: &Repo, message: &BStr, conflicts: &[&BStr]) -> Result<(), ToolError> {
    let mut text = message.to_vec();
    text.extend_from_slice(b"\n# Conflicts:\n");
    conflicts.iter().for_each(|path| text.extend([b"#\t", path.as_bytes(), b"\n"].concat()));
    platform::put_file(&repo.git_dir().join("MERGE_MSG"), text, None)
        .map_err(|error| ToolError::io(".git/MERGE_MSG", &error))
}

/// Writes the id of an object to the file `name` in `.git`.
pub fn point(repo: &Repo, name: &str, id: gix::ObjectId) -> Result<(), ToolError> {
    platform::put_file(&repo.git_dir().join(name), format!("{id}\n").into_bytes(), None)
        .map_err(|error| ToolError::io(&format!(".git/{name}"), &error))
}
