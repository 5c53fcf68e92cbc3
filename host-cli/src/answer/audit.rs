//! What somebody has decided, on its way into the sandbox's audit log. It is there before anything comes of it.

use gate::approval::Proposal;
use gate::ledger::{Brief, CallVerdict, CallWord, Decided, How, Record, Rejection};
use gate::policy::RuleName;

use crate::approve::Approver;
use crate::error::{HostError, Result};
use crate::moment::Moment;
use crate::sandbox::wit;
use crate::store::Store;
use crate::user;

/// Who has decided just now, and how.
pub(super) fn decided(approver: &dyn Approver) -> Decided {
    Decided { by: Brief::of(&user::name()), how: approver.how() }
}

/// That a rule has decided, which the person had written.
pub(super) fn decided_by(rule: &RuleName) -> Decided {
    Decided { by: Brief::of(&user::name()), how: How::Rule { name: Brief::of(&rule.to_string()) } }
}

/// Records that a push was rejected. The sandbox's lock is held.
pub(super) fn push_rejected(store: &Store, proposal: &Proposal, reason: &str, approver: &dyn Approver) -> Result<()> {
    let review = proposal.review();
    let rejection = Rejection {
        digest: proposal.digest(),
        rejected: decided(approver),
        reason: Brief::of(reason),
        target: review.target.clone(),
        reference: review.reference.clone(),
        old: review.old,
        new: review.new,
        at: Moment::now().timestamp(),
    };
    store.ledger.append(Record::Rejection(Box::new(rejection))).map_err(HostError::from)
}

/// Records what was said of a call inside the sandbox. The sandbox's lock is held.
pub(super) fn call_decided(
    store: &Store,
    call: &wit::ToolCall,
    summary: &str,
    verdict: CallVerdict,
    approver: &dyn Approver,
) -> Result<()> {
    let word = CallWord {
        call_id: Brief::of(&call.id),
        tool: Brief::of(&call.tool),
        summary: Brief::of(summary),
        verdict,
        decided: decided(approver),
        at: Moment::now().timestamp(),
    };
    store.ledger.append(Record::Call(Box::new(word))).map_err(HostError::from)
}
