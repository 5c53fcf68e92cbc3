//! What a call needs, is given, and ends with.
//!
//! Each has a `tag` and a `val`. A need is `call`, `push`, `http` or `sleep`, and what is given for it
//! has the same tag, or is `failed`.

use ::host::answer::{Answered, Ask, Given, Need, NotApproved, PushRequest, Reply, Said};
use ::host::approve::{CallDecision, CallRequest, LeftOut, Offer, PushDecision, Response, Revision};
use ::host::error::{ErrorKind, HostError, Result};
use ::host::wit::{self, ToolError, ToolResult};
use gate::approval::{Decision, Proposal};
use gate::digest::Digest;
use gate::ledger::How;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use wasm_bindgen::JsValue;

use crate::error::caught;
use crate::http;
use crate::settings::read;
use crate::value::{Maker, Value, object, of_json, variant};

/// What a call needs. A push has its `proposal`.
pub fn need(need: &Need, proposal: Option<&Proposal>) -> JsValue {
    match need {
        Need::Ask(Ask::Call(request)) => variant("call", call_request(request)),
        Need::Ask(Ask::Push(request)) => variant("push", of_json(&push_request(request, proposal))),
        Need::Http(request) => variant("http", http::request(request)),
        // In milliseconds, and never too short.
        Need::Sleep(time) => variant("sleep", (time.as_secs_f64() * 1000.0).ceil().into()),
    }
}

/// A question about a call.
pub fn call_request(CallRequest { tool, severity, summary, detail, reasons, offer }: &CallRequest) -> JsValue {
    of_json(&json!({
        "tool": tool,
        "severity": severity,
        "summary": summary,
        "detail": detail,
        "reasons": reasons,
        "offer": offer.as_ref().map(an_offer),
    }))
}

fn push_request(PushRequest { reasons, offer }: &PushRequest, proposal: Option<&Proposal>) -> Json {
    let push = proposal.map(|proposal| {
        let review = proposal.review();
        json!({
            "digest": proposal.digest().to_string(),
            "target": review.target.to_string(),
            "branch": review.reference.branch(),
            "summary": review.summary(),
            "warnings": review.warnings(),
            "whole": review.whole(),
            "review": review,
        })
    });
    json!({ "reasons": reasons, "offer": offer.as_ref().map(an_offer), "push": push })
}

fn an_offer(Offer { rule, place }: &Offer) -> Json {
    json!({ "rule": rule, "place": place })
}

/// An answer of a person.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Answers<T> {
    said: Answer<T>,
    how: Way,
    was_shown: bool,
}

#[derive(Deserialize)]
#[serde(tag = "tag", content = "val", rename_all = "kebab-case")]
enum Answer<T> {
    Given(T),
    Remembered(T),
    Unavailable { reason: String, hint: String },
}

/// How a person can answer. That a rule or the configuration decides, nobody can say from outside.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Way {
    Prompt,
    Digest,
    Command,
}

#[derive(Deserialize)]
#[serde(tag = "tag", content = "val", rename_all = "kebab-case")]
enum AboutCall {
    Approve,
    Reject(String),
}

#[derive(Deserialize)]
#[serde(tag = "tag", content = "val", rename_all = "kebab-case")]
enum AboutPush {
    /// The digest as it was shown.
    Approve(String),
    Reject(String),
    Revise(Edits),
}

/// Edits to a push.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Edits {
    #[serde(default)]
    leave_out: Vec<Out>,
    message: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Out {
    path: String,
    hunks: Option<Vec<u32>>,
    context: Option<u32>,
}

impl From<Edits> for Revision {
    fn from(Edits { leave_out, message }: Edits) -> Self {
        let out = |Out { path, hunks, context }| LeftOut { path, hunks, context };
        Revision { leave_out: leave_out.into_iter().map(out).collect(), message }
    }
}

impl<T> Answers<T> {
    /// The answer, as the host has it.
    fn given<U>(self, decision: impl Fn(T) -> Result<U>, said: impl Fn(Response<U>) -> Said) -> Result<Answered> {
        let said_so = match self.said {
            Answer::Given(given) => Response::Given(decision(given)?),
            Answer::Remembered(given) => Response::Remembered(decision(given)?),
            Answer::Unavailable { reason, hint } => Response::Unavailable { reason, hint },
        };
        let how = match self.how {
            Way::Prompt => How::Prompt,
            Way::Digest => How::Digest,
            Way::Command => How::Command,
        };
        Ok(Answered { said: said(said_so), how, was_shown: self.was_shown })
    }
}

/// What a call is given for what it needed.
pub fn given(given: JsValue) -> Result<Given> {
    let value = Value::new(given, Maker::Caller, "given");
    let (tag, val) = value.variant()?;
    match tag.as_str() {
        "call" | "push" => answered(&value).map(Given::Answer),
        "http" => http::answer(&val).map(Given::Http),
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
        "call" => read::<Answers<AboutCall>>(val.js(), "the answer")?.given(about_call, Said::Call),
        "push" => read::<Answers<AboutPush>>(val.js(), "the answer")?.given(about_push, Said::Push),
        _ => Err(value.wrong("answer of a person")),
    }
}

fn about_call(about: AboutCall) -> Result<CallDecision> {
    Ok(match about {
        AboutCall::Approve => CallDecision::Approve,
        AboutCall::Reject(reason) => CallDecision::Reject(reason),
    })
}

fn about_push(about: AboutPush) -> Result<PushDecision> {
    Ok(match about {
        AboutPush::Approve(text) => PushDecision::Decided(Decision::Approve { digest: digest(&text)? }),
        AboutPush::Reject(reason) => PushDecision::Decided(Decision::Reject { reason }),
        AboutPush::Revise(edits) => PushDecision::Revise(edits.into()),
    })
}

/// The digest that a person gave.
pub fn digest(text: &str) -> Result<Digest> {
    text.parse().map_err(HostError::from)
}

/// How a call ended.
pub fn reply(reply: &Reply) -> JsValue {
    match reply {
        Reply::Done(Ok(ToolResult { text, structured, truncated })) => variant(
            "result",
            object([
                ("text", text.as_str().into()),
                ("structured", structured.as_str().into()),
                ("truncated", (*truncated).into()),
            ]),
        ),
        Reply::Done(Err(error)) => variant("error", tool_error(error)),
        Reply::NotApproved(not) => variant("not-approved", not_approved(not)),
    }
}

fn tool_error(ToolError { kind, message, hint }: &ToolError) -> JsValue {
    let (ms, partial) = match kind {
        wit::ErrorKind::Timeout(timeout) => (Some(timeout.ms), Some(&timeout.partial)),
        _ => (None, None),
    };
    let reason = match kind {
        wit::ErrorKind::Rejected(reason) => Some(reason),
        _ => None,
    };
    of_json(&json!({
        "kind": kind.name(),
        "message": message,
        "hint": hint,
        "ms": ms,
        "partial": partial,
        "reason": reason,
    }))
}

/// A call that did not get the approval it needs.
pub fn not_approved(NotApproved { reason, hint, waits, push, inside }: &NotApproved) -> JsValue {
    let push = push.as_ref().map(|push| {
        json!({
            "digest": push.digest.map(|digest| digest.to_string()),
            "target": push.target,
            "branch": push.branch,
            "summary": push.summary,
            "warnings": push.warnings,
            "whole": push.whole,
            "review": push.review,
        })
    });
    of_json(&json!({ "reason": reason, "hint": hint, "waits": waits, "push": push, "inside": inside }))
}
