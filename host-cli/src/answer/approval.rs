//! Decides whether a call may go on, by the policy or by a person: before it runs, when it asks for
//! approval, and when its target is known.

use std::borrow::Cow;
use std::ops::ControlFlow;

use gate::ledger::{Brief, CallVerdict, Decided};
use gate::policy::{By, Caller, Facts, Marked, Mode, Ruling, Severity, Verdict};
use gate::target::CanonicalTarget;
use serde_json::Value;

use host::answer::paths;

use super::{Asked, Found, NotApproved, Reply, audit, said};
use crate::approve::{Approver, CallDecision, CallRequest, Offer, Response};
use crate::error::Result;
use host::settings::policy::REMEMBERED;

use crate::home::policy;
use crate::moment;
use crate::on_disk::registry;
use crate::sandbox::{Sandbox, wit};
use crate::screen;
use crate::store::Inside;

/// Applies the rules before a call runs. Returns its end if it must not run. The call itself asks
/// later if the component's tables mark it.
pub(super) fn before(asked: &mut Asked<'_>, sandbox: &Sandbox) -> Result<Option<Reply>> {
    // The component reports an unknown tool, so nobody is asked about one.
    if registry::names().all(|name| name != asked.call.tool) {
        return Ok(None);
    }
    let ruling = asked.policy.decide(&facts(asked));
    let ControlFlow::Break(found) = apply(asked, ruling, &of_arguments(asked), sandbox)? else { return Ok(None) };
    Ok(Some(match found {
        Found::Answer(wit::AnswerBody::Rejected(reason)) => Reply::Done(Err(said::rejected(reason))),
        Found::Answer(wit::AnswerBody::Failed(error)) => Reply::Done(Err(error)),
        Found::Answer(_) => unreachable!("a call that must not run is rejected or fails"),
        Found::Finished(reply) => reply,
        Found::NotApproved(not) => Reply::NotApproved(not),
        Found::Ruled(_) | Found::Revise(_) => {
            unreachable!("the call is not hypothetical, and nobody edits it")
        }
    }))
}

/// Applies the rules once the call's repository is known.
pub(super) fn of_target(
    asked: &mut Asked<'_>,
    target: &CanonicalTarget,
    sandbox: &Sandbox,
) -> Result<ControlFlow<Found>> {
    let ruling = asked.policy.decide(&Facts { target: Some(target.to_string().into()), ..facts(asked) });
    let mut description = of_arguments(asked);
    description.summary.push_str(&format!(" ({})", screen::line(&target.to_string())));
    apply(asked, ruling, &description, sandbox)
}

/// Answers a push that the rules deny whatever it contains.
pub(super) fn denied(asked: &mut Asked<'_>, ruling: Ruling, sandbox: &Sandbox) -> Result<Found> {
    match apply(asked, ruling, &of_arguments(asked), sandbox)? {
        ControlFlow::Break(found) => Ok(found),
        ControlFlow::Continue(()) => unreachable!("a denied call does not go on"),
    }
}

/// Finds the answer to an approval question.
pub(super) fn find(asked: &mut Asked<'_>, approval: &wit::Approval, sandbox: &Sandbox) -> Result<Found> {
    let marked = Marked { risk: severity(approval.risk), summary: &approval.summary };
    let ruling = asked.policy.decide(&Facts { marked: Some(marked), ..facts(asked) });
    let description = Description { summary: screen::line(&approval.summary), detail: screen::block(&approval.detail) };
    Ok(match apply(asked, ruling, &description, sandbox)? {
        ControlFlow::Continue(()) => Found::Answer(wit::AnswerBody::Approved),
        ControlFlow::Break(found) => found,
    })
}

/// A call described for a person.
struct Description {
    /// One line.
    summary: String,
    /// More lines; may be empty.
    detail: String,
}

/// Describes a call by its arguments alone.
fn of_arguments(asked: &Asked<'_>) -> Description {
    let arguments = serde_json::from_str(&asked.call.arguments).unwrap_or(Value::Null);
    let detail = screen::block(&format!("{arguments:#}\n"));
    Description { summary: screen::line(&arguments.to_string()), detail }
}

