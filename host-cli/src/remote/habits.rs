//! What git does at a commit or a push to a repository, and gitgate does not: it runs nothing.

use std::fs;
use std::path::{Path, PathBuf};

use gate::push::Peculiarity;

use super::{Target, TargetError};
use crate::home::git_config;

/// The hooks that git runs when a person commits and pushes to this repository, or from it (githooks).
const HOOKS: [&str; 11] = [
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "pre-push",
    "pre-receive",
    "update",
    "reference-transaction",
    "push-to-checkout",
    "post-receive",
    "post-update",
];

impl Target {
    /// The hooks that a push leaves out.
    ///
    /// # Errors
    /// If HEAD cannot be read, on which the configuration may depend.
    pub fn habits(&self) -> Result<Vec<Peculiarity>, TargetError> {
        let place = self.git_place()?;
        let config = git_config::read(Some(&place));
        let folder = match config.path("core.hooksPath") {
            // Relative to where git runs hooks.
            Some(path) => {
                let base = place.worktree.as_ref().unwrap_or(&place.common);
                git_config::expanded(path).map(|path| base.join(path))
            }
            None => Some(place.common.join("hooks")),
        };
        let hooks = folder.map(|folder| hooks_in(&folder)).unwrap_or_default();
        Ok(Some(hooks).filter(|hooks| !hooks.is_empty()).map(Peculiarity::Hooks).into_iter().collect())
    }
}

/// Those in a folder that git would run: they are executable.
fn hooks_in(folder: &Path) -> Vec<String> {
    let names = HOOKS.into_iter().filter(|name| is_executable(&folder.join(name)));
    names.map(str::to_owned).collect()
}

#[cfg(unix)]
fn is_executable(file: &PathBuf) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Windows has no such bit, so git runs what is there.
#[cfg(not(unix))]
fn is_executable(file: &PathBuf) -> bool {
    fs::metadata(file).is_ok_and(|found| found.is_file())
}
