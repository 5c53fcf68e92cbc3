//! Decides whether a call may go on, by the policy or by a person: before it runs, when it asks for
//! approval, and when its target is known.
//!
//! | file | what it has |
//! |---|---|
//! | `paths` | which files a call concerns |
//! | `person` | what a person is asked, and what they say |
//! | `audit` | writes decisions to the audit log |
//! | `waiting` | calls that wait for an answer from another process |
//! | `mounted` | may this call of another server's tool be made? |

pub(crate) mod audit;
pub(crate) mod mounted;
pub(crate) mod paths;
pub(crate) mod person;
pub(crate) mod waiting;

use std::borrow::Cow;
use std::ops::ControlFlow;

use gate::ledger::{Brief, CallVerdict};
use gate::policy::{By, Caller, Facts, Marked, Mode, Ruling, Severity, Verdict};
use gate::target::CanonicalTarget;
use serde_json::Value;

use crate::answer::call::invocation::{End, Found, Invocation};
use crate::answer::call::suspend::Halting;
use crate::answer::wording::tool_error;
use crate::answer::{NotApproved, Reply, enter};
use crate::approve::{CallDecision, CallRequest, Offer, Response};
use crate::error::Result;
use crate::moment::Moment;
use crate::sandbox::Sandbox;
use crate::screen;
use crate::store::Inside;
use crate::wit;

/// Why a call does not go on.
pub(crate) enum Stop {
    /// The person rejected it, for this reason; may be empty.
    Rejected(String),
    /// The rules do not permit it.
    Denied(wit::ToolError),
    /// It is over in another way.
    End(End),
}

impl Stop {
    /// As the answer to a question of the call.
    pub(crate) fn found(self) -> Found {
        match self {
            Stop::Rejected(reason) => Found::Continue(wit::AnswerBody::Rejected(reason)),
            Stop::Denied(error) => Found::Continue(wit::AnswerBody::Failed(error)),
            Stop::End(end) => Found::Break(end),
        }
    }

    /// As the end of a call that has asked nothing.
    pub(crate) fn end(self) -> End {
        match self {
            Stop::Rejected(reason) => End::Over(Reply::Done(Err(tool_error::rejected(reason)))),
            Stop::Denied(error) => End::Over(Reply::Done(Err(error))),
            Stop::End(end) => end,
        }
    }
}

/// Applies the rules before a call runs. The call itself asks later if the component's tables mark it.
pub(crate) fn before(invocation: &mut Invocation, sandbox: &mut Sandbox) -> Halting<ControlFlow<End>> {
    let ruling = invocation.policy.decide(&facts(invocation));
    if ruling.verdict == Verdict::Allow {
        return Ok(ControlFlow::Continue(()));
    }
    // The component reports an unknown tool, so nobody is asked about one.
    if enter(sandbox)?.tools()?.iter().all(|tool| tool.name != invocation.call.tool) {
        return Ok(ControlFlow::Continue(()));
    }
    let description = of_arguments(invocation);
    Ok(match apply(invocation, ruling, &description, sandbox)? {
        ControlFlow::Break(stop) => ControlFlow::Break(stop.end()),
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
    })
}

/// Applies the rules once the call's repository is known.
pub(crate) fn of_target(
    invocation: &mut Invocation,
    target: &CanonicalTarget,
    sandbox: &mut Sandbox,
) -> Halting<ControlFlow<Stop>> {
    let ruling = invocation.policy.decide(&Facts { target: Some(target.to_string().into()), ..facts(invocation) });
    let mut description = of_arguments(invocation);
    description.summary.push_str(&format!(" ({})", screen::line(&target.to_string())));
    apply(invocation, ruling, &description, sandbox)
}

