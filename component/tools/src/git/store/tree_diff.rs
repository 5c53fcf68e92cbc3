//! Walks two trees side by side. It skips equal folders, and does not recurse, so a deep tree needs
//! no deep stack.

use std::cmp::Ordering;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::objs::TreeRefIter;
use gix::objs::tree::{EntryRef, name_order};
use gix::prelude::FindExt;

use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};
use crate::git::store::version::Version;

/// The limit on nested folders. No honest repository comes near it.
pub const MAX_DEPTH: usize = 1000;

/// Iterates over the differences between two trees, in the order of paths.
pub struct TreeDiff<'a> {
    repo: &'a Repo,
    /// The current path.
    path: Vec<u8>,
    /// The folders in progress, from the root down.
    open: Vec<Folders>,
    /// Unused buffers.
    spare: Vec<Vec<u8>>,
    /// Whether the entries of every tree read so far are sorted. `None` if the caller does not ask.
    is_ordered: Option<bool>,
}

/// A difference at a path that is not a folder.
pub struct Difference {
    /// The old version.
    pub old: Option<Version>,
    /// The new version.
    pub new: Option<Version>,
}

/// A folder on both sides, and the progress through it.
struct Folders {
    old: Side,
    new: Side,
    /// The length of the folder's path.
    path: usize,
}

/// The tree of one side, empty if missing, and the offset of its next entry.
struct Side {
    data: Vec<u8>,
    next: usize,
}

/// One name on either or both sides. A folder and a file never count as the same name.
struct Entries {
    is_folder: bool,
    old: Option<Version>,
    new: Option<Version>,
}

impl<'a> TreeDiff<'a> {
    /// Prepares to compare trees of `repo`.
    pub fn new(repo: &'a Repo) -> TreeDiff<'a> {
        TreeDiff { repo, path: Vec::new(), open: Vec::new(), spare: Vec::new(), is_ordered: None }
    }

    /// Also checks the order of entries.
    pub fn noting_order(self) -> TreeDiff<'a> {
        TreeDiff { is_ordered: Some(true), ..self }
    }

    /// Whether the entries of every tree read so far are sorted. Only for a walk that checks it.
    pub fn is_ordered(&self) -> bool {
        self.is_ordered == Some(true)
    }

    /// Starts with these two trees. A missing tree counts as empty.
    pub fn open(&mut self, old: Option<ObjectId>, new: Option<ObjectId>, deadline: &Deadline) -> Result<(), ToolError> {
        self.path.clear();
        while let Some(folders) = self.open.pop() {
            self.spare.extend([folders.old.data, folders.new.data]);
        }
        if old != new { self.enter(old, new, deadline) } else { Ok(()) }
    }

    /// The path of the last difference, from the root.
    pub fn path(&self) -> &BStr {
        self.path.as_bstr()
    }

    /// The next difference. `enters` decides whether to enter a folder; its path ends with a slash.
    pub fn next(
        &mut self,
        deadline: &Deadline,
        enters: impl Fn(&BStr) -> bool,
    ) -> Result<Option<Difference>, ToolError> {
        while let Some(folders) = self.open.last_mut() {
            deadline.poll()?;
            self.path.truncate(folders.path);
            let Some(Entries { is_folder, old, new }) = folders.next(self.repo, &mut self.path)? else {
                let folders = self.open.pop().expect("it was looked at just now");
                self.spare.extend([folders.old.data, folders.new.data]);
                continue;
            };
            if !is_folder {
                return Ok(Some(Difference { old, new }));
            }
            self.path.push(b'/');
            if enters(self.path.as_bstr()) {
                let id = |version: Option<Version>| version.map(|version| version.id);
                self.enter(id(old), id(new), deadline)?;
            }
        }
        Ok(None)
    }

