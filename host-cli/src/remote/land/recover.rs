//! After a crash: finishes or undoes an interrupted landing.

use gix::ObjectId;

use super::changes::{self, Finder};
use super::dir::Dir;
use super::disk::Disk;
use super::plan::Plan;
use super::{checkout, execute, folder, lock, reference, undo};
use crate::remote::{LandError, Landed, Recovered, RecoveryReport, Target};

/// Finishes or undoes what `plan` began, depending on the branch's current head. Can be interrupted
/// and repeated at any point.
pub(super) fn recover(
    disk: &Disk<'_>,
    target: &Target,
    plan: &Plan,
    observed: Option<ObjectId>,
) -> Result<RecoveryReport, LandError> {
    let descendant = match observed {
        Some(now) => target.descends_from(now, plan.new)?,
        None => false,
    };
    let mut state = match observed {
        _ if descendant => Recovered::Landed,
        now if now == plan.old => Recovered::NotLanded,
        _ => Recovered::InDoubt,
    };
    let Some(git) = folder::git_dir(target, plan)? else {
        // The worktree is gone with everything in its git folder; what may be left is the branch's
        // lock.
        if state != Recovered::Landed {
            reference::release(disk, target, None, plan)?;
        }
        return Ok(RecoveryReport::new(state));
    };
    let own = folder::open(&git, plan)?;
    // The branch is where neither end would have it, yet the landing may have left proof that it
    // did not move it there.
    if let (Recovered::InDoubt, Some(own)) = (state, &own)
        && reference::never_moved(target, own, plan)?
    {
        reference::keep_proof(disk, own)?;
        state = Recovered::NotLanded;
    }
    let mut report = RecoveryReport::new(state);
    match (state, own, observed) {
        (Recovered::Landed, Some(own), Some(now)) if checkout::is_checked_out(target, plan)? => {
            report.landed = resume(disk, target, plan, &git, &own, now)?;
        }
        _ => report.undone = undo::undo(disk, target, plan, &git)?,
    }
    Ok(report)
}

/// The branch has the push: finishes its worktree, as far as the branch still has the pushed
/// content.
fn resume(
    disk: &Disk<'_>,
    target: &Target,
    plan: &Plan,
    git: &Dir,
    own: &Dir,
    now: ObjectId,
) -> Result<Landed, LandError> {
    if plan.worktree.is_none() {
        return execute::finish(disk, target, plan, git, own, &|_| true);
    }
    // Without the lock, as far as that goes: what fails here fails at every start, and the person's
    // git goes on.
    let objects = target.objects()?;
    let find = Finder(&objects);
    let changed_since = changes::names_between(find, find.tree_of(Some(plan.new))?, find.tree_of(Some(now))?)?;
    let held = lock::is_ours(git, plan)?;
    let finished = lock::take(disk, git, own, plan)
        .and_then(|()| execute::finish(disk, target, plan, git, own, &|path| !changed_since.contains(&path.path)));
    if finished.is_err() && !held {
        // Whoever removed the landing's lock works without it. What failed first is the error to
        // tell.
        let _ = lock::release(disk, git, plan);
    }
    finished
}