/// Carries out a ruling. After a person has approved a call, asks again only if a rule gives a
/// reason that is new to them.
fn apply(
    asked: &mut Asked<'_>,
    ruling: Ruling,
    description: &Description,
    sandbox: &Sandbox,
) -> Result<ControlFlow<Found>> {
    if asked.is_hypothetical && ruling.by != By::Unseen {
        return Ok(ControlFlow::Break(Found::Ruled(Box::new(ruling))));
    }
    let severity = match ruling.verdict {
        Verdict::Allow => return Ok(ControlFlow::Continue(())),
        Verdict::Deny { reason, hint } => {
            if let By::Rule(rule) = &ruling.by {
                let _held = sandbox.store.lock.acquire()?;
                audit::call_denied(&sandbox.store, &asked.call, &description.summary, &reason, rule)?;
            }
            return Ok(ControlFlow::Break(Found::Answer(wit::AnswerBody::Failed(said::not_permitted(reason, hint)))));
        }
        Verdict::Ask { severity, reasons } => {
            let by_rule = matches!(ruling.by, By::Rule(_));
            let new: Vec<String> =
                reasons.into_iter().filter(|reason| by_rule && !asked.heard.contains(reason)).collect();
            if asked.is_approved && new.is_empty() {
                return Ok(ControlFlow::Continue(()));
            }
            tell_reasons(asked.approver, &ruling.by, &new);
            asked.heard.extend(new);
            severity
        }
    };
    // An ask rule wins over an allow rule, so saving a rule would not change it.
    let offer = (ruling.by == By::Marked).then(|| {
        let caller = if asked.caller == Caller::Agent { "agent" } else { "user" };
        let rule = rule(&asked.call.tool, &[("caller", caller)]);
        Offer { rule, file: sandbox.folder().join(REMEMBERED) }
    });
    let request = CallRequest {
        tool: &asked.call.tool,
        severity,
        summary: &description.summary,
        detail: &description.detail,
        offer: offer.as_ref(),
    };
    let (verdict, found) = match asked.approver.call(&request) {
        Response::Given(CallDecision::Approve) => (CallVerdict::Approved, ControlFlow::Continue(())),
        Response::Remembered(CallDecision::Approve) => {
            remember(asked, offer.as_ref(), sandbox);
            (CallVerdict::Approved, ControlFlow::Continue(()))
        }
        Response::Given(CallDecision::Reject(reason)) | Response::Remembered(CallDecision::Reject(reason)) => {
            let verdict = CallVerdict::Rejected(Brief::of(&reason));
            (verdict, ControlFlow::Break(Found::Answer(wit::AnswerBody::Rejected(reason))))
        }
        Response::Unavailable { reason, hint } => {
            let (summary, detail, reasons) =
                (description.summary.clone(), description.detail.clone(), asked.heard.clone());
            let inside = Inside { severity, summary, detail, reasons };
            let not = NotApproved { reason, hint, waits: false, push: None, inside: Some(inside) };
            return Ok(ControlFlow::Break(Found::NotApproved(Box::new(not))));
        }
    };
    asked.is_approved = found.is_continue();
    // A decision is recorded before it takes effect.
    record(asked, description, verdict, audit::decided(asked.approver), sandbox)?;
    Ok(found)
}

fn record(
    asked: &Asked<'_>,
    description: &Description,
    verdict: CallVerdict,
    decided: Decided,
    sandbox: &Sandbox,
) -> Result<()> {
    let _held = sandbox.store.lock.acquire()?;
    audit::call_decided(&sandbox.store, &asked.call, &description.summary, verdict, decided)
}

/// Tells a person why they are asked, except what they know: the base policy's reasons, and a
/// protected branch, which the review names.
pub(super) fn tell_reasons(approver: &mut dyn Approver, by: &By, reasons: &[String]) {
    let known = match by {
        By::Leaving | By::Marked => reasons.len(),
        By::Protected => 1,
        _ => 0,
    };
    for reason in &reasons[known..] {
        approver.tell(&format!("asked because {}", screen::line(reason)));
    }
}

/// Saves the rule that a person accepted. The call stays approved if saving fails.
pub(super) fn remember(asked: &mut Asked<'_>, offer: Option<&Offer>, sandbox: &Sandbox) {
    let Some(offer) = offer else { return };
    // Two prompts may add to the file at once.
    let remembered = sandbox.store.lock.acquire().and_then(|_held| {
        audit::remembered(&sandbox.store, &offer.rule, asked.approver)?;
        policy::remember(sandbox.folder(), &offer.rule)
    });
    match remembered {
        Ok(()) => asked.approver.tell(&format!("added the rule to {}", offer.file.display())),
        Err(error) => asked.approver.tell(&format!("could not save the rule: {}", error.message)),
    }
}

/// Formats an allow rule for `tool` under these conditions, as in a policy file. A repeated key
/// gets a list of values.
pub(super) fn rule(tool: &str, conditions: &[(&str, &str)]) -> String {
    let day = moment::now().rfc3339();
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

/// The facts known before a call runs. The component checks whether this caller may call it at all.
fn facts<'a>(asked: &'a Asked<'_>) -> Facts<'a> {
    facts_of(&asked.call.tool, &asked.call.arguments, asked.caller)
}

/// The facts known from the tool and its arguments alone.
pub fn facts_of<'a>(tool: &'a str, arguments: &str, caller: Caller) -> Facts<'a> {
    let paths = paths::named(tool, arguments).map(|paths| paths.into_iter().map(Cow::Owned).collect());
    Facts { paths, ..Facts::of_call(tool, Mode::Both, caller) }
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
    fn a_rule_that_is_offered_is_one() {
        let rule = rule("git_push", &[("target", "local:/a \"b\""), ("flags", "submodule"), ("flags", "privileged")]);
        let file = gate::policy::PolicyFile::parse(&rule, "p", &["git_push"]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(file.rules.len(), 1);
    }
}
