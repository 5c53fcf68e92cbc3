//! May this call go on? The policy says, or a person.

use gate::ledger::{Brief, CallVerdict};
use gate::policy::{CallFacts, Mode, Severity, Verdict};

use super::{Asked, Found, NotApproved, audit, said};
use crate::approve::{CallDecision, CallRequest, Word};
use crate::error::Result;
use crate::sandbox::{Sandbox, wit};
use crate::screen;

/// Finds the answer to an approval question. What somebody says is recorded before it counts.
pub(super) fn find(asked: &mut Asked<'_>, approval: &wit::Approval, sandbox: &Sandbox) -> Result<Found> {
    let facts = CallFacts {
        tool: &asked.call.tool,
        // Whether the tool may be called by this caller at all, the component has checked before it asked.
        mode: Mode::Both,
        caller: asked.caller,
        side_effecting: true,
        requires_approval: true,
        risk: severity(approval.risk),
        summary: &approval.summary,
        leaves_sandbox: false,
    };
    let severity = match asked.policy.decide(&facts) {
        Verdict::Allow => return Ok(Found::Answer(wit::AnswerBody::Approved)),
        Verdict::Deny { reason, hint } => {
            return Ok(Found::Answer(wit::AnswerBody::Failed(said::not_permitted(reason, hint))));
        }
        Verdict::Ask { severity, .. } => severity,
    };
    let (summary, detail) = (screen::line(&approval.summary), screen::block(&approval.detail));
    let request = CallRequest { tool: &asked.call.tool, severity, summary: &summary, detail: &detail };
    let (verdict, answer) = match asked.approver.call(&request) {
        Word::Given(CallDecision::Approve) => (CallVerdict::Approved, wit::AnswerBody::Approved),
        Word::Given(CallDecision::Reject(reason)) => {
            (CallVerdict::Rejected(Brief::of(&reason)), wit::AnswerBody::Rejected(reason))
        }
        Word::Nobody { reason, hint } => {
            return Ok(Found::NotApproved(NotApproved { reason, hint, push: None }));
        }
    };
    let _held = sandbox.store.lock.acquire()?;
    audit::call_decided(&sandbox.store, &asked.call, &approval.summary, verdict, asked.approver)?;
    Ok(Found::Answer(answer))
}

fn severity(risk: wit::Risk) -> Severity {
    match risk {
        wit::Risk::Low => Severity::Low,
        wit::Risk::Medium => Severity::Medium,
        wit::Risk::High => Severity::High,
    }
}
