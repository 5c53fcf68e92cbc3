//! Files that nobody tracks, in the places of files that are written: git removes them, and nothing keeps them (git's entry.c, `checkout_entry`
//! and `create_directories`). Here the call is refused instead.

use std::collections::BTreeSet;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;

use crate::deadline::{Deadline, units};
use crate::error::{ErrorKind, ToolError};
use crate::git::repo::Repo;
use crate::platform::{self, Kind};

/// What is kept, so that it can go.
pub struct Kept<'a> {
    pub repo: &'a Repo,
    /// Its files are put away.
    pub index: &'a State,
    /// Other files that are.
    pub untracked: &'a BTreeSet<&'a BStr>,
    pub deadline: &'a Deadline,
}

impl Kept<'_> {
    /// Refuses to write files at `paths` where that would remove what is not kept.
    pub fn ensure_room<'p>(&self, paths: impl Iterator<Item = &'p BStr>) -> Result<(), ToolError> {
        let mut lost = BTreeSet::new();
        for path in paths {
            self.deadline.poll_units(1 + units(path.len()))?;
            match self.repo.standing(path).map(|stat| stat.kind) {
                Some(Kind::Folder) if self.has_others(path)? => drop(lost.insert([path.as_bytes(), b"/"].concat())),
                Some(_) => {}
                None => lost.extend(self.above(path).map(|above| above.to_vec())),
            }
        }
        if lost.is_empty() {
            return Ok(());
        }
        let mut message = b"error: Untracked files would be removed, and not be put away:".to_vec();
        lost.iter().for_each(|path| message.extend([b"\n\t", path.as_slice()].concat()));
        Err(ToolError::new(ErrorKind::Conflict, message.to_str_lossy()).hint(
            "Nothing has changed. They stand where tracked files were: call it with include_untracked, or move them with move_file.",
        ))
    }

    fn has(&self, path: &BStr) -> bool {
        self.index.entry_by_path(path).is_some() || self.untracked.contains(path)
    }

    /// The file that is not kept in the place of a folder that `path` is in.
    fn above<'p>(&self, path: &'p BStr) -> Option<&'p BStr> {
        let mut folders = path.find_iter(b"/").map(|slash| path[..slash].as_bstr());
        let is_in_the_way = |folder: &&BStr| self.repo.standing(folder).is_some_and(|stat| stat.kind != Kind::Folder);
        folders.find(is_in_the_way).filter(|above| !self.has(above))
    }

    /// Whether a file below a folder is not kept.
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
