//! Trees as lists of files, in the order of the index.

use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::{State, entry};
use gix::objs::tree::EntryMode;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::changes::{Change, Version};
use crate::git::repo::{Caches, Repo, damaged};
use crate::git::writer::check_path;

/// How many trees are kept: HEAD's, and those of one comparison.
const KEPT: usize = 3;

/// Folders in folders: what no honest repository comes near, and no recursion suffers from.
pub(super) const MAX_DEPTH: usize = 1000;

/// The trees that were flattened last, the latest first.
#[derive(Default)]
pub struct Cache(Vec<(ObjectId, Rc<FlatTree>)>);

/// Every file of a tree, sorted by the bytes of its path.
#[derive(Debug, Default)]
pub struct FlatTree {
    /// All paths, one after the other.
    paths: Vec<u8>,
    files: Vec<File>,
}

/// A file, link or submodule of a tree.
#[derive(Clone, Copy, Debug)]
struct File {
    /// Where its path ends in `paths`; it begins where the one before ends.
    end: usize,
    version: Version,
}

impl FlatTree {
    /// The number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// The file at `position`: its path from the root, and what it is.
    pub fn get(&self, position: usize) -> Option<(&BStr, Version)> {
        let file = self.files.get(position)?;
        let start = position.checked_sub(1).map_or(0, |before| self.files[before].end);
        Some((self.paths[start..file.end].as_bstr(), file.version))
    }

    /// The file at `path`.
    pub fn find(&self, path: &BStr) -> Option<Version> {
        let (found, version) = self.get(self.first_from(path))?;
        (found == path).then_some(version)
    }

    /// The positions of the file at `path`, and of what is below it; below the empty path is everything.
    pub fn at_and_below(&self, path: &BStr) -> [Range<usize>; 2] {
        if path.is_empty() {
            return [0..0, 0..self.len()];
        }
        let at = self.first_from(path);
        let is_file = self.get(at).is_some_and(|(found, _)| found == path);
        let from = |end: u8| self.first_from([path.as_bytes(), &[end]].concat().as_bstr());
        [at..at + usize::from(is_file), from(b'/')..from(b'/' + 1)]
    }

    /// The position of the first file whose path is not before `path`.
    fn first_from(&self, path: &BStr) -> usize {
        let (mut low, mut high) = (0, self.files.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let (found, _) = self.get(middle).expect("the middle is below the end");
            if found < path {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    fn push(&mut self, path: &[u8], version: Version) {
        self.paths.extend_from_slice(path);
        let end = self.paths.len();
        self.files.push(File { end, version });
    }
}

/// The files of the tree `id`.
pub fn load(caches: &mut Caches, repo: &Repo, id: ObjectId, deadline: &Deadline) -> Result<Rc<FlatTree>, ToolError> {
    let kept = &mut caches.trees.0;
    if let Some(at) = kept.iter().position(|(known, _)| *known == id) {
        let hit = kept.remove(at);
        kept.insert(0, hit);
    } else {
        let mut flat = FlatTree::default();
        flatten(repo, id, &mut Vec::new(), 0, deadline, &mut flat)?;
        kept.insert(0, (id, Rc::new(flat)));
        kept.truncate(KEPT);
    }
    Ok(kept[0].1.clone())
}

fn flatten(
    repo: &Repo,
    id: ObjectId,
    path: &mut Vec<u8>,
    depth: usize,
    deadline: &Deadline,
    flat: &mut FlatTree,
) -> Result<(), ToolError> {
    for entry in read(repo, id, depth)? {
        deadline.poll()?;
        let length = path.len();
        path.extend_from_slice(&entry.name);
        if entry.mode.is_tree() {
            path.push(b'/');
            flatten(repo, entry.id, path, depth + 1, deadline, flat)?;
        } else {
            flat.push(path, entry.version());
        }
        path.truncate(length);
    }
    Ok(())
}

/// An index of these files, none of which has been looked at. A path that no checkout may write is refused.
pub fn index_of(tree: &FlatTree) -> Result<State, ToolError> {
    let mut state = State::new(gix::hash::Kind::Sha1);
    for (path, version) in (0..tree.len()).filter_map(|at| tree.get(at)) {
        let mode = entry::Mode::from_bits_truncate(version.mode);
        check_path(path, mode)?;
        state.dangerously_push_entry(entry::Stat::default(), version.id, entry::Flags::empty(), mode, path);
    }
    Ok(state)
}

/// What differs between the trees `old` and `new`, in the order of the paths. Equal folders are not looked into.
pub fn diff(repo: &Repo, old: ObjectId, new: ObjectId, deadline: &Deadline) -> Result<Vec<Change>, ToolError> {
    let mut walk = Walk { repo, deadline, path: Vec::new(), found: Vec::new() };
    if old != new {
        walk.folders(Some(old), Some(new), 0)?;
    }
    Ok(walk.found)
}

/// Two trees walked side by side.
struct Walk<'a> {
    repo: &'a Repo,
    deadline: &'a Deadline,
    path: Vec<u8>,
    found: Vec<Change>,
}

impl Walk<'_> {
    fn folders(&mut self, old: Option<ObjectId>, new: Option<ObjectId>, depth: usize) -> Result<(), ToolError> {
        let read = |id: Option<ObjectId>| id.map_or(Ok(Vec::new()), |id| read(self.repo, id, depth));
        let (old, new) = (read(old)?, read(new)?);
        let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
        loop {
            self.deadline.poll()?;
            let order = match (old.peek(), new.peek()) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => old.order(new),
            };
            let before = old.next_if(|_| order.is_le());
            let after = new.next_if(|_| order.is_ge());
            self.entries(before, after, depth)?;
        }
    }

