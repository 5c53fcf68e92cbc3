//! Writes and removes files, links and folders of submodules, as git does when it need not keep what is there.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry;

use crate::error::ToolError;
use crate::git::store::names::check_path;
use crate::git::store::repo::Repo;
use crate::git::worktree::writer::Writer;
use crate::platform::{self, Kind, Stat};

/// The outcome of writing an entry.
pub struct Put {
    /// The stat for the index.
    pub stat: entry::Stat,
    /// Whether the path changed. The folder of a submodule has no content, so creating a missing one does not count.
    pub is_other: bool,
}

/// The outcome of removing an entry.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Removed {
    /// The entry was removed.
    Gone,
    /// There was nothing to remove.
    WasNotThere,
    /// There was something else, or a folder with content. Has git's warning, in a line.
    Not(String),
}

/// Writes and removes entries of the working folder.
pub struct EntryCheckout<'a> {
    repo: &'a Repo,
    writer: Writer<'a>,
    /// The working folder of the call. It is never removed, even when empty.
    working_dir: BString,
    /// The parent folder of the last removal.
    emptied: RefCell<PathBuf>,
}

impl<'a> EntryCheckout<'a> {
    /// Writes entries with `writer`. It never removes the folder `working_dir`, which is relative to the root of the repository.
    pub fn new(repo: &'a Repo, writer: Writer<'a>, working_dir: impl Into<BString>) -> EntryCheckout<'a> {
        EntryCheckout { repo, writer, working_dir: working_dir.into(), emptied: RefCell::default() }
    }

    /// Writes the object `id` with the content that git stores, and replaces anything in its place or in the place of a parent folder.
    pub fn put(&mut self, path: &BStr, mode: entry::Mode, id: ObjectId, content: Vec<u8>) -> Result<Put, ToolError> {
        check_path(path, mode)?;
        let converted = self.writer.converted(path, mode, &content)?;
        let standing = self.repo.standing(path);
        let wanted = converted.as_deref().unwrap_or(&content);
        if let Some(stat) = standing.filter(|stat| self.is_same(path, mode, stat, wanted)) {
            return Ok(Put { stat: stat.index, is_other: false });
        }
        let is_other = mode != entry::Mode::COMMIT || standing.is_some();
        self.clear(path, mode).map_err(|error| ToolError::io(&path.to_str_lossy(), &error))?;
        let stat = match converted {
            Some(converted) => self.writer.write_as_it_is(path, mode, converted)?,
            None => self.writer.write_unconverted(path, mode, id, content)?,
        };
        Ok(Put { stat, is_other })
    }

    /// Whether the present state of `path` equals the new one.
    fn is_same(&self, path: &BStr, mode: entry::Mode, stat: &Stat, content: &[u8]) -> bool {
        let real = || self.repo.real(path);
        match (stat.kind, mode) {
            (Kind::Folder, entry::Mode::COMMIT) => true,
            (Kind::Link, entry::Mode::SYMLINK) => {
                let target = real().and_then(std::fs::read_link);
                target.is_ok_and(|target| target.as_os_str().as_encoded_bytes() == content)
            }
            (Kind::File, entry::Mode::FILE | entry::Mode::FILE_EXECUTABLE) => {
                stat.executable == (mode == entry::Mode::FILE_EXECUTABLE)
                    && stat.size == content.len() as u64
                    && real().and_then(|real| platform::read(&real)).is_ok_and(|found| *found == *content)
            }
            _ => false,
        }
    }

    /// Removes the file or link at `path`, or the empty folder of a submodule, and then empty parent folders. It never follows a link. If
    /// it cannot remove the path, it returns git's warning.
    pub fn remove(&self, path: &BStr, mode: entry::Mode) -> Result<Removed, ToolError> {
        let io = |error: io::Error| ToolError::io(&path.to_str_lossy(), &error);
        let real = platform::join(&self.repo.root, path);
        let Some(stat) = self.repo.standing(path) else {
            if self.has_folder(path) {
                self.prune(&real);
            }
            return Ok(Removed::WasNotThere);
        };
        let reason = match (mode, stat.kind) {
            (entry::Mode::COMMIT, Kind::Folder) => {
                let is_gone = platform::remove_dir(&real).is_ok();
                (!is_gone).then_some("Directory not empty")
            }
            (entry::Mode::COMMIT, _) => Some("Not a directory"),
            (_, Kind::Folder) => Some("Is a directory"),
            _ => {
                platform::remove_file(&real).map_err(io)?;
                None
            }
        };
        if let Some(reason) = reason {
            let command = if mode == entry::Mode::COMMIT { "rmdir" } else { "unlink" };
            return Ok(Removed::Not(format!("warning: unable to {command} '{path}': {reason}\n")));
        }
        self.prune(&real);
        Ok(Removed::Gone)
    }

    /// Whether the parent of `path` is a real folder, not reached through a link.
    fn has_folder(&self, path: &BStr) -> bool {
        let folder = path.rfind_byte(b'/').and_then(|slash| self.repo.standing(path[..slash].as_bstr()));
        folder.is_some_and(|folder| folder.kind == Kind::Folder)
    }

    /// Removes the empty folders above the removed path `real`. If `real` was the working folder, it does so only directly after another
    /// removal in the same parent (git's symlinks.c, `schedule_dir_for_removal`).
    fn prune(&self, real: &Path) {
        let folder = real.parent().unwrap_or(real);
        if self.is_working_dir(real) && *self.emptied.borrow() != folder {
            return;
        }
        self.emptied.replace(folder.to_owned());
        for folder in real.ancestors().skip(1).take_while(|folder| *folder != self.repo.root) {
            // This folder is not empty, so none above it is.
            if self.is_working_dir(folder) || platform::remove_dir(folder).is_err() {
                break;
            }
        }
    }

    fn is_working_dir(&self, real: &Path) -> bool {
        platform::join(&self.repo.root, self.working_dir.as_bstr()) == real
    }

    /// Removes anything in the way of an entry.
    fn clear(&self, path: &BStr, mode: entry::Mode) -> io::Result<()> {
        for slash in path.find_iter(b"/") {
            let folder = platform::join(&self.repo.root, path[..slash].as_bstr());
            match platform::stat(&folder).map(|stat| stat.kind) {
                Ok(Kind::Folder) => {}
                Ok(_) => return platform::remove_file(&folder),
                Err(_) => return Ok(()),
            }
        }
        let real = platform::join(&self.repo.root, path);
        match platform::stat(&real).map(|stat| stat.kind) {
            Ok(Kind::Folder) if mode != entry::Mode::COMMIT => platform::remove_dir_all(&real),
            Ok(Kind::File | Kind::Link | Kind::Other) if mode == entry::Mode::COMMIT => platform::remove_file(&real),
            _ => Ok(()),
        }
    }
}
