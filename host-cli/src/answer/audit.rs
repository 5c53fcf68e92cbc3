//! Writes decisions to the sandbox's audit log, before they take effect.

use gate::approval::Proposal;
use gate::ledger::{Brief, CallVerdict, Decided, DecidedCall, How, Record, Rejection, Remembered};
use gate::policy::{By, Caller, RuleName};

use crate::approve::Approver;
use crate::error::{HostError, Result};
use crate::moment;
use crate::sandbox::wit;
use crate::store::Store;
use crate::user;

/// Who decided just now, and how.
pub(super) fn decided(approver: &dyn Approver) -> Decided {
    decided_so(approver.how())
}

/// A decision by a rule that the person wrote.
pub(super) fn decided_by(rule: &RuleName) -> Decided {
    decided_so(How::Rule { name: Brief::of(&rule.to_string()) })
}

/// A decision by the person in this way.
pub(super) fn decided_so(how: How) -> Decided {
    Decided { by: Brief::of(&user::name()), how }
}

/// Records that a push was rejected, by a person or a rule. The sandbox's lock is held.
pub(super) fn push_rejected(store: &Store, proposal: &Proposal, reason: &str, rejected: Decided) -> Result<()> {
    let review = proposal.review();
    let rejection = Rejection {
        digest: proposal.digest(),
        rejected,
        reason: Brief::of(reason),
        target: review.target.clone(),
        reference: review.reference.clone(),
        old: review.old,
        new: review.new,
        at: moment::now().timestamp(),
    };
    store.ledger.append(Record::Rejection(Box::new(rejection))).map_err(HostError::from)
}

/// Records that a rule denied a push. The sandbox's lock is held.
pub(super) fn push_denied(store: &Store, proposal: &Proposal, by: &By, reason: &str) -> Result<()> {
    match by {
        By::Rule(rule) => push_rejected(store, proposal, reason, decided_by(rule)),
        _ => Ok(()),
    }
}

/// Records a decision about a call inside the sandbox. The sandbox's lock is held.
pub(super) fn call_decided(
    store: &Store,
    call: &wit::ToolCall,
    summary: &str,
    verdict: CallVerdict,
    decided: Decided,
) -> Result<()> {
    let call = DecidedCall {
        call_id: Brief::of(&call.id),
        caller: if matches!(call.caller, wit::Caller::Agent) { Caller::Agent } else { Caller::User },
        tool: Brief::of(&call.tool),
        summary: Brief::of(summary),
        verdict,
        decided,
        at: moment::now().timestamp(),
    };
    store.ledger.append(Record::Call(Box::new(call))).map_err(HostError::from)
}

/// How many denials in a row are recorded. An agent may try for ever.
const DENIALS: usize = 100;

/// Records that a rule denied a call, unless the last [`DENIALS`] entries are denials too. The
/// sandbox's lock is held.
pub(super) fn call_denied(
    store: &Store,
    call: &wit::ToolCall,
    summary: &str,
    reason: &str,
    rule: &RuleName,
) -> Result<()> {
    let is_denial = |record: &Record| match record {
        Record::Call(call) => matches!(call.decided.how, How::Rule { .. }),
        _ => false,
    };
    let denials =
        store.ledger.read()?.entries().iter().rev().take(DENIALS).filter(|entry| is_denial(&entry.record)).count();
    if denials == DENIALS {
        return Ok(());
    }
    call_decided(store, call, summary, CallVerdict::Rejected(Brief::of(reason)), decided_by(rule))
}

/// Records that the person saves a rule. The sandbox's lock is held.
pub(super) fn remembered(store: &Store, rule: &str, approver: &dyn Approver) -> Result<()> {
    let remembered =
        Remembered { rule: Brief::of(rule.trim_end()), decided: decided(approver), at: moment::now().timestamp() };
    store.ledger.append(Record::Remembered(Box::new(remembered))).map_err(HostError::from)
}
