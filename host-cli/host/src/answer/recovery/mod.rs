//! Settles pushes that were interrupted between intent and outcome from the target's branch, before
//! anything else runs.
//!
//! | file | what it has |
//! |---|---|
//! | `server` | the same for servers |
//! | `unsettled` | blocks pushes to the branch of an unsettled one |

pub(crate) mod server;
pub(crate) mod unsettled;

use gate::hex;
use gate::ledger::{Intent, PushResult, Settlement, settle};
use gate::refname::BranchRef;

use crate::answer::approval::waiting;
use crate::answer::call::record::{CallRecord, HostRecord};
use crate::answer::push::signing;
use crate::answer::recovery::unsettled::in_doubt;
use crate::answer::repository::opened::is_on_server;
use crate::answer::wording::tool_error;
use crate::answer::{export, landing};
use crate::error::{ErrorKind, HostError, Result};
use crate::hint::Hint;
use crate::platform::Phase;
use crate::sandbox::{Locked, Sandbox};
use crate::target::{Recovered, TargetError};
use crate::wit;

/// Settles the interrupted pushes of a sandbox, unless another process uses it and does so itself.
pub fn try_recover(sandbox: &mut Sandbox) -> Result<()> {
    match sandbox.try_lock() {
        Ok(mut locked) => recover(&mut locked),
        Err(error) if error.kind == ErrorKind::Busy => Ok(()),
        Err(error) => Err(error),
    }
}

/// Marks every push in doubt as settled, because the person has checked it. With `branch`, marks
/// only pushes to it, including interrupted ones that could not be settled. Returns their intents.
pub fn settle_by_word(locked: &Locked<'_>, branch: Option<&BranchRef>) -> Result<Vec<Intent>> {
    let ledger = locked.store().ledger.read().map_err(HostError::from)?;
    let of_branch = |intent: &&Intent| branch.is_none_or(|branch| intent.reference == *branch);
    let open: Vec<Intent> = ledger.open_intents().filter(|_| branch.is_some()).filter(of_branch).cloned().collect();
    for intent in &open {
        landing::conclude(locked, intent.nonce, PushResult::InDoubt)?;
    }
    let settled: Vec<Intent> = ledger.in_doubt().filter(of_branch).cloned().chain(open).collect();
    for intent in &settled {
        landing::conclude(locked, intent.nonce, PushResult::Settled)?;
    }
    Ok(settled)
}

/// Settles every push to a repository nearby that is open or in doubt. Reports what it cannot settle;
/// that blocks the branch, not the sandbox.
pub(crate) fn recover(locked: &mut Locked<'_>) -> Result<()> {
    let Some(ledger) = locked.store().ledger.unsettled().map_err(HostError::from)? else { return Ok(()) };
    let _landing = locked.sandbox().platform().during(Phase::Landing);
    for intent in ledger.open_intents().filter(|intent| !is_on_server(&intent.target)) {
        settle_one(locked, intent, None)?;
    }
    for intent in ledger.in_doubt().filter(|intent| !is_on_server(&intent.target)) {
        settle_one(locked, intent, Some(PushResult::InDoubt))?;
    }
    Ok(())
}

fn settle_one(locked: &mut Locked<'_>, intent: &Intent, known: Option<PushResult>) -> Result<()> {
    if intent.host == export::HOST {
        locked
            .tell(format!("the export to {} was interrupted: check whether the file exists", intent.target.location()));
        return landing::conclude(locked, intent.nonce, PushResult::NotLanded);
    }
    match finish(intent, locked) {
        Ok(settlement) => settled(locked, intent, known, settlement),
        Err(error) => {
            let why = sentence(&error, locked.sandbox());
            cannot_settle(locked, intent, &why);
            Ok(())
        }
    }
}

/// Tells why a push cannot be settled.
pub(crate) fn cannot_settle(locked: &mut Locked<'_>, intent: &Intent, why: &str) {
    locked.tell_once(&format!("{} was interrupted and cannot be settled yet: {why}", what(intent)));
}

