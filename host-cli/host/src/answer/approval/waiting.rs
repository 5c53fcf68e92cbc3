//! Keeps an agent's calls that nobody could be asked about. Another process answers them, and the
//! agent gets the answer when it makes the call again.

use std::ops::ControlFlow;

use gate::hex;
use gate::ledger::{Brief, CallVerdict, Decided, How};
use gate::policy::Caller;
use serde::Deserialize;

use crate::answer::approval::audit;
use crate::answer::call::invocation::{Invocation, tool_call};
use crate::answer::call::record::minimal;
use crate::answer::call::suspend::{Answered, Ask, Said};
use crate::answer::push::Prepared;
use crate::answer::wording::tool_error;
use crate::answer::{Call, NotApproved, Reply};
use crate::approve::{CallDecision, CallRequest, Response};
use crate::error::{ErrorKind, HostError, Result};
use crate::hint::{Act, Hint};
use crate::platform;
use crate::sandbox::Sandbox;
use crate::screen;
use crate::store::{Answer, Held, Inside, Store, Topic, Waiting};
use crate::wit::{self, ToolResult};

/// Bytes of the longest arguments of a waiting call. An agent may leave a hundred calls.
const LARGEST: usize = 1 << 20;

/// Takes what a person has decided about this call while it waited. A call that they rejected is over; one that they
/// approved goes on with the reasons that they had read.
pub(crate) fn decided(sandbox: &Sandbox, call: &Call) -> Result<ControlFlow<Reply, Option<Vec<String>>>> {
    if call.caller == Caller::User || sandbox.store.waiting.is_empty()? {
        return Ok(ControlFlow::Continue(None));
    }
    let held = sandbox.store.lock.acquire()?;
    let now = sandbox.platform().now().timestamp();
    let waiting = sandbox.store.waiting.take_decided(&held, &call.tool, &call.arguments, now)?;
    Ok(match waiting.and_then(|waiting| Some((waiting.answer?, waiting.inside))) {
        Some((Answer::Rejected(reason), _)) => ControlFlow::Break(Reply::Done(Err(tool_error::rejected(reason)))),
        Some((Answer::Approved, inside)) => {
            ControlFlow::Continue(Some(inside.map_or_else(Vec::new, |inside| inside.reasons)))
        }
        Some((Answer::Changes(reply), _)) => ControlFlow::Break(Reply::Done(Ok(reply))),
        Some((Answer::Landed(_), _)) | None => ControlFlow::Continue(None),
    })
}

/// Keeps an agent's call that nobody approved, and adds to the hint how to answer it.
pub(crate) fn keep(sandbox: &Sandbox, call: &Call, mut not: NotApproved) -> Result<NotApproved> {
    if call.caller == Caller::User {
        return Ok(not);
    }
    if call.arguments.len() > LARGEST {
        not.hint = "split the call: it is too large to wait for an answer".into();
        return Ok(not);
    }
    let kept = add(sandbox, call, not.inside.clone(), not.topic.clone())?;
    let review = to_review(sandbox, &kept.id);
    not.waits = true;
    not.hint = match not.hint.is_empty() {
        true => review.into(),
        false => Hint::new(&format!("{}; ", sandbox.platform().words(&not.hint)), review, ""),
    };
    Ok(not)
}

/// A person's way to answer a call that waits.
fn to_review(sandbox: &Sandbox, id: &str) -> Act {
    Act::Review { sandbox: sandbox.name().to_string(), id: id[..8].to_owned() }
}

