//! Exports the sandbox's branch to a bundle file: a push to a new file, with the same review.
//!
//! The sandbox does not count an export as landed, because no repository has the commits.
//!
//! | file | what it has |
//! |---|---|
//! | `asking` | the call that asks the component for the commits |
//! | `propose` | the review |

mod asking;
mod propose;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use gate::approval::{Decision, Proposal, Refusal};
use gate::digest::Digest;
use gate::ledger::{How, PushResult};
use gate::policy::{Caller, EXPORT, Facts, Mode, Policy, Verdict};
use gate::push::PushRequest;
use gate::refname::BranchRef;
use gate::target::{CanonicalTarget, TargetKind};
use serde_json::json;

use crate::answer::approval::audit;
use crate::answer::call::invocation::{Invocation, tool_call};
use crate::answer::call::questions::{Ended, Questions, play};
use crate::answer::call::suspend;
use crate::answer::call::suspend::{Advance, Given, Halting, advanced};
use crate::answer::export::asking::{Exporting, Wants};
use crate::answer::export::propose::{propose, refused};
use crate::answer::landing::{conclude, is_no_approval, not_approved, spend};
use crate::answer::push::again;
use crate::answer::push::revise::{Otherwise, Revising};
use crate::answer::wording::tool_error;
use crate::answer::{Call, NotApproved, Reply, ShownPush, approval, enter};
use crate::approve::{PushDecision, Response, Revision};
use crate::error::{ErrorKind, HostError, Result};
use crate::platform::Phase;
use crate::review;
use crate::sandbox::Sandbox;
use crate::screen;
use crate::store::{Pending, Topic};
use crate::target::Near;
use crate::target::bundle::write_bundle;
use crate::wit;

/// The host's part of an export's intent. It tells recovery that no repository is involved.
pub(crate) const HOST: &str = "export";

/// How the call names the file: as it would name a repository that is there.
const KIND: &str = "local-bare";

/// The call that asks for the commits of an export to `file`.
///
/// # Errors
/// If the path is not UTF-8.
pub fn call(file: &Path) -> Result<Call> {
    let target = json!({ "type": KIND, "path": place(file)? });
    let arguments = json!({ "commitId": "HEAD", "target": target }).to_string();
    Ok(Call::new("git_push", arguments, Caller::User))
}

fn place(file: &Path) -> Result<&str> {
    file.to_str().ok_or_else(|| HostError::new(ErrorKind::Usage, "the file's path is not UTF-8"))
}

/// The branch that is checked out, by the structured result of `git_status`: the one that is exported
/// where none is named.
pub fn branch(status: &str) -> Result<BranchRef> {
    let branch = screen::status::branch(&screen::status::read(status)?).ok_or_else(|| {
        HostError::new(ErrorKind::Session, "the sandbox's HEAD is detached")
            .hint("check out a branch first: a bundle holds one branch")
    })?;
    BranchRef::from_branch(&branch).map_err(HostError::from)
}

/// An export that is made step by step.
pub struct Export {
    file: PathBuf,
    near: Rc<dyn Near>,
    place: CanonicalTarget,
    branch: BranchRef,
    /// Asks for the commits.
    call: Call,
    /// That call, as it goes on.
    invocation: Invocation,
    questions: Questions,
    /// What was exported, once the component has said it.
    shown: Option<(PushRequest, Proposal)>,
    /// The edit of what was shown, while it is made.
    revising: Option<Box<Revising>>,
}

/// How a review ends.
enum Reviewed {
    /// With a reply.
    Over(Reply),
    /// With edits, after which the branch is exported again.
    Revise(Box<Otherwise>),
}

impl Export {
    /// Writes `branch` with its whole history to `file`, an absolute path that does not exist yet `near`.
    /// `digest` is that of the export that was approved in advance, and `revision` has the edits that
    /// were given in advance.
    pub fn new(
        sandbox: &Sandbox,
        near: Rc<dyn Near>,
        file: &Path,
        branch: &BranchRef,
        policy: Rc<Policy>,
        digest: Option<Digest>,
        revision: Option<Revision>,
    ) -> Result<Self> {
        let call = call(file)?;
        let mut invocation = Invocation::new(tool_call(&call, sandbox)?, call.caller, policy);
        invocation.digest = digest;
        invocation.revision = revision;
        Ok(Export {
            file: file.to_owned(),
            near,
            place: CanonicalTarget::new(TargetKind::Bare, place(file)?)?,
            branch: branch.clone(),
            call,
            invocation,
            questions: Questions::default(),
            shown: None,
            revising: None,
        })
    }

