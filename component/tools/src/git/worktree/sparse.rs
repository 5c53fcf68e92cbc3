//! A sparse sandbox: the paths of the repository that are in its working folder.
//!
//! git reads them from `.git/info/sparse-checkout` (git-sparse-checkout, "INTERNALS--FULL PATTERN SET"), one a line, each a literal file or
//! folder. `core.sparseCheckout` enables the file.

use std::collections::BTreeSet;
use std::rc::Rc;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Flags;
use gix::index::{Entry, State};

use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::git::store::{config_file, index};
use crate::paths::{Access, Zones};
use crate::platform;

const FILE: &str = ".git/info/sparse-checkout";

/// The files and folders in the working folder, relative to the root of the repository.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Sparse(BTreeSet<BString>);

impl Sparse {
    /// The paths in the working folder of `repo`. `None` if it has all paths.
    pub fn load(repo: &Repo) -> Result<Option<Sparse>, ToolError> {
        if !repo.gix.config_snapshot().boolean("core.sparseCheckout").unwrap_or(false) {
            return Ok(None);
        }
        let content = match platform::read(&repo.root.join(FILE)) {
            Ok(content) => content,
            // Without patterns git leaves nothing out.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ToolError::io(FILE, &error)),
        };
        let paths = content.lines().filter(|line| !line.is_empty()).map(unescape).collect::<Option<_>>();
        let paths = paths.ok_or_else(|| {
            ToolError::failed(format!("{FILE} contains a pattern that is not a plain path"))
                .hint("Ask the user to open a sandbox from a repository without sparse checkout.")
        })?;
        Ok(Some(Sparse(paths)))
    }

    /// Has exactly `paths`. The empty path is the root.
    pub fn of(paths: impl IntoIterator<Item = BString>) -> Sparse {
        Sparse(paths.into_iter().collect())
    }

    /// Adds these paths. A path below another one needs no entry.
    pub fn with(&self, paths: impl IntoIterator<Item = BString>) -> Sparse {
        let new: Vec<BString> = paths.into_iter().filter(|path| !self.contains(path.as_bstr())).collect();
        if new.is_empty() {
            return self.clone();
        }
        let all = Sparse(self.0.iter().cloned().chain(new).collect());
        Sparse(all.0.iter().filter(|path| !all.has_above(path.as_bstr())).cloned().collect())
    }

    /// Whether the file at `path` belongs in the working folder.
    pub fn contains(&self, path: &BStr) -> bool {
        self.0.contains(path) || self.has_above(path)
    }

    /// Whether a folder above `path` is in the set.
    fn has_above(&self, path: &BStr) -> bool {
        let is_in_root = !path.is_empty() && self.0.contains(b"".as_bstr());
        is_in_root || path.find_iter(b"/").any(|slash| self.0.contains(path[..slash].as_bstr()))
    }

    /// Writes the paths so that git reads them.
    pub fn store(&self, repo: &Repo) -> Result<(), ToolError> {
        let mut text = Vec::new();
        for path in &self.0 {
            text.extend_from_slice(&escape(path.as_bstr()));
            text.push(b'\n');
        }
        platform::create_dir_all(&repo.git_dir().join("info"))
            .and_then(|()| platform::put_file(&repo.root.join(FILE), text, None))
            .map_err(|error| ToolError::io(FILE, &error))?;
        config_file::add_once(repo, "[core]\n\tsparseCheckout = true\n")
    }
}

/// `index` as git sees it in a sparse checkout: a file that exists in the working folder does not count as skipped.
pub fn present(repo: &Repo, index: &Rc<State>) -> Rc<State> {
    let is_on = repo.gix.config_snapshot().boolean("core.sparseCheckout").unwrap_or(false);
    let skipped = |entry: &Entry| entry.flags.contains(Flags::SKIP_WORKTREE);
    let is_there = |entry: &Entry| skipped(entry) && repo.standing(entry.path(index)).is_some();
    if !is_on || !index.entries().iter().any(is_there) {
        return index.clone();
    }
    let mut state = index.as_ref().clone();
    for (entry, old) in state.entries_mut().iter_mut().zip(index.entries()) {
        if is_there(old) {
            entry.flags.remove(Flags::SKIP_WORKTREE);
        }
    }
    Rc::new(state)
}