/// Keeps what a person is about to be asked, so that it can be answered elsewhere. Returns the id of
/// the waiting call, if it is one.
pub(crate) fn keep_asked(sandbox: &Sandbox, call: &Call, ask: &Ask, invocation: &Invocation) -> Result<Option<String>> {
    if let Some(prepared) = &invocation.prepared {
        let held = sandbox.store.lock.acquire()?;
        sandbox.store.pending.add(&held, &prepared.pending())?;
    }
    if call.caller == Caller::User || call.arguments.len() > LARGEST {
        return Ok(None);
    }
    let inside = match ask {
        Ask::Push(_) => None,
        Ask::Call(CallRequest { severity, summary, detail, reasons, .. }) => Some(Inside {
            severity: *severity,
            summary: summary.clone(),
            detail: detail.clone(),
            reasons: invocation.heard.iter().chain(reasons).cloned().collect(),
        }),
    };
    let topic = invocation.prepared.as_ref().map(Prepared::topic);
    Ok(Some(add(sandbox, call, inside, topic)?.id))
}

/// Forgets a call that was kept before a person was asked, because they have answered.
pub(crate) fn forget_asked(sandbox: &Sandbox, id: &str) -> Result<()> {
    let held = sandbox.store.lock.acquire()?;
    sandbox.store.waiting.remove(&held, id);
    Ok(())
}

/// Forgets an agent's call that waits, because it has landed after all: nothing is asked about it any more.
pub(crate) fn forget_landed(store: &Store, held: &Held, tool: &str, arguments: &str) -> Result<()> {
    let unanswered = same(store, tool, arguments)?.into_iter().filter(|one| one.answer.is_none());
    unanswered.for_each(|one| store.waiting.remove(held, &one.id));
    Ok(())
}

/// The same for a call that has just been made. Gives the reply to the push that was last made of it by a person. How the
/// call ended counts for more than what goes wrong here.
pub(crate) fn take_made(sandbox: &Sandbox, call: &Call) -> Option<ToolResult> {
    let take = || -> Result<Option<ToolResult>> {
        let mut kept = same(&sandbox.store, &call.tool, &call.arguments)?;
        kept.retain(|one| matches!(one.answer, None | Some(Answer::Landed(_))));
        if kept.is_empty() {
            return Ok(None);
        }
        let held = sandbox.store.lock.acquire()?;
        kept.iter().for_each(|one| sandbox.store.waiting.remove(&held, &one.id));
        let now = sandbox.platform().now().timestamp();
        let landed = |one: Waiting| match one.answer {
            Some(Answer::Landed(reply)) => Some(reply),
            _ => None,
        };
        Ok(kept.into_iter().rev().filter(|one| one.is_fresh(now)).find_map(landed))
    };
    take().unwrap_or_else(|error| {
        tracing::debug!("{error}");
        None
    })
}

/// Answers the pushes of agents that wait and have just been made by the person's `call`: those of a commit that landed with it, to the same
/// place. Nobody is asked about them any more, and the agent hears what became of them. The push counts for more than what goes wrong here.
pub(crate) fn answer_landed(sandbox: &Sandbox, call: &Call, result: &ToolResult) {
    let answer = || -> Result<()> {
        if sandbox.store.waiting.is_empty()?
            || !Pushed::read(&call.tool, result).is_some_and(|pushed| pushed.has_landed())
        {
            return Ok(());
        }
        let (Ok(made), Ok(landed)) =
            (serde_json::from_str::<Asked>(&call.arguments), serde_json::from_str::<Landed>(&result.structured))
        else {
            return Ok(());
        };
        let held = sandbox.store.lock.acquire()?;
        for one in sandbox.store.waiting.unanswered()?.into_iter().filter(|one| one.tool == call.tool) {
            let is_made = serde_json::from_str::<Asked>(&one.arguments)
                .is_ok_and(|asked| asked.target == made.target && landed.has(&asked.commit_id));
            if is_made {
                note_landed(sandbox, &held, &one, result);
            }
        }
        Ok(())
    };
    if let Err(error) = answer() {
        tracing::debug!("{error}");
    }
}

/// What a push asks for, as far as one is compared with another.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    commit_id: String,
    target: Option<serde_json::Value>,
}