/// Finds the answer to an approval question.
pub(crate) fn find(invocation: &mut Invocation, approval: &wit::Approval, sandbox: &mut Sandbox) -> Halting<Found> {
    let marked = Marked { risk: severity(approval.risk), summary: &approval.summary };
    let parts: Vec<Facts<'_>> =
        approval.parts.iter().map(|part| facts_of(&part.tool, &part.arguments, invocation.caller)).collect();
    let whole = Facts { marked: Some(marked), ..facts(invocation) };
    let ruling = invocation.policy.decide_whole(&whole, &parts);
    let description = Description { summary: screen::line(&approval.summary), detail: screen::block(&approval.detail) };
    Ok(match apply(invocation, ruling, &description, sandbox)? {
        ControlFlow::Continue(()) => Found::Continue(wit::AnswerBody::Approved),
        ControlFlow::Break(stop) => stop.found(),
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
fn of_arguments(invocation: &Invocation) -> Description {
    let arguments = serde_json::from_str(&invocation.call.arguments).unwrap_or(Value::Null);
    let detail = screen::block(&format!("{arguments:#}\n"));
    Description { summary: screen::line(&arguments.to_string()), detail }
}

/// Carries out a ruling. After a person has approved a call, asks again only if a rule gives a
/// reason that is new to them.
fn apply(
    invocation: &mut Invocation,
    ruling: Ruling,
    description: &Description,
    sandbox: &mut Sandbox,
) -> Halting<ControlFlow<Stop>> {
    if invocation.is_hypothetical && ruling.by != By::Unseen {
        return Ok(ControlFlow::Break(Stop::End(End::Ruled(Box::new(ruling)))));
    }
    let (severity, new) = match ruling.verdict {
        Verdict::Allow => return Ok(ControlFlow::Continue(())),
        Verdict::Deny { reason, hint } => {
            return Ok(ControlFlow::Break(deny(invocation, &ruling.by, reason, hint, description, sandbox)?));
        }
        Verdict::Ask { severity, reasons } => {
            let by_rule = matches!(ruling.by, By::Rule(_));
            let new: Vec<String> =
                reasons.into_iter().filter(|reason| by_rule && !invocation.heard.contains(reason)).collect();
            if invocation.is_approved && new.is_empty() {
                return Ok(ControlFlow::Continue(()));
            }
            (severity, new)
        }
    };
    let request = || CallRequest {
        tool: invocation.call.tool.clone(),
        severity,
        summary: description.summary.clone(),
        detail: description.detail.clone(),
        reasons: new_to_them(&ruling.by, &new).to_vec(),
        // An ask rule wins over an allow rule, so saving a rule would not change it.
        offer: (ruling.by == By::Marked).then(|| {
            let caller = if invocation.caller == Caller::Agent { "agent" } else { "user" };
            offer(&invocation.call.tool, &[("caller", caller)], sandbox)
        }),
    };
    let (response, offer) = invocation.person.about_a_call(request)?;
    invocation.heard.extend(new);
    let (verdict, stop) = match response {
        Response::Given(CallDecision::Approve) => (CallVerdict::Approved, ControlFlow::Continue(())),
        Response::Remembered(CallDecision::Approve) => {
            remember(invocation, offer.as_ref(), sandbox);
            (CallVerdict::Approved, ControlFlow::Continue(()))
        }
        Response::Given(CallDecision::Reject(reason)) | Response::Remembered(CallDecision::Reject(reason)) => {
            let verdict = CallVerdict::Rejected(Brief::of(&reason));
            (verdict, ControlFlow::Break(Stop::Rejected(reason)))
        }
        Response::Unavailable { reason, hint } => {
            let (summary, detail, reasons) =
                (description.summary.clone(), description.detail.clone(), invocation.heard.clone());
            let inside = Some(Inside { severity, summary, detail, reasons });
            let not = NotApproved { inside, ..NotApproved::unasked(reason, hint) };
            return Ok(ControlFlow::Break(Stop::End(End::Over(Reply::NotApproved(Box::new(not))))));
        }
    };
    invocation.is_approved = stop.is_continue();
    // A decision is recorded before it takes effect.
    let decided = audit::decided_so(invocation.person.how(), sandbox);
    let held = sandbox.store.lock.acquire()?;
    audit::call_decided(sandbox, &held, &invocation.call, &description.summary, verdict, decided)?;
    Ok(stop)
}
/// Ends a call that the rules deny, and records it if a rule of the person's does.
fn deny(
    invocation: &Invocation,
    by: &By,
    reason: String,
    hint: String,
    description: &Description,
    sandbox: &Sandbox,
) -> Result<Stop> {
    if let By::Rule(rule) = by {
        let held = sandbox.store.lock.acquire()?;
        audit::call_denied(sandbox, &held, &invocation.call, &description.summary, &reason, rule)?;
    }
    Ok(Stop::Denied(tool_error::not_permitted(reason, hint)))
}

/// Answers a push that the rules deny whatever it contains.
pub(crate) fn deny_push(
    invocation: &Invocation,
    by: &By,
    reason: String,
    hint: String,
    sandbox: &Sandbox,
) -> Result<Stop> {
    deny(invocation, by, reason, hint, &of_arguments(invocation), sandbox)
}

/// Why a person is asked, without what they know: the base policy's reasons, and a protected branch,
/// which the review names.
pub(crate) fn new_to_them<'a>(by: &By, reasons: &'a [String]) -> &'a [String] {
    match by {
        By::Leaving | By::Marked => &[],
        By::Protected => reasons.get(1..).unwrap_or_default(),
        _ => reasons,
    }
}

/// Saves the rule that a person accepted. The call stays approved if saving fails.
pub(crate) fn remember(invocation: &Invocation, offer: Option<&Offer>, sandbox: &mut Sandbox) {
    let Some(offer) = offer else { return };
    // Two prompts may add to the file at once.
    let remembered = sandbox.store.lock.acquire().and_then(|held| {
        audit::remembered(sandbox, &held, &offer.rule, invocation.person.how())?;
        sandbox.remember(&held, &offer.rule)
    });
    sandbox.tell(match remembered {
        Ok(()) => format!("added the rule to {}", offer.place),
        Err(error) => format!("could not save the rule: {}", error.message),
    });
}

/// The rule that allows `tool` under these conditions. A repeated key gets a list of values.
pub(crate) fn offer(tool: &str, conditions: &[(&str, &str)], sandbox: &Sandbox) -> Offer {
    Offer { rule: rule(tool, conditions, sandbox.platform().now()), place: sandbox.remembered() }
}

/// Formats an allow rule, as in a policy file.
fn rule(tool: &str, conditions: &[(&str, &str)], now: Moment) -> String {
    let day = now.rfc3339();
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
fn facts(invocation: &Invocation) -> Facts<'_> {
    facts_of(&invocation.call.tool, &invocation.call.arguments, invocation.caller)
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
        let conditions = [("target", "local:/a \"b\""), ("flags", "submodule"), ("flags", "privileged")];
        let rule = rule("git_push", &conditions, Moment { nanos: 0, utc_offset: 0 });
        let file = gate::policy::PolicyFile::parse(&rule, "p", &["git_push"]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(file.rules.len(), 1);
    }
}
