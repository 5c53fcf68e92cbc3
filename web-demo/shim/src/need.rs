//! What a call needs, is given, and ends with.
//!
//! Each has a `tag` and a `val`. A need is `call`, `push`, `http` or `sleep`, and what is given for
//! it has the same tag, or is `failed`.

use ::host::answer::{Answered, Ask, Given, Need, Reply, Said, json};
use ::host::approve::{CallDecision, LeftOut, PushDecision, Response, Revision};
use ::host::error::{ErrorKind, HostError, Result};
use ::host::sandbox::Sandbox;
use gate::approval::{Decision, Proposal};
use gate::digest::Digest;
use gate::ledger::How;
use wasm_bindgen::JsValue;

use crate::act;
use crate::error::caught;
use crate::http;
use crate::value::{Maker, Value, of_json, variant};
use crate::wit::Js;

/// What a call needs. A push has its `proposal`.
pub fn need(need: &Need, proposal: Option<&Proposal>, sandbox: &Sandbox) -> Result<JsValue> {
    Ok(match need {
        Need::Ask(Ask::Call(request)) => variant("call", of_json(&json::call_request(request))),
        Need::Ask(Ask::Push(request)) => variant("push", of_json(&json::push_request(request, proposal, sandbox)?)),
        Need::Http(request) => variant("http", http::request(request)),
        // In milliseconds, and never too short.
        Need::Sleep(time) => variant("sleep", (time.as_secs_f64() * 1000.0).ceil().into()),
    })
}

/// An answer of a person, whose decision is read by `decision`.
fn answer<T>(
    value: &Value,
    decision: impl Fn(&Value) -> Result<T>,
    said: impl Fn(Response<T>) -> Said,
) -> Result<Answered> {
    value.only(&["said", "how", "wasShown"])?;
    let (tag, val) = value.field("said")?.variant()?;
    let response = match tag.as_str() {
        "given" => Response::Given(decision(&val)?),
        "remembered" => Response::Remembered(decision(&val)?),
        "unavailable" => {
            Response::Unavailable { reason: val.field("reason")?.text()?, hint: val.field("hint")?.text()? }
        }
        _ => return Err(val.wrong("answer")),
    };
    // That a rule or the configuration decides, nobody can say from outside.
    let how = match value.field("how")?.text()?.as_str() {
        "prompt" => How::Prompt,
        "digest" => How::Digest,
        "command" => How::Command,
        _ => return Err(value.field("how")?.wrong("way to answer")),
    };
    Ok(Answered { said: said(response), how, was_shown: value.field("wasShown")?.flag()? })
}

fn about_call(value: &Value) -> Result<CallDecision> {
    let (tag, val) = value.variant()?;
    match tag.as_str() {
        "approve" => Ok(CallDecision::Approve),
        "reject" => Ok(CallDecision::Reject(val.text()?)),
        _ => Err(value.wrong("decision about a call")),
    }
}

fn about_push(value: &Value) -> Result<PushDecision> {
    let (tag, val) = value.variant()?;
    Ok(match tag.as_str() {
        // The digest as it was shown.
        "approve" => PushDecision::Decided(Decision::Approve { digest: digest(&val.text()?)? }),
        "reject" => PushDecision::Decided(Decision::Reject { reason: val.text()? }),
        "ask-changes" => PushDecision::AskChanges { reason: val.text()? },
        "revise" => PushDecision::Revise(revision(&val)?),
        _ => return Err(value.wrong("decision about a push")),
    })
}

/// Edits to a push: `{ leaveOut?, message?, upto? }`.
pub fn revision(value: &Value) -> Result<Revision> {
    value.only(&["leaveOut", "message", "upto"])?;
    let leave_out = value.field("leaveOut")?.option().map(|out| out.list(left_out)).transpose()?;
    let [message, upto] = [value.field("message")?.optional_text()?, value.field("upto")?.optional_text()?];
    Ok(Revision { leave_out: leave_out.unwrap_or_default(), message, upto })
}

fn left_out(value: &Value) -> Result<LeftOut> {
    value.only(&["path", "hunks", "context"])?;
    let hunks = value.field("hunks")?.option().map(|hunks| hunks.list(Value::u32)).transpose()?;
    let context = value.field("context")?.option().map(|context| context.u32()).transpose()?;
    Ok(LeftOut { path: value.field("path")?.text()?, hunks, context })
}

/// What a call is given for what it needed.
pub fn given(given: JsValue) -> Result<Given> {
    let value = Value::new(given, Maker::Caller, "given");
    let (tag, val) = value.variant()?;
    match tag.as_str() {
        "call" | "push" => answered(&value).map(Given::Answer),
        "http" => http::answer(&val),
        "sleep" => Ok(Given::Slept),
        // Nothing has happened, so the error is the caller's to name.
        "failed" => Ok(Given::Failed(caught(val.js(), ErrorKind::Usage, "do what the call needs"))),
        _ => Err(value.wrong("answer to what can be needed")),
    }
}

/// The answer of a person.
pub fn answered(value: &Value) -> Result<Answered> {
    let (tag, val) = value.variant()?;
    match tag.as_str() {
        "call" => answer(&val, about_call, Said::Call),
        "push" => answer(&val, about_push, Said::Push),
        _ => Err(value.wrong("answer of a person")),
    }
}

/// The digest that a person gave.
pub fn digest(text: &str) -> Result<Digest> {
    text.parse().map_err(HostError::from)
}

/// How a call ended.
pub fn reply(reply: &Reply) -> JsValue {
    match reply {
        Reply::Done(Ok(result)) => variant("result", result.to_js()),
        Reply::Done(Err(error)) => variant("error", of_json(&json::tool_error(error))),
        Reply::NotApproved(not) => variant("not-approved", of_json(&json::not_approved(not, act::words))),
    }
}
