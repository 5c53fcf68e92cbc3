//! Checks a push, reviews it and gets it approved.
//!
//! No lock is held while anybody is asked. The digest binds the approval to the exact objects,
//! branch and target, and `landing` checks them again.
//!
//! | file | what it does |
//! |---|---|
//! | `check` | checks a push against its target, and prepares it for review |
//! | `again` | looks at an approved push again, if it stood on a screen for long |
//! | `revise` | edits a push or an export before it is approved |
//! | `signing` | signs its commits before they are shown |

pub(crate) mod again;
pub(crate) mod check;
pub(crate) mod revise;
pub(crate) mod signing;

use bytes::Bytes;
use gate::approval::{Decision, Proposal};
use gate::glob;
use gate::ledger::How;
use gate::policy::{By, Caller, Facts, Policy, PushMode, Ruling, Severity, Verdict};
use gate::push::PushRequest;
use gate::review::Flag;
use gate::signing::Signature;
use patch::sort::sort;

use crate::answer::approval::{Stop, audit};
use crate::answer::call::invocation::{End, Found, Invocation};
use crate::answer::call::suspend;
use crate::answer::call::suspend::Halting;
use crate::answer::push::revise::Otherwise;
use crate::answer::repository::opened::Opened;
use crate::answer::wording::tool_error;
use crate::answer::{NotApproved, Reply, ShownPush, approval, comments, landing};
use crate::approve::{Offer, PushDecision, Response};
use crate::review;
use crate::sandbox::Sandbox;
use crate::store::{Pending, Topic};
use crate::target::RawPlan;
use crate::wit;

/// A push that is ready for review, and all that is needed to write it.
pub(crate) struct Prepared {
    /// What the person reviews.
    pub(crate) proposal: Proposal,
    /// The steps that write it.
    pub(crate) plan: RawPlan,
    /// The repository.
    pub(crate) target: Box<dyn Opened>,
    /// Where it goes, from what to what, and the bytes that will be written, to be verified again.
    pub(crate) request: PushRequest,
    /// The signatures that its commits have.
    pub(crate) signatures: Vec<Signature>,
}

impl Prepared {
    /// Where it goes, which is what comments are kept by.
    pub(crate) fn topic(&self) -> Topic {
        Topic { target: self.request.target.clone(), reference: self.request.reference.clone() }
    }

    /// What binds an approval to it.
    pub(crate) fn pending(&self) -> Pending {
        Pending {
            target: self.request.target.clone(),
            reference: self.request.reference.clone(),
            nonce: self.proposal.nonce(),
            digest: self.proposal.digest(),
            shown_at: self.proposal.shown_at(),
            signatures: self.signatures.clone(),
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
        return landing::go_on(invocation, key, answers, sandbox);
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
        None => match check::prepare(invocation, push, pack, sandbox)? {
            Ok(shown) => shown,
            Err(refused) => return Ok(Found::Continue(refused)),
        },
    };
    let proposal = &shown.proposal;
    if let Some(seen) = invocation.seen.take() {
        match again::differences(&seen, proposal.review()) {
            None => {
                let decision = Decision::Approve { digest: proposal.digest() };
                return landing::land(invocation, key, shown, decision, answers, sandbox);
            }
            Some(differences) => sandbox.tell(differences),
        }
    }
    if let Some(revision) = invocation.revision.take() {
        return Ok(Found::Break(End::Revise(Otherwise::than(
            proposal,
            revision.of_unsigned(&invocation.signed),
            How::Command,
        ))));
    }
    let holds_policy = match shown.target.holds_policy(sandbox) {
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
            // What was said about it is no secret of the person's any more.
            review::send(sandbox, &held, &shown.topic())?;
            Ok(Stop::Rejected(reason).found())
        }
        Response::Given(PushDecision::AskChanges { reason })
        | Response::Remembered(PushDecision::AskChanges { reason }) => {
            let held = sandbox.store.lock.acquire()?;
            let topic = shown.topic();
            let open = sandbox.store.reviews.comments(&topic)?.iter().filter(|comment| comment.is_open()).count();
            let decided = audit::decided_so(invocation.person.how(), sandbox);
            audit::changes_asked(sandbox, &held, proposal, &reason, decided, open)?;
            sandbox.store.pending.remove(&held, proposal.nonce());
            let changes = comments::changes(sandbox, &held, &topic, reason)?;
            Ok(Found::Continue(wit::AnswerBody::Changes(changes)))
        }
        Response::Given(PushDecision::Decided(decision)) | Response::Remembered(PushDecision::Decided(decision)) => {
            sandbox.platform().ensure_wanted()?;
            if again::is_old(invocation, proposal, &decision, sandbox.platform().now()) {
                let held = sandbox.store.lock.acquire()?;
                sandbox.store.pending.remove(&held, proposal.nonce());
                drop(held);
                invocation.seen = Some(Box::new(shown.proposal.into_review()));
                invocation.named.insert(push.target.clone(), shown.target);
                return find(invocation, key, push, pack, answers, sandbox);
            }
            landing::land(invocation, key, shown, decision, answers, sandbox)
        }
        Response::Given(PushDecision::Revise(revision)) | Response::Remembered(PushDecision::Revise(revision)) => {
            let held = sandbox.store.lock.acquire()?;
            sandbox.store.pending.remove(&held, proposal.nonce());
            let revision = revision.of_unsigned(&invocation.signed);
            Ok(Found::Break(End::Revise(Otherwise::than(proposal, revision, invocation.person.how()))))
        }
        Response::Unavailable { reason, hint } => {
            let held = sandbox.store.lock.acquire()?;
            sandbox.store.pending.add(&held, &shown.pending())?;
            let push = (!invocation.person.has_seen()).then(|| ShownPush::of(proposal));
            let not = NotApproved { push, topic: Some(shown.topic()), ..NotApproved::unasked(reason, hint) };
            Ok(Found::Break(End::Over(Reply::NotApproved(Box::new(not)))))
        }
    }
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
                dialect: None,
                max_bytes: None,
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
