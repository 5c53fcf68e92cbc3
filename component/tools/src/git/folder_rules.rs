//! The files in which a folder keeps rules for what is in it: `.gitattributes` and `.gitignore`.
//!
//! Only a regular file counts: git follows no link there (gitattributes and gitignore, "NOTES"), so that what a clone brings never makes a
//! rule of what lies elsewhere.

use gix::bstr::{BStr, ByteSlice};

use crate::error::ToolError;
use crate::git::repo::Repo;
use crate::platform::{self, Kind};

/// What stands in the file `path`, from the root of the repository, where `kind` says what is there; none if that is no file. Of a folder, as
/// git opens it like a file, there is nothing to read.
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

/// What is at `path`.
pub fn kind(repo: &Repo, path: &BStr) -> Option<Kind> {
    repo.stat(path).ok().map(|stat| stat.kind)
}

/// Refuses to match a rule of `file` against `path` that would take longer than anybody waits, and that nothing could stop meanwhile.
pub fn ensure_bounded(double_stars: usize, path: &BStr, file: &str) -> Result<(), ToolError> {
    if patch::glob::is_bounded(double_stars, path) {
        return Ok(());
    }
    let start = path.to_str_lossy().chars().take(40).collect::<String>();
    Err(ToolError::failed(format!("A rule of a {file} has too many ** for a path as deep as '{start}...'"))
        .hint(format!("Take ** out of that {file} with edit_file, or move the files to where they are less deep.")))
}
