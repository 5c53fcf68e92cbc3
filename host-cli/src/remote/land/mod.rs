//! Lands an approved push: objects, then the branch, then the worktree where that branch is checked
//! out.
//!
//! Recovery relies on this order:
//!
//! 1. [`plan()`] checks everything and changes nothing. Whatever blocks the push is a conflict here,
//!    before anybody approves it.
//! 2. The host records the plan durably with its intent.
//! 3. [`execute()`] creates the landing's folder, takes the index lock, checks again, writes new
//!    content and objects, and renames the branch's lock onto the branch. That rename lands the
//!    push: an error before it undoes everything, and after it the landing only goes forward.
//! 4. The changed paths are updated one by one, then the index. Then the lock and the folder are
//!    removed.
//! 5. After a kill at any point, [`recover()`] with the same plan finishes or undoes the landing.
//!
//! Nothing is locked before the intent is on the disk, so every lock left behind belongs to an
//! intent.

mod apply;
mod changes;
mod checkout;
mod collision;
mod dir;
mod disk;
mod error;
mod execute;
mod folder;
mod index;
mod lock;
mod obstacles;
mod plan;
mod recover;
mod reference;
mod rules;
mod scan;
mod sparse;
mod store;
mod survey;
mod text;
mod undo;

#[cfg(test)]
pub(super) use tests::support;
#[cfg(test)]
mod tests;

use gate::approval::Redeemed;
use gate::id::Nonce;
use gate::objects::Overlay;
use gate::push::CheckedPush;
use gix::ObjectId;

pub(super) use checkout::checked_out_in;
pub(super) use plan::Plan;

use super::{Committer, LandError, Landed, Progress, RecoveryReport, Target, TargetError, TargetErrorKind};
use changes::Finder;
use disk::Disk;
use survey::Update;

/// Looks at all that the push needs of the target and writes down what will be done. Changes nothing.
pub(super) fn plan(
    target: &Target,
    push: &CheckedPush,
    nonce: &Nonce,
    committer: &Committer,
) -> Result<Plan, LandError> {
    let objects = target.objects()?;
    let overlay = Overlay { pack: push.pack(), below: &objects };
    let update = Update {
        reference: push.reference().as_str().to_owned(),
        old: push.old(),
        new: push.new_head(),
        nonce: *nonce,
        log_line: log_line(target, push.old(), push.new_head(), committer),
    };
    survey::survey(target, &update, Finder(&overlay), false)
}

/// Carries out an approved push as it was planned, and tells `progress` how far it is.
///
/// On [`LandError::Conflict`] and [`LandError::Failed`] nothing has changed, and the intent's
/// outcome is that it did not land. On [`LandError::Unfinished`] the intent stays open for
/// [`recover()`].
pub(super) fn execute(
    target: &Target,
    push: &Redeemed,
    plan: &Plan,
    progress: &dyn Progress,
) -> Result<Landed, LandError> {
    plan.ensure_readable()?;
    let planned = push.target() == target.canonical()
        && push.reference().as_str() == plan.reference
        && (push.old(), push.new_head()) == (plan.old, plan.new)
        && push.nonce() == plan.nonce;
    if !planned {
        return Err(LandError::Failed(
            TargetError::new(TargetErrorKind::Refused, "the approval is for another push than the plan")
                .hint("push again"),
        ));
    }
    execute::execute(&Disk::telling(progress), target, push.pack(), plan)
}

/// Brings a landing that was cut off to one of its two ends. `observed` is where the branch is now.
///
/// Call it at the start of gitgate for each intent without an outcome, before anything else is done
/// with the target. An error leaves the intent open; it can be called again at any time, whatever
/// it did before.
pub(super) fn recover(target: &Target, plan: &Plan, observed: Option<ObjectId>) -> Result<RecoveryReport, LandError> {
    plan.ensure_readable()?;
    recover::recover(&Disk::new(), target, plan, observed)
}

/// The line that git would write to the logs of the refs.
fn log_line(target: &Target, old: Option<ObjectId>, new: ObjectId, committer: &Committer) -> String {
    let (name, email) = committer
        .identity
        .clone()
        .or_else(|| target.identity())
        .unwrap_or_else(|| ("gitgate".to_owned(), "gitgate@localhost".to_owned()));
    // What would end a field or the line early; git leaves these characters out as well.
    let clean = |text: &str| text.replace(|c: char| c.is_control() || matches!(c, '<' | '>'), "").trim().to_owned();
    let old = old.unwrap_or_else(|| ObjectId::null(gix::hash::Kind::Sha1));
    let sign = if committer.offset_minutes < 0 { '-' } else { '+' };
    let minutes = committer.offset_minutes.unsigned_abs();
    format!(
        "{old} {new} {} <{}> {} {sign}{:02}{:02}\tgitgate: push\n",
        clean(&name),
        clean(&email),
        committer.seconds,
        minutes / 60,
        minutes % 60,
    )
}
