//! Checks a push, reviews it and gets it approved.
//!
//! No lock is held while anybody is asked. The digest binds the approval to the exact objects,
//! branch and target, and `landing` checks them again.

pub(crate) mod revise;

use bytes::Bytes;
use gate::approval::{Decision, Proposal};
use gate::glob;
use gate::id::Nonce;
use gate::ledger::How;
use gate::objects::Objects;
use gate::policy::{By, Caller, Facts, Policy, PushMode, Ruling, Severity, Verdict};
use gate::push::{CheckedPush, PushLimits, PushRequest, TargetFacts, Usual, check};
use gate::refname::BranchRef;
use gate::review::Flag;
use gate::time::Timestamp;
use gix_hash::ObjectId;
use gix_object::Kind;
use patch::sort::sort;

use crate::answer::approval::{Stop, audit};
use crate::answer::call::invocation::{End, Found, Invocation};
use crate::answer::call::suspend;
use crate::answer::call::suspend::Halting;
use crate::answer::landing::server;
use crate::answer::push::revise::Otherwise;
use crate::answer::recovery::unsettled::ensure_free;
use crate::answer::repository::opened::{Opened, Server};
use crate::answer::wording::tool_error;
use crate::answer::{NotApproved, Reply, ShownPush, approval, landing, misbehaved};
use crate::approve::{Offer, PushDecision, Response};
use crate::error::{HostError, Result};
use crate::moment::Moment;
use crate::platform;
use crate::sandbox::Sandbox;
use crate::store::Pending;
use crate::target::{Committer, LandError, RawPlan, RefListing, Remotes, Repository, TargetError};
use crate::wit;

/// A push that is ready for review, and all that is needed to write it.
pub(crate) struct Prepared {
    /// What the person reviews.
    pub(crate) proposal: Proposal,
    /// The steps that write it.
    pub(crate) plan: RawPlan,
    /// The repository.
    pub(crate) target: Opened,
    /// Where it goes, from what to what, and the bytes that will be written, to be verified again.
    pub(crate) request: PushRequest,
}

impl Prepared {
    /// What binds an approval to it.
    pub(crate) fn pending(&self) -> Pending {
        Pending {
            target: self.request.target.clone(),
            reference: self.request.reference.clone(),
            nonce: self.proposal.nonce(),
            digest: self.proposal.digest(),
            shown_at: self.proposal.shown_at(),
        }
    }
}

/// Finds the answer to a push question.
pub(crate) fn find(
    invocation: &mut Invocation,
    key: &[u8],
    push: &wit::Push,
    pack: &Bytes,
    answers: &[wit::Answer],
    sandbox: &mut Sandbox,
) -> Halting<Found> {
    if invocation.landing.is_some() {
        return server::go_on(invocation, key, answers, sandbox);
    }
    let ruling = invocation.policy.decide(&facts(invocation, sandbox.push_mode()));
    if let Verdict::Deny { reason, hint } = ruling.verdict {
        return Ok(match invocation.is_hypothetical && ruling.by != By::Unseen {
            true => Found::Break(End::Ruled(Box::new(Ruling { verdict: Verdict::Deny { reason, hint }, ..ruling }))),
            false => approval::deny_push(invocation, &ruling.by, reason, hint, sandbox)?.found(),
        });
    }
    let shown = match invocation.prepared.take() {
        Some(shown) => shown,
        None => match prepare(invocation, push, pack, sandbox)? {
            Ok(shown) => shown,
            Err(refused) => return Ok(Found::Continue(refused)),
        },
    };
    let proposal = &shown.proposal;
    if let Some(revision) = invocation.revision.take() {
        return Ok(Found::Break(End::Revise(Otherwise::than(proposal, revision, How::Command))));
    }
    let holds_policy = match holds_policy(&shown.target, sandbox) {
        Ok(holds) => holds,
        Err(error) => return Ok(Found::Continue(wit::AnswerBody::Failed(tool_error::target(&error)))),
    };
    let seen = facts(invocation, sandbox.push_mode()).with_review(proposal.review(), holds_policy);
    let ruling = invocation.policy.decide(&seen);
    if invocation.is_hypothetical {
        return Ok(Found::Break(End::Ruled(Box::new(ruling))));
    }
    let response = match &ruling.verdict {
        Verdict::Allow => {
            if let By::Rule(name) = &ruling.by {
                invocation.rule = Some(name.clone());
            }
            Response::Given(PushDecision::Decided(Decision::Approve { digest: proposal.digest() }))
        }
        Verdict::Deny { reason, hint } => {
            let held = sandbox.store.lock.acquire()?;
            audit::push_denied(sandbox, &held, proposal, &ruling.by, reason)?;
            return Ok(Stop::Denied(tool_error::not_permitted(reason.clone(), hint.clone())).found());
        }
        Verdict::Ask { reasons, .. } => {
            let request = || suspend::PushRequest {
                reasons: approval::new_to_them(&ruling.by, reasons).to_vec(),
                offer: offer(invocation.caller, &invocation.policy, &ruling, proposal, sandbox),
            };
            match invocation.person.about_a_push(request) {
                Ok((Response::Remembered(decision), offer)) => {
                    approval::remember(invocation, offer.as_ref(), sandbox);
                    Response::Given(decision)
                }
                Ok((response, _)) => response,
                Err(halt) => {
                    invocation.prepared = Some(shown);
                    return Err(halt);
                }
            }
        }
    };
    match response {
        Response::Given(PushDecision::Decided(Decision::Reject { reason }))
        | Response::Remembered(PushDecision::Decided(Decision::Reject { reason })) => {
            let held = sandbox.store.lock.acquire()?;
            audit::push_rejected(
                sandbox,
                &held,
                proposal,
                &reason,
                audit::decided_so(invocation.person.how(), sandbox),
            )?;
            sandbox.store.pending.remove(&held, proposal.nonce());
            Ok(Stop::Rejected(reason).found())
        }
        Response::Given(PushDecision::Decided(decision)) | Response::Remembered(PushDecision::Decided(decision)) => {
            sandbox.platform().ensure_wanted()?;
            landing::land(invocation, key, shown, decision, answers, sandbox)
        }
        Response::Given(PushDecision::Revise(revision)) | Response::Remembered(PushDecision::Revise(revision)) => {
            let held = sandbox.store.lock.acquire()?;
            sandbox.store.pending.remove(&held, proposal.nonce());
            Ok(Found::Break(End::Revise(Otherwise::than(proposal, revision, invocation.person.how()))))
        }
        Response::Unavailable { reason, hint } => {
            let held = sandbox.store.lock.acquire()?;
            sandbox.store.pending.add(&held, &shown.pending())?;
            let push = (!invocation.person.has_seen()).then(|| ShownPush::of(proposal));
            let not = NotApproved { push, ..NotApproved::unasked(reason, hint) };
            Ok(Found::Break(End::Over(Reply::NotApproved(Box::new(not)))))
        }
    }
}

