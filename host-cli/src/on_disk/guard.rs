//! The repository of a sandbox on disk is what gitgate has laid out: all of it is in its folder. What would have git's own files read or
//! written elsewhere is refused before any tool runs. Another process can still change them while one does.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use crate::error::{Doing, ErrorKind, HostError, Result};

/// Files by which a repository says that a part of it is elsewhere.
const ELSEWHERE: [&str; 3] = ["commondir", "gitdir", "objects/info/alternates"];
/// Folders of the repository that no tool looks into.
const NEVER_READ: [&str; 4] = ["annex", "hooks", "lfs", "modules"];

/// An error if anything of the repository in `workspace` is elsewhere.
pub fn ensure_inside(workspace: &Path) -> Result<()> {
    if !workspace.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
        return Err(HostError::new(ErrorKind::Damaged, format!("there is no folder {}", workspace.display()))
            .hint("put the sandbox's files back, or remove the sandbox with `gitgate rm`"));
    }
    let git = workspace.join(".git");
    match git.symlink_metadata() {
        // A new sandbox.
        Err(_) => return Ok(()),
        Ok(meta) if !meta.is_dir() => return Err(elsewhere(&git)),
        Ok(_) => {}
    }
    if let Some(file) = ELSEWHERE.iter().map(|name| git.join(name)).find(|file| file.symlink_metadata().is_ok()) {
        return Err(elsewhere(&file));
    }
    let mut folders = vec![git.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).doing("read", &folder)? {
            let entry = entry.doing("read", &folder)?;
            let kind = entry.file_type().doing("read", &folder)?;
            let skipped = folder == git && NEVER_READ.iter().any(|name| entry.file_name() == *name);
            // Nothing can be read from a socket by its name.
            if !skipped && !kind.is_file() && !kind.is_dir() && !kind.is_socket() {
                return Err(elsewhere(&entry.path()));
            }
            if !skipped && kind.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    Ok(())
}

fn elsewhere(path: &Path) -> HostError {
    HostError::new(ErrorKind::Refused, format!("{} leads out of the repository", path.display())).hint(
        "remove it, or put in its place what it leads to: a sandbox on disk has all of its repository in its folder",
    )
}
