//! Repositories in the working folder, and submodules without theirs: neither is ever added.

use gix::bstr::{BStr, ByteSlice};
use gix::index::State;
use gix::index::entry::Mode;

use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::platform;

/// Why the folder `path` cannot enter the index as a submodule. The words are git's if there is no
/// repository with a commit, and ours otherwise, because git would add it. `doing` is the failing
/// action in git's words.
pub fn refusal(repo: &Repo, path: &BStr, doing: &str) -> ToolError {
    if has_commit(repo, path) {
        return of_its_own(path);
    }
    let words = format!("error: '{path}' does not have a commit checked out\nfatal: {doing} files failed");
    ToolError::failed(words).hint(AROUND)
}

/// Why a repository in the folder `path` is not taken in.
pub fn of_its_own(path: &BStr) -> ToolError {
    ToolError::failed(format!("{path} is a git repository of its own")).hint(AROUND)
}

const AROUND: &str = "You cannot add submodules. Name files outside it.";

/// Whether there is a repository whose HEAD has a commit. Assumed if its git folder lies elsewhere.
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

/// The submodule of `index` that `path` is in, if it is in one.
pub fn submodule_above<'p>(index: &State, path: &'p BStr) -> Option<&'p BStr> {
    let mut folders = path.find_iter(b"/").filter(|slash| slash + 1 < path.len()).map(|slash| path[..slash].as_bstr());
    folders.find(|folder| is_submodule(index, folder))
}

/// Whether `index` has a submodule at `path`, be it in conflict.
pub fn is_submodule(index: &State, path: &BStr) -> bool {
    let entries = index.entry_range(path).map(|range| &index.entries()[range]).unwrap_or_default();
    entries.iter().any(|entry| entry.mode == Mode::COMMIT)
}

/// What to do about a path in a submodule.
pub const OUTSIDE: &str = "The files in a submodule belong to another repository. Name files outside it.";

/// Refuses to work in the folder of a submodule that has no repository there.
pub fn not_in_submodule(index: &State, folder: &BStr) -> Result<(), ToolError> {
    if is_submodule(index, folder) {
        return Err(ToolError::failed(format!("fatal: in unpopulated submodule '{folder}'"))
            .hint("The files in a submodule belong to another repository. Work outside it."));
    }
    Ok(())
}
