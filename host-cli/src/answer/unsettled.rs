//! A push that was cut off and is not settled keeps its branch from being pushed to, and its sandbox from being removed.

use gate::ledger::{Intent, Ledger, PushResult};
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;

use crate::error::{ErrorKind, HostError, Result};

/// An error if an earlier push to this branch, by the sandbox `name`, is not settled.
pub(super) fn ensure_free(ledger: &Ledger, target: &CanonicalTarget, branch: &BranchRef, name: &str) -> Result<()> {
    match ledger.blocks(target, branch) {
        Some(intent) if ledger.result(intent.nonce) == Some(PushResult::InDoubt) => Err(in_doubt(intent, name)),
        Some(intent) => Err(cut_off(intent, name)),
        None => Ok(()),
    }
}

/// An error if a push of the sandbox `name` is open. Its ledger is the only record of how the target is brought to one of the two ends
/// of that push.
pub fn ensure_settled(ledger: &Ledger, name: &str) -> Result<()> {
    ledger.open_intents().next().map_or(Ok(()), |intent| Err(cut_off(intent, name)))
}

/// Somebody has moved the branch before it could be looked at.
pub(super) fn in_doubt(intent: &Intent, name: &str) -> HostError {
    let old = intent.old.map_or_else(|| "does not exist".to_owned(), |id| format!("is at {id}"));
    HostError::new(
        ErrorKind::InDoubt,
        format!("an earlier push to {} at {} is in doubt", intent.reference.branch(), intent.target),
    )
    .hint(format!(
        "look at that branch: at {} or beyond, the push has landed, and if it {old}, it has not; whatever it is, `{}` takes your word \
         that you have looked, and the branch can be pushed to again",
        intent.new,
        command(intent, name)
    ))
}

/// The target could not be brought to either end, for a reason that was told when the sandbox was entered.
fn cut_off(intent: &Intent, name: &str) -> HostError {
    HostError::new(
        ErrorKind::InDoubt,
        format!("an earlier push to {} at {} was cut off and is not settled", intent.reference.branch(), intent.target),
    )
    .hint(format!(
        "every start of gitgate tries to settle it, and says what is in the way; where that cannot be mended, look at that branch, and \
         `{}` takes your word that you have",
        command(intent, name)
    ))
}

fn command(intent: &Intent, name: &str) -> String {
    format!("gitgate -s {name} settle {}", intent.reference.branch())
}
