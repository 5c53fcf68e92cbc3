//! Predicts the working folder after a merge, before anything is written.

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Mode;
use patch::tree_merge::Entry;

use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::git::change::merged_index::Edits;
use crate::git::store::repo::Repo;
use crate::git::worktree::lstat_cache::{LstatCache, Place};
use crate::platform::{self, Kind};

/// The working folder after some edits.
pub struct After<'a> {
    repo: &'a Repo,
    edits: &'a Edits,
    /// The call's working folder, which always stays.
    working_dir: &'a BStr,
    deadline: &'a Deadline,
}

/// Looks up one path after the other.
pub struct Ahead<'a, 'p> {
    after: &'a After<'a>,
    places: LstatCache<'p>,
}

impl<'a> After<'a> {
    /// The working folder after `edits`. The folder `working_dir`, relative to the root of the repository, stays even if empty.
    pub fn new(repo: &'a Repo, edits: &'a Edits, working_dir: &'a BStr, deadline: &'a Deadline) -> After<'a> {
        After { repo, edits, working_dir, deadline }
    }

    /// Starts to look up paths. Sorted paths are faster.
    pub fn ahead<'p>(&'a self) -> Ahead<'a, 'p> {
        Ahead { after: self, places: LstatCache::default() }
    }

    /// The future kind of `path`, whose parents will be folders.
    fn kind(&self, path: &BStr) -> Result<Option<Kind>, ToolError> {
        self.deadline.poll_units(1 + units(path.len()))?;
        match self.edits.get(path) {
            Some(Some(entry)) => return Ok(Some(kind(entry.mode))),
            _ if self.gets_something(path)? => return Ok(Some(Kind::Folder)),
            Some(None) => return Ok(None),
            None => {}
        }
        let Some(stat) = self.repo.standing(path) else { return Ok(None) };
        let is_emptied = stat.kind == Kind::Folder
            && path != self.working_dir
            && self.below(path).next().is_some()
            && self.loses_everything(path)?;
        Ok((!is_emptied).then_some(stat.kind))
    }

    /// Whether the edits write a file below a folder.
    fn gets_something(&self, folder: &BStr) -> Result<bool, ToolError> {
        for new in self.below(folder) {
            self.deadline.poll()?;
            if new.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The edits below a folder.
    fn below(&self, folder: &BStr) -> impl Iterator<Item = &Option<Entry>> {
        let prefix: BString = [folder.as_bytes(), b"/"].concat().into();
        let range = self.edits.range(prefix.clone()..);
        range.take_while(move |(path, _)| path.starts_with(&prefix)).map(|(_, new)| new)
    }

    /// Whether the edits remove every file below a folder, and no subfolder was empty before.
    fn loses_everything(&self, folder: &BStr) -> Result<bool, ToolError> {
        let mut pending = vec![folder.to_owned()];
        while let Some(folder) = pending.pop() {
            let entries = platform::list(&platform::join(&self.repo.root, &folder)).unwrap_or_default();
            if entries.is_empty() || folder.as_bstr() == self.working_dir {
                return Ok(false);
            }
            for entry in entries {
                self.deadline.poll()?;
                let path: BString = [folder.as_slice(), b"/", entry.name.as_slice()].concat().into();
                match (entry.stat.kind, self.edits.get(&path)) {
                    (Kind::Folder, None) => pending.push(path),
                    (_, Some(None)) if path != self.working_dir => {}
                    _ => return Ok(false),
                }
            }
        }
        Ok(true)
    }
}

impl<'p> Ahead<'_, 'p> {
    /// The future state of `path`.
    pub fn at(&mut self, path: &'p BStr) -> Result<Place<'p>, ToolError> {
        self.places.at(path, |path| self.after.kind(path))
    }
}

/// The kind of an entry in the working folder.
fn kind(mode: u32) -> Kind {
    match Mode::from_bits_truncate(mode) {
        Mode::COMMIT => Kind::Folder,
        Mode::SYMLINK => Kind::Link,
        _ => Kind::File,
    }
}
