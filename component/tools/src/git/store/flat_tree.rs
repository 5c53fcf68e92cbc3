//! Flattens trees to lists of files, in the order of the index.

use std::ops::Range;
use std::rc::Rc;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::index::{State, entry};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::names::check_path;
use crate::git::store::repo::Repo;
use crate::git::store::tree_diff::{MAX_DEPTH, TreeDiff};
use crate::git::store::version::Version;

/// The number of trees in the cache: HEAD's, and two for a comparison.
const KEPT: usize = 3;

/// The trees that were flattened last, the latest first.
#[derive(Default)]
pub struct Cache(Vec<(ObjectId, Rc<FlatTree>)>);

/// Every file of a tree, sorted by the bytes of its path.
#[derive(Debug, Default)]
pub struct FlatTree {
    /// All paths, concatenated.
    paths: Vec<u8>,
    files: Vec<File>,
    /// Whether the entries of every tree in it are sorted, as in every honest tree.
    is_ordered: bool,
}

/// A file, link or submodule of a tree.
#[derive(Clone, Copy, Debug)]
struct File {
    /// The end of its path in `paths`; the path begins at the end of the previous one.
    end: usize,
    version: Version,
}

impl FlatTree {
    /// The number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// The path from the root and the version of the file at `position`.
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

    /// The positions of the file at `path`, and of the files below it. Every file is below the empty path.
    pub fn at_and_below(&self, path: &BStr) -> [Range<usize>; 2] {
        if path.is_empty() {
            return [0..0, 0..self.len()];
        }
        let at = self.first_from(path);
        let is_file = self.get(at).is_some_and(|(found, _)| found == path);
        let from = |end: u8| self.first_from([path.as_bytes(), &[end]].concat().as_bstr());
        [at..at + usize::from(is_file), from(b'/')..from(b'/' + 1)]
    }

    /// The position of the first file whose path is not less than `path`.
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

    /// Derives the files of the tree `new` from these, the files of `old`, and the difference between both trees. `None` if a tree is
    /// unsorted: then only reading all of it tells which files it has.
    fn towards(
        &self,
        repo: &Repo,
        old: ObjectId,
        new: ObjectId,
        deadline: &Deadline,
    ) -> Result<Option<FlatTree>, ToolError> {
        let mut changed = FlatTree { is_ordered: true, ..FlatTree::default() };
        changed.paths.reserve(self.paths.len());
        changed.files.reserve(self.len());
        let mut trees = TreeDiff::new(repo).noting_order();
        trees.open(Some(old), Some(new), deadline)?;
        let mut next = 0;
        while let Some(found) = trees.next(deadline, |_| true)? {
            let at = self.first_from(trees.path());
            changed.push_all(self, next..at);
            next = at + usize::from(found.old.is_some());
            if let Some(version) = found.new {
                changed.push(trees.path(), version);
            }
        }
        changed.push_all(self, next..self.len());
        Ok(trees.is_ordered().then_some(changed))
    }

    /// Appends the files at `positions` of `other`.
    fn push_all(&mut self, other: &FlatTree, positions: Range<usize>) {
        let Some(last) = positions.clone().last() else { return };
        let start = positions.start.checked_sub(1).map_or(0, |before| other.files[before].end);
        let moved = self.paths.len();
        self.paths.extend_from_slice(&other.paths[start..other.files[last].end]);
        let files = other.files[positions].iter();
        self.files.extend(files.map(|file| File { end: file.end - start + moved, ..*file }));
    }

    fn push(&mut self, path: &[u8], version: Version) {
        self.paths.extend_from_slice(path);
        let end = self.paths.len();
        self.files.push(File { end, version });
    }
}

/// The files of the tree `id`, cached.
pub fn load(cache: &mut Cache, repo: &Repo, id: ObjectId, deadline: &Deadline) -> Result<Rc<FlatTree>, ToolError> {
    let kept = &mut cache.0;
    if let Some(at) = kept.iter().position(|(known, _)| *known == id) {
        let hit = kept.remove(at);
        kept.insert(0, hit);
    } else {
        let derived = match kept.first() {
            // Most files of one commit are also in the next.
            Some((known, files)) if files.is_ordered => files.towards(repo, *known, id, deadline)?,
            _ => None,
        };
        let flat = match derived {
            Some(flat) => flat,
            None => read(repo, id, deadline)?,
        };
        kept.insert(0, (id, Rc::new(flat)));
        kept.truncate(KEPT);
    }
    Ok(kept[0].1.clone())
}

