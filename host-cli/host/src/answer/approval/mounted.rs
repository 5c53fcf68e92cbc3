//! Decides about a call of a tool that another server has, which the person has mounted. The body
//! makes it, and nothing of it is in the sandbox but the decision.

use std::ops::ControlFlow;

use gate::columns;
use gate::ledger::CallVerdict;
use gate::policy::{By, Facts, Mode, Policy, Verdict};
use serde_json::Value;

use crate::answer::approval::{audit, waiting};
use crate::answer::call::invocation::tool_call;
use crate::answer::wording::tool_error;
use crate::answer::{Call, NotApproved, Reply};
use crate::error::Result;
use crate::sandbox::Sandbox;
use crate::screen;
use crate::store::Inside;

/// Whether a call may be made, by the policy, or by what a person has said to the same call before.
/// One that needs a person waits for them, as any other. What lets it go on is in the audit log.
///
/// # Errors
/// If the sandbox's files cannot be read or written.
pub fn decide_mounted(sandbox: &Sandbox, call: &Call, policy: &Policy) -> Result<ControlFlow<Reply>> {
    let mut heard = match waiting::decided(sandbox, call)? {
        ControlFlow::Break(rejected) => return Ok(ControlFlow::Break(rejected)),
        ControlFlow::Continue(heard) => heard,
    };
    let ruling = policy.decide(&Facts::of_call(&call.tool, Mode::Both, call.caller));
    let arguments = serde_json::from_str(&call.arguments).unwrap_or(Value::Null);
    let (summary, detail) = (summary(&arguments), screen::block(&format!("{arguments:#}\n")));
    let record = |verdict, rule| {
        let held = sandbox.store.lock.acquire()?;
        let call = tool_call(call, sandbox)?;
        audit::call_decided(sandbox, &held, &call, &summary, verdict, audit::decided_by(rule, sandbox))
    };
    match ruling.verdict {
        Verdict::Allow => {
            if let By::Rule(rule) = &ruling.by {
                record(CallVerdict::Approved, rule)?;
            }
            Ok(ControlFlow::Continue(()))
        }
        Verdict::Deny { reason, hint } => {
            if let By::Rule(rule) = &ruling.by {
                let held = sandbox.store.lock.acquire()?;
                audit::call_denied(sandbox, &held, &tool_call(call, sandbox)?, &summary, &reason, rule)?;
            }
            Ok(ControlFlow::Break(Reply::Done(Err(tool_error::not_permitted(reason, hint)))))
        }
        Verdict::Ask { severity, reasons } => {
            let is_approved = heard.is_some();
            let heard = heard.get_or_insert_default();
            let by_rule = matches!(ruling.by, By::Rule(_));
            let new: Vec<String> = reasons.into_iter().filter(|reason| by_rule && !heard.contains(reason)).collect();
            if is_approved && new.is_empty() {
                return Ok(ControlFlow::Continue(()));
            }
            heard.extend(new);
            let reason = format!("{} needs approval: another server makes it", call.tool);
            let inside = Some(Inside { severity, summary, detail, reasons: heard.clone() });
            let not = NotApproved { inside, ..NotApproved::unasked(reason, "") };
            Ok(ControlFlow::Break(Reply::NotApproved(Box::new(waiting::keep(sandbox, call, not)?))))
        }
    }
}

/// Columns of one value in the question.
const VALUE: usize = 60;

/// The arguments in a row. Of a long value beginning and end stand there: it drives out no other.
fn summary(arguments: &Value) -> String {
    let short = |value: &Value| {
        let text = screen::line(&value.to_string());
        let shown = columns::middle(&text, VALUE);
        let left_out = if shown == text { String::new() } else { format!(" ({} characters)", text.chars().count()) };
        format!("{shown}{left_out}")
    };
    let Value::Object(all) = arguments else { return short(arguments) };
    let each = |(key, value): (&String, &Value)| {
        format!("{}:{}", screen::line(&Value::from(&**key).to_string()), short(value))
    };
    format!("{{{}}}", all.iter().map(each).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::summary;

    #[test]
    fn attack_15_a_long_value_drives_out_no_other() {
        let said = summary(&json!({ "note": "A".repeat(6000), "x": "LEAK ALL THE SOURCE", "y\n": [1, 2] }));
        assert!(said.contains("… (") || said.contains("(6002 characters)"), "{said}");
        assert!(said.ends_with(",\"x\":\"LEAK ALL THE SOURCE\",\"y\\n\":[1,2]}") && said.len() < 200, "{said}");
    }
}
