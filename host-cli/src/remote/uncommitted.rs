//! What a worktree has that its last commit lacks, and which no sandbox made from the repository has.
//!
//! gix compares a worktree as well, but runs the filter programs that the repository's configuration names, and gitgate runs none.

use std::path::Path;

use gix::bstr::ByteSlice;
use gix::index::entry::{Flags, Mode, Stat};

use super::open::trusted;
use super::whole_index::whole;
use super::{TargetError, error};

/// The number of tracked files in the worktree at `folder` that differ from its last commit, in the index or on the disk. As with git, a file
/// that looks as the index has noted it is not read.
///
/// # Errors
/// If the repository cannot be read.
pub fn uncommitted(folder: &Path) -> Result<usize, TargetError> {
    let repo = trusted(folder)?;
    let Some(root) = repo.workdir() else { return Ok(0) };
    let file = repo.index_path();
    if !file.try_exists().map_err(|error| error::io("read", &file, error))? {
        return Ok(0);
    }
    let unreadable = |error| TargetError::damaged("cannot compare the index", error);
    let index = whole(&repo, repo.open_index().map_err(unreadable)?.into_parts().0)?;
    let head = repo.head_tree_id_or_empty().map_err(unreadable)?;
    let committed = repo.index_from_tree(&head).map_err(unreadable)?;
    let mut changed = 0;
    for entry in index.entries() {
        let path = entry.path(&index);
        let is_same = |other: &gix::index::Entry| other.id == entry.id && other.mode == entry.mode;
        let is_committed = committed.entry_by_path(path).is_some_and(is_same);
        if !is_committed || is_changed(&repo, root, path, entry) {
            changed += 1;
        }
    }
    let is_gone = |entry: &&gix::index::Entry| index.entry_by_path(entry.path(&committed)).is_none();
    Ok(changed + committed.entries().iter().filter(is_gone).count())
}

/// Whether a file on the disk is another than the index has. What git was told not to look at, and submodules, are not.
fn is_changed(repo: &gix::Repository, root: &Path, path: &gix::bstr::BStr, entry: &gix::index::Entry) -> bool {
    if entry.flags.intersects(Flags::ASSUME_VALID | Flags::SKIP_WORKTREE) || entry.mode == Mode::COMMIT {
        return false;
    }
    let Ok(path) = path.to_path() else { return false };
    let place = root.join(path);
    let Ok(found) = gix::index::fs::Metadata::from_path_no_follow(&place) else { return true };
    let Ok(stat) = Stat::from_fs(&found) else { return true };
    if entry.stat.size == stat.size && entry.stat.mtime == stat.mtime {
        return false;
    }
    // Nothing else is opened: what a link leads to is another file, and a FIFO would be waited for.
    let is_kept_kind = if entry.mode == Mode::SYMLINK { found.is_symlink() } else { found.is_file() };
    if !is_kept_kind {
        return true;
    }
    let content = match entry.mode {
        Mode::SYMLINK => std::fs::read_link(&place).map(|to| to.into_os_string().into_encoded_bytes()),
        _ => std::fs::read(&place),
    };
    let id = content
        .ok()
        .and_then(|content| gix::objs::compute_hash(repo.object_hash(), gix::objs::Kind::Blob, &content).ok());
    id != Some(entry.id)
}
