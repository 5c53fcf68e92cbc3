//! Checks a push, reviews it and gets it approved.
//!
//! No lock is held while anybody is asked. The digest binds the approval to the exact objects,
//! branch and target, and `landing` checks them again.

use bytes::Bytes;
use gate::approval::{Decision, Proposal};
use gate::glob;
use gate::id::Nonce;
use gate::ledger::How;
use gate::policy::{By, Caller, Facts, PushMode, Ruling, Severity, Verdict};
use gate::push::{CheckedPush, PushLimits, PushRequest, TargetFacts, check};
use gate::refname::BranchRef;
use gate::review::Flag;
use gix::ObjectId;

use super::revise::Otherwise;
use super::unsettled::ensure_free;
use super::{Asked, Found, NotApproved, ShownPush, approval, audit, landing, misbehaved, random, said};
use crate::approve::{Offer, PushDecision, Response};
use crate::error::{HostError, Result};
use host::settings::policy::REMEMBERED;

use crate::home::policy;
use crate::moment::{self, Moment};
use crate::sandbox::{Sandbox, wit};
use crate::screen::progress;
use crate::store::Pending;
use crate::target::land::{self, Committer, Plan};
use crate::target::{Remotes, Target};

/// A push that is ready for review, and all that is needed to write it.
pub(super) struct Prepared {
    /// What the person reviews.
    pub(super) proposal: Proposal,
    /// The steps that write it.
    pub(super) plan: Plan,
    /// The repository.
    pub(super) target: Target,
    /// The branch.
    pub(super) reference: BranchRef,
    /// The branch's old and new head.
    pub(super) ends: (Option<ObjectId>, ObjectId),
    /// The bytes that will be written, to be verified again.
    pub(super) pack: Bytes,
}

/// Finds the answer to a push question.
pub(super) fn find(
    asked: &mut Asked<'_>,
    key: &[u8],
    push: &wit::Push,
    pack: Vec<u8>,
    answers: &[wit::Answer],
    sandbox: &mut Sandbox,
) -> Result<Found> {
    let ruling = asked.policy.decide(&facts(asked, sandbox.push_mode()));
    if let Verdict::Deny { .. } = &ruling.verdict {
        return approval::denied(asked, ruling, sandbox);
    }
    // The component may push only to a target whose refs the host has just read.
    let Some(target) = asked.named.remove(&push.target) else {
        return Err(misbehaved("it pushes to a target whose refs it did not ask for"));
    };
    let (reference, old, new) = match parse(push) {
        Ok(parsed) => parsed,
        Err(refused) => return Ok(Found::Answer(refused)),
    };
    let ledger = sandbox.store.ledger.read().map_err(HostError::from)?;
    ensure_free(&ledger, target.canonical(), &reference, &sandbox.name())?;
    let pack = Bytes::from(pack);
    let request = PushRequest {
        sandbox: sandbox.file.id.name(),
        target: target.canonical().clone(),
        reference: reference.clone(),
        old,
        new,
        pack: pack.clone(),
    };
    let checking = progress::spinner("Checking the push");
    let shown = show(request, target, sandbox, asked);
    drop(checking);
    let shown = match shown {
        Ok(shown) => shown,
        Err(refused) => return Ok(Found::Answer(refused)),
    };
    let proposal = &shown.proposal;
    if let Some(revision) = asked.approver.revision() {
        return Ok(Found::Revise(Otherwise::than(proposal, revision, How::Command)));
    }
    let holds_policy = match policy::is_in(&sandbox.file, &shown.target) {
        Ok(holds) => holds,
        Err(error) => return Ok(Found::Answer(wit::AnswerBody::Failed(said::target(&error)))),
    };
    let seen = facts(asked, sandbox.push_mode()).with_review(proposal.review(), holds_policy);
    let ruling = asked.policy.decide(&seen);
    if asked.is_hypothetical {
        return Ok(Found::Ruled(Box::new(ruling)));
    }
    let response = match &ruling.verdict {
        Verdict::Allow => {
            if let By::Rule(name) = &ruling.by {
                asked.rule = Some(name.clone());
            }
            Response::Given(PushDecision::Decided(Decision::Approve { digest: proposal.digest() }))
        }
        Verdict::Deny { reason, hint } => {
            let _held = sandbox.store.lock.acquire()?;
            audit::push_denied(&sandbox.store, proposal, &ruling.by, reason)?;
            return Ok(Found::Answer(wit::AnswerBody::Failed(said::not_permitted(reason.clone(), hint.clone()))));
        }
        Verdict::Ask { reasons, .. } => {
            approval::tell_reasons(asked.approver, &ruling.by, reasons);
            let offer = offer(asked, &ruling, proposal, sandbox);
            match asked.approver.push(proposal, offer.as_ref()) {
                Response::Remembered(decision) => {
                    approval::remember(asked, offer.as_ref(), sandbox);
                    Response::Given(decision)
                }
                response => response,
            }
        }
    };
    match response {
        Response::Given(PushDecision::Decided(decision)) | Response::Remembered(PushDecision::Decided(decision)) => {
            if let Decision::Reject { reason } = decision {
                let _held = sandbox.store.lock.acquire()?;
                audit::push_rejected(&sandbox.store, &shown.proposal, &reason, audit::decided(asked.approver))?;
                sandbox.store.pending.remove(shown.proposal.nonce());
                return Ok(Found::Answer(wit::AnswerBody::Rejected(reason)));
            }
            sandbox.ensure_wanted()?;
            landing::land(asked, key, shown, decision, answers, sandbox)
        }
        Response::Given(PushDecision::Revise(revision)) | Response::Remembered(PushDecision::Revise(revision)) => {
            sandbox.store.pending.remove(shown.proposal.nonce());
            Ok(Found::Revise(Otherwise::than(&shown.proposal, revision, asked.approver.how())))
        }
        Response::Unavailable { reason, hint } => {
            let _held = sandbox.store.lock.acquire()?;
            sandbox.store.pending.add(&pending(&shown))?;
            Ok(Found::NotApproved(Box::new(NotApproved {
                reason,
                hint,
                waits: false,
                push: (!asked.approver.shows()).then(|| describe(&shown.proposal)),
                inside: None,
            })))
        }
    }
}