/// The commits of a push that has landed.
#[derive(Deserialize)]
struct Landed {
    commits: Vec<Sent>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sent {
    id: String,
    commit_sha: String,
}

impl Landed {
    /// Whether the commit that `named` names is among them.
    fn has(&self, named: &str) -> bool {
        !named.is_empty() && self.commits.iter().any(|sent| sent.id == named || sent.commit_sha.starts_with(named))
    }
}

/// Forgets what came of a waiting call, because the agent that made it has been told. One that waits again stays.
pub fn forget_told(sandbox: &Sandbox, id: &str) -> Result<()> {
    let held = sandbox.store.lock.acquire()?;
    let answered = sandbox.store.waiting.all()?.into_iter().filter(|one| one.id == id && one.answer.is_some());
    answered.for_each(|one| sandbox.store.waiting.remove(&held, &one.id));
    Ok(())
}

/// What is kept of such a call, whatever white space is between its arguments.
fn same(store: &Store, tool: &str, arguments: &str) -> Result<Vec<Waiting>> {
    let arguments = minimal(arguments);
    let mut all = store.waiting.all()?;
    all.retain(|one| one.tool == tool && minimal(&one.arguments) == arguments);
    Ok(all)
}

fn add(sandbox: &Sandbox, call: &Call, inside: Option<Inside>, topic: Option<Topic>) -> Result<Waiting> {
    let platform = sandbox.platform();
    let waiting = Waiting {
        id: hex::encode(&platform::random::<8>(&*platform)?),
        tool: call.tool.clone(),
        arguments: call.arguments.clone(),
        at: platform.now().timestamp(),
        inside,
        topic,
        answer: None,
    };
    let held = sandbox.store.lock.acquire()?;
    sandbox.store.waiting.add(&held, waiting)
}

/// Rejects a waiting call. The agent learns of it when it makes the call again.
pub fn reject_waiting(sandbox: &mut Sandbox, waiting: &Waiting, reason: &str) -> Result<()> {
    let verdict = CallVerdict::Rejected(Brief::of(reason));
    let decided = audit::decided_so(How::Command, sandbox);
    record(sandbox, waiting, verdict, Answer::Rejected(reason.to_owned()), decided)
}

/// The question about a waiting call that stays inside the sandbox.
pub fn ask_waiting(waiting: &Waiting) -> Option<CallRequest> {
    let Inside { severity, summary, detail, reasons } = waiting.inside.as_ref()?;
    Some(CallRequest {
        tool: waiting.tool.clone(),
        severity: *severity,
        summary: screen::line(summary),
        detail: screen::block(detail),
        reasons: reasons.clone(),
        offer: None,
    })
}

/// Keeps the answer to [`ask_waiting`]. Returns "Approved" or "Rejected", or why nobody could answer.
pub fn decide_waiting(
    sandbox: &mut Sandbox,
    waiting: &Waiting,
    given: Answered,
) -> Result<Result<&'static str, NotApproved>> {
    let (verdict, answer, done) = match given.said {
        Said::Call(Response::Given(CallDecision::Approve) | Response::Remembered(CallDecision::Approve)) => {
            (CallVerdict::Approved, Answer::Approved, "Approved")
        }
        Said::Call(
            Response::Given(CallDecision::Reject(reason)) | Response::Remembered(CallDecision::Reject(reason)),
        ) => (CallVerdict::Rejected(Brief::of(&reason)), Answer::Rejected(reason), "Rejected"),
        Said::Call(Response::Unavailable { reason, hint }) | Said::Push(Response::Unavailable { reason, hint }) => {
            let hint = if hint.is_empty() { to_review(sandbox, &waiting.id).into() } else { Hint::from(hint) };
            return Ok(Err(NotApproved { waits: true, ..NotApproved::unasked(reason, hint) }));
        }
        Said::Push(_) => {
            return Err(HostError::new(ErrorKind::Usage, "the answer is about a push, and the call is none"));
        }
    };
    let decided = audit::decided_so(given.how, sandbox);
    record(sandbox, waiting, verdict, answer, decided)?;
    Ok(Ok(done))
}

