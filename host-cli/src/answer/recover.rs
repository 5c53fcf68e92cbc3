//! Pushes that were cut off between intent and outcome: settled from the target's branch, before anything else is done.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use gate::ledger::{Intent, PushResult, Settlement, settle};
use gate::refname::BranchRef;

use super::record::{CallRecord, HostRecord};
use super::{export, landing, refs, said};
use crate::approve::Approver;
use crate::error::{ErrorKind, HostError, Result};
use crate::hex;
use crate::home::GitSettings;
use crate::interrupt::{self, Phase};
use crate::sandbox::{Locked, Runtime, Sandbox, wit};
use crate::store::disk::RealDisk;
use crate::store::{LedgerFile, Store};
use crate::target::land;

/// Settles what was cut off in the sandbox in `folder`, unless a process is at work there, which does so itself. What cannot be
/// settled is told.
pub fn recover_elsewhere(
    folder: &Path,
    git: &GitSettings,
    runtime: impl FnOnce() -> anyhow::Result<Rc<Runtime>>,
    approver: &mut dyn Approver,
) -> anyhow::Result<()> {
    // Looked at without the lock, and so as not to make a sandbox wait that has nothing open.
    if LedgerFile::new(folder.join(Store::LEDGER), Arc::new(RealDisk)).read()?.open_intents().next().is_none() {
        return Ok(());
    }
    let mut sandbox = Sandbox::open(folder, git, runtime()?)?;
    match sandbox.try_lock() {
        Ok(mut locked) => Ok(recover(&mut locked, approver)?),
        Err(error) if error.kind == ErrorKind::Busy => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Takes the person's word that they have looked at every push that is in doubt, or at those to `branch`. Gives their intents.
pub fn settle_doubts(locked: &Locked<'_>, branch: Option<&BranchRef>) -> Result<Vec<Intent>> {
    let ledger = locked.store().ledger.read().map_err(HostError::from)?;
    let of_branch = |intent: &&Intent| branch.is_none_or(|branch| intent.reference == *branch);
    let settled: Vec<Intent> = ledger.in_doubt().filter(of_branch).cloned().collect();
    for intent in &settled {
        landing::conclude(locked, intent.nonce, PushResult::Settled)?;
    }
    Ok(settled)
}

/// Settles every push that is open or in doubt. What cannot be settled is told, and blocks its branch, not the sandbox.
pub(super) fn recover(locked: &mut Locked<'_>, approver: &mut dyn Approver) -> Result<()> {
    let Some(ledger) = locked.store().ledger.unsettled().map_err(HostError::from)? else { return Ok(()) };
    let _landing = interrupt::during(Phase::Landing);
    for intent in ledger.open_intents() {
        settle_one(locked, intent, None, approver)?;
    }
    for intent in ledger.in_doubt() {
        settle_one(locked, intent, Some(PushResult::InDoubt), approver)?;
    }
    Ok(())
}

fn settle_one(
    locked: &mut Locked<'_>,
    intent: &Intent,
    known: Option<PushResult>,
    approver: &mut dyn Approver,
) -> Result<()> {
    let what = format!("the push to {} at {}", intent.reference.branch(), intent.target);
    if intent.host == export::HOST {
        approver.tell(&format!(
            "the export to {} was cut off: look at whether the file is there",
            intent.target.location()
        ));
        return landing::conclude(locked, intent.nonce, PushResult::NotLanded);
    }
    let settlement = match finish(intent, approver) {
        Ok(settlement) => settlement,
        Err(reason) => {
            locked.tell_once(approver, &format!("{what} was cut off and cannot be settled yet: {reason}"));
            return Ok(());
        }
    };
    let result = PushResult::from(settlement);
    match settlement {
        Settlement::Landed => match tell(locked, intent) {
            Ok(()) => approver.tell(&format!("{what} was cut off; it has landed")),
            Err(error) if error.kind == ErrorKind::Session => {
                locked.tell_once(approver, &format!("{what} was cut off; it has landed, but {}", error.message));
                return Ok(());
            }
            Err(error) => return Err(error),
        },
        Settlement::NotLanded => {
            approver.tell(&format!("{what} was cut off; it has not landed, and nothing was changed"))
        }
        Settlement::InDoubt => {
            let error = super::push::in_doubt(intent);
            locked.tell_once(approver, &format!("{}: {}", error.message, error.hint));
        }
    }
    if known == Some(result) { Ok(()) } else { landing::conclude(locked, intent.nonce, result) }
}

/// Brings the target to one of its two ends; the error says in words why that is not possible now.
fn finish(intent: &Intent, approver: &mut dyn Approver) -> Result<Settlement, String> {
    let host: HostRecord =
        serde_json::from_value(intent.host.clone()).map_err(|error| format!("its plan cannot be read: {error}"))?;
    let target = refs::open(&intent.target, &intent.reference).map_err(|error| error.to_string())?;
    let observed = target.tip(&intent.reference).map_err(|error| error.to_string())?;
    let beyond = match observed {
        Some(tip) => target.descends_from(tip, intent.new).map_err(|error| error.to_string())?,
        None => false,
    };
    let report = land::recover(&target, &host.plan, observed).map_err(|error| error.to_string())?;
    said::kept(&report.landed, approver);
    said::undone(&report.undone, approver);
    Ok(match settle(intent, observed, beyond) {
        // Wherever somebody else has moved the branch: what the landing left shows that it never did.
        Settlement::InDoubt if report.state == land::Recovered::NotLanded => Settlement::NotLanded,
        settled => settled,
    })
}

/// Makes the call of the push again, with the fact that it has landed.
fn tell(locked: &mut Locked<'_>, intent: &Intent) -> Result<()> {
    let unreadable = |what: &str| {
        HostError::new(ErrorKind::Damaged, format!("the ledger of pushes is damaged: {what}"))
            .hint("look at the target's branches by hand before you repair or remove the ledger")
    };
    let call: CallRecord =
        serde_json::from_value(intent.call.clone()).map_err(|error| unreadable(&error.to_string()))?;
    let host: HostRecord =
        serde_json::from_value(intent.host.clone()).map_err(|error| unreadable(&error.to_string()))?;
    let key: [u8; 32] = hex::decode(&host.question).ok_or_else(|| unreadable("a question is no key"))?;
    let fact = wit::Landed {
        target: intent.target.to_string(),
        reference: intent.reference.to_string(),
        old: intent.old.map(|id| id.to_string()),
        new: intent.new.to_string(),
    };
    match landing::tell(locked, &call.into(), &key, fact, &[])? {
        Ok(_) => Ok(()),
        Err(error) => Err(HostError::new(
            ErrorKind::Session,
            format!("the sandbox did not take note of a push: {}", error.message),
        )
        .hint(error.hint)),
    }
}
