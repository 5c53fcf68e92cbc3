//! Pushes that were cut off between intent and outcome: settled from the target's branch, before anything else is done.

use gate::ledger::{Intent, PushResult, Settlement, settle};

use super::record::{CallRecord, HostRecord};
use super::{export, landing, refs, said};
use crate::approve::Approver;
use crate::error::{ErrorKind, HostError, Result};
use crate::hex;
use crate::interrupt::{self, Phase};
use crate::sandbox::{Locked, wit};
use crate::target::land;

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
            approver.tell(&format!("{what} was cut off and cannot be settled yet: {reason}"));
            return Ok(());
        }
    };
    let result = PushResult::from(settlement);
    match settlement {
        Settlement::Landed => {
            tell(locked, intent)?;
            approver.tell(&format!("{what} was cut off; it has landed"));
        }
        Settlement::NotLanded => {
            approver.tell(&format!("{what} was cut off; it has not landed, and nothing was changed"))
        }
        Settlement::InDoubt => {
            let error = super::push::in_doubt(intent);
            approver.tell(&format!("{}: {}", error.message, error.hint));
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
    Ok(settle(intent, observed, beyond))
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