/// Records how a waiting call ended after it was made for the person to review.
/// Returns true if it still waits: nobody has answered it, or what kept it from being made is not the call's own fault, such as a repository that
/// is not there for now.
pub fn settle_waiting(sandbox: &mut Sandbox, waiting: &Waiting, reply: &Reply) -> Result<bool> {
    let held = sandbox.store.lock.acquire()?;
    match reply {
        Reply::NotApproved(_) => return Ok(true),
        Reply::Done(Err(wit::ToolError { kind: wit::ErrorKind::Rejected(reason), .. })) => {
            let answer = Answer::Rejected(reason.clone());
            sandbox.store.waiting.answer(&held, waiting.clone(), answer, sandbox.platform().now().timestamp())?;
        }
        Reply::Done(Ok(result)) if Pushed::read(&waiting.tool, result).is_some_and(|pushed| pushed.has_landed()) => {
            note_landed(sandbox, &held, waiting, result);
        }
        Reply::Done(Ok(result)) if Pushed::read(&waiting.tool, result).is_some_and(|pushed| pushed.is_to_change()) => {
            let answer = Answer::Changes(result.clone());
            sandbox.store.waiting.answer(&held, waiting.clone(), answer, sandbox.platform().now().timestamp())?;
        }
        Reply::Done(Err(error)) if !is_of_the_call(&error.kind) => return Ok(true),
        Reply::Done(_) => sandbox.store.waiting.remove(&held, &waiting.id),
    }
    Ok(false)
}

/// Whether the same call would fail in the same way whenever it is made.
fn is_of_the_call(kind: &wit::ErrorKind) -> bool {
    use wit::ErrorKind::{BadArgs, NotFound, SandboxViolation, UnknownTool};
    matches!(kind, BadArgs | UnknownTool | NotFound | SandboxViolation)
}

/// Keeps what became of a push for the agent that waits. It has landed whether or not there is room to tell the agent.
fn note_landed(sandbox: &Sandbox, held: &Held, waiting: &Waiting, result: &ToolResult) {
    let now = sandbox.platform().now().timestamp();
    if let Err(error) = sandbox.store.waiting.answer(held, waiting.clone(), Answer::Landed(result.clone()), now) {
        tracing::debug!("{error}");
        sandbox.store.waiting.remove(held, &waiting.id);
    }
}

/// What the result of a push says, as far as one is compared with another.
#[derive(PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pushed {
    status: String,
    target: String,
    branch: String,
    commit_sha: Option<String>,
}

impl Pushed {
    /// The result of another tool is none.
    pub(crate) fn read(tool: &str, result: &ToolResult) -> Option<Self> {
        (tool == "git_push").then(|| serde_json::from_str(&result.structured).ok()).flatten()
    }

    /// Whether a person asked for changes.
    fn is_to_change(&self) -> bool {
        self.status == "changes-requested"
    }

    /// Whether it is at its target. There may be a conflict instead.
    fn has_landed(&self) -> bool {
        self.status == "success"
    }
}

fn record(
    sandbox: &mut Sandbox,
    waiting: &Waiting,
    verdict: CallVerdict,
    answer: Answer,
    decided: Decided,
) -> Result<()> {
    let call = Call::new(waiting.tool.clone(), waiting.arguments.clone(), Caller::Agent);
    let call = tool_call(&call, sandbox)?;
    let summary = waiting.inside.as_ref().map_or(&waiting.arguments, |inside| &inside.summary);
    let held = sandbox.store.lock.acquire()?;
    audit::call_decided(sandbox, &held, &call, summary, verdict, decided)?;
    sandbox.store.waiting.answer(&held, waiting.clone(), answer, sandbox.platform().now().timestamp())
}
