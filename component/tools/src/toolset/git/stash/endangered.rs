//! Protects untracked files where git would write entries. git deletes such files (git's entry.c, `checkout_entry` and
//! `create_directories`). Here the call fails instead.

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;
use gix::index::entry::Mode;

use crate::deadline::{Deadline, units};
use crate::error::{ErrorKind, ToolError};
use crate::git::store::repo::{Repo, damaged};
use crate::git::worktree::lstat_cache::{LstatCache, Place};
use crate::platform::{self, Kind};

/// What the stash keeps, so git may remove it.
pub struct Kept<'a> {
    pub repo: &'a Repo,
    /// The stash keeps the files of this index.
    pub index: &'a State,
    /// The stashed tree of these files.
    pub tree: ObjectId,
    /// The untracked files that the stash keeps. `None` if the call does not include them.
    pub untracked: Option<BTreeSet<&'a BStr>>,
    pub deadline: &'a Deadline,
}

impl Kept<'_> {
    /// Fails if writing `entries` would remove files that the stash does not keep. Sorted entries are faster.
    pub fn ensure_room<'p>(&self, entries: impl Iterator<Item = (&'p BStr, Mode)>) -> Result<(), ToolError> {
        let mut lost = BTreeSet::new();
        let mut places = LstatCache::default();
        for (path, mode) in entries {
            self.deadline.poll()?;
            match places.at(path, |path| self.standing(path))? {
                Place::Taken(Kind::Folder) if mode != Mode::COMMIT && self.has_others(path)? => {
                    lost.insert([path.as_bytes(), b"/"].concat());
                }
                Place::Taken(kind) if kind != Kind::Folder && mode == Mode::COMMIT && !self.keeps_file(path)? => {
                    lost.insert(path.to_vec());
                }
                Place::Blocked(above) if !self.has(above) => {
                    lost.insert(above.to_vec());
                }
                _ => {}
            }
        }
        if lost.is_empty() {
            return Ok(());
        }
        let mut message = b"error: Untracked files would be removed, and not be put away:".to_vec();
        lost.iter().for_each(|path| message.extend([b"\n\t", path.as_slice()].concat()));
        let error = ToolError::new(ErrorKind::Conflict, message.to_str_lossy());
        Err(error.hint(match self.untracked {
            None => {
                "Nothing has changed. These untracked files are in the place of tracked files. Use include_untracked, \
                 or move them with move_file."
            }
            Some(_) => {
                "Nothing has changed. These untracked files are in the place of tracked files, and include_untracked \
                 does not cover them. Move them with move_file."
            }
        }))
    }

    /// The kind of the file at a path whose parents are folders.
    fn standing(&self, path: &BStr) -> Result<Option<Kind>, ToolError> {
        self.deadline.poll_units(2 + units(path.len()))?;
        Ok(platform::stat(&platform::join(&self.repo.root, path)).ok().map(|stat| stat.kind))
    }

    fn has(&self, path: &BStr) -> bool {
        self.index.entry_by_path(path).is_some()
            || self.untracked.as_ref().is_some_and(|untracked| untracked.contains(path))
    }

    /// Whether the tree has a file or link in place of a submodule. If not, git may have mistaken the file for the submodule.
    fn keeps_file(&self, path: &BStr) -> Result<bool, ToolError> {
        let tree = self.repo.gix.find_tree(self.tree).map_err(|error| damaged(&error))?;
        let entry = tree.lookup_entry(path.split_str("/")).map_err(|error| damaged(&error))?;
        Ok(entry.is_some_and(|entry| !entry.mode().is_commit() && !entry.mode().is_tree()))
    }

    /// Whether a folder contains a file that the stash does not keep.
    fn has_others(&self, folder: &BStr) -> Result<bool, ToolError> {
        let mut pending: Vec<BString> = vec![folder.to_owned()];
        while let Some(folder) = pending.pop() {
            for entry in platform::list(&platform::join(&self.repo.root, &folder)).unwrap_or_default() {
                self.deadline.poll()?;
                let path: BString = [folder.as_slice(), b"/", entry.name.as_slice()].concat().into();
                match entry.stat.kind {
                    Kind::Folder => pending.push(path),
                    _ if !self.has(path.as_bstr()) => return Ok(true),
                    _ => {}
                }
            }
        }
        Ok(false)
    }
}
