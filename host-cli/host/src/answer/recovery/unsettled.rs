//! An unsettled push blocks further pushes to its branch, and the removal of its sandbox.

use gate::ledger::{Intent, Ledger, PushResult};
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;

use crate::error::{ErrorKind, HostError, Result};
use crate::hint::{Act, Hint};

/// Fails if an earlier push to this branch by the sandbox `name` is not settled.
pub(crate) fn ensure_free(ledger: &Ledger, target: &CanonicalTarget, branch: &BranchRef, name: &str) -> Result<()> {
    match ledger.blocks(target, branch) {
        Some(intent) if ledger.result(intent.nonce) == Some(PushResult::InDoubt) => Err(in_doubt(intent, name)),
        Some(intent) => Err(interrupted(intent, name)),
        None => Ok(()),
    }
}

/// Fails if a push of the sandbox `name` is open. Only its ledger records how to complete or undo
/// that push in the target.
pub fn ensure_settled(ledger: &Ledger, name: &str) -> Result<()> {
    ledger.open_intents().next().map_or(Ok(()), |intent| Err(interrupted(intent, name)))
}

/// Somebody moved the branch before gitgate could check it.
pub(crate) fn in_doubt(intent: &Intent, name: &str) -> HostError {
    let old = intent.old.map_or_else(|| "does not exist".to_owned(), |id| format!("is at {id}"));
    HostError::new(
        ErrorKind::InDoubt,
        format!("an earlier push to {} at {} is in doubt", intent.reference.branch(), intent.target),
    )
    .hint(Hint::new(
        &format!(
            "check that branch: if it is at {} or beyond, the push has landed; if it {old}, it has not. Then ",
            intent.new
        ),
        Act::Settle { sandbox: name.to_owned(), branch: intent.reference.branch().to_owned() },
        " to allow pushes to it again",
    ))
}

/// The push of this call may have landed: a request was sent, and nobody knows what became of it.
pub(crate) fn in_doubt_now(why: &str) -> HostError {
    HostError::new(ErrorKind::InDoubt, format!("nobody knows whether the push has landed: {why}"))
        .hint("do not push again: gitgate looks at the branch at its next start")
}

/// The push could be neither completed nor undone. The reason was reported when the sandbox was
/// entered.
fn interrupted(intent: &Intent, name: &str) -> HostError {
    HostError::new(
        ErrorKind::InDoubt,
        format!(
            "an earlier push to {} at {} was interrupted and is not settled",
            intent.reference.branch(),
            intent.target
        ),
    )
    .hint(Act::LookThenSettle { sandbox: name.to_owned(), branch: intent.reference.branch().to_owned() })
}