/// Whether the push could change the rules that it is decided by.
fn holds_policy(target: &Opened, sandbox: &Sandbox) -> Result<bool, TargetError> {
    match target {
        Opened::Near(repository) => sandbox.holds_policy(&**repository),
        Opened::Far(_) => Ok(false),
    }
}

/// Checks a push, and prepares it for review.
fn prepare(
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
    let shown = match &mut target {
        Opened::Near(repository) => show_near(&request, &**repository, invocation, sandbox),
        Opened::Far(server) => match show_far(&request, server, invocation, sandbox) {
            Ok(shown) => shown,
            Err(halt) => {
                invocation.named.insert(push.target.clone(), target);
                return Err(halt);
            }
        },
    };
    Ok(shown.map(|(proposal, plan)| Prepared { proposal, plan, target, request }))
}

/// The facts about a push before its content is known. The question makes it a push, whatever tool
/// asks it.
fn facts<'a>(invocation: &Invocation, mode: PushMode) -> Facts<'a> {
    Facts::of_call("git_push", mode.of_tool(), invocation.caller)
}

/// The rule that would approve a similar push next time. `None` unless the configuration lets rules
/// approve pushes.
fn offer(caller: Caller, policy: &Policy, ruling: &Ruling, proposal: &Proposal, sandbox: &Sandbox) -> Option<Offer> {
    let review = proposal.review();
    // A person reviews a high risk every time.
    if ruling.by != By::Leaving || !policy.may_let_a_push_go() || review.severity() == Severity::High {
        return None;
    }
    let target = review.target.to_string();
    let caller = if caller == Caller::Agent { "agent" } else { "user" };
    let [target, branch] = [&*target, review.reference.branch()].map(glob::escaped);
    let mut conditions = vec![("caller", caller), ("target", &*target), ("branch", &*branch)];
    let mut flags: Vec<&str> =
        review.flags.iter().filter(|flag| flag.severity() > Severity::Low).map(Flag::name).collect();
    sort(&mut flags);
    flags.dedup();
    conditions.extend(flags.into_iter().map(|flag| ("flags", flag)));
    Some(approval::offer("git_push", &conditions, sandbox))
}

/// What a push is checked against, and how its plan is made.
struct Basis<'a> {
    objects: &'a dyn Objects,
    facts: TargetFacts,
    plan: &'a dyn Fn(&CheckedPush, &Nonce, Moment) -> Result<RawPlan, LandError>,
}

/// A proposal, and the steps that write it.
type Shown = Result<(Proposal, RawPlan), wit::AnswerBody>;

