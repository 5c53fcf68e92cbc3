//! Writes an approved push to any repository: intent, objects and branch, the fact, outcome. Holds the sandbox's lock
//! throughout.
//!
//! Recovery relies on the order. The intent is on the disk before the target changes, and spends
//! the nonce. The fact that the push landed is in the sandbox's journal before the outcome is on
//! the disk. An intent without an outcome is settled from the target's branch, and telling the
//! sandbox the same fact twice changes nothing.
//!
//! | file | what it has |
//! |---|---|
//! | `server` | goes on where a server is asked, request by request |
//! | `spend` | spends a nonce by recording the intent |

mod server;
mod spend;

use gate::approval::{Approved, Decision, Proposal, Push, Refusal};
use gate::hex;
use gate::id::Nonce;
use gate::ledger::{Brief, Decided, Intent, Outcome, PushResult, Record};
use gate::push::PushRequest;
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;
use gate::{Fault, FaultKind};
use gix_hash::ObjectId;

use crate::answer::approval::audit;
use crate::answer::call::invocation::{End, Found, Invocation};
use crate::answer::call::record::{CallRecord, HostRecord};
use crate::answer::call::suspend::Halting;
use crate::answer::landing::spend::SpendByIntent;
use crate::answer::push::Prepared;
use crate::answer::recovery::unsettled::ensure_free;
use crate::answer::repository::opened::{Ended, Landing};
use crate::answer::wording::tool_error;
use crate::answer::{NotApproved, Reply, enter, misbehaved};
use crate::attachment::Attachment;
use crate::error::{ErrorKind, HostError, Result};
use crate::platform::Phase;
use crate::review;
use crate::sandbox::{Locked, Sandbox};
use crate::session::Step;
use crate::store::{Topic, pushed};
use crate::wit;

pub(crate) use server::{OnItsWay, go_on};

/// Writes the push that `decision` approves.
pub(crate) fn land(
    invocation: &mut Invocation,
    key: &[u8],
    prepared: Prepared,
    decision: Decision,
    answers: &[wit::Answer],
    sandbox: &mut Sandbox,
) -> Halting<Found> {
    let platform = sandbox.platform();
    let mut locked = enter(sandbox)?;
    // From here on a signal waits until the push is finished.
    let _landing = platform.during(Phase::Landing);
    let Prepared { proposal, plan, target, request, signatures } = prepared;
    ensure_free(
        &*locked.store().ledger.read().map_err(HostError::from)?,
        &request.target,
        &request.reference,
        &locked.name(),
    )?;
    // Somebody may have undone or remade the commits since the review. That voids the approval.
    if !invocation.still_asks(key, answers, &mut locked)? {
        locked.store().pending.remove(locked.held(), proposal.nonce());
        invocation.named.insert(request.target.to_string(), target);
        // If the call asks about another push now, they are told what is different.
        invocation.seen = invocation.person.has_seen().then(|| Box::new(proposal.into_review()));
        locked.tell("the sandbox has changed since the review, so nothing was pushed".to_owned());
        return Ok(Found::Continue(tool_error::changed()));
    }
    let host = HostRecord { question: hex::encode(key), plan, signatures };
    let decided = match &invocation.rule {
        Some(rule) => audit::decided_by(rule, locked.sandbox()),
        None => audit::decided_so(invocation.person.how(), locked.sandbox()),
    };
    let host_value = serde_json::to_value(&host).expect("it has only string keys");
    let nonce = proposal.nonce();
    if invocation.rule.is_none() {
        review::approved(locked.sandbox(), locked.held(), &proposal)?;
    }
    let approved = match spend(&locked, &invocation.call, proposal, &request, decision, decided, host_value) {
        Ok(approved) => approved,
        Err(Refusal::Rejected { reason }) => return Ok(Found::Continue(wit::AnswerBody::Rejected(reason))),
        Err(Refusal::Fault(fault)) if is_no_approval(&fault) => {
            return Ok(Found::Break(End::Over(not_approved(fault))));
        }
        Err(Refusal::Fault(fault)) => return Ok(Found::Continue(tool_error::fault(&fault))),
    };
    let fact = landed(&request.target, &request.reference, request.old, request.new);
    let redeemed = match approved.redeem(request.pack) {
        Ok(redeemed) => redeemed,
        Err(fault) => {
            conclude(&locked, nonce, PushResult::NotLanded)?;
            return Ok(Found::Continue(tool_error::fault(&fault)));
        }
    };
    let pack = redeemed.pack().bytes().clone();
    match target.land(redeemed, &host.plan, &*platform, invocation.along.take()) {
        Ok(Landing::Ended(ended)) => end(ended, &mut locked, invocation, key, nonce, fact, answers),
        Ok(Landing::Asking(land)) => {
            if let Err(error) = pushed::keep(&locked.store().attachments, locked.held(), pack) {
                tracing::warn!("cannot keep the pack of a push: {error}");
            }
            invocation.landing = Some(OnItsWay { land, nonce, fact, held: locked.into_held(), has_sent: false });
            go_on(invocation, key, answers, sandbox)
        }
        Err(error) => {
            conclude(&locked, nonce, PushResult::NotLanded)?;
            Err(error.into())
        }
    }
}