/// Tells and records how a push is settled, of which `known` was recorded before.
pub(crate) fn settled(
    locked: &mut Locked<'_>,
    intent: &Intent,
    known: Option<PushResult>,
    settlement: Settlement,
) -> Result<()> {
    let (what, result) = (what(intent), PushResult::from(settlement));
    match settlement {
        Settlement::Landed => match tell(locked, intent) {
            Ok(()) => locked.tell(format!("{what} was interrupted; it has landed")),
            Err(error) if error.kind == ErrorKind::Session => {
                let why = sentence(&error, locked.sandbox());
                locked.tell_once(&format!("{what} was interrupted; it has landed, but {why}"));
                return Ok(());
            }
            Err(error) => return Err(error),
        },
        Settlement::NotLanded => locked.tell(format!("{what} was interrupted; it has not landed")),
        Settlement::InDoubt => {
            let error = in_doubt(intent, &locked.name());
            locked.tell_once(&sentence(&error, locked.sandbox()));
        }
    }
    if known == Some(result) { Ok(()) } else { landing::conclude(locked, intent.nonce, result) }
}

fn what(intent: &Intent) -> String {
    format!("the push to {} at {}", intent.reference.branch(), intent.target)
}

/// Completes the push in the target or undoes it. The error says what prevents both.
fn finish(intent: &Intent, locked: &mut Locked<'_>) -> Result<Settlement> {
    let now = |message: String, hint: Hint| HostError::new(ErrorKind::InDoubt, message).hint(hint);
    let unreachable = |error: TargetError| now(error.to_string(), error.hint.clone().unwrap_or_default().into());
    let host: HostRecord = serde_json::from_value(intent.host.clone())
        .map_err(|error| now(format!("cannot read its plan: {error}"), Hint::default()))?;
    let target = locked.sandbox().near().known(&intent.target, Some(&intent.reference)).map_err(unreachable)?;
    let observed = target.tip(&intent.reference).map_err(unreachable)?;
    let beyond = match observed {
        Some(tip) => target.descends_from(tip, intent.new).map_err(unreachable)?,
        None => false,
    };
    let report = target.recover(&host.plan, observed).map_err(|error| now(error.to_string(), error.hint()))?;
    tool_error::kept(&report.landed, locked);
    tool_error::undone(&report.undone, locked);
    Ok(match settle(intent, observed, beyond) {
        // Somebody else moved the branch, but the landing's traces show that the push never did.
        Settlement::InDoubt if report.state == Recovered::NotLanded => Settlement::NotLanded,
        settled => settled,
    })
}

/// Repeats the call of the push with the fact that it has landed. If it is an agent's, it waits no more.
fn tell(locked: &mut Locked<'_>, intent: &Intent) -> Result<()> {
    let unreadable = |what: &str| {
        HostError::new(ErrorKind::Damaged, format!("the audit log is damaged: {what}"))
            .hint("check the target's branches yourself before you repair or remove the log")
    };
    let call: CallRecord =
        serde_json::from_value(intent.call.clone()).map_err(|error| unreadable(&error.to_string()))?;
    let host: HostRecord =
        serde_json::from_value(intent.host.clone()).map_err(|error| unreadable(&error.to_string()))?;
    let key: [u8; 32] = hex::decode(&host.question).ok_or_else(|| unreadable("a question has an invalid key"))?;
    let fact = landing::landed(&intent.target, &intent.reference, intent.old, intent.new);
    let call = wit::ToolCall::from(call);
    // Which question they answered does not matter any more.
    let signatures = wit::Answer { key: key.to_vec(), body: signing::answer(&host.signatures) };
    let answers = (!host.signatures.is_empty()).then_some(signatures);
    landing::tell(locked, &call, &key, fact, answers.as_slice(), &[])?;
    match call.caller {
        wit::Caller::Agent => waiting::forget_landed(locked.store(), locked.held(), &call.tool, &call.arguments),
        wit::Caller::User => Ok(()),
    }
}

/// Formats an error and its hint as one sentence.
pub(crate) fn sentence(error: &HostError, sandbox: &Sandbox) -> String {
    match error.hint.is_empty() {
        true => error.message.clone(),
        false => format!("{}: {}", error.message, sandbox.platform().words(&error.hint)),
    }
}
