//! Which files the index of a worktree does not have.

use std::path::Path;

use super::here::git_folders;
use super::{TargetError, error};

/// Those of `paths` that git does not track in the worktree around `folder`. They are relative to the top of the worktree. An index
/// that does not exist tracks nothing.
///
/// # Errors
/// If the index cannot be read.
pub fn untracked<'p>(folder: &Path, paths: &[&'p str]) -> Result<Vec<&'p str>, TargetError> {
    let Some(found) = git_folders(folder)? else { return Ok(paths.to_vec()) };
    let index = found.own.join("index");
    if !index.try_exists().map_err(|error| error::io("read", &index, error))? {
        return Ok(paths.to_vec());
    }
    let index = gix::index::File::at(&index, gix::hash::Kind::Sha1, false, Default::default())
        .map_err(|error| TargetError::damaged(format!("cannot read {}", index.display()), error))?;
    Ok(paths.iter().copied().filter(|path| index.entry_by_path((*path).into()).is_none()).collect())
}
