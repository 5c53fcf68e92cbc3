//! The working folder as it will be once a merge has been brought into it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Mode;
use patch::tree_merge::Entry;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::repo::Repo;
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
    /// Whether folders that were looked through lose everything.
    emptied: RefCell<BTreeMap<BString, bool>>,
}

impl<'a> After<'a> {
    /// After `edits`. The folder `working_dir`, from the root of the repository, stays even without anything in it.
    pub fn new(repo: &'a Repo, edits: &'a Edits, working_dir: &'a BStr, deadline: &'a Deadline) -> After<'a> {
        After { repo, edits, working_dir, deadline, emptied: RefCell::default() }
    }

    /// What will stand at `path`; nothing does behind a link.
    pub fn kind(&self, path: &BStr) -> Result<Option<Kind>, ToolError> {
        let mut folders = path.find_iter(b"/").map(|slash| path[..slash].as_bstr());
        if folders.any(|folder| matches!(self.edits.get(folder), Some(Some(_)))) {
            return Ok(None);
        }
        match self.edits.get(path) {
            Some(Some(entry)) => return Ok(Some(kind(entry.mode))),
            _ if self.below(path).any(|new| new.is_some()) => return Ok(Some(Kind::Folder)),
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

    /// The edits below a folder.
    fn below(&self, folder: &BStr) -> impl Iterator<Item = &Option<Entry>> {
        let prefix: BString = [folder.as_bytes(), b"/"].concat().into();
        let range = self.edits.range(prefix.clone()..);
        range.take_while(move |(path, _)| path.starts_with(&prefix)).map(|(_, new)| new)
    }

    /// Whether every file below a folder goes, and no folder was empty before.
    fn loses_everything(&self, folder: &BStr) -> Result<bool, ToolError> {
        if let Some(known) = self.emptied.borrow().get(folder) {
            return Ok(*known);
        }
        let loses = self.look_through(folder)?;
        self.emptied.borrow_mut().insert(folder.to_owned(), loses);
        Ok(loses)
    }

    fn look_through(&self, folder: &BStr) -> Result<bool, ToolError> {
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
                    (_, Some(None)) => {}
                    _ => return Ok(false),
                }
            }
        }
        Ok(true)
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