/// The facts about a push before its content is known. The question makes it a push, whatever tool
/// asks it.
fn facts<'a>(asked: &Asked<'_>, mode: PushMode) -> Facts<'a> {
    Facts::of_call("git_push", mode.of_tool(), asked.caller)
}

/// The rule that would approve a similar push next time. `None` unless the configuration lets rules
/// approve pushes.
fn offer(asked: &Asked<'_>, ruling: &Ruling, proposal: &Proposal, sandbox: &Sandbox) -> Option<Offer> {
    let review = proposal.review();
    // A person reviews a high risk every time.
    if ruling.by != By::Leaving || !asked.policy.may_let_a_push_go() || review.severity() == Severity::High {
        return None;
    }
    let target = review.target.to_string();
    let caller = if asked.caller == Caller::Agent { "agent" } else { "user" };
    let [target, branch] = [&*target, review.reference.branch()].map(glob::escaped);
    let mut conditions = vec![("caller", caller), ("target", &*target), ("branch", &*branch)];
    let mut flags: Vec<&str> =
        review.flags.iter().filter(|flag| flag.severity() > Severity::Low).map(Flag::name).collect();
    flags.sort_unstable();
    flags.dedup();
    conditions.extend(flags.into_iter().map(|flag| ("flags", flag)));
    Some(Offer { rule: approval::rule("git_push", &conditions), file: sandbox.folder().join(REMEMBERED) })
}

