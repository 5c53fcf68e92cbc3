//! Whether two trees differ at paths that count, as soon as it is known.

use std::cmp::Ordering;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::TreeRefIter;
use gix::objs::tree::{EntryMode, EntryRef, name_order};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::flat_tree::{MAX_DEPTH, canonical};
use crate::git::pathspec::Pathspec;
use crate::git::repo::{Repo, damaged};

/// Compares trees at the paths of a pathspec.
pub struct Touched<'a> {
    repo: &'a Repo,
    pathspec: &'a Pathspec,
    /// The folder that is compared, with a slash at its end.
    path: Vec<u8>,
    /// The folders that are being compared, from the root on: as deep as a tree is, and no call is.
    open: Vec<Folders>,
    /// Buffers that are not in use.
    spare: Vec<Vec<u8>>,
}

/// A folder on both sides, and how far it has been compared.
struct Folders {
    old: Side,
    new: Side,
    /// The length of its path.
    path: usize,
}

/// The tree of one side, empty where there is none, and where its next entry begins.
struct Side {
    data: Vec<u8>,
    next: usize,
}

/// What differs at a name.
struct Difference {
    mode: EntryMode,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
}

impl<'a> Touched<'a> {
    /// Of the paths that `pathspec` picks.
    pub fn new(repo: &'a Repo, pathspec: &'a Pathspec) -> Touched<'a> {
        Touched { repo, pathspec, path: Vec::new(), open: Vec::new(), spare: Vec::new() }
    }

    /// Whether `new` is another tree than `old` is, at these paths; without `old`, whether it has any of them.
    pub fn differs(&mut self, old: Option<ObjectId>, new: ObjectId, deadline: &Deadline) -> Result<bool, ToolError> {
        if old == Some(new) {
            return Ok(false);
        }
        self.path.clear();
        self.enter(old, Some(new))?;
        let differs = self.compare(deadline);
        while let Some(folders) = self.open.pop() {
            self.spare.extend([folders.old.data, folders.new.data]);
        }
        differs
    }

    fn compare(&mut self, deadline: &Deadline) -> Result<bool, ToolError> {
        while let Some(folders) = self.open.last_mut() {
            deadline.poll()?;
            self.path.truncate(folders.path);
            let Some(difference) = folders.next(self.repo, &mut self.path)? else {
                let folders = self.open.pop().expect("it was looked at just now");
                self.spare.extend([folders.old.data, folders.new.data]);
                continue;
            };
            if !difference.mode.is_tree() {
                if self.pathspec.matches(self.path.as_bstr()) {
                    return Ok(true);
                }
                continue;
            }
            self.path.push(b'/');
            if self.pathspec.may_match_below(self.path.as_bstr()) {
                self.enter(difference.old, difference.new)?;
            }
        }
        Ok(false)
    }

    /// Begins to compare the folder `self.path`.
    fn enter(&mut self, old: Option<ObjectId>, new: Option<ObjectId>) -> Result<(), ToolError> {
        if self.open.len() > MAX_DEPTH {
            return Err(ToolError::failed(format!("A tree is more than {MAX_DEPTH} folders deep")));
        }
        let (old, new) = (self.read(old)?, self.read(new)?);
        self.open.push(Folders { old, new, path: self.path.len() });
        Ok(())
    }

    fn read(&mut self, id: Option<ObjectId>) -> Result<Side, ToolError> {
        use gix::prelude::FindExt;
        let mut data = self.spare.pop().unwrap_or_default();
        data.clear();
        if let Some(id) = id.filter(|id| *id != ObjectId::empty_tree(id.kind())) {
            self.repo.gix.objects.find_tree(&id, &mut data).map_err(|error| damaged(&error))?;
        }
        Ok(Side { data, next: 0 })
    }
}

impl Folders {
    /// The next name at which the two sides differ; it is appended to `path`.
    fn next(&mut self, repo: &Repo, path: &mut Vec<u8>) -> Result<Option<Difference>, ToolError> {
        let kind = repo.gix.object_hash();
        let (mut old, mut new) = (self.old.entries(kind), self.new.entries(kind));
        loop {
            // Where each side goes on, and where it would behind its next entry.
            let (at_old, at_new) = (old.clone(), new.clone());
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
            if before.zip(after).is_some_and(|(old, new)| is_same(&old, &new)) {
                continue;
            }
            let either = before.or(after).expect("one of them comes next");
            path.extend_from_slice(either.filename);
            let id = |entry: Option<EntryRef<'_>>| entry.map(|entry| entry.oid.to_owned());
            let difference = Difference { mode: either.mode, old: id(before), new: id(after) };
            let rests = (old.offset_to_next_entry(&self.old.data), new.offset_to_next_entry(&self.new.data));
            (self.old.next, self.new.next) = rests;
            return Ok(Some(difference));
        }
    }
}

impl Side {
    fn entries(&self, kind: gix::hash::Kind) -> TreeRefIter<'_> {
        TreeRefIter::from_bytes(&self.data[self.next..], kind)
    }
}

fn is_same(old: &EntryRef<'_>, new: &EntryRef<'_>) -> bool {
    let mode = |entry: &EntryRef<'_>| canonical(u32::from(entry.mode.value()));
    old.oid == new.oid && mode(old) == mode(new)
}

fn next<'t>(entries: &mut TreeRefIter<'t>) -> Result<Option<EntryRef<'t>>, ToolError> {
    entries.next().transpose().map_err(|error| damaged(&error))
}