/// Like [`load`], but neither uses nor fills the cache: for a tree that shares nothing with others.
pub fn read(repo: &Repo, id: ObjectId, deadline: &Deadline) -> Result<FlatTree, ToolError> {
    let mut flat = FlatTree::default();
    let mut trees = TreeDiff::new(repo).noting_order();
    trees.open(None, Some(id), deadline)?;
    while let Some(found) = trees.next(deadline, |_| true)? {
        let version = found.new.expect("there is only one side");
        flat.push(trees.path(), version);
    }
    flat.is_ordered = trees.is_ordered();
    Ok(flat)
}

/// Builds an index of these files, all with unknown stats. It refuses a path that no checkout may write.
pub fn index_of(tree: &FlatTree) -> Result<State, ToolError> {
    let mut state = State::new(gix::hash::Kind::Sha1);
    for (path, version) in (0..tree.len()).filter_map(|at| tree.get(at)) {
        let mode = entry::Mode::from_bits_truncate(version.mode);
        check_path(path, mode)?;
        state.dangerously_push_entry(entry::Stat::default(), version.id, entry::Flags::empty(), mode, path);
    }
    Ok(state)
}

/// Refuses a path deeper than any tree.
pub fn check_depth(path: &BStr) -> Result<(), ToolError> {
    if path.find_iter(b"/").count() > MAX_DEPTH {
        return Err(ToolError::failed(format!("More than {MAX_DEPTH} folders deep: {path}"))
            .hint("No commit can hold it. Move it further up with move_file, or leave it out."));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use gix::bstr::BString;

    use super::*;

    #[test]
    fn a_path_may_be_as_deep_as_a_tree_is_read() {
        for (folders, fits) in [(0, true), (MAX_DEPTH, true), (MAX_DEPTH + 1, false)] {
            let path = BString::from(format!("{}f", "d/".repeat(folders)));
            assert_eq!(check_depth(path.as_bstr()).is_ok(), fits, "{folders}");
        }
    }
    #[cfg(not(target_os = "wasi"))]
    #[test]
    fn the_files_of_a_tree_are_the_same_whatever_was_read_before() {
        let mut sandbox = crate::testing::Sandbox::with_repository();
        let blob = sandbox.git(&["hash-object", "-w", "--stdin"]).trim().to_owned();
        let raw: Vec<u8> = (0..20).map(|n| u8::from_str_radix(&blob[2 * n..2 * n + 2], 16).unwrap()).collect();
        let mut ids = Vec::new();
        for names in [&["a", "a-b", "b"][..], &["a/x", "a/y", "a-b", "c"], &["a/x", "a-b", "a0", "b/z"], &["0"], &[]] {
            let lines: String = names.iter().map(|name| format!("100644 {blob}\t{name}\n")).collect();
            sandbox.git(&["read-tree", "--empty"]);
            sandbox.git_fed(&["update-index", "--index-info"], lines.as_bytes());
            ids.push(sandbox.git(&["write-tree"]));
        }
        // Only an attacker writes unsorted trees.
        for names in [&["b", "a", "a-b"][..], &["a", "a", "c"], &["a-b", "a0", "a", "b"]] {
            let tree: Vec<u8> =
                names.iter().flat_map(|name| [format!("100644 {name}\0").as_bytes(), &raw].concat()).collect();
            let written = sandbox.git_fed(&["hash-object", "-t", "tree", "-w", "--stdin", "--literally"], &tree);
            ids.push(String::from_utf8(written.stdout).unwrap());
        }
        let ids: Vec<ObjectId> = ids.iter().map(|id| ObjectId::from_hex(id.trim().as_bytes()).unwrap()).collect();
        let repo = sandbox.session.repo().unwrap();
        let deadline = Deadline::after(|| 0, u64::MAX);
        let list = |tree: &FlatTree| -> Vec<String> {
            (0..tree.len()).map(|at| format!("{:?}", tree.get(at).unwrap())).collect()
        };
        for one in &ids {
            for other in &ids {
                let mut cache = Cache::default();
                load(&mut cache, &repo, *one, &deadline).unwrap();
                let warm = load(&mut cache, &repo, *other, &deadline).unwrap();
                assert_eq!(list(&warm), list(&read(&repo, *other, &deadline).unwrap()), "{one} {other}");
            }
        }
    }
}
