//! Files that the user told git not to check (`git update-index --assume-unchanged`, `--skip-worktree`). git checks them all the same
//! before it overwrites them.

use gix::bstr::BStr;
use gix::index::entry::Flags;
use gix::index::{Entry, State};

use crate::error::ToolError;
use crate::git::store::version::Version;
use crate::git::worktree::content::Contents;
use crate::git::worktree::diff_files;

/// Whether `entry` has one of these flags.
pub fn is_overlooked(entry: &Entry) -> bool {
    entry.flags.intersects(Flags::ASSUME_VALID | Flags::SKIP_WORKTREE)
}

/// Whether the file at `path` differs from its index entry: by its stat, or by its content if the stat cannot tell (git's read-cache.c,
/// `ie_match_stat`).
pub fn is_other(contents: &Contents<'_>, index: &State, entry: &Entry, path: &BStr) -> Result<bool, ToolError> {
    let Some(found) = contents.repo.standing(path) else { return Ok(true) };
    if !diff_files::looks_unchanged(&entry.stat, &found.index) {
        return Ok(true);
    }
    let file_mode = contents.repo.gix.config_snapshot().boolean("core.fileMode").unwrap_or(true);
    if diff_files::mode(file_mode, entry.mode, &found) != entry.mode {
        return Ok(true);
    }
    if diff_files::is_unchanged(&entry.stat, &found.index, index.timestamp().unix_seconds()) {
        return Ok(false);
    }
    let known = Version::object(entry.mode.bits(), entry.id);
    Ok(diff_files::version(contents, path, entry.mode.bits())? != Some(known))
}
