//! Undoes a landing whose branch did not move, or whose worktree no longer has the branch checked
//! out.

use std::path::PathBuf;

use gix::bstr::{BString, ByteSlice};

use super::apply::Apply;
use super::dir::Dir;
use super::disk::Disk;
use super::error::Doing;
use super::plan::{Mode, Plan};
use super::scan::Abilities;
use super::{checkout, folder, lock, reference, store};
use crate::remote::{LandError, Target, TargetError, Undone, refs};

/// Undoes what a landing did before the branch moved. Can be repeated from any point.
///
/// One step that fails keeps no other from being tried: a lock that stays would keep the person's
/// git out. The landing's folder stays then, so that recovery tries all of it again.
pub(super) fn undo(disk: &Disk<'_>, target: &Target, plan: &Plan, git: &Dir) -> Result<Undone, LandError> {
    let mut failed = None;
    let mut undone = Undone::default();
    if let Some(own) = &folder::open(git, plan)? {
        let mut attempt = |step: Result<(), LandError>| failed = failed.take().or(step.err());
        attempt(reference::undo_logs(disk, target, own, plan));
        attempt(reference::release(disk, target, Some(own), plan));
        attempt(reference::remove_folders(disk, target, plan));
        attempt(store::undo(disk, target, Some(own), plan));
        attempt(put_back(disk, target, plan, own).map(|paths| undone.restored = paths));
        if failed.is_none() {
            failed = close(disk, target, plan, git, own).map(|copies| undone.kept_copies = copies).err();
        }
    }
    lock::release(disk, git, plan)?;
    folder::clear_done(disk, git, plan)?;
    failed.map_or(Ok(undone), Err)
}

/// Put files back that are aside and missing in their place, as when someone took the push back
/// after a crash.
///
/// This is done only where the branch is still checked out and still has the file as it was before
/// the push. Among the files of another branch or of another commit it would be one that nobody put
/// there.
fn put_back(disk: &Disk<'_>, target: &Target, plan: &Plan, own: &Dir) -> Result<Vec<BString>, LandError> {
    let Some(worktree) = &plan.worktree else {
        return Ok(Vec::new());
    };
    let nothing_aside = folder::aside(own)?.is_none_or(|aside| aside.names().is_ok_and(|names| names.is_empty()));
    if nothing_aside || !checkout::is_checked_out(target, plan)? {
        return Ok(Vec::new());
    }
    let repo = target.open_git_dir(&worktree.git_dir)?;
    let Some(tip) = refs::tip_of(&repo, &plan.reference)? else {
        return Ok(Vec::new());
    };
    let damaged = |e: gix::Error| LandError::Failed(TargetError::damaged(format!("cannot read the commit {tip}"), e));
    let tree = repo.find_commit(tip).and_then(|commit| commit.tree()).map_err(damaged)?;
    let apply = Apply::new(disk, own, worktree, Abilities::of(&repo))?;
    let mut restored = Vec::new();
    for (number, path) in worktree.paths.iter().enumerate() {
        if !apply.is_aside(number).doing("check files moved aside")? {
            continue;
        }
        let entry = tree.lookup_entry(path.path.split_str("/")).map_err(damaged)?;
        let now = entry.and_then(|entry| Some((Mode::of(entry.mode())?, entry.object_id())));
        if now == path.old.map(|form| (form.mode, form.id)) && apply.put_back(number, path).doing("put files back")? {
            restored.push(path.path.clone());
        }
    }
    Ok(restored)
}

/// Take out of the landing's folder what nobody else has, and say that the landing is over.
fn close(
    disk: &Disk<'_>,
    target: &Target,
    plan: &Plan,
    git: &Dir,
    own: &Dir,
) -> Result<Vec<(BString, PathBuf)>, LandError> {
    let mut kept = Vec::new();
    if let Some(worktree) = &plan.worktree {
        let abilities = Abilities::of(&target.open_git_dir(&worktree.git_dir)?);
        kept = folder::keep_strays(disk, git, own, plan, worktree, abilities)?;
    }
    folder::mark_done(disk, git, plan)?;
    Ok(kept)
}