/// Records how the writing of a push ended, and answers the call.
fn end(
    ended: Ended,
    locked: &mut Locked<'_>,
    invocation: &Invocation,
    key: &[u8],
    nonce: Nonce,
    fact: wit::Landed,
    answers: &[wit::Answer],
) -> Halting<Found> {
    match ended {
        Ended::Landed(landed) => {
            tool_error::kept(&landed, locked);
            let result = finish(locked, &invocation.call, key, nonce, fact, answers, &invocation.brought)?;
            Ok(Found::Break(End::Over(Reply::Done(Ok(result)))))
        }
        Ended::NotLanded(answer) => {
            conclude(locked, nonce, PushResult::NotLanded)?;
            Ok(Found::Continue(answer))
        }
        Ended::Open(error) => Err(error.into()),
    }
}

/// Tells the sandbox that its push has landed, and records that.
pub(crate) fn finish(
    locked: &mut Locked<'_>,
    call: &wit::ToolCall,
    key: &[u8],
    nonce: Nonce,
    fact: wit::Landed,
    answers: &[wit::Answer],
    brought: &[Attachment],
) -> Result<wit::ToolResult> {
    tell(locked, call, key, fact, answers, brought)
        .and_then(|result| conclude(locked, nonce, PushResult::Landed).map(|()| result))
        .map_err(|error| landed_all_the_same(&error))
}

/// Approves what was proposed, once, by recording the intent to write it. `host` is what recovery
/// needs.
pub(crate) fn spend(
    locked: &Locked<'_>,
    call: &wit::ToolCall,
    proposal: Proposal,
    request: &PushRequest,
    decision: Decision,
    decided: Decided,
    host: serde_json::Value,
) -> Result<Approved<Push>, Refusal> {
    let (nonce, now) = (proposal.nonce(), locked.sandbox().platform().now().timestamp());
    let intent = Intent {
        sandbox: request.sandbox.clone(),
        call_id: call.id.clone(),
        call: serde_json::to_value(CallRecord::from(call)).expect("it has only string keys"),
        nonce,
        digest: proposal.digest(),
        approved: decided,
        target: request.target.clone(),
        reference: request.reference.clone(),
        old: request.old,
        new: request.new,
        at: now,
        host,
    };
    locked.store().pending.remove(locked.held(), nonce);
    let mut spend = SpendByIntent::new(&locked.store().ledger, locked.held(), intent);
    proposal.decide(decision, now, &mut spend)
}

/// The fact that a push has landed, as the component learns it.
pub(crate) fn landed(
    target: &CanonicalTarget,
    reference: &BranchRef,
    old: Option<ObjectId>,
    new: ObjectId,
) -> wit::Landed {
    wit::Landed {
        target: target.to_string(),
        reference: reference.to_string(),
        old: old.map(|id| id.to_string()),
        new: new.to_string(),
    }
}

/// True if the approval does not fit: it is for another push, too old, or already used, perhaps by
/// another process.
pub(crate) fn is_no_approval(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::Refused | FaultKind::Expired | FaultKind::Spent)
}

/// Answers whoever gave such an approval.
pub(crate) fn not_approved(fault: Fault) -> Reply {
    Reply::NotApproved(Box::new(NotApproved::unasked(fault.message, fault.hint)))
}

/// The error if recording fails after the push has landed. gitgate records it at its next start.
fn landed_all_the_same(error: &HostError) -> HostError {
    HostError::new(error.kind, format!("the push has landed, but gitgate could not record it: {}", error.message))
        .hint("do not push again: gitgate records the push at its next start")
}

/// Records durably in the sandbox that a push of `call` has landed. No tool fails on this fact. If
/// one does, the intent stays open.
pub(crate) fn tell(
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
pub(crate) fn conclude(locked: &Locked<'_>, nonce: Nonce, result: PushResult) -> Result<()> {
    let platform = locked.sandbox().platform();
    let by = (result == PushResult::Settled).then(|| Brief::of(&locked.sandbox().who()));
    let outcome = Outcome { nonce, result, by, at: platform.now().timestamp() };
    locked.store().ledger.append(locked.held(), Record::Outcome(outcome)).map_err(HostError::from)?;
    if result == PushResult::Landed {
        settle_comments(locked, nonce);
    }
    // A push in doubt is looked at again. Without the record it would count as never sent.
    if result != PushResult::InDoubt {
        locked.store().sent.forget(locked.held(), nonce);
    }
    Ok(())
}

/// Settles what was said about a push that has landed. That it landed counts for more than what goes wrong here.
fn settle_comments(locked: &Locked<'_>, nonce: Nonce) {
    let settle = || -> Result<()> {
        let ledger = locked.store().ledger.read().map_err(HostError::from)?;
        let Some(intent) = ledger.intents().find(|intent| intent.nonce == nonce) else { return Ok(()) };
        let topic = Topic { target: intent.target.clone(), reference: intent.reference.clone() };
        let by = intent.approved.by.as_str().to_owned();
        drop(ledger);
        let now = locked.sandbox().platform().now().timestamp();
        review::landed(locked.sandbox(), locked.held(), &topic, nonce, &by, now)
    };
    if let Err(error) = settle() {
        tracing::warn!("cannot settle the comments on a push that has landed: {error}");
    }
}
