//! Adds files of the working folder to the index.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::{State, entry};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::flat_tree;
use crate::git::store::index_edit::{self, Edits, Slot};
use crate::git::store::repo::{Repo, damaged};
use crate::git::store::version::SUBMODULE;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::changes::Change;
use crate::git::worktree::{diff_files, nested};
use crate::paths::{check_name, unsafe_name};
use crate::platform::Kind;

/// Paths whose present state goes into the index.
#[derive(Default)]
pub struct Staging {
    /// Paths of the index, each with whether a file or link exists there.
    pub tracked: BTreeMap<BString, bool>,
    /// Files and links that are not in the index.
    pub untracked: BTreeSet<BString>,
}

impl Staging {
    /// Takes a change of the working folder. A path in conflict takes its present state.
    ///
    /// # Errors
    ///
    /// If an unmerged path is the folder of a submodule.
    pub fn take(&mut self, repo: &Repo, change: Change) -> Result<(), ToolError> {
        let is_there = match &change.unmerged {
            Some(stages) => match repo.stat(change.path.as_bstr()).map(|stat| stat.kind) {
                Ok(Kind::File | Kind::Link) => true,
                // The lowest stage decides whether git sees a folder, or a repository in it, as a submodule (its diff-lib.c,
                // `check_removed`).
                Ok(Kind::Folder)
                    if stages.0.iter().flatten().next().is_some_and(|lowest| lowest.mode == SUBMODULE)
                        || nested::has_commit(repo, change.path.as_bstr()) =>
                {
                    return Err(nested::refusal(repo, change.path.as_bstr(), "updating"));
                }
                _ => false,
            },
            None => change.new.is_some(),
        };
        self.tracked.insert(change.path, is_there);
        Ok(())
    }

    /// Returns the new entry of every path, and writes the new objects.
    ///
    /// It keeps the order of `git add`, because attributes may come from the index: first the tracked paths in index order, each of which
    /// changes the index, then the new paths.
    pub fn edits(self, repo: &Repo, index: &Rc<State>, deadline: &Deadline) -> Result<Edits, ToolError> {
        let attributes = Attributes::of(repo, index.clone(), deadline);
        let file_mode = repo.gix.config_snapshot().boolean("core.fileMode").unwrap_or(true);
        let reader = Reader { repo, index, attributes, file_mode, deadline };
        let mut edits = Edits::new();
        let untracked = self.untracked.into_iter().map(|path| (path, true));
        for (path, is_there) in self.tracked.into_iter().chain(untracked) {
            let slot = if is_there { Some(reader.slot(path.as_bstr())?) } else { None };
            reader.attributes.follow_index(path.as_bstr(), slot.map(|slot| slot.id));
            edits.insert(path, slot);
        }
        Ok(edits)
    }
}

/// Reads files and links and writes them as blobs.
struct Reader<'a> {
    repo: &'a Repo,
    index: &'a State,
    attributes: Attributes<'a>,
    /// Whether the executable bit of files counts.
    file_mode: bool,
    deadline: &'a Deadline,
}

impl Reader<'_> {
    /// The new entry for the file or link at `path`.
    fn slot(&self, path: &BStr) -> Result<Slot, ToolError> {
        self.deadline.poll_units(8)?;
        let stat = self.repo.stat(path).map_err(|error| ToolError::io(&path.to_str_lossy(), &error))?;
        let tracked = index_edit::any_mode(self.index, path).unwrap_or(entry::Mode::FILE);
        let mode = diff_files::mode(self.file_mode, tracked, &stat);
        check_path(path, mode)?;
        let unchanged = index_edit::slot(self.index, path).filter(|known| {
            known.mode == mode
                && diff_files::is_unchanged(&known.stat, &stat.index, self.index.timestamp().unix_seconds())
        });
        let id = match unchanged {
            Some(known) => known.id,
            None => self.write(path, mode)?,
        };
        Ok(Slot { mode, id, stat: stat.index })
    }

    fn write(&self, path: &BStr, mode: entry::Mode) -> Result<ObjectId, ToolError> {
        let content = match mode {
            entry::Mode::SYMLINK => self.attributes.read_link(path)?,
            _ => self.attributes.read_file(path)?,
        };
        Ok(self.repo.gix.write_blob(content).map_err(|error| damaged(&error))?.detach())
    }
}

/// Refuses a path that is too deep or has a name that some filesystem confuses with another, no matter who created it.
fn check_path(path: &BStr, mode: entry::Mode) -> Result<(), ToolError> {
    flat_tree::check_depth(path)?;
    for name in path.split(|byte| *byte == b'/') {
        check_name(name, &path.to_str_lossy())?;
        if mode == entry::Mode::SYMLINK && unsafe_name::is_gitmodules(name) {
            return Err(ToolError::invalid_path(&path.to_str_lossy())
                .hint("Some filesystems treat this name as .gitmodules, which must not be a symbolic link."));
        }
    }
    Ok(())
}
