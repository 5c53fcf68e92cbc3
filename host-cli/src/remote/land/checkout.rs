//! Finds the worktree, main or linked, that has a branch checked out.

use std::path::PathBuf;

use super::error::refused;
use super::plan::Plan;
use crate::remote::{LandError, Obstacle, Target, TargetError, refs};

/// A worktree that has the branch checked out.
pub(super) struct Checkout {
    /// The repository as that worktree sees it: its HEAD, its index.
    pub(super) repo: gix::Repository,
    /// The top folder.
    pub(super) root: PathBuf,
}

/// The worktree where `reference` is checked out. `main` is the repository freshly opened.
///
/// Several such worktrees, one whose folder is gone, or a merge, rebase or bisect of the branch are
/// conflicts.
pub(super) fn of_branch(main: &gix::Repository, reference: &str) -> Result<Option<Checkout>, LandError> {
    let damaged = |e: gix::Error| LandError::Failed(TargetError::damaged("cannot list the worktrees", e));
    let mut found: Vec<Checkout> = Vec::new();
    let linked = main
        .worktrees()
        .map_err(damaged)?
        .into_iter()
        .map(|proxy| proxy.into_repo_with_possibly_inaccessible_worktree().map_err(damaged));
    for repo in std::iter::once(Ok(main.clone())).chain(linked) {
        let repo = repo?;
        let Some(root) = repo.workdir().map(ToOwned::to_owned) else {
            continue;
        };
        let head = refs::resolved_head(&repo)?;
        if head.is_none_or(|name| name.as_bstr() != reference) {
            ensure_not_worked_on(&repo, reference, &root)?;
            continue;
        }
        if !root.is_dir() {
            return Err(LandError::conflict(
                Obstacle::Worktree,
                format!("the branch is checked out in {}, which does not exist", root.display()),
                "mount or restore that folder, or run `git worktree prune`",
            ));
        }
        if repo.state().is_some() {
            return Err(LandError::conflict(
                Obstacle::InProgress,
                format!("a merge, rebase, cherry-pick, revert or bisect is under way in {}", root.display()),
                "finish it or abort it, then push again",
            ));
        }
        found.push(Checkout { repo, root });
    }
    if let [one, other, ..] = &found[..] {
        return Err(LandError::conflict(
            Obstacle::Worktree,
            format!("the branch is checked out twice, in {} and {}", one.root.display(), other.root.display()),
            "switch one of them to another branch",
        ));
    }
    Ok(found.pop())
}

/// The folders of the worktrees that have `reference` checked out. `main` is the repository freshly
/// opened.
pub fn checked_out_in(main: &gix::Repository, reference: &str) -> Result<Vec<PathBuf>, TargetError> {
    let damaged = |e: gix::Error| TargetError::damaged("cannot list the worktrees", e);
    let mut found = Vec::new();
    let linked = main.worktrees().map_err(damaged)?.into_iter();
    let linked = linked.map(|proxy| proxy.into_repo_with_possibly_inaccessible_worktree().map_err(damaged));
    for repo in std::iter::once(Ok(main.clone())).chain(linked) {
        let repo = repo?;
        let is_here = refs::resolved_head(&repo)?.is_some_and(|name| name.as_bstr() == reference);
        found.extend(repo.workdir().filter(|_| is_here).map(|root| root.canonicalize().unwrap_or(root.to_owned())));
    }
    Ok(found)
}

/// True if the worktree that the plan updates still has the branch checked out.
pub(super) fn is_checked_out(target: &Target, plan: &Plan) -> Result<bool, LandError> {
    let Some(worktree) = &plan.worktree else {
        return Ok(true);
    };
    let repo = target.open_git_dir(&worktree.git_dir)?;
    let head = refs::resolved_head(&repo)?;
    Ok(worktree.root.is_dir() && head.is_some_and(|name| name.as_bstr() == plan.reference.as_str()))
}

/// A rebase or bisect detaches HEAD and returns to its branch at the end, so the branch must not
/// move meanwhile.
fn ensure_not_worked_on(repo: &gix::Repository, reference: &str, root: &std::path::Path) -> Result<(), LandError> {
    let short = reference.strip_prefix("refs/heads/").unwrap_or(reference);
    for file in ["rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"] {
        let path = repo.git_dir().join(file);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
                continue;
            }
            Err(error) => return Err(refused(&format!("read {}", path.display()), error)),
        };
        if text.trim() == reference || text.trim() == short {
            return Err(LandError::conflict(
                Obstacle::InProgress,
                format!("a rebase or bisect of the branch is under way in {}", root.display()),
                "finish it or abort it, then push again",
            ));
        }
    }
    Ok(())
}
