//! The directories of sandboxes that are on disk: apart from each other, from the home folder, and from what is pushed to.

use std::path::{Path, PathBuf};

use gate::id::SandboxId;

use super::{Home, SandboxFile};
use crate::error::{Doing, ErrorKind, HostError, Result};

impl Home {
    /// The home folder without links. It is there.
    pub fn real(&self) -> Result<PathBuf> {
        self.root.canonicalize().doing("find", &self.root)
    }

    /// An error if the directory `root`, an absolute path without links, cannot be a new sandbox's: it is in the home folder or in another
    /// sandbox's directory, or has one of them in it.
    pub fn ensure_apart(&self, root: &Path) -> Result<()> {
        let home = self.real()?;
        if overlap(root, &home) {
            return Err(refused(root, &format!("gitgate's own folder, {}", home.display())));
        }
        match directories(&home.join("sandboxes"))?.into_iter().find(|(_, other)| overlap(root, other)) {
            Some((name, other)) => {
                Err(refused(root, &format!("the folder of the sandbox '{name}', {}", other.display())))
            }
            None => Ok(()),
        }
    }
}

/// An error if `path`, absolute and without links, is in the directory of one of the sandboxes in the folder `sandboxes`: what is there was
/// written by an agent.
pub fn ensure_in_no_sandbox(sandboxes: &Path, path: &Path) -> Result<()> {
    match directories(sandboxes)?.into_iter().find(|(_, directory)| path.starts_with(directory)) {
        Some((name, _)) => Err(HostError::new(
            ErrorKind::Refused,
            format!("{} is in the folder of the sandbox '{name}'", path.display()),
        )
        .hint("name a place elsewhere")),
        None => Ok(()),
    }
}

/// The sandboxes on disk, by name. One whose own file cannot be read runs no tool.
fn directories(sandboxes: &Path) -> Result<Vec<(SandboxId, PathBuf)>> {
    let mut found = Vec::new();
    for name in super::names_in(sandboxes)? {
        match SandboxFile::read(&sandboxes.join(name.as_str())) {
            Ok(file) => found.extend(file.on_disk.map(|directory| (name, directory))),
            Err(error) => tracing::warn!("the sandbox '{name}' is passed over: {error}"),
        }
    }
    Ok(found)
}

fn overlap(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

fn refused(root: &Path, other: &str) -> HostError {
    HostError::new(ErrorKind::Refused, format!("{} and {other} cannot be one in the other", root.display()))
        .hint("name a folder elsewhere")
}
