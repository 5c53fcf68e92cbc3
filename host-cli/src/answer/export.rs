//! Exports the sandbox's branch to a bundle file: a push to a new file, with the same review.
//!
//! The sandbox does not count an export as landed, because no repository has the commits.

use std::io::Write;
use std::path::Path;

use bytes::Bytes;
use gate::approval::{Decision, Proposal, Refusal};
use gate::digest::Digest;
use gate::id::Nonce;
use gate::ledger::{Intent, PushResult};
use gate::objects::{Nothing, Supplied};
use gate::policy::{Caller, EXPORT, Facts, Mode, Policy, Verdict};
use gate::push::{PushLimits, PushRequest, TargetFacts, check};
use gate::refname::BranchRef;
use gate::target::{CanonicalTarget, TargetKind};
use gate::{Fault, FaultKind};
use gix::ObjectId;

use super::landing::{conclude, is_no_approval, not_approved};
use super::push::describe;
use super::record::CallRecord;
use super::spend::SpendByIntent;
use super::{
    Asked, Call, Found, NotApproved, ROUNDS, Reply, approval, audit, enter, fetch, misbehaved, random, said, tool_call,
};
use crate::approve::{Approver, PushDecision, Response};
use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::interrupt::{self, Phase};
use crate::moment;
use crate::sandbox::{Question, Sandbox, Step, wit};
use crate::screen;
use crate::store::Pending;
use crate::store::disk::{self, RealDisk};
use crate::target::bundle::write_bundle;

/// The host's part of an export's intent. It tells recovery that no repository is involved.
pub(super) const HOST: &str = "export";

/// The default target of a sandbox that is opened to export to `file`.
pub fn target(file: &Path) -> wit::Target {
    wit::Target { kind: "bundle".to_owned(), location: file.display().to_string(), branch: None }
}

/// Writes `branch` with its whole history to `file`, an absolute path that does not exist yet. The
/// sandbox must have been opened with [`target`] as its default target.
pub fn export(
    sandbox: &mut Sandbox,
    file: &Path,
    branch: &BranchRef,
    call: &Call,
    policy: &Policy,
    approver: &mut dyn Approver,
) -> Result<Reply> {
    let place = file.to_str().ok_or_else(|| HostError::new(ErrorKind::Usage, "the file's path is not UTF-8"))?;
    let place = CanonicalTarget::new(TargetKind::Bare, place)?;
    let mut asked = Asked::new(tool_call(call, sandbox.git_timeout_ms())?, call.caller, policy, approver);
    let mut answers: Vec<wit::Answer> = Vec::new();
    for _ in 0..ROUNDS {
        let (key, body) = match asked.step(sandbox, &answers)? {
            Step::Done { outcome, .. } => return Ok(Reply::Done(outcome)),
            // The person requested the export and approves its content below.
            Step::Ask { key, question: Question::Approval(_) } => (key, wit::AnswerBody::Approved),
            Step::Ask { key, question: Question::Refs(named) } if named.kind == "bundle" => {
                let head = Some(branch.to_string());
                (key, wit::AnswerBody::Refs(wit::Refs { target: place.to_string(), head, references: Vec::new() }))
            }
            Step::Ask { question: Question::Refs(_), .. } => {
                return Err(misbehaved("it asked for a target other than the given one"));
            }
            Step::Ask { question: Question::Push { push, pack }, .. } => {
                let new = ObjectId::from_hex(push.new.as_bytes())
                    .map_err(|_| misbehaved("it names a commit with an invalid id"))?;
                if push.target != place.to_string() || push.reference != branch.as_str() || push.old.is_some() {
                    return Err(misbehaved("it pushes to a place other than the given one"));
                }
                let request = PushRequest {
                    sandbox: sandbox.file.id.name(),
                    target: place.clone(),
                    reference: branch.clone(),
                    old: None,
                    new,
                    pack: Bytes::from(pack),
                };
                return decide(sandbox, file, &asked.call, request, asked.policy, asked.approver);
            }
            Step::Ask { question: Question::Commits(_), .. } => {
                return Err(misbehaved("it asked a bundle for commits"));
            }
            Step::Ask { key, question: Question::Blobs(wanted) } => match fetch::blobs(&mut asked, &wanted, sandbox)? {
                Found::Answer(body) => (key, body),
                Found::Finished(reply) => return Ok(reply),
                Found::NotApproved(not) => return Ok(Reply::NotApproved(not)),
                Found::Ruled(_) | Found::Revise(_) => unreachable!("blobs are fetched, or not"),
            },
        };
        answers.push(wit::Answer { key, body });
    }
    Err(misbehaved("it asked too many questions"))
}