    /// Starts to compare the folder `self.path`.
    fn enter(&mut self, old: Option<ObjectId>, new: Option<ObjectId>, deadline: &Deadline) -> Result<(), ToolError> {
        if self.open.len() > MAX_DEPTH {
            return Err(ToolError::failed(format!("A tree is more than {MAX_DEPTH} folders deep")).hint(
                "The sandbox cannot hold it. Ask the user to open the sandbox from a branch without that folder.",
            ));
        }
        let (old, new) = (self.read(old, deadline)?, self.read(new, deadline)?);
        self.open.push(Folders { old, new, path: self.path.len() });
        Ok(())
    }

    fn read(&mut self, id: Option<ObjectId>, deadline: &Deadline) -> Result<Side, ToolError> {
        let mut data = self.spare.pop().unwrap_or_default();
        data.clear();
        if let Some(id) = id.filter(|id| *id != ObjectId::empty_tree(id.kind())) {
            // Entries are decoded one by one when they are needed.
            let found = self.repo.gix.objects.find(&id, &mut data).map_err(|error| damaged(&error))?;
            if found.kind != gix::objs::Kind::Tree {
                return Err(ToolError::failed(format!("{id} is not a tree")));
            }
            // Comparing a tree costs about this much, even if few entries differ.
            deadline.poll_units(units(data.len()))?;
        }
        let side = Side { data, next: 0 };
        if self.is_ordered() {
            self.is_ordered = Some(side.is_ordered(self.repo.gix.object_hash())?);
        }
        Ok(side)
    }
}

impl Folders {
    /// Finds the next name at which the sides differ, and appends it to `path`.
    fn next(&mut self, repo: &Repo, path: &mut Vec<u8>) -> Result<Option<Entries>, ToolError> {
        let kind = repo.gix.object_hash();
        let (mut old, mut new) = (self.old.entries(kind), self.new.entries(kind));
        loop {
            // The positions before and after each side's next entry.
            let (at_old, at_new) = (old, new);
            let (before, after) = (next(&mut old)?, next(&mut new)?);
            let order = match (&before, &after) {
                (None, None) => return Ok(None),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => {
                    name_order(old.filename, old.mode.is_tree(), new.filename, new.mode.is_tree())
                }
            };
            let before = before.filter(|_| order.is_le());
            let after = after.filter(|_| order.is_ge());
            old = if before.is_some() { old } else { at_old };
            new = if after.is_some() { new } else { at_new };
            let versions = (before.map(version), after.map(version));
            if versions.0 == versions.1 {
                continue;
            }
            let either = before.or(after).expect("one of them comes next");
            path.extend_from_slice(either.filename);
            let found = Entries { is_folder: either.mode.is_tree(), old: versions.0, new: versions.1 };
            let rests = (old.offset_to_next_entry(&self.old.data), new.offset_to_next_entry(&self.new.data));
            (self.old.next, self.new.next) = rests;
            return Ok(Some(found));
        }
    }
}

impl Side {
    fn entries(&self, kind: gix::hash::Kind) -> TreeRefIter<'_> {
        TreeRefIter::from_bytes(&self.data[self.next..], kind)
    }

    fn is_ordered(&self, kind: gix::hash::Kind) -> Result<bool, ToolError> {
        let (mut entries, mut last) = (self.entries(kind), None::<EntryRef<'_>>);
        while let Some(entry) = next(&mut entries)? {
            let is_after = |last: EntryRef<'_>| {
                name_order(last.filename, last.mode.is_tree(), entry.filename, entry.mode.is_tree()).is_lt()
            };
            if !last.is_none_or(is_after) {
                return Ok(false);
            }
            last = Some(entry);
        }
        Ok(true)
    }
}

fn version(entry: EntryRef<'_>) -> Version {
    Version::object(canonical(u32::from(entry.mode.value())), entry.oid.to_owned())
}

/// The canonical mode. Old trees have files with group write permission.
pub fn canonical(mode: u32) -> u32 {
    match mode & 0o170_000 {
        0o100_000 if mode & 0o100 != 0 => 0o100_755,
        0o100_000 => 0o100_644,
        kind => kind,
    }
}

fn next<'t>(entries: &mut TreeRefIter<'t>) -> Result<Option<EntryRef<'t>>, ToolError> {
    entries.next().transpose().map_err(|error| damaged(&error))
}