    /// Goes on as far as it can.
    pub fn advance(&mut self, sandbox: &mut Sandbox) -> Result<Advance<Reply>> {
        advanced(self.go_on(sandbox))
    }

    /// Answers what the last step needed.
    pub fn give(&mut self, given: Given) {
        match &mut self.revising {
            Some(revising) => revising.give(given),
            None => self.invocation.give(given),
        }
    }

    /// The push that the last step asked about.
    pub fn proposal(&self) -> Option<&Proposal> {
        self.shown.as_ref().map(|(_, proposal)| proposal)
    }

    fn go_on(&mut self, sandbox: &mut Sandbox) -> Halting<Reply> {
        loop {
            if let Some(revising) = &mut self.revising {
                match revising.go_on(sandbox, &self.call)? {
                    Ok(call) => self.again(call, sandbox)?,
                    Err(reply) => return Ok(reply),
                }
            }
            match self.review(sandbox)? {
                Reviewed::Over(reply) => return Ok(reply),
                Reviewed::Revise(otherwise) => {
                    match Revising::begin(sandbox, &self.call, *otherwise, &self.invocation.policy)? {
                        Ok(revising) => self.revising = Some(Box::new(revising)),
                        Err(reply) => return Ok(reply),
                    }
                }
            }
        }
    }

    /// Begins again, with the call that asks for the edited commits.
    fn again(&mut self, call: Call, sandbox: &Sandbox) -> Result<()> {
        let digest = self.invocation.digest;
        self.invocation = Invocation::new(tool_call(&call, sandbox)?, call.caller, Rc::clone(&self.invocation.policy));
        self.invocation.digest = digest;
        (self.call, self.questions, self.revising) = (call, Questions::default(), None);
        Ok(())
    }

    /// Shows what would leave, and does what is decided about it.
    fn review(&mut self, sandbox: &mut Sandbox) -> Halting<Reviewed> {
        let over = |reply| Ok(Reviewed::Over(reply));
        let (request, proposal) = match self.shown.take() {
            Some(shown) => shown,
            None => {
                let mut questions = std::mem::take(&mut self.questions);
                let played = play(&mut questions, &mut Exporting { export: self, sandbox });
                self.questions = questions;
                let request = match played? {
                    Ended::Done(outcome) => return over(Reply::Done(outcome)),
                    Ended::Early(Wants::Reply(reply)) => return over(reply),
                    Ended::Early(Wants::Push(request)) => *request,
                };
                match propose(sandbox, &request, &self.invocation.policy, self.invocation.digest)? {
                    Ok(proposal) => (request, proposal),
                    Err(fault) => return over(refused(&fault)),
                }
            }
        };
        if let Some(seen) = self.invocation.seen.take() {
            match again::differences(&seen, proposal.review()) {
                None => {
                    let decision = Decision::Approve { digest: proposal.digest() };
                    return over(self.write(sandbox, request, proposal, decision)?);
                }
                Some(differences) => sandbox.tell(differences),
            }
        }
        let facts = Facts::of_call(EXPORT, Mode::Both, Caller::User);
        // What is edited first is ruled on by its content after that.
        let is_edited = self.invocation.revision.is_some();
        let facts = if is_edited { facts } else { facts.with_review(proposal.review(), false) };
        let ruling = self.invocation.policy.decide(&facts);
        let reasons = match ruling.verdict {
            Verdict::Deny { reason, hint } => {
                let held = sandbox.store.lock.acquire()?;
                audit::push_denied(sandbox, &held, &proposal, &ruling.by, &reason)?;
                return over(Reply::Done(Err(tool_error::not_permitted(reason, hint))));
            }
            Verdict::Ask { reasons, .. } => approval::new_to_them(&ruling.by, &reasons).to_vec(),
            // A person approves the content even if a rule would allow it.
            Verdict::Allow => Vec::new(),
        };
        if let Some(revision) = self.invocation.revision.take() {
            return Ok(Reviewed::Revise(Otherwise::than(&proposal, revision, How::Command)));
        }
        let response = match self.invocation.person.about_a_push(|| suspend::PushRequest { reasons, offer: None }) {
            Ok((response, _)) => response,
            Err(halt) => {
                self.shown = Some((request, proposal));
                return Err(halt);
            }
        };
        match response {
            Response::Given(PushDecision::Decided(decision))
            | Response::Remembered(PushDecision::Decided(decision)) => {
                if again::is_old(&self.invocation, &proposal, &decision, sandbox.platform().now()) {
                    let held = sandbox.store.lock.acquire()?;
                    sandbox.store.pending.remove(&held, proposal.nonce());
                    drop(held);
                    self.invocation.seen = Some(Box::new(proposal.into_review()));
                    self.questions = Questions::default();
                    return self.review(sandbox);
                }
                over(self.write(sandbox, request, proposal, decision)?)
            }
            // The file is not written. The agent has made no call that could tell it why: git_review lists what was said.
            Response::Given(PushDecision::AskChanges { reason })
            | Response::Remembered(PushDecision::AskChanges { reason }) => {
                over(self.write(sandbox, request, proposal, Decision::Reject { reason })?)
            }
            Response::Given(PushDecision::Revise(revision)) | Response::Remembered(PushDecision::Revise(revision)) => {
                let held = sandbox.store.lock.acquire()?;
                sandbox.store.pending.remove(&held, proposal.nonce());
                Ok(Reviewed::Revise(Otherwise::than(&proposal, revision, self.invocation.person.how())))
            }
            Response::Unavailable { reason, hint } => {
                let held = sandbox.store.lock.acquire()?;
                let push = (!self.invocation.person.has_seen()).then(|| ShownPush::of(&proposal));
                sandbox.store.pending.add(
                    &held,
                    &Pending {
                        target: request.target,
                        reference: request.reference,
                        nonce: proposal.nonce(),
                        digest: proposal.digest(),
                        shown_at: proposal.shown_at(),
                        signatures: Vec::new(),
                    },
                )?;
                over(Reply::NotApproved(Box::new(NotApproved { push, ..NotApproved::unasked(reason, hint) })))
            }
        }
    }

