//! The index lock. It is created with its content in one step, so that its owner is always known.

use super::dir::Dir;
use super::disk::Disk;
use super::error::Doing;
use super::plan::Plan;
use super::survey::index_locked;
use crate::remote::LandError;

const LOCK: &[u8] = b"index.lock";

/// Takes the lock for this landing, unless this landing already holds it. Anybody else's lock is a
/// conflict.
pub(super) fn take(disk: &Disk<'_>, git: &Dir, own: &Dir, plan: &Plan) -> Result<(), LandError> {
    if is_ours(git, plan)? {
        return Ok(());
    }
    disk.recreate(own, b"lock", &plan.lock_content(), 0o666).doing("write the index lock")?;
    if disk.publish(own, b"lock", git, LOCK).doing("take the index lock")? {
        disk.sync(git).doing("sync the git folder")?;
        return Ok(());
    }
    let git_dir = plan.worktree.as_ref().map(|worktree| worktree.git_dir.clone()).unwrap_or_default();
    Err(index_locked(&git_dir))
}

/// Releases the lock, if it is this landing's.
pub(super) fn release(disk: &Disk<'_>, git: &Dir, plan: &Plan) -> Result<(), LandError> {
    if is_ours(git, plan)? {
        disk.remove(git, LOCK).doing("release the index lock")?;
        disk.sync(git).doing("sync the git folder")?;
    }
    Ok(())
}

/// True if the lock exists and is this landing's.
pub(super) fn is_ours(git: &Dir, plan: &Plan) -> Result<bool, LandError> {
    if git.stat(LOCK).doing("look for the index lock")?.is_none() {
        return Ok(false);
    }
    match git.read(LOCK) {
        Ok(content) => Ok(content == plan.lock_content()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).doing("read the index lock"),
    }
}
