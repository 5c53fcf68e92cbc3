//! Writes an approved push: intent, objects and branch, the fact, outcome. Holds the sandbox's lock
//! throughout.
//!
//! Recovery relies on the order. The intent is on the disk before the target changes, and spends
//! the nonce. The fact that the push landed is in the sandbox's journal before the outcome is on
//! the disk. An intent without an outcome is settled from the target's branch, and telling the
//! sandbox the same fact twice changes nothing.

use gate::approval::{Decision, Refusal};
use gate::hex;
use gate::id::Nonce;
use gate::ledger::{Brief, Intent, Outcome, PushResult, Record};
use gate::{Fault, FaultKind};

use super::audit;
use super::push::Prepared;
use super::record::{CallRecord, HostRecord};
use super::spend::SpendByIntent;
use super::unsettled::ensure_free;
use super::{Asked, Found, NotApproved, Reply, enter, misbehaved, said};
use crate::error::{ErrorKind, HostError, Result};
use crate::interrupt::{self, Phase};
use crate::moment;
use crate::sandbox::{Locked, Sandbox, Step, wit};
use crate::screen::progress::Bars;
use crate::store::Attachment;
use crate::target::land::{self, LandError};
use crate::user;

/// Writes the push that `decision` approves.
pub(super) fn land(
    asked: &mut Asked<'_>,
    key: &[u8],
    prepared: Prepared,
    decision: Decision,
    answers: &[wit::Answer],
    sandbox: &mut Sandbox,
) -> Result<Found> {
    let sandbox_id = sandbox.file.id.name();
    let mut locked = enter(sandbox, asked.approver)?;
    // From here on a signal waits until the push is finished.
    let _landing = interrupt::during(Phase::Landing);
    let Prepared { proposal, plan, target, reference, ends: (old, new), pack } = prepared;
    ensure_free(&*locked.store().ledger.read()?, target.canonical(), &reference, &locked.name())?;
    // Somebody may have undone or remade the commits since the review. That voids the approval.
    if !asked.still_asks(key, answers, &mut locked)? {
        locked.store().pending.remove(proposal.nonce());
        asked.named.insert(target.canonical().to_string(), target);
        asked.approver.tell("the sandbox has changed since the review, so nothing was pushed");
        return Ok(Found::Answer(said::changed()));
    }
    let (nonce, digest, now) = (proposal.nonce(), proposal.digest(), moment::now().timestamp());
    let host = HostRecord { question: hex::encode(key), plan };
    let intent = Intent {
        sandbox: sandbox_id,
        call_id: asked.call.id.clone(),
        call: serde_json::to_value(CallRecord::from(&asked.call)).expect("it has only string keys"),
        nonce,
        digest,
        approved: asked.rule.as_ref().map_or_else(|| audit::decided(asked.approver), audit::decided_by),
        target: target.canonical().clone(),
        reference: reference.clone(),
        old,
        new,
        at: now,
        host: serde_json::to_value(&host).expect("it has only string keys"),
    };
    locked.store().pending.remove(nonce);
    let mut spend = SpendByIntent::new(&locked.store().ledger, intent);
    let approved = match proposal.decide(decision, now, &mut spend) {
        Ok(approved) => approved,
        Err(Refusal::Rejected { reason }) => return Ok(Found::Answer(wit::AnswerBody::Rejected(reason))),
        Err(Refusal::Fault(fault)) if is_no_approval(&fault) => {
            return Ok(Found::Finished(not_approved(fault)));
        }
        Err(Refusal::Fault(fault)) => return Ok(Found::Answer(said::fault(&fault))),
    };
    let written = match approved.redeem(pack) {
        Ok(redeemed) => land::execute(&target, &redeemed, &host.plan, &Bars::default()),
        Err(fault) => {
            conclude(&locked, nonce, PushResult::NotLanded)?;
            return Ok(Found::Answer(said::fault(&fault)));
        }
    };
    match written {
        Ok(landed) => {
            said::kept(&landed, asked.approver);
            let fact = wit::Landed {
                target: target.canonical().to_string(),
                reference: reference.to_string(),
                old: old.map(|id| id.to_string()),
                new: new.to_string(),
            };
            let noted = tell(&mut locked, &asked.call, key, fact, answers, &asked.brought)
                .and_then(|result| conclude(&locked, nonce, PushResult::Landed).map(|()| result));
            noted.map(|result| Found::Finished(Reply::Done(Ok(result)))).map_err(|error| landed_all_the_same(&error))
        }
        // The intent stays open; gitgate finishes it at its next start.
        Err(error @ LandError::Unfinished { .. }) => {
            Err(HostError::new(ErrorKind::Storage, error.to_string()).hint(error.hint().unwrap_or_default()))
        }
        Err(error) => {
            conclude(&locked, nonce, PushResult::NotLanded)?;
            Ok(Found::Answer(said::land(&error)))
        }
    }
}

/// True if the approval does not fit: it is for another push, too old, or already used, perhaps by
/// another process.
pub(super) fn is_no_approval(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::Refused | FaultKind::Expired | FaultKind::Spent)
}

/// Answers whoever gave such an approval.
pub(super) fn not_approved(fault: Fault) -> Reply {
    Reply::NotApproved(Box::new(NotApproved {
        reason: fault.message,
        hint: fault.hint,
        waits: false,
        push: None,
        inside: None,
    }))
}

/// The error if recording fails after the push has landed. gitgate records it at its next start.
fn landed_all_the_same(error: &HostError) -> HostError {
    HostError::new(error.kind, format!("the push has landed, but gitgate could not record it: {}", error.message))
        .hint("do not push again: gitgate records the push at its next start")
}

/// Records durably in the sandbox that a push of `call` has landed. No tool fails on this fact. If
/// one does, the intent stays open.
pub(super) fn tell(
    locked: &mut Locked<'_>,
    call: &wit::ToolCall,
    key: &[u8],
    fact: wit::Landed,
    answers: &[wit::Answer],
    brought: &[Attachment],
) -> Result<wit::ToolResult> {
    let mut answers = answers.to_vec();
    answers.push(wit::Answer { key: key.to_vec(), body: wit::AnswerBody::Landed(fact) });
    match locked.call(call, &answers, brought)? {
        Step::Done { outcome: Ok(result), .. } => Ok(result),
        Step::Done { outcome: Err(error), .. } => {
            let what = format!("the sandbox did not record a push: {}", error.message);
            Err(HostError::new(ErrorKind::Session, what).hint(error.hint))
        }
        Step::Ask { .. } => Err(misbehaved("it asked a question after its push had landed")),
    }
}

/// Records how the push with this nonce ended.
pub(super) fn conclude(locked: &Locked<'_>, nonce: Nonce, result: PushResult) -> Result<()> {
    let by = (result == PushResult::Settled).then(|| Brief::of(&user::name()));
    let outcome = Outcome { nonce, result, by, at: moment::now().timestamp() };
    locked.store().ledger.append(Record::Outcome(outcome)).map_err(HostError::from)
}