/// Adds a hint to `error` if the repository has the file or folder `named` but this sparse sandbox does not.
pub fn explain(repo: &Repo, cache: &mut index::Cache, zones: &Zones, named: &str, error: ToolError) -> ToolError {
    match left_out(repo, cache, zones, named) {
        Ok(Some(path)) => error.hint(format!(
            "The repository has it, but this sparse sandbox does not. Call git_pull with paths [\"{path}\"] to bring \
             it in."
        )),
        // There is no more to say about a missing path.
        Ok(None) | Err(_) => error,
    }
}

/// The path of `named` in the repository, if the repository has it and the working folder does not.
fn left_out(repo: &Repo, cache: &mut index::Cache, zones: &Zones, named: &str) -> Result<Option<String>, ToolError> {
    let path = zones.resolve(named, &zones.workspace(), Access::Look)?;
    if !path.is_in_workspace() || Sparse::load(repo)?.is_none() {
        return Ok(None);
    }
    let path = path.relative();
    let index = index::load(cache, repo)?;
    let below = format!("{path}/");
    let ranges = [index.entry_range(path.as_str().into()), index.prefixed_entries_range(below.as_str().into())];
    let mut entries = ranges.into_iter().flatten().flat_map(|range| &index.entries()[range]);
    Ok(entries.any(|entry| entry.flags.contains(Flags::SKIP_WORKTREE)).then_some(path))
}

/// Bytes that need an escape in a pattern.
const SPECIAL: &[u8] = b"\\*?[ ";

/// A pattern that matches this file or folder only. For the root it matches every path.
fn escape(path: &BStr) -> Vec<u8> {
    if path.is_empty() {
        return b"/*".to_vec();
    }
    let mut pattern = b"/".to_vec();
    for &byte in path.iter() {
        if SPECIAL.contains(&byte) {
            pattern.push(b'\\');
        }
        pattern.push(byte);
    }
    pattern
}

fn unescape(pattern: &[u8]) -> Option<BString> {
    if pattern == b"/*" {
        return Some(BString::default());
    }
    let mut path = BString::default();
    let mut bytes = pattern.strip_prefix(b"/")?.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'\\' => path.push(*bytes.next()?),
            special if SPECIAL.contains(&special) => return None,
            byte => path.push(byte),
        }
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_itself_and_what_is_below_it() {
        let sparse = Sparse::of(["docs".into(), "a/b.md".into()]);
        for (path, is_in) in
            [("docs/x/y", true), ("docs", true), ("docs2", false), ("a/b.md", true), ("a/c", false), ("b.md", false)]
        {
            assert_eq!(sparse.contains(path.into()), is_in, "{path}");
        }
        assert!(Sparse::of([BString::default()]).contains("any/thing".into()));
    }

    #[test]
    fn a_folder_takes_the_place_of_what_is_below_it() {
        let sparse = Sparse::of(["a/b".into(), "a/c/d".into(), "ab".into()]);
        assert_eq!(sparse.with(["a".into()]), Sparse::of(["a".into(), "ab".into()]));
        assert_eq!(sparse.with(["a/b/x".into()]), sparse);
        assert_eq!(sparse.with(["x/y".into(), "a/b/x".into(), "x".into()]), sparse.with(["x".into()]));
        assert_eq!(sparse.with([BString::default(), "x".into()]), Sparse::of([BString::default()]));
    }

    #[test]
    fn patterns_are_read_as_they_were_written() {
        for path in ["", "a b", "a*?[x]", "\\", "#!", "é/ü"] {
            let path = BString::from(path);
            assert_eq!(unescape(&escape(path.as_bstr())), Some(path));
        }
        for pattern in ["a", "/a*", "!/a", "/a\\"] {
            assert_eq!(unescape(pattern.as_bytes()), None, "{pattern}");
        }
    }
}
