//! Keeps the directories of sandboxes on disk apart from each other, from the home folder, and from
//! push targets.

use std::path::{Path, PathBuf};

use gate::id::SandboxId;

use super::Home;
use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::store;

impl Home {
    /// The home folder, which exists, without links.
    pub fn real(&self) -> Result<PathBuf> {
        self.root.canonicalize().doing("find", &self.root)
    }

    /// Fails if the directory `root`, an absolute path without links, overlaps the home folder or
    /// the directory of another sandbox.
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

/// Fails if `path`, absolute and without symlinks, is in the folder of all sandboxes, of which
/// `sandbox` is one, or in the directory of one of them.
pub fn ensure_elsewhere(sandbox: &Path, path: &Path) -> Result<()> {
    let sandboxes = sandbox.parent().expect("a sandbox is in a folder of sandboxes");
    if path.starts_with(sandboxes.canonicalize().doing("find", sandboxes)?) {
        let what = format!("{} is in gitgate's own folder", path.display());
        return Err(HostError::new(ErrorKind::Refused, what).hint("choose a place outside it"));
    }
    ensure_in_no_sandbox(sandboxes, path)
}

/// Fails if `path`, absolute and without links, is in the directory of a sandbox in the folder
/// `sandboxes`. An agent wrote everything there.
pub fn ensure_in_no_sandbox(sandboxes: &Path, path: &Path) -> Result<()> {
    match directories(sandboxes)?.into_iter().find(|(_, directory)| path.starts_with(directory)) {
        Some((name, _)) => Err(HostError::new(
            ErrorKind::Refused,
            format!("{} is in the folder of the sandbox '{name}'", path.display()),
        )
        .hint("choose a place outside it")),
        None => Ok(()),
    }
}

/// The sandboxes on disk, by name. Skips a sandbox whose own file cannot be read: it runs no tools.
fn directories(sandboxes: &Path) -> Result<Vec<(SandboxId, PathBuf)>> {
    let mut found = Vec::new();
    for name in super::names_in(sandboxes)? {
        match store::settings(&sandboxes.join(name.as_str())) {
            Ok(file) => found.extend(file.on_disk.map(|directory| (name, directory))),
            Err(error) => tracing::warn!("skipping the sandbox '{name}': {error}"),
        }
    }
    Ok(found)
}

fn overlap(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

fn refused(root: &Path, other: &str) -> HostError {
    HostError::new(ErrorKind::Refused, format!("{} overlaps {other}", root.display())).hint("choose a separate folder")
}
