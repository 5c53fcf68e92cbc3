//! Nested repositories, and submodules without theirs. The tools never add either.

use gix::bstr::{BStr, ByteSlice};
use gix::index::State;
use gix::index::entry::Mode;

use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::platform;

/// The error for a folder `path` that cannot enter the index as a submodule. It is git's error if no repository with a commit is there.
/// Otherwise git would add it, so the error is ours. `doing` is the failing action in git's words.
pub fn refusal(repo: &Repo, path: &BStr, doing: &str) -> ToolError {
    if has_commit(repo, path) {
        return of_its_own(path);
    }
    let words = format!("error: '{path}' does not have a commit checked out\nfatal: {doing} files failed");
    ToolError::failed(words).hint(AROUND)
}

/// The error for a nested repository in the folder `path`.
pub fn of_its_own(path: &BStr) -> ToolError {
    ToolError::failed(format!("{path} is a git repository of its own")).hint(AROUND)
}

const AROUND: &str = "You cannot add submodules. Name files outside it.";

/// Whether a repository at `path` has a commit at HEAD. Assumes so if its `.git` is a file.
pub fn has_commit(repo: &Repo, path: &BStr) -> bool {
    let git = platform::join(&repo.root, path).join(".git");
    if !git.exists() {
        return false;
    }
    let read = |name: &str| platform::read(&git.join(name)).map(|content| content.to_vec()).unwrap_or_default();
    let head = read("HEAD");
    let Some(branch) = head.strip_prefix(b"ref: ") else { return git.is_file() || !head.is_empty() };
    let branch = branch.trim_ascii();
    let is_packed = || read("packed-refs").lines().any(|line| line.ends_with(branch));
    branch.to_str().is_ok_and(|name| git.join(name).exists()) || is_packed()
}

/// The submodule of `index` above `path`, if there is one.
pub fn submodule_above<'p>(index: &State, path: &'p BStr) -> Option<&'p BStr> {
    let mut folders = path.find_iter(b"/").filter(|slash| slash + 1 < path.len()).map(|slash| path[..slash].as_bstr());
    folders.find(|folder| is_submodule(index, folder))
}

/// Whether `index` has a submodule at `path`, even in conflict.
pub fn is_submodule(index: &State, path: &BStr) -> bool {
    let entries = index.entry_range(path).map(|range| &index.entries()[range]).unwrap_or_default();
    entries.iter().any(|entry| entry.mode == Mode::COMMIT)
}

/// The hint for a path in a submodule.
pub const OUTSIDE: &str = "The files in a submodule belong to another repository. Name files outside it.";

/// Refuses to work in the folder of a submodule without its repository.
pub fn not_in_submodule(index: &State, folder: &BStr) -> Result<(), ToolError> {
    if is_submodule(index, folder) {
        return Err(ToolError::failed(format!("fatal: in unpopulated submodule '{folder}'"))
            .hint("The files in a submodule belong to another repository. Work outside it."));
    }
    Ok(())
}