/// Checks the push against the target's current state and prepares it for review.
fn show(
    request: PushRequest,
    target: Target,
    sandbox: &Sandbox,
    asked: &Asked<'_>,
) -> Result<Prepared, wit::AnswerBody> {
    let (reference, ends, pack) = (request.reference.clone(), (request.old, request.new), request.pack.clone());
    let failed = |error| wit::AnswerBody::Failed(said::target(&error));
    let tip = target.tip(&reference).map_err(failed)?;
    let objects = target.objects().map_err(failed)?;
    let refs = target.refs(Remotes::With).map_err(failed)?;
    let tips = refs.refs.iter().map(|entry| entry.peeled.unwrap_or(entry.id)).chain(refs.detached).collect();
    let facts = TargetFacts {
        current_head_of_ref: tip,
        tips: Some(tips),
        protected: asked.policy.protected().clone(),
        elsewhere: target.elsewhere(&reference).map_err(failed)?,
        allowed: asked.policy.allowed_secrets().clone(),
        ..TargetFacts::default()
    };
    let limits = PushLimits::default();
    let checked = |request| check(request, &objects, facts.clone(), &limits).map_err(|fault| said::fault(&fault));
    let now = moment::now();

    let earlier = sandbox.store.pending.to(&request.target, &reference, now.timestamp(), asked.approver.digest());
    for earlier in earlier.unwrap_or_else(|error| {
        tracing::warn!("cannot read the pending pushes: {error}");
        Vec::new()
    }) {
        let push = checked(request.clone())?;
        let plan = plan(&target, &push, &earlier.nonce, now, sandbox)?;
        let proposal = push.propose(&objects, earlier.nonce, earlier.shown_at).map_err(|fault| said::fault(&fault))?;
        // An equal digest means the same push, so the earlier review still holds.
        if proposal.digest() == earlier.digest {
            return Ok(Prepared { proposal, plan, target, reference, ends, pack });
        }
    }
    let nonce = Nonce::from_random(random().map_err(|error| said::host(&error))?);
    let push = checked(request)?;
    let plan = plan(&target, &push, &nonce, now, sandbox)?;
    let proposal = push.propose(&objects, nonce, now.timestamp()).map_err(|fault| said::fault(&fault))?;
    Ok(Prepared { proposal, plan, target, reference, ends, pack })
}

fn plan(
    target: &Target,
    push: &CheckedPush,
    nonce: &Nonce,
    now: Moment,
    sandbox: &Sandbox,
) -> Result<Plan, wit::AnswerBody> {
    let committer = Committer {
        identity: sandbox.file.identity.as_ref().map(|identity| (identity.name.clone(), identity.email.clone())),
        seconds: now.seconds(),
        offset_minutes: now.utc_offset / 60,
    };
    land::plan(target, push, nonce, &committer).map_err(|error| said::land(&error))
}

fn parse(push: &wit::Push) -> Result<(BranchRef, Option<ObjectId>, ObjectId), wit::AnswerBody> {
    let reference = push.reference.parse().map_err(|fault| said::fault(&fault))?;
    let id = |hex: &str| ObjectId::from_hex(hex.as_bytes()).map_err(|_| said::bad_id(hex));
    Ok((reference, push.old.as_deref().map(id).transpose()?, id(&push.new)?))
}

fn pending(shown: &Prepared) -> Pending {
    Pending {
        target: shown.target.canonical().clone(),
        reference: shown.reference.clone(),
        nonce: shown.proposal.nonce(),
        digest: shown.proposal.digest(),
        shown_at: shown.proposal.shown_at(),
    }
}

pub(super) fn describe(proposal: &Proposal) -> ShownPush {
    let review = proposal.review();
    ShownPush {
        digest: Some(proposal.digest()),
        target: review.target.to_string(),
        branch: review.reference.branch().to_owned(),
        summary: review.summary(),
        warnings: review.warnings(),
        new_branch: review.new_branch.then(|| review.reference.branch().to_owned()),
        whole: review.whole(),
        review: serde_json::to_value(review).expect("a review has only string keys"),
    }
}

#[cfg(test)]
mod tests {
    use gate::policy::{Caller, Policy};

    use super::*;
    use crate::approve::Scripted;

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
            let approver = &mut Scripted { yes: true, unattended: true, ..Scripted::default() };
            let policy = Policy::default();
            let asked = Asked::new(call, caller, &policy, approver);
            matches!(policy.decide(&facts(&asked, mode)).verdict, Verdict::Deny { .. })
        };
        assert!(denied(Caller::Agent, PushMode::Manual));
        assert!(!denied(Caller::Agent, PushMode::Assisted));
        assert!(!denied(Caller::User, PushMode::Manual));
    }
}
