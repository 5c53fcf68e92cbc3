//! Edits a push: remakes its commits in the sandbox and asks about the push again.
//!
//! The edit is a separate call by the person and can be undone like any other, so nothing that was
//! left out is lost.

use gate::approval::Proposal;
use gate::ledger::{CallVerdict, How};
use gate::policy::{Caller, Policy, Verdict};
use serde_json::{Value, json};

use super::{Asked, Call, End, Reply, approval, audit, go_on, misbehaved, said, tool_call};
use crate::approve::{Approver, Revision};
use crate::error::Result;
use crate::sandbox::{Sandbox, wit};

/// The edits that a person wants in a push.
pub(super) struct Otherwise {
    revision: Revision,
    /// The base of the review, by which hunks are numbered.
    base: Option<String>,
    /// How the person gave them.
    how: How,
}

impl Otherwise {
    /// Edits `revision` of what is proposed.
    pub fn than(proposal: &Proposal, revision: Revision, how: How) -> Box<Self> {
        let base = proposal.review().base.map(|base| base.to_string());
        Box::new(Otherwise { revision, base, how })
    }
}

/// Edits the commits that `call` would push. Returns the call that pushes the result, or the reply
/// that ends it.
pub(super) fn revise(
    sandbox: &mut Sandbox,
    call: &Call,
    Otherwise { revision, base, how }: Otherwise,
    policy: &Policy,
    approver: &mut dyn Approver,
) -> Result<Result<Call, Reply>> {
    let Ok(Value::Object(mut pushed)) = serde_json::from_str(&call.arguments) else {
        return Err(misbehaved("it pushes for a call whose arguments are not an object"));
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
    // The person requested the edit.
    let mut asked = Asked::new(revise, Caller::User, policy, approver);
    asked.is_approved = true;
    let result = match go_on(asked, sandbox)? {
        End::Over(Reply::Done(Ok(result))) => result,
        End::Over(reply) => return Ok(Err(reply)),
        End::Ruled(_) | End::Revise(_) => unreachable!("the call is neither hypothetical nor a push"),
    };
    approver.tell(result.text.trim_end());
    pushed.insert("commitId".to_owned(), commit_id(&result));
    Ok(Ok(Call { arguments: Value::from(pushed).to_string(), ..call.clone() }))
}

/// Describes the edits in one line, for the log.
fn summary(arguments: &Value) -> String {
    let left_out = |one: &Value| {
        let hunks = one["hunks"].as_array().map_or_else(String::new, |hunks| format!(":{}", Value::from(&hunks[..])));
        format!("leave out {}{hunks}", one["path"].as_str().unwrap_or_default())
    };
    let files = arguments["leaveOut"].as_array().into_iter().flatten().map(left_out);
    let message = arguments["message"].as_str().map(|message| format!("set the message to \"{message}\""));
    files.chain(message).collect::<Vec<_>>().join("; ")
}

/// The new id of the last remaining commit.
fn commit_id(result: &wit::ToolResult) -> Value {
    let structured: Value = serde_json::from_str(&result.structured).unwrap_or_default();
    structured["commitId"].clone()
}
