//! Writes decisions to the sandbox's audit log, before they take effect.

use gate::approval::Proposal;
use gate::ledger::{Brief, CallVerdict, Decided, DecidedCall, How, Record, Rejection, Remembered};
use gate::policy::{By, Caller, RuleName};

use crate::error::{HostError, Result};
use crate::sandbox::Sandbox;
use crate::store::Held;
use crate::wit;

/// A decision by a rule that the person wrote.
pub(crate) fn decided_by(rule: &RuleName, sandbox: &Sandbox) -> Decided {
    decided_so(How::Rule { name: Brief::of(&rule.to_string()) }, sandbox)
}

/// A decision by the person in this way.
pub(crate) fn decided_so(how: How, sandbox: &Sandbox) -> Decided {
    Decided { by: Brief::of(&sandbox.who()), how }
}

/// Records that a push was rejected, by a person or a rule.
pub(crate) fn push_rejected(
    sandbox: &Sandbox,
    held: &Held,
    proposal: &Proposal,
    reason: &str,
    rejected: Decided,
) -> Result<()> {
    refused(sandbox, held, proposal, reason, rejected, None)
}

/// Records that a person asked for changes of a push, with so many comments.
pub(crate) fn changes_asked(
    sandbox: &Sandbox,
    held: &Held,
    proposal: &Proposal,
    reason: &str,
    asked: Decided,
    comments: usize,
) -> Result<()> {
    refused(sandbox, held, proposal, reason, asked, Some(comments))
}

fn refused(
    sandbox: &Sandbox,
    held: &Held,
    proposal: &Proposal,
    reason: &str,
    rejected: Decided,
    comments: Option<usize>,
) -> Result<()> {
    let review = proposal.review();
    let rejection = Rejection {
        digest: proposal.digest(),
        rejected,
        reason: Brief::of(reason),
        comments,
        target: review.target.clone(),
        reference: review.reference.clone(),
        old: review.old,
        new: review.new,
        at: sandbox.platform().now().timestamp(),
    };
    sandbox.store.ledger.append(held, Record::Rejection(Box::new(rejection))).map_err(HostError::from)
}

/// Records that a rule denied a push.
pub(crate) fn push_denied(sandbox: &Sandbox, held: &Held, proposal: &Proposal, by: &By, reason: &str) -> Result<()> {
    match by {
        By::Rule(rule) => push_rejected(sandbox, held, proposal, reason, decided_by(rule, sandbox)),
        _ => Ok(()),
    }
}

/// Records a decision about a call inside the sandbox.
pub(crate) fn call_decided(
    sandbox: &Sandbox,
    held: &Held,
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
        at: sandbox.platform().now().timestamp(),
    };
    sandbox.store.ledger.append(held, Record::Call(Box::new(call))).map_err(HostError::from)
}

/// How many denials in a row are recorded. An agent may try for ever.
const DENIALS: usize = 100;

/// Records that a rule denied a call, unless the last [`DENIALS`] entries are denials too.
pub(crate) fn call_denied(
    sandbox: &Sandbox,
    held: &Held,
    call: &wit::ToolCall,
    summary: &str,
    reason: &str,
    rule: &RuleName,
) -> Result<()> {
    let is_denial = |record: &Record| match record {
        Record::Call(call) => matches!(call.decided.how, How::Rule { .. }),
        _ => false,
    };
    let denials = sandbox
        .store
        .ledger
        .read()?
        .entries()
        .iter()
        .rev()
        .take(DENIALS)
        .filter(|entry| is_denial(&entry.record))
        .count();
    if denials == DENIALS {
        return Ok(());
    }
    call_decided(sandbox, held, call, summary, CallVerdict::Rejected(Brief::of(reason)), decided_by(rule, sandbox))
}

/// Records that the person saves a rule.
pub(crate) fn remembered(sandbox: &Sandbox, held: &Held, rule: &str, how: How) -> Result<()> {
    let (decided, at) = (decided_so(how, sandbox), sandbox.platform().now().timestamp());
    let remembered = Remembered { rule: Brief::of(rule.trim_end()), decided, at };
    sandbox.store.ledger.append(held, Record::Remembered(Box::new(remembered))).map_err(HostError::from)
}
