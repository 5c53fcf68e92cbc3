//! The version that a file of the working tree would have in the index.

use gix::bstr::BStr;
use gix::index::entry::Mode;

use crate::error::ToolError;
use crate::git::store::blob;
use crate::git::store::version::Version;
use crate::git::worktree::content::Contents;
use crate::platform::{self, Kind};

/// The version in the working tree at `path`. `tracked` is its mode in the index or a tree.
pub fn version(contents: &Contents<'_>, path: &BStr, tracked: u32) -> Result<Option<Version>, ToolError> {
    let repo = contents.repo;
    let Ok(stat) = repo.stat(path) else {
        return Ok(None);
    };
    let config = repo.gix.config_snapshot();
    let file_mode = config.boolean("core.fileMode").unwrap_or(true);
    let tracked = Mode::from_bits_truncate(tracked);
    let content = match stat.kind {
        Kind::Link => contents.attributes.read_link(path)?,
        Kind::File => contents.attributes.read_file(path)?,
        Kind::Folder | Kind::Other => return Ok(None),
    };
    let mode = mode(file_mode, tracked, &stat);
    Ok(Some(Version::worktree(mode.bits(), blob::hash(repo, &content)?)))
}

/// The mode of a file or link. `tracked` is its mode in the index.
pub fn mode(file_mode: bool, tracked: Mode, stat: &platform::Stat) -> Mode {
    match stat.kind {
        Kind::Link => Mode::SYMLINK,
        // If the executable bit does not count, keep that of the index.
        _ if !file_mode && tracked == Mode::FILE_EXECUTABLE => tracked,
        _ if file_mode && stat.executable => Mode::FILE_EXECUTABLE,
        _ => Mode::FILE,
    }
}
