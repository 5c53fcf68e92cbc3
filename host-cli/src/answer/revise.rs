//! A push that the person would have otherwise: the commits are made anew in the sandbox, and the push is asked about again.
//!
//! The revision is a call of its own, the person's, which can be undone like any other: what was left out is never lost.

use gate::approval::Proposal;
use gate::ledger::{CallVerdict, How};
use gate::policy::{Caller, Policy, Verdict};
use serde_json::{Value, json};

use super::{Asked, Call, End, Reply, approval, audit, go_on, misbehaved, said, tool_call};
use crate::approve::{Approver, Revision};
use crate::error::Result;
use crate::sandbox::{Sandbox, wit};

/// How the person would have a push that they were shown, or not even that.
pub(super) struct Otherwise {
    revision: Revision,
    /// What was shown was compared with it, and hunks are counted by that.
    base: Option<String>,
    /// How they said so.
    how: How,
}

impl Otherwise {
    /// `revision` of what is proposed.
    pub fn than(proposal: &Proposal, revision: Revision, how: How) -> Box<Self> {
        let base = proposal.review().base.map(|base| base.to_string());
        Box::new(Otherwise { revision, base, how })
    }
}

/// Revises what `call`, a push, would take along; gives the call that pushes what is left, or what became of it instead.
pub(super) fn revise(
    sandbox: &mut Sandbox,
    call: &Call,
    Otherwise { revision, base, how }: Otherwise,
    policy: &Policy,
    approver: &mut dyn Approver,
) -> Result<Result<Call, Reply>> {
    let Ok(Value::Object(mut pushed)) = serde_json::from_str(&call.arguments) else {
        return Err(misbehaved("it pushes for a call whose arguments are no object"));
    };
    let mut arguments = json!({ "commitId": pushed.get("commitId"), "leaveOut": revision.leave_out });
    if pushed.get("only") == Some(&Value::Bool(true)) {
        arguments["only"] = true.into();
    } else if let Some(base) = base {
        arguments["base"] = base.into();
    }
    if let Some(message) = &revision.message {
        arguments["message"] = message.as_str().into();
    }
    let summary = summary(&arguments);
    let revise = Call { tool: "git_revise".to_owned(), arguments: arguments.to_string(), caller: Caller::User };
    let ruling = policy.decide(&approval::facts_of(&revise.tool, &revise.arguments, revise.caller));
    if let Verdict::Deny { reason, hint } = ruling.verdict {
        return Ok(Err(Reply::Done(Err(said::not_permitted(reason, hint)))));
    }
    let revise = tool_call(&revise, sandbox.git_timeout_ms())?;
    {
        let _held = sandbox.store.lock.acquire()?;
        let decided = audit::decided_so(how);
        audit::call_decided(&sandbox.store, &revise, &summary, CallVerdict::Approved, decided)?;
    }
    // The person has just asked for it.
    let mut asked = Asked::new(revise, Caller::User, policy, approver);
    asked.is_approved = true;
    let result = match go_on(asked, sandbox)? {
        End::Over(Reply::Done(Ok(result))) => result,
        End::Over(reply) => return Ok(Err(reply)),
        End::Ruled(_) | End::Revise(_) => unreachable!("it is neither hypothetical nor a push"),
    };
    approver.tell(result.text.trim_end());
    pushed.insert("commitId".to_owned(), commit_id(&result));
    Ok(Ok(Call { arguments: Value::from(pushed).to_string(), ..call.clone() }))
}

/// A revision in a line, for the log.
fn summary(arguments: &Value) -> String {
    let left_out = |one: &Value| {
        let hunks = one["hunks"].as_array().map_or_else(String::new, |hunks| format!(":{}", Value::from(&hunks[..])));
        format!("leave out {}{hunks}", one["path"].as_str().unwrap_or_default())
    };
    let files = arguments["leaveOut"].as_array().into_iter().flatten().map(left_out);
    let message = arguments["message"].as_str().map(|message| format!("say \"{message}\""));
    files.chain(message).collect::<Vec<_>>().join("; ")
}

/// The last commit that is left, as it is named now.
fn commit_id(result: &wit::ToolResult) -> Value {
    let structured: Value = serde_json::from_str(&result.structured).unwrap_or_default();
    structured["commitId"].clone()
}
