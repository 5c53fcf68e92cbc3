//! What is going on in a repository: a merge, a cherry-pick or a revert that waits for its end.

use gix::ObjectId;

use crate::error::ToolError;
use crate::git::repo::Repo;
use crate::platform;

/// An operation that has stopped half way.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Operation {
    /// `MERGE_HEAD`
    Merge,
    /// `CHERRY_PICK_HEAD`
    CherryPick(ObjectId),
    /// `REVERT_HEAD`
    Revert(ObjectId),
}

/// The operation that `repo` is in.
pub fn of(repo: &Repo) -> Result<Option<Operation>, ToolError> {
    if read(repo, "MERGE_HEAD")?.is_some() {
        return Ok(Some(Operation::Merge));
    }
    if let Some(id) = commit(repo, "CHERRY_PICK_HEAD")? {
        return Ok(Some(Operation::CherryPick(id)));
    }
    Ok(commit(repo, "REVERT_HEAD")?.map(Operation::Revert))
}

fn commit(repo: &Repo, name: &str) -> Result<Option<ObjectId>, ToolError> {
    let content = read(repo, name)?;
    Ok(content.and_then(|content| ObjectId::from_hex(content.trim_ascii()).ok()))
}

fn read(repo: &Repo, name: &str) -> Result<Option<Vec<u8>>, ToolError> {
    match platform::read(&repo.git_dir().join(name)) {
        Ok(content) => Ok(Some(content.to_vec())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ToolError::io(&format!(".git/{name}"), &error)),
    }
}
