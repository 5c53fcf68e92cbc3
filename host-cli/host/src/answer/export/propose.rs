//! The review of an export.

use gate::approval::Proposal;
use gate::digest::Digest;
use gate::id::Nonce;
use gate::objects::{Nothing, Supplied};
use gate::policy::Policy;
use gate::protected::Protected;
use gate::push::{PushLimits, PushRequest, TargetFacts, check};
use gate::{Fault, FaultKind};

use crate::answer::Reply;
use crate::answer::push::check::usual;
use crate::error::Result;
use crate::platform;
use crate::sandbox::Sandbox;
use crate::store::Pending;
use crate::wit;

/// Prepares the review. Reuses an earlier one if nothing has changed.
pub(super) fn propose(
    sandbox: &Sandbox,
    request: &PushRequest,
    policy: &Policy,
    approved: Option<Digest>,
) -> Result<Result<Proposal, Fault>> {
    let platform = sandbox.platform();
    let now = platform.now().timestamp();
    let supplied = sandbox.store.attachments.packed()?;
    let supplied = Supplied::by(move |id| supplied.contains(id));
    let facts = TargetFacts {
        supplied,
        // The branch is made in a new file, so nobody else has it.
        protected: Protected::nothing(),
        allowed: policy.allowed_secrets().clone(),
        commits: Some(usual(sandbox)),
        ..TargetFacts::default()
    };
    let earlier = sandbox.store.pending.to(&request.target, &request.reference, now, approved)?;
    let push = match check(request.clone(), &Nothing, facts, &PushLimits::default()) {
        Ok(push) => push,
        Err(fault) => return Ok(Err(fault)),
    };
    let (nonce, shown_at) = match Pending::of_push(&earlier, &push) {
        Some(same) => (same.nonce, same.shown_at),
        None => (Nonce::from_random(platform::random(&*platform)?), now),
    };
    Ok(push.propose(&Nothing, nonce, shown_at))
}

/// The reply to an export that cannot be made.
pub(super) fn refused(fault: &Fault) -> Reply {
    let kind =
        if fault.kind == FaultKind::Policy { wit::ErrorKind::NotPermitted } else { wit::ErrorKind::ExecutionFailed };
    let hint = match fault.kind {
        FaultKind::TooLarge => "push to a repository that has most of the history: a bundle must hold all of it",
        _ => &fault.hint,
    };
    Reply::Done(Err(wit::ToolError::new(kind, fault.message.clone(), hint.to_owned())))
}