/// Shows the bundle, and writes it if it is approved.
fn decide(
    sandbox: &mut Sandbox,
    file: &Path,
    call: &wit::ToolCall,
    request: PushRequest,
    policy: &Policy,
    approver: &mut dyn Approver,
) -> Result<Reply> {
    let pack = request.pack.clone();
    let proposal = match propose(sandbox, &request, policy, approver.digest())? {
        Ok(proposal) => proposal,
        Err(fault) => return Ok(refused(&fault)),
    };
    let (nonce, digest, now) = (proposal.nonce(), proposal.digest(), moment::now().timestamp());
    let shown = describe(&proposal);
    let facts = Facts::of_call(EXPORT, Mode::Both, Caller::User);
    // A person approves the content even if a rule would allow it.
    let ruling = policy.decide(&facts.with_review(proposal.review(), false));
    match ruling.verdict {
        Verdict::Deny { reason, hint } => {
            let _held = sandbox.store.lock.acquire()?;
            audit::push_denied(&sandbox.store, &proposal, &ruling.by, &reason)?;
            return Ok(Reply::Done(Err(said::not_permitted(reason, hint))));
        }
        Verdict::Ask { reasons, .. } => approval::tell_reasons(approver, &ruling.by, &reasons),
        Verdict::Allow => {}
    }
    let decision: Decision = match approver.push(&proposal, None) {
        Response::Given(PushDecision::Decided(decision)) | Response::Remembered(PushDecision::Decided(decision)) => {
            decision
        }
        Response::Given(PushDecision::Revise(_)) | Response::Remembered(PushDecision::Revise(_)) => {
            let hint = "discard or revise staged commits, then export again".to_owned();
            return Ok(Reply::Done(Err(said::not_permitted(
                "an export cannot be edited: a bundle holds the branch as it is".to_owned(),
                hint,
            ))));
        }
        Response::Unavailable { reason, hint } => {
            let _held = sandbox.store.lock.acquire()?;
            sandbox.store.pending.add(&Pending {
                target: request.target,
                reference: request.reference,
                nonce,
                digest,
                shown_at: proposal.shown_at(),
            })?;
            return Ok(Reply::NotApproved(Box::new(NotApproved {
                reason,
                hint,
                waits: false,
                push: Some(shown).filter(|_| !approver.shows()),
                inside: None,
            })));
        }
    };
    let locked = enter(sandbox, approver)?;
    let _landing = interrupt::during(Phase::Landing);
    if let Decision::Reject { reason } = &decision {
        audit::push_rejected(locked.store(), &proposal, reason, audit::decided(approver))?;
    }
    locked.store().pending.remove(nonce);
    let intent = Intent {
        sandbox: request.sandbox,
        call_id: call.id.clone(),
        call: serde_json::to_value(CallRecord::from(call)).expect("it has only string keys"),
        nonce,
        digest,
        approved: audit::decided(approver),
        target: request.target,
        reference: request.reference.clone(),
        old: None,
        new: request.new,
        at: now,
        host: HOST.into(),
    };
    let mut spend = SpendByIntent::new(&locked.store().ledger, intent);
    let approved = match proposal.decide(decision, moment::now().timestamp(), &mut spend) {
        Ok(approved) => approved,
        Err(Refusal::Fault(fault)) if is_no_approval(&fault) => return Ok(not_approved(fault)),
        Err(Refusal::Fault(fault)) => return Ok(refused(&fault)),
        Err(Refusal::Rejected { reason }) => return Ok(Reply::Done(Err(said::rejected(reason)))),
    };
    let written = approved.redeem(pack).map_err(HostError::from).and_then(|redeemed| {
        let refs = [(request.reference.to_string(), request.new), ("HEAD".to_owned(), request.new)];
        let bundle = write_bundle(&refs, redeemed.pack().bytes());
        disk::create(&RealDisk, file, |out| out.write_all(&bundle)).doing("write", file)
    });
    conclude(&locked, nonce, if written.is_ok() { PushResult::Landed } else { PushResult::NotLanded })?;
    written?;
    let text = format!("Wrote {} ({})\n", screen::line(&file.display().to_string()), request.reference.branch());
    let structured = serde_json::json!({ "status": "success", "commitSha": request.new.to_string(), "file": file.display().to_string() });
    Ok(Reply::Done(Ok(wit::ToolResult { text, structured: structured.to_string(), truncated: false })))
}

/// Prepares the review. Reuses an earlier one if nothing has changed.
fn propose(
    sandbox: &Sandbox,
    request: &PushRequest,
    policy: &Policy,
    approved: Option<Digest>,
) -> Result<Result<Proposal, Fault>> {
    let now = moment::now().timestamp();
    let limits = PushLimits::default();
    let supplied = sandbox.store.attachments.packed()?;
    let supplied = Supplied::by(move |id| supplied.contains(id));
    let facts = TargetFacts {
        supplied,
        protected: policy.protected().clone(),
        allowed: policy.allowed_secrets().clone(),
        ..TargetFacts::default()
    };
    let propose =
        |nonce, shown_at| check(request.clone(), &Nothing, facts.clone(), &limits)?.propose(&Nothing, nonce, shown_at);
    for earlier in sandbox.store.pending.to(&request.target, &request.reference, now, approved)? {
        match propose(earlier.nonce, earlier.shown_at) {
            Ok(proposal) if proposal.digest() != earlier.digest => {}
            same_or_fault => return Ok(same_or_fault),
        }
    }
    Ok(propose(Nonce::from_random(random()?), now))
}

fn refused(fault: &Fault) -> Reply {
    let kind =
        if fault.kind == FaultKind::Policy { wit::ErrorKind::NotPermitted } else { wit::ErrorKind::ExecutionFailed };
    let hint = match fault.kind {
        FaultKind::TooLarge => "push to a repository that has most of the history: a bundle must hold all of it",
        _ => &fault.hint,
    };
    Reply::Done(Err(wit::ToolError { kind, message: fault.message.clone(), hint: hint.to_owned() }))
}
