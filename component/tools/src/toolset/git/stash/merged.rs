//! The working folder as it will be once a merge has been brought into it.

use std::collections::BTreeMap;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Mode;
use patch::tree_merge::Entry;

use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::git::worktree::lstat_cache::{LstatCache, Place};
use crate::platform::{self, Kind};

/// What a merge makes of paths: something else, or nothing.
pub type Edits = BTreeMap<BString, Option<Entry>>;

/// A look ahead.
pub struct After<'a> {
    repo: &'a Repo,
    edits: &'a Edits,
    /// The folder that the call works in, which stays.
    working_dir: &'a BStr,
    deadline: &'a Deadline,
}

/// Looks at one path after the other.
pub struct Ahead<'a, 'p> {
    after: &'a After<'a>,
    places: LstatCache<'p>,
}

impl<'a> After<'a> {
    /// After `edits`. The folder `working_dir`, from the root of the repository, stays even without anything in it.
    pub fn new(repo: &'a Repo, edits: &'a Edits, working_dir: &'a BStr, deadline: &'a Deadline) -> After<'a> {
        After { repo, edits, working_dir, deadline }
    }

    /// Looks at paths, best in their order.
    pub fn ahead<'p>(&'a self) -> Ahead<'a, 'p> {
        Ahead { after: self, places: LstatCache::default() }
    }

    /// What will stand at `path`, where every folder above will stand.
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

    /// Whether a file is written below a folder.
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

    /// Whether every file below a folder goes, and no folder was empty before.
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
    /// What will be at `path`.
    pub fn at(&mut self, path: &'p BStr) -> Result<Place<'p>, ToolError> {
        self.places.at(path, |path| self.after.kind(path))
    }
}

/// What an entry is in the working folder.
fn kind(mode: u32) -> Kind {
    match Mode::from_bits_truncate(mode) {
        Mode::COMMIT => Kind::Folder,
        Mode::SYMLINK => Kind::Link,
        _ => Kind::File,
    }
}
