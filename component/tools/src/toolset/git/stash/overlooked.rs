//! Files that git was told not to look at (`git update-index --assume-unchanged`, `--skip-worktree`), and that it looks at all the same before
//! it writes something else in their places.

use gix::bstr::BStr;
use gix::index::entry::Flags;
use gix::index::{Entry, State};

use crate::error::ToolError;
use crate::git::store::version::Version;
use crate::git::worktree::content::Contents;
use crate::git::worktree::diff_files;

/// Whether `entry` is one.
pub fn is_overlooked(entry: &Entry) -> bool {
    entry.flags.intersects(Flags::ASSUME_VALID | Flags::SKIP_WORKTREE)
}

/// Whether what stands at `path` is not what `index` has there: its stat says so, or its content where the stat cannot tell (git's
/// read-cache.c, `ie_match_stat`).
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