    /// Writes the bundle, if it is approved.
    fn write(
        &self,
        sandbox: &mut Sandbox,
        request: PushRequest,
        proposal: Proposal,
        decision: Decision,
    ) -> Result<Reply> {
        let platform = sandbox.platform();
        let locked = enter(sandbox)?;
        let _landing = platform.during(Phase::Landing);
        let decided = audit::decided_so(self.invocation.person.how(), locked.sandbox());
        if let Decision::Reject { reason } = &decision {
            audit::push_rejected(locked.sandbox(), locked.held(), &proposal, reason, decided.clone())?;
            let topic = Topic { target: request.target.clone(), reference: request.reference.clone() };
            review::send(locked.sandbox(), locked.held(), &topic)?;
        }
        let nonce = proposal.nonce();
        let approved = match spend(&locked, &self.invocation.call, proposal, &request, decision, decided, HOST.into()) {
            Ok(approved) => approved,
            Err(Refusal::Fault(fault)) if is_no_approval(&fault) => return Ok(not_approved(fault)),
            Err(Refusal::Fault(fault)) => return Ok(refused(&fault)),
            Err(Refusal::Rejected { reason }) => return Ok(Reply::Done(Err(tool_error::rejected(reason)))),
        };
        let (file, reference, new) = (&self.file, request.reference, request.new);
        let written = approved.redeem(request.pack).map_err(HostError::from).and_then(|redeemed| {
            let refs = [(reference.to_string(), new), ("HEAD".to_owned(), new)];
            let bundle = write_bundle(&refs, redeemed.pack().bytes());
            self.near.create(file, &bundle)
        });
        conclude(&locked, nonce, if written.is_ok() { PushResult::Landed } else { PushResult::NotLanded })?;
        written?;
        let text = format!("Wrote {} ({})\n", screen::line(&file.display().to_string()), reference.branch());
        let structured = json!({
            "status": "success",
            "commitSha": new.to_string(),
            "file": file.display().to_string(),
        });
        Ok(Reply::Done(Ok(wit::ToolResult { text, structured: structured.to_string(), truncated: false })))
    }
}
