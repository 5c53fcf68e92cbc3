//! May this call go on? The policy says, or a person: before it runs, when it says what it is, and when it is known where it goes.

use std::borrow::Cow;
use std::ops::ControlFlow;

use gate::ledger::{Brief, CallVerdict};
use gate::policy::{By, Caller, Facts, Marked, Mode, RuleName, Ruling, Severity, Verdict};
use gate::target::CanonicalTarget;
use gix::bstr::BString;
use serde_json::Value;

use super::{Asked, Found, NotApproved, Reply, audit, said};
use crate::approve::{CallDecision, CallRequest, Offer, Word};
use crate::error::Result;
use crate::home::policy;
use crate::moment::Moment;
use crate::sandbox::{Sandbox, wit};
use crate::screen;
use crate::store::Inside;

/// What the rules say of a call before it runs: nothing, or its end. What the component's tables say of it, it says itself, later.
pub(super) fn before(asked: &mut Asked<'_>, sandbox: &Sandbox) -> Result<Option<Reply>> {
    let ruling = asked.policy.decide(&facts(asked));
    let ControlFlow::Break(found) = apply(asked, ruling, &of_arguments(asked), sandbox)? else { return Ok(None) };
    Ok(Some(match found {
        Found::Answer(wit::AnswerBody::Rejected(reason)) => Reply::Done(Err(said::rejected(reason))),
        Found::Answer(wit::AnswerBody::Failed(error)) => Reply::Done(Err(error)),
        Found::Answer(_) => unreachable!("what is not to be done is rejected or fails"),
        Found::Finished(reply) => reply,
        Found::NotApproved(not) => Reply::NotApproved(not),
        Found::Ruled(_) | Found::Revise { .. } => {
            unreachable!("a call is made or not, and this one is not hypothetical")
        }
    }))
}

/// What the rules say of a call, now that it is known which repository it concerns: go on, or else what is found instead.
pub(super) fn of_target(
    asked: &mut Asked<'_>,
    target: &CanonicalTarget,
    sandbox: &Sandbox,
) -> Result<ControlFlow<Found>> {
    let ruling = asked.policy.decide(&Facts { target: Some(target.to_string().into()), ..facts(asked) });
    apply(asked, ruling, &of_arguments(asked), sandbox)
}

/// Finds the answer to an approval question.
pub(super) fn find(asked: &mut Asked<'_>, approval: &wit::Approval, sandbox: &Sandbox) -> Result<Found> {
    let marked = Marked { risk: severity(approval.risk), summary: &approval.summary };
    let ruling = asked.policy.decide(&Facts { marked: Some(marked), ..facts(asked) });
    let told = Told { summary: screen::line(&approval.summary), detail: screen::block(&approval.detail) };
    Ok(match apply(asked, ruling, &told, sandbox)? {
        ControlFlow::Continue(()) => Found::Answer(wit::AnswerBody::Approved),
        ControlFlow::Break(found) => found,
    })
}

/// A call in words.
struct Told {
    /// One line.
    summary: String,
    /// More lines; may be empty.
    detail: String,
}

/// What can be told of a call by its arguments alone.
fn of_arguments(asked: &Asked<'_>) -> Told {
    let arguments = serde_json::from_str(&asked.call.arguments).unwrap_or(Value::Null);
    let detail = screen::block(&format!("{arguments:#}\n"));
    Told { summary: screen::line(&arguments.to_string()), detail }
}

/// Does what a ruling says: a person who has approved a call is not asked about it again.
fn apply(asked: &mut Asked<'_>, ruling: Ruling, told: &Told, sandbox: &Sandbox) -> Result<ControlFlow<Found>> {
    if asked.is_hypothetical && ruling.by != By::Unseen {
        return Ok(ControlFlow::Break(Found::Ruled(Box::new(ruling))));
    }
    let severity = match ruling.verdict {
        Verdict::Allow => return Ok(ControlFlow::Continue(())),
        Verdict::Deny { reason, hint } => {
            return Ok(ControlFlow::Break(Found::Answer(wit::AnswerBody::Failed(said::not_permitted(reason, hint)))));
        }
        Verdict::Ask { .. } if asked.is_approved => return Ok(ControlFlow::Continue(())),
        Verdict::Ask { severity, reasons } => {
            tell_reasons(asked, &ruling.by, &reasons);
            severity
        }
    };
    // A rule that asks is graver than one that allows: nothing that could be remembered would change it.
    let offer = (ruling.by == By::Marked).then(|| {
        let caller = if asked.caller == Caller::Agent { "agent" } else { "user" };
        let rule = rule(&asked.call.tool, &[("caller", caller)]);
        Offer { rule, file: sandbox.folder().join(policy::REMEMBERED) }
    });
    let request = CallRequest {
        tool: &asked.call.tool,
        severity,
        summary: &told.summary,
        detail: &told.detail,
        offer: offer.as_ref(),
    };
    let (verdict, found) = match asked.approver.call(&request) {
        Word::Given(CallDecision::Approve) => (CallVerdict::Approved, ControlFlow::Continue(())),
        Word::Remembered(CallDecision::Approve) => {
            remember(asked, offer.as_ref(), sandbox);
            (CallVerdict::Approved, ControlFlow::Continue(()))
        }
        Word::Given(CallDecision::Reject(reason)) | Word::Remembered(CallDecision::Reject(reason)) => {
            let verdict = CallVerdict::Rejected(Brief::of(&reason));
            (verdict, ControlFlow::Break(Found::Answer(wit::AnswerBody::Rejected(reason))))
        }
        Word::Nobody { reason, hint } => {
            let inside = Inside { severity, summary: told.summary.clone(), detail: told.detail.clone() };
            let not = NotApproved { reason, hint, push: None, inside: Some(inside) };
            return Ok(ControlFlow::Break(Found::NotApproved(Box::new(not))));
        }
    };
    asked.is_approved = found.is_continue();
    // What somebody says is recorded before it counts.
    let _held = sandbox.store.lock.acquire()?;
    audit::call_decided(&sandbox.store, &asked.call, &told.summary, verdict, asked.approver)?;
    Ok(found)
}

