//! Checks a push against its target, and prepares it for review.

use std::rc::Rc;

use bytes::Bytes;
use gate::approval::Proposal;
use gate::digest::Digest;
use gate::id::Nonce;
use gate::policy::Policy;
use gate::push::{PushLimits, PushRequest, TargetFacts, Usual, check};
use gate::refname::BranchRef;
use gate::time::Timestamp;
use gix_hash::ObjectId;

use crate::answer::call::invocation::Invocation;
use crate::answer::call::suspend::Halting;
use crate::answer::misbehaved;
use crate::answer::push::Prepared;
use crate::answer::recovery::unsettled::ensure_free;
use crate::answer::repository::opened::Basis;
use crate::answer::wording::tool_error;
use crate::error::HostError;
use crate::moment::Moment;
use crate::platform;
use crate::sandbox::Sandbox;
use crate::target::{Committer, RawPlan};
use crate::wit;

/// A proposal, and the steps that write it.
pub(crate) type Shown = Result<(Proposal, RawPlan), wit::AnswerBody>;

/// Checks a push, and prepares it for review.
pub(crate) fn prepare(
    invocation: &mut Invocation,
    push: &wit::Push,
    pack: &Bytes,
    sandbox: &mut Sandbox,
) -> Halting<Result<Prepared, wit::AnswerBody>> {
    // The component may push only to a target whose refs the host has just read.
    let Some(mut target) = invocation.named.remove(&push.target) else {
        return Err(misbehaved("it pushes to a target whose refs it did not ask for").into());
    };
    let (reference, old, new) = match parse(push) {
        Ok(parsed) => parsed,
        Err(refused) => return Ok(Err(refused)),
    };
    let ledger = sandbox.store.ledger.read().map_err(HostError::from)?;
    ensure_free(&ledger, target.canonical(), &reference, &sandbox.name())?;
    let request = PushRequest {
        sandbox: sandbox.file.id.name(),
        target: target.canonical().clone(),
        reference,
        old,
        new,
        pack: pack.clone(),
    };
    let _checking = sandbox.platform().doing("Checking the push");
    let (policy, digest) = (Rc::clone(&invocation.policy), invocation.digest);
    let show = |basis: &Basis<'_>, sandbox: &Sandbox| show(&request, basis, &policy, digest, sandbox);
    match target.check(&request.reference, &show, &mut invocation.exchanges, sandbox) {
        Ok(shown) => Ok(shown.map(|(proposal, plan)| Prepared { proposal, plan, target, request })),
        Err(halt) => {
            invocation.named.insert(push.target.clone(), target);
            Err(halt)
        }
    }
}

/// What the commits of a sandbox say of themselves.
pub(crate) fn usual(sandbox: &Sandbox) -> Usual {
    let file = &sandbox.file;
    let [identity, committer] = [&file.identity, &file.committer].map(|who| who.as_ref().map(ToString::to_string));
    Usual { identity, committer, now: sandbox.platform().now().timestamp() }
}

fn facts_of(basis: &Basis<'_>, policy: &Policy, sandbox: &Sandbox) -> TargetFacts {
    let refs = basis.refs;
    let tips = refs.refs.iter().map(|entry| entry.peeled.unwrap_or(entry.id)).chain(refs.detached).collect();
    TargetFacts {
        current_head_of_ref: basis.tip,
        tips: Some(tips),
        protected: policy.protected().clone(),
        allowed: policy.allowed_secrets().clone(),
        peculiarities: basis.peculiarities.clone(),
        commits: Some(usual(sandbox)),
        ..TargetFacts::default()
    }
}

fn committer(sandbox: &Sandbox, now: Moment) -> Committer {
    let identity = sandbox.file.committer.as_ref().or(sandbox.file.identity.as_ref());
    Committer {
        identity: identity.map(|identity| (identity.name.clone(), identity.email.clone())),
        seconds: now.seconds(),
        offset_minutes: now.utc_offset / 60,
    }
}

/// Checks the push, and prepares it for review. Shows again what was shown just now: the push with the
/// digest `approved`, if there is one.
fn show(
    request: &PushRequest,
    basis: &Basis<'_>,
    policy: &Policy,
    approved: Option<Digest>,
    sandbox: &Sandbox,
) -> Shown {
    let limits = PushLimits::default();
    let platform = sandbox.platform();
    let now = platform.now();
    let (facts, committer) = (facts_of(basis, policy, sandbox), committer(sandbox, now));
    let propose = |nonce: Nonce, shown_at: Timestamp| {
        let push =
            check(request.clone(), basis.objects, facts.clone(), &limits).map_err(|fault| tool_error::fault(&fault))?;
        let plan = (basis.plan)(&push, &nonce, &committer).map_err(|error| tool_error::land(&error, &*platform))?;
        let proposal = push.propose(basis.objects, nonce, shown_at).map_err(|fault| tool_error::fault(&fault))?;
        Ok((proposal, plan))
    };
    let earlier = sandbox.store.pending.to(&request.target, &request.reference, now.timestamp(), approved);
    for earlier in earlier.unwrap_or_else(|error| {
        tracing::warn!("cannot read the pending pushes: {error}");
        Vec::new()
    }) {
        let (proposal, plan) = propose(earlier.nonce, earlier.shown_at)?;
        // An equal digest means the same push, so the earlier review still holds.
        if proposal.digest() == earlier.digest {
            return Ok((proposal, plan));
        }
    }
    let nonce = Nonce::from_random(platform::random(&*platform).map_err(|error| tool_error::host(&error, &*platform))?);
    propose(nonce, now.timestamp())
}

fn parse(push: &wit::Push) -> Result<(BranchRef, Option<ObjectId>, ObjectId), wit::AnswerBody> {
    let reference = push.reference.parse().map_err(|fault| tool_error::fault(&fault))?;
    let id = |hex: &str| ObjectId::from_hex(hex.as_bytes()).map_err(|_| tool_error::bad_id(hex));
    Ok((reference, push.old.as_deref().map(id).transpose()?, id(&push.new)?))
}
