//! Calls of an agent that nobody could be asked about: kept, answered by another process, and told when the call comes again.

use gate::hex;
use gate::ledger::{Brief, CallVerdict, Decided, How};
use gate::policy::Caller;

use super::{Call, NotApproved, Reply, audit, random, said, tool_call};
use crate::approve::{Approver, CallDecision, CallRequest, Word};
use crate::error::Result;
use crate::moment::Moment;
use crate::sandbox::{Sandbox, wit};
use crate::screen;
use crate::store::{Answer, Waiting};

/// Bytes of the arguments of a call that waits: an agent may leave a hundred of them.
const LARGEST: usize = 1 << 20;

/// What a person has said of this call while it waited, and the reasons that they had been told.
pub(super) fn answered(sandbox: &Sandbox, call: &Call) -> Result<Option<(Answer, Vec<String>)>> {
    if call.caller == Caller::User || sandbox.store.waiting.is_empty()? {
        return Ok(None);
    }
    let _held = sandbox.store.lock.acquire()?;
    let answered = sandbox.store.waiting.take_answered(&call.tool, &call.arguments, Moment::now().timestamp())?;
    Ok(answered
        .and_then(|waiting| Some((waiting.answer?, waiting.inside.map_or_else(Vec::new, |inside| inside.reasons)))))
}

/// Keeps an agent's call that nobody has approved, and says how it can be answered.
pub(super) fn keep(sandbox: &Sandbox, call: &Call, mut not: NotApproved) -> Result<NotApproved> {
    if call.caller == Caller::User {
        return Ok(not);
    }
    if call.arguments.len() > LARGEST {
        not.hint = "it is too large to wait for an answer: ask for less at a time".to_owned();
        return Ok(not);
    }
    let waiting = Waiting {
        id: hex::encode(&random::<8>()?),
        tool: call.tool.clone(),
        arguments: call.arguments.clone(),
        at: Moment::now().timestamp(),
        inside: not.inside.clone(),
        answer: None,
    };
    let _held = sandbox.store.lock.acquire()?;
    let kept = sandbox.store.waiting.add(waiting)?;
    let how = format!("`gitgate -s {} review {}` answers it", sandbox.name(), &kept.id[..8]);
    not.hint = if not.hint.is_empty() { how } else { format!("{}; {how}", not.hint) };
    Ok(not)
}

/// Rejects a call that waits: the agent is told when it makes it again.
pub fn reject_waiting(sandbox: &mut Sandbox, waiting: &Waiting, reason: &str) -> Result<()> {
    let verdict = CallVerdict::Rejected(Brief::of(reason));
    record(sandbox, waiting, verdict, Answer::Rejected(reason.to_owned()), audit::decided_so(How::Command))
}

/// Asks about a call inside the sandbox that waits, and keeps the answer; gives what was said, or why nobody could say anything.
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
    let (verdict, answer, said) = match approver.call(&request) {
        Word::Given(CallDecision::Approve) | Word::Remembered(CallDecision::Approve) => {
            (CallVerdict::Approved, Answer::Approved, "Approved")
        }
        Word::Given(CallDecision::Reject(reason)) | Word::Remembered(CallDecision::Reject(reason)) => {
            (CallVerdict::Rejected(Brief::of(&reason)), Answer::Rejected(reason), "Rejected")
        }
        Word::Nobody { reason, hint } => return Ok(Err(NotApproved { reason, hint, push: None, inside: None })),
    };
    record(sandbox, waiting, verdict, answer, audit::decided(approver))?;
    Ok(Ok(said))
}

/// Takes note of what a call that waited has come to, now that it was made for the person to see.
pub fn settle_waiting(sandbox: &mut Sandbox, waiting: &Waiting, reply: &Reply) -> Result<()> {
    let _held = sandbox.store.lock.acquire()?;
    match reply {
        Reply::NotApproved(_) => {}
        Reply::Done(Err(wit::ToolError { kind: wit::ErrorKind::Rejected(reason), .. })) => {
            let answer = Answer::Rejected(reason.clone());
            sandbox.store.waiting.answer(waiting.clone(), answer, Moment::now().timestamp())?;
        }
        Reply::Done(_) => sandbox.store.waiting.remove(&waiting.id),
    }
    Ok(())
}

/// What the agent is told that makes the same call again.
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
    sandbox.store.waiting.answer(waiting.clone(), answer, Moment::now().timestamp())
}