/// Tells a person why a rule has them asked; that the base does is nothing new to them.
pub(super) fn tell_reasons(asked: &mut Asked<'_>, by: &By, reasons: &[String]) {
    if let By::Rule(RuleName { .. }) = by {
        for reason in reasons {
            asked.approver.tell(&format!("asked because of {by}: {}", screen::line(reason)));
        }
    }
}

/// Writes what a person wants remembered. The call is approved whatever becomes of that.
pub(super) fn remember(asked: &mut Asked<'_>, offer: Option<&Offer>, sandbox: &Sandbox) {
    let Some(offer) = offer else { return };
    // Two prompts may add to the file at once.
    let remembered = sandbox.store.lock.acquire().and_then(|_held| policy::remember(sandbox.folder(), &offer.rule));
    match remembered {
        Ok(()) => asked.approver.tell(&format!("the rule is in {} now", offer.file.display())),
        Err(error) => asked.approver.tell(&format!("the rule could not be remembered: {}", error.message)),
    }
}

/// An allow rule for calls of `tool` under these conditions, as it stands in a policy file. What is named twice has several values.
pub(super) fn rule(tool: &str, conditions: &[(&str, &str)]) -> String {
    let day = Moment::now().rfc3339();
    let mut rule = toml::Table::new();
    rule.insert("name".to_owned(), format!("remembered on {}", day.get(..10).unwrap_or_default()).into());
    rule.insert("tool".to_owned(), tool.into());
    for (key, value) in conditions {
        match rule.get_mut(*key) {
            None => drop(rule.insert((*key).to_owned(), (*value).into())),
            Some(toml::Value::Array(values)) => values.push((*value).into()),
            Some(one) => *one = vec![one.clone(), (*value).into()].into(),
        }
    }
    let lines = rule.iter().map(|(key, value)| format!("{key} = {value}\n"));
    format!("[[allow]]\n{}", lines.collect::<String>())
}

/// What is known of a call before it runs. Whether it may be called by this caller at all, the component checks.
fn facts<'a>(asked: &'a Asked<'_>) -> Facts<'a> {
    facts_of(&asked.call.tool, &asked.call.arguments, asked.caller)
}

/// What is known of a call by its tool and arguments alone.
pub fn facts_of<'a>(tool: &'a str, arguments: &str, caller: Caller) -> Facts<'a> {
    let paths = named_paths(arguments).map(|paths| paths.into_iter().map(Cow::Owned).collect());
    Facts { paths, ..Facts::of_call(tool, Mode::Both, caller) }
}

/// The files that the arguments of a call name, from the top of the repository; nothing if they name none.
///
/// As they are written: links are the sandbox's own, and so is what a glob stands for. What leaves is decided about by where it really is.
fn named_paths(arguments: &str) -> Option<Vec<BString>> {
    let Ok(Value::Object(arguments)) = serde_json::from_str(arguments) else { return None };
    let one =
        ["path", "from", "to", "working_dir", "output_dir"].into_iter().filter_map(|key| arguments.get(key)?.as_str());
    let many = ["paths", "files"].into_iter().filter_map(|key| arguments.get(key)?.as_array());
    let paths: Vec<BString> = one.chain(many.flatten().filter_map(Value::as_str)).map(from_top).collect();
    (!paths.is_empty()).then_some(paths)
}

/// A path without `.`, `..` and doubled slashes, from the default zone if it is in it, else from the root.
fn from_top(path: &str) -> BString {
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/workspace/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    match parts.split_first() {
        Some((&"workspace", below)) => below.join("/").into(),
        _ => format!("/{}", parts.join("/")).into(),
    }
}

fn severity(risk: wit::Risk) -> Severity {
    match risk {
        wit::Risk::Low => Severity::Low,
        wit::Risk::Medium => Severity::Medium,
        wit::Risk::High => Severity::High,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_20_a_path_is_one_path_however_it_is_written() {
        for path in ["a/b", "./a//b", "/workspace/a/b", "/workspace/./x/../a/b/", "../workspace/a/b", "c/../a/b"] {
            assert_eq!(from_top(path), "a/b", "{path}");
        }
        assert_eq!(from_top("/other/x"), "/other/x");
        assert_eq!(from_top("../../.."), "/");
    }

    #[test]
    fn the_files_of_a_call_are_those_that_its_arguments_name() {
        let named =
            |arguments: &str| named_paths(arguments).map(|paths| paths.iter().map(ToString::to_string).collect());
        assert_eq!(named(r#"{"files": ["a", "b"], "message": "x"}"#), Some(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(named(r#"{"from": "a", "to": "/workspace/b"}"#), Some(vec!["a".to_owned(), "b".to_owned()]));
        for none in ["{}", "[]", "no JSON", r#"{"message": "path"}"#] {
            assert_eq!(named(none), None::<Vec<String>>, "{none}");
        }
    }

    #[test]
    fn a_rule_that_is_offered_is_one() {
        let rule = rule("git_push", &[("target", "local:/a \"b\""), ("flags", "submodule"), ("flags", "privileged")]);
        let file = gate::policy::PolicyFile::parse(&rule, "p", &["git_push"]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(file.rules.len(), 1);
    }
}
