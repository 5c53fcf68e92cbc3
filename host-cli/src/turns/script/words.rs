//! What a turn needs and how a call ends, as the shim gives it to JavaScript.

use gate::approval::Proposal;
use host::answer::{Ask, Need, NotApproved, PushRequest, Reply};
use host::approve::{CallRequest, Offer};
use host::fsck::Finding;
use host::wit::{self, ToolError, ToolResult};
use serde_json::{Value, json};

pub fn need(need: &Need, proposal: Option<&Proposal>) -> Value {
    match need {
        Need::Ask(Ask::Call(CallRequest { tool, severity, summary, detail, reasons, offer })) => json!({
            "tag": "call",
            "val": {
                "tool": tool,
                "severity": severity,
                "summary": summary,
                "detail": detail,
                "reasons": reasons,
                "offer": offer.as_ref().map(an_offer),
            },
        }),
        Need::Ask(Ask::Push(PushRequest { reasons, offer })) => {
            let proposal = proposal.expect("a push that is asked about is proposed");
            let review = proposal.review();
            json!({
                "tag": "push",
                "val": {
                    "reasons": reasons,
                    "offer": offer.as_ref().map(an_offer),
                    "push": {
                        "digest": proposal.digest().to_string(),
                        "target": review.target.to_string(),
                        "branch": review.reference.branch(),
                        "summary": review.summary(),
                        "warnings": review.warnings(),
                        "whole": review.whole(),
                        "review": review,
                    },
                },
            })
        }
        Need::Http(_) | Need::Sleep(_) => panic!("the script reaches no server"),
    }
}

fn an_offer(Offer { rule, place }: &Offer) -> Value {
    json!({ "rule": rule, "place": place })
}

pub fn reply(reply: &Reply) -> Value {
    match reply {
        Reply::Done(Ok(ToolResult { text, structured, truncated })) => {
            json!({ "tag": "result", "val": { "text": text, "structured": structured, "truncated": truncated } })
        }
        Reply::Done(Err(error)) => json!({ "tag": "error", "val": tool_error(error) }),
        Reply::NotApproved(not) => json!({ "tag": "not-approved", "val": not_approved(not) }),
    }
}

pub fn finding(Finding { what, hint }: &Finding) -> Value {
    json!({ "what": what, "hint": super::act::words(hint), "act": hint.act() })
}

fn tool_error(ToolError { kind, message, hint }: &ToolError) -> Value {
    let reason = match kind {
        wit::ErrorKind::Rejected(reason) => Some(reason),
        _ => None,
    };
    let kind = match kind {
        wit::ErrorKind::Rejected(_) => "rejected",
        wit::ErrorKind::NotFound => "not-found",
        wit::ErrorKind::UnknownTool => "unknown-tool",
        wit::ErrorKind::NotPermitted => "not-permitted",
        other => panic!("the script has no such error: {other:?}: {message}"),
    };
    json!({ "kind": kind, "message": message, "hint": hint, "ms": null, "partial": null, "reason": reason })
}

fn not_approved(NotApproved { reason, hint, waits, push, inside }: &NotApproved) -> Value {
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
    let (hint, act) = (super::act::words(hint), hint.act());
    json!({ "reason": reason, "hint": hint, "act": act, "waits": waits, "push": push, "inside": inside })
}
