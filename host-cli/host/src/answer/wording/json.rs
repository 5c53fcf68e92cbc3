//! What a call asks and how it ends, as the JSON that programs are given. What has no value is
//! null.

use gate::approval::Proposal;
use gate::review::{FileChange, Flag};
use serde_json::{Value, json};

use super::listed::listed;
use crate::answer::call::suspend::PushRequest;
use crate::answer::call::{NotApproved, ShownPush};
use crate::approve::{CallRequest, Offer};
use crate::error::Result;
use crate::hint::Hint;
use crate::review::Notes;
use crate::sandbox::Sandbox;
use crate::wit::{ErrorKind, ToolError, ToolSpec};

/// A question about a call.
pub fn call_request(CallRequest { tool, severity, summary, detail, reasons, offer }: &CallRequest) -> Value {
    json!({
        "tool": tool,
        "severity": severity,
        "summary": summary,
        "detail": detail,
        "reasons": reasons,
        "offer": offer.as_ref().map(an_offer),
    })
}

/// A question about a push, which is the `proposal`: what all programs are given of a push, and for
/// a screen, in the order of the review's own, the patch of each file in hunks, then of what only
/// intermediate commits hold, and each flag as a sentence. Then what the person has seen and said of it before.
///
/// # Errors
/// If what is kept about the push cannot be read.
pub fn push_request(
    PushRequest { reasons, offer }: &PushRequest,
    proposal: Option<&Proposal>,
    sandbox: &Sandbox,
) -> Result<Value> {
    let push = proposal.map(|proposal| shown(&ShownPush::of(proposal)));
    let review = proposal.map(Proposal::review);
    let mut question = json!({
        "reasons": reasons,
        "offer": offer.as_ref().map(an_offer),
        "push": push,
        "patches": review.map(|review| {
            let intermediate = review.intermediate.iter().map(|file| &file.change);
            review.files.iter().chain(intermediate).map(patch).collect::<Vec<_>>()
        }),
        "risks": review.map(|review| review.flags.iter().map(risk).collect::<Vec<_>>()),
    });
    if let Some(review) = review {
        let notes = Notes::of(sandbox, review);
        question["who"] = json!(notes.who());
        for (name, value) in listed(review, &notes.comments()?, &notes.seen()) {
            question[name] = value;
        }
    }
    Ok(question)
}

/// What there is to know of a tool.
pub fn tool_spec(tool: &ToolSpec) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "toolsets": tool.toolsets,
        "schema": tool.schema,
        "outputSchema": tool.output_schema,
        "manual": tool.manual,
        "readOnly": tool.read_only,
        "destructive": tool.destructive,
        "idempotent": tool.idempotent,
        "openWorld": tool.open_world,
    })
}

/// An error of a tool. Its causes are for developers, so they stay out.
pub fn tool_error(ToolError { kind, message, hint, causes: _ }: &ToolError) -> Value {
    let (ms, partial) = match kind {
        ErrorKind::Timeout(timeout) => (Some(timeout.ms), Some(&timeout.partial)),
        _ => (None, None),
    };
    let reason = match kind {
        ErrorKind::Rejected(reason) => Some(reason),
        _ => None,
    };
    json!({
        "kind": kind.name(),
        "message": message,
        "hint": hint,
        "ms": ms,
        "partial": partial,
        "reason": reason,
    })
}

/// A call that did not get the approval it needs, with the hint in the `words` of a body.
pub fn not_approved(
    NotApproved { reason, hint, waits, push, topic: _, inside, script: _ }: &NotApproved,
    words: impl Fn(&Hint) -> String,
) -> Value {
    json!({
        "reason": reason,
        "hint": words(hint),
        "act": hint.act(),
        "waits": waits,
        "push": push.as_ref().map(shown),
        "inside": inside,
    })
}

fn an_offer(Offer { rule, place }: &Offer) -> Value {
    json!({ "rule": rule, "place": place })
}

fn patch(file: &FileChange) -> Value {
    let (head, hunks) = file.parts();
    json!({ "path": file.shown_path(), "head": head, "hunks": hunks })
}

fn risk(flag: &Flag) -> Value {
    json!({ "severity": flag.severity(), "sentence": flag.sentence() })
}

fn shown(push: &ShownPush) -> Value {
    json!({
        "digest": push.digest.map(|digest| digest.to_string()),
        "target": push.target,
        "branch": push.branch,
        "summary": push.summary,
        "warnings": push.warnings,
        "whole": push.whole,
        "review": push.review,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wit::Timeout;

    #[test]
    fn what_programs_are_given_has_every_field() {
        let error = |kind| tool_error(&ToolError::new(kind, "m", "h"));
        assert_eq!(
            error(ErrorKind::Timeout(Timeout { ms: 5, partial: "p".to_owned() })),
            json!({ "kind": "timeout", "message": "m", "hint": "h", "ms": 5, "partial": "p", "reason": null })
        );
        assert_eq!(
            error(ErrorKind::Rejected("r".to_owned())),
            json!({ "kind": "rejected", "message": "m", "hint": "h", "ms": null, "partial": null, "reason": "r" })
        );
        let push = ShownPush {
            digest: None,
            target: "t".to_owned(),
            branch: "b".to_owned(),
            summary: "s".to_owned(),
            total: "t".to_owned(),
            warnings: "w".to_owned(),
            new_branch: Some("b".to_owned()),
            whole: "all".to_owned(),
            review: json!([]),
        };
        let not = NotApproved { push: Some(push), ..NotApproved::unasked("r".to_owned(), "h") };
        let push = json!({
            "digest": null, "target": "t", "branch": "b", "summary": "s", "warnings": "w", "whole": "all", "review": [],
        });
        assert_eq!(
            not_approved(&not, |hint| hint.words(|_| String::new())),
            json!({ "reason": "r", "hint": "h", "act": null, "waits": false, "push": push, "inside": null })
        );
    }
}
