//! A repository's layout on the disk: the git folder that its worktrees share, its main worktree,
//! and its canonical path.
//!
//! A git folder does not always name its worktree. With `git init --separate-git-dir`, or if `.git`
//! is a symlink, only the worktree leads to the git folder. The layout found when the repository
//! was opened is therefore kept.

use std::path::{Path, PathBuf};

use super::{TargetError, TargetErrorKind, error, open};

/// The places of a repository. All paths are canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The git folder that all worktrees share.
    pub(super) common: PathBuf,
    /// The main worktree, or `None` in a bare repository.
    pub(super) workdir: Option<PathBuf>,
}

impl Layout {
    /// The layout of the repository opened as `named`, which may be one of its linked worktrees.
    pub(super) fn of(named: &gix::Repository) -> Result<Self, TargetError> {
        let common = canonical(named.common_dir())?;
        let main = open::as_is(&common)?;
        let config = main.config_snapshot();
        // The git folder's own setting wins. Only it knows a worktree other than the named one.
        let told = config.string("core.worktree").is_some() || canonical(named.git_dir())? != common;
        let workdir = if told { main.workdir() } else { named.workdir() };
        if config.boolean("core.bare").unwrap_or(workdir.is_none()) {
            return Ok(Layout { common, workdir: None });
        }
        match workdir {
            Some(workdir) => Ok(Layout { workdir: Some(canonical(workdir)?), common }),
            None => Err(TargetError::new(
                TargetErrorKind::Unsupported,
                format!("the git folder {} does not say where its worktree is", common.display()),
            )
            .hint("name the main worktree, the folder whose `.git` leads to it")),
        }
    }

    /// The folder that names the repository. Opening it again gives this layout.
    pub(super) fn place(&self) -> Result<&Path, TargetError> {
        let Some(workdir) = &self.workdir else {
            return Ok(&self.common);
        };
        if workdir.join(".git") == self.common {
            return Ok(workdir);
        }
        // With `core.worktree`, nothing in the worktree leads to the git folder.
        let beside = self.common.parent().filter(|_| self.common.file_name().is_some_and(|name| name == ".git"));
        let leads_here =
            |place: &&Path| open::trusted(place).and_then(|repo| Layout::of(&repo)).is_ok_and(|it| it == *self);
        [Some(workdir.as_path()), beside, Some(&self.common)].into_iter().flatten().find(leads_here).ok_or_else(|| {
            TargetError::new(
                TargetErrorKind::Unsupported,
                format!(
                    "neither {} nor {} leads to the other, so the repository has no path that names it",
                    workdir.display(),
                    self.common.display()
                ),
            )
            .hint("set `core.worktree` in its configuration, or put a `.git` into the worktree")
        })
    }

    /// Opens the repository in its current state.
    pub(super) fn open(&self) -> Result<gix::Repository, TargetError> {
        let mut repo = open::as_is(&self.common)?;
        if repo.workdir() != self.workdir.as_deref() {
            repo.set_workdir(self.workdir.clone()).map_err(|error| {
                TargetError::damaged(format!("cannot read the worktree of {}", self.common.display()), error)
            })?;
        }
        Ok(repo)
    }
}

pub(super) fn canonical(path: &Path) -> Result<PathBuf, TargetError> {
    path.canonicalize().map_err(|error| error::io("open", path, error))
}
