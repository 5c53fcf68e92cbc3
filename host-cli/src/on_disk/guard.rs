//! Makes sure that the whole repository of a sandbox on disk is in its folder, as gitgate created
//! it. Refuses anything that would make git read or write its files elsewhere, before any tool
//! runs. Another process can still change the files while a tool runs.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use crate::error::{Doing, ErrorKind, HostError, Result};

/// Files that move a part of a repository elsewhere.
const ELSEWHERE: [&str; 3] = ["commondir", "gitdir", "objects/info/alternates"];
/// Folders of the repository that no tool reads.
const NEVER_READ: [&str; 4] = ["annex", "hooks", "lfs", "modules"];

/// Fails if any part of the repository in `workspace` is elsewhere.
pub fn ensure_inside(workspace: &Path) -> Result<()> {
    if !workspace.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
        return Err(HostError::new(ErrorKind::Damaged, format!("the folder {} is missing", workspace.display()))
            .hint("restore the sandbox's files, or remove the sandbox with `gitgate rm`"));
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
    HostError::new(ErrorKind::Refused, format!("{} leads outside the repository", path.display())).hint(
        "remove it, or replace it with what it leads to: a sandbox on disk keeps its whole repository in its folder",
    )
}
