//! Take these commits there: everything up to a person's word.
//!
//! No lock is held while anybody is asked. What was shown is bound by its digest to the very objects, branch and target; `landing` looks again.

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
use crate::approve::{Offer, PushDecision, Word};
use crate::error::{HostError, Result};
use crate::home::policy::{self, REMEMBERED};
use crate::moment::Moment;
use crate::sandbox::{Sandbox, wit};
use crate::screen::progress;
use crate::store::Pending;
use crate::target::land::{self, Committer, Plan};
use crate::target::{Remotes, Target};

/// A push that was shown, and all that is needed to write it.
pub(super) struct Shown {
    /// What was shown.
    pub(super) proposal: Proposal,
    /// What writing it will do.
    pub(super) plan: Plan,
    /// Where.
    pub(super) target: Target,
    /// The branch.
    pub(super) reference: BranchRef,
    /// Where the branch is, and is to be.
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
    // The component may take commits only to where the host has just read the refs.
    let Some(target) = asked.named.remove(&push.target) else {
        return Err(misbehaved("it pushes to a target that it did not ask for"));
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
    let word = match &ruling.verdict {
        Verdict::Allow => {
            if let By::Rule(name) = &ruling.by {
                asked.rule = Some(name.clone());
            }
            Word::Given(PushDecision::Decided(Decision::Approve { digest: proposal.digest() }))
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
                Word::Remembered(decision) => {
                    approval::remember(asked, offer.as_ref(), sandbox);
                    Word::Given(decision)
                }
                word => word,
            }
        }
    };
    match word {
        Word::Given(PushDecision::Decided(decision)) | Word::Remembered(PushDecision::Decided(decision)) => {
            if let Decision::Reject { reason } = decision {
                let _held = sandbox.store.lock.acquire()?;
                audit::push_rejected(&sandbox.store, &shown.proposal, &reason, audit::decided(asked.approver))?;
                sandbox.store.pending.remove(shown.proposal.nonce());
                return Ok(Found::Answer(wit::AnswerBody::Rejected(reason)));
            }
            sandbox.ensure_wanted()?;
            landing::land(asked, key, shown, decision, answers, sandbox)
        }
        Word::Given(PushDecision::Revise(revision)) | Word::Remembered(PushDecision::Revise(revision)) => {
            sandbox.store.pending.remove(shown.proposal.nonce());
            Ok(Found::Revise(Otherwise::than(&shown.proposal, revision, asked.approver.how())))
        }
        Word::Nobody { reason, hint } => {
            let _held = sandbox.store.lock.acquire()?;
            sandbox.store.pending.add(&pending(&shown))?;
            Ok(Found::NotApproved(Box::new(NotApproved {
                reason,
                hint,
                push: Some(describe(&shown.proposal)),
                inside: None,
            })))
        }
    }
}

/// What is known of a push before it can be seen. It is one by what the component asks, whatever tool it asks for.
fn facts<'a>(asked: &Asked<'_>, mode: PushMode) -> Facts<'a> {
    Facts::of_call("git_push", mode.of_tool(), asked.caller)
}

/// The rule by which a push such as this one would go next time: none, unless the person lets pushes go unseen at all.
fn offer(asked: &Asked<'_>, ruling: &Ruling, proposal: &Proposal, sandbox: &Sandbox) -> Option<Offer> {
    let review = proposal.review();
    // What can do harm is looked at every time.
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

/// Checks the push against the target as it is now, and makes what is shown.
fn show(request: PushRequest, target: Target, sandbox: &Sandbox, asked: &Asked<'_>) -> Result<Shown, wit::AnswerBody> {
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
        allowed: asked.policy.allowed_secrets().clone(),
        ..TargetFacts::default()
    };
    let limits = PushLimits::default();
    let checked = |request| check(request, &objects, facts.clone(), &limits).map_err(|fault| said::fault(&fault));
    let now = Moment::now();

    let earlier = sandbox.store.pending.to(&request.target, &reference, now.timestamp(), asked.approver.digest());
    for earlier in earlier.unwrap_or_else(|error| {
        tracing::warn!("pending pushes cannot be read: {error}");
        Vec::new()
    }) {
        let push = checked(request.clone())?;
        let plan = plan(&target, &push, &earlier.nonce, now, sandbox)?;
        let proposal = push.propose(&objects, earlier.nonce, earlier.shown_at).map_err(|fault| said::fault(&fault))?;
        // The same digest is the same push: what was shown then is what would be shown now.
        if proposal.digest() == earlier.digest {
            return Ok(Shown { proposal, plan, target, reference, ends, pack });
        }
    }
    let nonce = Nonce::from_random(random().map_err(|error| said::host(&error))?);
    let push = checked(request)?;
    let plan = plan(&target, &push, &nonce, now, sandbox)?;
    let proposal = push.propose(&objects, nonce, now.timestamp()).map_err(|fault| said::fault(&fault))?;
    Ok(Shown { proposal, plan, target, reference, ends, pack })
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
        seconds: now.git_time().seconds,
        offset_minutes: now.utc_offset / 60,
    };
    land::plan(target, push, nonce, &committer).map_err(|error| said::land(&error))
}

fn parse(push: &wit::Push) -> Result<(BranchRef, Option<ObjectId>, ObjectId), wit::AnswerBody> {
    let reference = push.reference.parse().map_err(|fault| said::fault(&fault))?;
    let id = |hex: &str| ObjectId::from_hex(hex.as_bytes()).map_err(|_| said::bad_id(hex));
    Ok((reference, push.old.as_deref().map(id).transpose()?, id(&push.new)?))
}

fn pending(shown: &Shown) -> Pending {
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
        digest: proposal.digest(),
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