    /// The same name on both sides or one; a folder and a file are never the same name.
    fn entries(&mut self, old: Option<Entry>, new: Option<Entry>, depth: usize) -> Result<(), ToolError> {
        let same = |(old, new): (&Entry, &Entry)| old.version() == new.version();
        let Some(either) = old.as_ref().or(new.as_ref()) else {
            return Ok(());
        };
        if old.as_ref().zip(new.as_ref()).is_some_and(same) {
            return Ok(());
        }
        let length = self.path.len();
        self.path.extend_from_slice(&either.name);
        if either.mode.is_tree() {
            self.path.push(b'/');
            let id = |entry: Option<Entry>| entry.map(|entry| entry.id);
            self.folders(id(old), id(new), depth + 1)?;
        } else {
            let version = |entry: Option<Entry>| entry.map(|entry| entry.version());
            let path = BString::from(self.path.as_slice());
            self.found.push(Change::new(path, version(old), version(new)));
        }
        self.path.truncate(length);
        Ok(())
    }
}

/// An entry of a tree, with a copy of its name.
struct Entry {
    name: BString,
    mode: EntryMode,
    id: ObjectId,
}

impl Entry {
    fn version(&self) -> Version {
        Version::object(canonical(u32::from(self.mode.value())), self.id)
    }

    fn order(&self, other: &Entry) -> Ordering {
        gix::objs::tree::name_order(&self.name, self.mode.is_tree(), &other.name, other.mode.is_tree())
    }
}

/// The mode as git has it today: old trees hold files that their group may write.
pub(super) fn canonical(mode: u32) -> u32 {
    match mode & 0o170_000 {
        0o100_000 if mode & 0o100 != 0 => 0o100_755,
        0o100_000 => 0o100_644,
        kind => kind,
    }
}

/// Refuses a path that no tree can have.
pub fn check_depth(path: &BStr) -> Result<(), ToolError> {
    if path.find_iter(b"/").count() > MAX_DEPTH {
        return Err(ToolError::failed(format!("More than {MAX_DEPTH} folders deep: {path}"))
            .hint("No commit can hold it. Move it further up with move_file, or leave it out."));
    }
    Ok(())
}

fn read(repo: &Repo, id: ObjectId, depth: usize) -> Result<Vec<Entry>, ToolError> {
    if depth > MAX_DEPTH {
        return Err(ToolError::failed(format!("A tree is more than {MAX_DEPTH} folders deep"))
            .hint("The sandbox cannot hold it: open it from a branch without that folder."));
    }
    if id == ObjectId::empty_tree(id.kind()) {
        return Ok(Vec::new());
    }
    let tree = repo.gix.find_tree(id).map_err(|error| damaged(&error))?;
    let mut entries = Vec::new();
    for entry in tree.iter() {
        let entry = entry.map_err(|error| damaged(&error))?;
        entries.push(Entry { name: entry.filename().to_owned(), mode: entry.mode(), id: entry.object_id() });
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_be_as_deep_as_a_tree_is_read() {
        for (folders, fits) in [(0, true), (MAX_DEPTH, true), (MAX_DEPTH + 1, false)] {
            let path = BString::from(format!("{}f", "d/".repeat(folders)));
            assert_eq!(check_depth(path.as_bstr()).is_ok(), fits, "{folders}");
        }
    }
}
