//! Keeps an agent's calls that nobody could be asked about. Another process answers them, and the
//! agent gets the answer when it makes the call again.

use gate::hex;
use gate::ledger::{Brief, CallVerdict, Decided, How};
use gate::policy::Caller;

use super::{Call, NotApproved, Reply, audit, random, said, tool_call};
use crate::approve::{Approver, CallDecision, CallRequest, Response};
use crate::error::Result;
use crate::moment;
use crate::sandbox::{Sandbox, wit};
use crate::screen;
use crate::store::{Answer, Waiting};

/// Bytes of the longest arguments of a waiting call. An agent may leave a hundred calls.
const LARGEST: usize = 1 << 20;

/// Takes the answer given while this call waited, with the reasons that the person had read.
pub(super) fn answered(sandbox: &Sandbox, call: &Call) -> Result<Option<(Answer, Vec<String>)>> {
    if call.caller == Caller::User || sandbox.store.waiting.is_empty()? {
        return Ok(None);
    }
    let _held = sandbox.store.lock.acquire()?;
    let answered = sandbox.store.waiting.take_answered(&call.tool, &call.arguments, moment::now().timestamp())?;
    Ok(answered
        .and_then(|waiting| Some((waiting.answer?, waiting.inside.map_or_else(Vec::new, |inside| inside.reasons)))))
}

/// Keeps an agent's call that nobody approved, and adds to the hint how to answer it.
pub(super) fn keep(sandbox: &Sandbox, call: &Call, mut not: NotApproved) -> Result<NotApproved> {
    if call.caller == Caller::User {
        return Ok(not);
    }
    if call.arguments.len() > LARGEST {
        not.hint = "split the call: it is too large to wait for an answer".to_owned();
        return Ok(not);
    }
    let waiting = Waiting {
        id: hex::encode(&random::<8>()?),
        tool: call.tool.clone(),
        arguments: call.arguments.clone(),
        at: moment::now().timestamp(),
        inside: not.inside.clone(),
        answer: None,
    };
    let _held = sandbox.store.lock.acquire()?;
    let kept = sandbox.store.waiting.add(waiting)?;
    let how = format!("answer it with `gitgate -s {} review {}`", sandbox.name(), &kept.id[..8]);
    not.waits = true;
    not.hint = if not.hint.is_empty() { how } else { format!("{}; {how}", not.hint) };
    Ok(not)
}

/// Rejects a waiting call. The agent learns of it when it makes the call again.
pub fn reject_waiting(sandbox: &mut Sandbox, waiting: &Waiting, reason: &str) -> Result<()> {
    let verdict = CallVerdict::Rejected(Brief::of(reason));
    record(sandbox, waiting, verdict, Answer::Rejected(reason.to_owned()), audit::decided_so(How::Command))
}

/// Asks about a waiting call inside the sandbox and keeps the answer. Returns "Approved" or
/// "Rejected", or why nobody could answer.
pub fn decide_waiting(
    sandbox: &mut Sandbox,
    waiting: &Waiting,
    approver: &mut dyn Approver,
) -> Result<Result<&'static str, NotApproved>> {
    let inside = waiting.inside.as_ref().expect("the call stays inside");
    inside.reasons.iter().for_each(|reason| approver.tell(&format!("asked because {}", screen::line(reason))));
    let (summary, detail) = (screen::line(&inside.summary), screen::block(&inside.detail));
    let request =
        CallRequest { tool: &waiting.tool, severity: inside.severity, summary: &summary, detail: &detail, offer: None };
    let (verdict, answer, done) = match approver.call(&request) {
        Response::Given(CallDecision::Approve) | Response::Remembered(CallDecision::Approve) => {
            (CallVerdict::Approved, Answer::Approved, "Approved")
        }
        Response::Given(CallDecision::Reject(reason)) | Response::Remembered(CallDecision::Reject(reason)) => {
            (CallVerdict::Rejected(Brief::of(&reason)), Answer::Rejected(reason), "Rejected")
        }
        Response::Unavailable { reason, hint } => {
            return Ok(Err(NotApproved { reason, hint, waits: true, push: None, inside: None }));
        }
    };
    record(sandbox, waiting, verdict, answer, audit::decided(approver))?;
    Ok(Ok(done))
}

/// Records how a waiting call ended after it was made for the person to review.
pub fn settle_waiting(sandbox: &mut Sandbox, waiting: &Waiting, reply: &Reply) -> Result<()> {
    let _held = sandbox.store.lock.acquire()?;
    match reply {
        Reply::NotApproved(_) => {}
        Reply::Done(Err(wit::ToolError { kind: wit::ErrorKind::Rejected(reason), .. })) => {
            let answer = Answer::Rejected(reason.clone());
            sandbox.store.waiting.answer(waiting.clone(), answer, moment::now().timestamp())?;
        }
        Reply::Done(_) => sandbox.store.waiting.remove(&waiting.id),
    }
    Ok(())
}

/// The reply to an agent that makes a rejected call again.
pub(super) fn rejected(reason: String) -> Reply {
    Reply::Done(Err(said::rejected(reason)))
}

fn record(
    sandbox: &mut Sandbox,
    waiting: &Waiting,
    verdict: CallVerdict,
    answer: Answer,
    decided: Decided,
) -> Result<()> {
    let call = Call { tool: waiting.tool.clone(), arguments: waiting.arguments.clone(), caller: Caller::Agent };
    let call = tool_call(&call, sandbox.git_timeout_ms())?;
    let summary = waiting.inside.as_ref().map_or(&waiting.arguments, |inside| &inside.summary);
    let _held = sandbox.store.lock.acquire()?;
    audit::call_decided(&sandbox.store, &call, summary, verdict, decided)?;
    sandbox.store.waiting.answer(waiting.clone(), answer, moment::now().timestamp())
}
