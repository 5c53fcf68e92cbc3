//! Reads the files with a folder's rules: `.gitattributes` and `.gitignore`.
//!
//! Only a regular file counts. Like git, this follows no link there (gitattributes and gitignore,
//! "NOTES"), so a clone cannot turn a file elsewhere into rules.

use gix::bstr::{BStr, ByteSlice};

use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::platform::{self, Kind};

/// The content of the file `path`, relative to the root of the repository, if `kind` is a file. `None` if it is something else. A folder
/// counts as empty, because git opens it like a file.
pub fn read(repo: &Repo, path: &BStr, kind: Option<Kind>) -> Result<Option<Vec<u8>>, ToolError> {
    match kind {
        Some(Kind::File) => {
            let content = repo.real(path).and_then(|real| platform::read(&real));
            content.map(|content| Some(content.to_vec())).map_err(|error| ToolError::io(&path.to_str_lossy(), &error))
        }
        Some(Kind::Folder) => Ok(Some(Vec::new())),
        Some(Kind::Link | Kind::Other) | None => Ok(None),
    }
}

/// The kind of entry at `path`.
pub fn kind(repo: &Repo, path: &BStr) -> Option<Kind> {
    repo.stat(path).ok().map(|stat| stat.kind)
}

/// Refuses to match a rule of `file` against `path` if that would take too long, because nothing can interrupt it.
pub fn ensure_bounded(double_stars: usize, path: &BStr, file: &str) -> Result<(), ToolError> {
    if patch::glob::is_bounded(double_stars, path) {
        return Ok(());
    }
    let start = path.to_str_lossy().chars().take(40).collect::<String>();
    Err(ToolError::failed(format!("A rule in a {file} uses ** too often for a path as deep as '{start}...'"))
        .hint(format!("Remove ** from that {file} with edit_file, or move the files to a shallower folder.")))
}