/// Checks the push against the repository's current state.
fn show_near(request: &PushRequest, target: &dyn Repository, invocation: &Invocation, sandbox: &Sandbox) -> Shown {
    let failed = |error| wit::AnswerBody::Failed(tool_error::target(&error));
    let tip = target.tip(&request.reference).map_err(failed)?;
    let objects = target.objects().map_err(failed)?;
    let refs = target.refs(Remotes::With).map_err(failed)?;
    let elsewhere = target.elsewhere(&request.reference).map_err(failed)?;
    let plan = |push: &CheckedPush, nonce: &Nonce, now: Moment| {
        let identity = sandbox.file.identity.as_ref();
        let committer = Committer {
            identity: identity.map(|identity| (identity.name.clone(), identity.email.clone())),
            seconds: now.seconds(),
            offset_minutes: now.utc_offset / 60,
        };
        target.plan(push, nonce, &committer)
    };
    let facts = TargetFacts { elsewhere, ..facts_of(tip, &refs, invocation, sandbox) };
    show(request, &Basis { objects: &*objects, facts, plan: &plan }, invocation, sandbox)
}

/// Checks the push against the refs that this call has read. What this host has not supplied itself
/// is read from the server.
fn show_far(
    request: &PushRequest,
    server: &mut Server,
    invocation: &mut Invocation,
    sandbox: &mut Sandbox,
) -> Halting<Shown> {
    let known = server.known(sandbox)?;
    let Some(listing) = &server.listing else {
        return Err(misbehaved("it pushes to a server whose refs it did not ask for").into());
    };
    let entry = listing.refs.iter().find(|entry| entry.name == request.reference.as_str());
    let tip = entry.map(|entry| entry.id);
    listing.refs.iter().for_each(|entry| known.expect(entry.peeled.unwrap_or(entry.id), Kind::Commit));
    let plan = |_: &CheckedPush, _: &Nonce, _: Moment| Ok(RawPlan::of(&())?);
    let basis = Basis { objects: &known, facts: facts_of(tip, listing, invocation, sandbox), plan: &plan };
    loop {
        // What is on its way is waited for before the push is checked again.
        if let Err(error) = server.read(&known, &mut invocation.exchanges)? {
            return Ok(Err(wit::AnswerBody::Failed(error)));
        }
        let (shown, lacking) = known.watching(|| show(request, &basis, invocation, sandbox));
        if !server.lacks(lacking) {
            return Ok(shown);
        }
    }
}

fn facts_of(tip: Option<ObjectId>, refs: &RefListing, invocation: &Invocation, sandbox: &Sandbox) -> TargetFacts {
    let tips = refs.refs.iter().map(|entry| entry.peeled.unwrap_or(entry.id)).chain(refs.detached).collect();
    TargetFacts {
        current_head_of_ref: tip,
        tips: Some(tips),
        protected: invocation.policy.protected().clone(),
        allowed: invocation.policy.allowed_secrets().clone(),
        commits: Some(usual(sandbox)),
        ..TargetFacts::default()
    }
}

/// What the commits of a sandbox say of themselves.
pub(crate) fn usual(sandbox: &Sandbox) -> Usual {
    let identity = sandbox.file.identity.as_ref().map(ToString::to_string);
    Usual { identity, now: sandbox.platform().now().timestamp() }
}

/// Checks the push, and prepares it for review. Shows again what was shown just now.
fn show(request: &PushRequest, basis: &Basis<'_>, invocation: &Invocation, sandbox: &Sandbox) -> Shown {
    let Basis { objects, facts, plan } = basis;
    let limits = PushLimits::default();
    let platform = sandbox.platform();
    let now = platform.now();
    let propose = |nonce: Nonce, shown_at: Timestamp| {
        let push =
            check(request.clone(), *objects, facts.clone(), &limits).map_err(|fault| tool_error::fault(&fault))?;
        let plan = plan(&push, &nonce, now).map_err(|error| tool_error::land(&error, &*platform))?;
        let proposal = push.propose(*objects, nonce, shown_at).map_err(|fault| tool_error::fault(&fault))?;
        Ok((proposal, plan))
    };
    let earlier = sandbox.store.pending.to(&request.target, &request.reference, now.timestamp(), invocation.digest);
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

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    #[test]
    fn attack_22_who_may_propose_a_push_is_the_hosts_own_word_whatever_the_component_asks() {
        let denied = |caller, mode| {
            let call = wit::ToolCall {
                id: String::new(),
                // A component that lies would not say `git_push` either.
                tool: "write_file".to_owned(),
                arguments: "{}".to_owned(),
                caller: wit::Caller::User,
                now: 0,
                utc_offset: 0,
                time_allowed: 0,
            };
            let invocation = Invocation::new(call, caller, Rc::new(Policy::default()));
            matches!(invocation.policy.decide(&facts(&invocation, mode)).verdict, Verdict::Deny { .. })
        };
        assert!(denied(Caller::Agent, PushMode::Manual));
        assert!(!denied(Caller::Agent, PushMode::Assisted));
        assert!(!denied(Caller::User, PushMode::Manual));
    }
}
