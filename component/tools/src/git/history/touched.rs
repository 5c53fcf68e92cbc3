//! Whether two trees differ at paths that count, as soon as it is known.

use std::cmp::Ordering;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::TreeRefIter;
use gix::objs::tree::{EntryRef, name_order};

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
    /// Objects that were read and are not in use, for their memory.
    spare: Vec<Vec<u8>>,
}

impl<'a> Touched<'a> {
    /// Of the paths that `pathspec` picks.
    pub fn new(repo: &'a Repo, pathspec: &'a Pathspec) -> Touched<'a> {
        Touched { repo, pathspec, path: Vec::new(), spare: Vec::new() }
    }

    /// Whether `new` is another tree than `old` is, at these paths; without `old`, whether it has any of them.
    pub fn differs(&mut self, old: Option<ObjectId>, new: ObjectId, deadline: &Deadline) -> Result<bool, ToolError> {
        if old == Some(new) {
            return Ok(false);
        }
        self.path.clear();
        self.folders(old, Some(new), 0, deadline)
    }

    fn folders(
        &mut self,
        old: Option<ObjectId>,
        new: Option<ObjectId>,
        depth: usize,
        deadline: &Deadline,
    ) -> Result<bool, ToolError> {
        if depth > MAX_DEPTH {
            return Err(ToolError::failed(format!("A tree is more than {MAX_DEPTH} folders deep")));
        }
        let (before, after) = (self.read(old)?, self.read(new)?);
        let differs = self.entries(&before, &after, depth, deadline);
        self.spare.extend([before, after]);
        differs
    }

    fn entries(&mut self, before: &[u8], after: &[u8], depth: usize, deadline: &Deadline) -> Result<bool, ToolError> {
        let kind = self.repo.gix.object_hash();
        let mut before = TreeRefIter::from_bytes(before, kind);
        let mut after = TreeRefIter::from_bytes(after, kind);
        let (mut old, mut new) = (next(&mut before)?, next(&mut after)?);
        loop {
            let order = match (&old, &new) {
                (None, None) => return Ok(false),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => {
                    name_order(old.filename, old.mode.is_tree(), new.filename, new.mode.is_tree())
                }
            };
            let gone = if order.is_le() { std::mem::replace(&mut old, next(&mut before)?) } else { None };
            let came = if order.is_ge() { std::mem::replace(&mut new, next(&mut after)?) } else { None };
            if self.entry(gone, came, depth, deadline)? {
                return Ok(true);
            }
            deadline.poll()?;
        }
    }

    /// The same name on both sides or one.
    fn entry(
        &mut self,
        old: Option<EntryRef<'_>>,
        new: Option<EntryRef<'_>>,
        depth: usize,
        deadline: &Deadline,
    ) -> Result<bool, ToolError> {
        let Some(either) = old.or(new) else {
            return Ok(false);
        };
        if old.zip(new).is_some_and(|(old, new)| is_same(&old, &new)) {
            return Ok(false);
        }
        let length = self.path.len();
        self.path.extend_from_slice(either.filename);
        let differs = if either.mode.is_tree() {
            self.path.push(b'/');
            let id = |entry: Option<EntryRef<'_>>| entry.map(|entry| entry.oid.to_owned());
            match self.pathspec.may_match_below(self.path.as_bstr()) {
                true => self.folders(id(old), id(new), depth + 1, deadline),
                false => Ok(false),
            }
        } else {
            Ok(self.pathspec.matches(self.path.as_bstr()))
        };
        self.path.truncate(length);
        differs
    }

    fn read(&mut self, id: Option<ObjectId>) -> Result<Vec<u8>, ToolError> {
        use gix::prelude::FindExt;
        let mut buffer = self.spare.pop().unwrap_or_default();
        buffer.clear();
        match id {
            Some(id) if id != ObjectId::empty_tree(id.kind()) => {
                self.repo.gix.objects.find_tree(&id, &mut buffer).map_err(|error| damaged(&error))?;
            }
            _ => {}
        }
        Ok(buffer)
    }
}

fn is_same(old: &EntryRef<'_>, new: &EntryRef<'_>) -> bool {
    let mode = |entry: &EntryRef<'_>| canonical(u32::from(entry.mode.value()));
    old.oid == new.oid && mode(old) == mode(new)
}

fn next<'t>(entries: &mut TreeRefIter<'t>) -> Result<Option<EntryRef<'t>>, ToolError> {
    entries.next().transpose().map_err(|error| damaged(&error))
}
