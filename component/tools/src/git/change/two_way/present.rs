//! Looks for entries of the working folder that a switch could overwrite.

use std::rc::Rc;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode};
use gix::index::{Entry, State};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::Repo;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::content::Contents;
use crate::git::worktree::diff_files::{self, Compare, Options};
use crate::git::worktree::excludes;
use crate::platform::Kind;

/// Looks at the working folder.
pub struct Present<'a> {
    repo: &'a Repo,
    index: &'a Rc<State>,
    attributes: Attributes<'a>,
    deadline: &'a Deadline,
    file_mode: bool,
    /// The time of the index, in seconds.
    written: i64,
}

impl<'a> Present<'a> {
    /// Looks at the working folder of `repo` with `index`.
    pub fn of(repo: &'a Repo, index: &'a Rc<State>, deadline: &'a Deadline) -> Present<'a> {
        Present {
            repo,
            index,
            attributes: Attributes::of(repo, index.clone(), deadline),
            deadline,
            file_mode: repo.gix.config_snapshot().boolean("core.fileMode").unwrap_or(true),
            written: index.timestamp().unix_seconds(),
        }
    }

    /// Whether the file of `entry` equals the index, or is missing. The state of a submodule's folder does not matter.
    pub fn is_unchanged(&self, path: &BStr, entry: &Entry) -> Result<bool, ToolError> {
        let stat = match self.repo.stat(path) {
            Ok(stat) => stat,
            Err(error) => return Ok(error.kind() == std::io::ErrorKind::NotFound),
        };
        if entry.mode == Mode::COMMIT {
            return Ok(true);
        }
        if stat.kind == Kind::Folder || diff_files::mode(self.file_mode, entry.mode, &stat) != entry.mode {
            return Ok(false);
        }
        if diff_files::is_unchanged(&entry.stat, &stat.index, self.written) {
            return Ok(true);
        }
        // If git must not look at the file, it takes another stat as a change.
        let is_overlooked = entry.flags.intersects(Flags::ASSUME_VALID | Flags::SKIP_WORKTREE);
        if is_overlooked && !diff_files::looks_unchanged(&entry.stat, &stat.index) {
            return Ok(false);
        }
        let contents = Contents { repo: self.repo, attributes: &self.attributes };
        let version = diff_files::version(&contents, path, entry.mode.bits())?;
        Ok(version.is_some_and(|version| version.id == entry.id))
    }

    /// The first entry at `path` or in the place of a parent folder, and whether it is a folder.
    pub fn in_the_way<'p>(&self, path: &'p BStr) -> Option<(&'p BStr, bool)> {
        let ends = path.find_iter(b"/").chain([path.len()]);
        for end in ends {
            let above = path[..end].as_bstr();
            match self.repo.stat(above).ok()?.kind {
                Kind::Folder if end < path.len() => {}
                kind => return Some((above, kind == Kind::Folder)),
            }
        }
        None
    }

    /// Whether `path` is ignored.
    pub fn is_ignored(&self, path: &BStr) -> Result<bool, ToolError> {
        excludes::is_ignored(self.repo, self.index, path, self.deadline)
    }

    /// Whether there are files below `folder` that are neither tracked nor ignored.
    pub fn has_untracked(&self, folder: &BStr) -> Result<bool, ToolError> {
        let pathspec = Pathspec::literal([BString::from(folder)]);
        let options = Options { untracked: true, pathspec: &pathspec, compare: Compare::Size };
        let scan = diff_files::scan(self.repo, self.index, &self.attributes, &options, self.deadline)?;
        Ok(scan.untracked_files.iter().any(|(path, _)| pathspec.matches(path.as_bstr())))
    }
}
