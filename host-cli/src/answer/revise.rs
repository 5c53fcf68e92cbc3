//! A push that the person would have otherwise: the commits are made anew in the sandbox, and the push is asked about again.
//!
//! The revision is a call of its own, the person's, which can be undone like any other: what was left out is never lost.

use gate::policy::{Caller, Policy};
use serde_json::{Value, json};

use super::{Call, Reply, run};
use crate::approve::{Approver, Revision};
use crate::error::Result;
use crate::sandbox::{Sandbox, wit};

/// Revises what `call`, a push, would take along; gives the call that pushes what is left, or what became of it instead. What was shown was
/// compared with `base`, and hunks are counted by that.
pub(super) fn revise(
    sandbox: &mut Sandbox,
    call: &Call,
    revision: &Revision,
    base: Option<String>,
    approver: &mut dyn Approver,
) -> Result<Result<Call, Reply>> {
    let mut pushed: Value = serde_json::from_str(&call.arguments).expect("a push was asked about by these arguments");
    let mut arguments = json!({ "commitId": pushed["commitId"], "leaveOut": revision.leave_out });
    if pushed["only"] == true {
        arguments["only"] = true.into();
    } else if let Some(base) = base {
        arguments["base"] = base.into();
    }
    if let Some(message) = &revision.message {
        arguments["message"] = message.clone().into();
    }
    let revise = Call { tool: "git_revise".to_owned(), arguments: arguments.to_string(), caller: Caller::User };
    // The person has just asked for it.
    let result = match run(sandbox, &revise, Vec::new(), &Policy::default(), approver)? {
        Reply::Done(Ok(result)) => result,
        reply => return Ok(Err(reply)),
    };
    approver.tell(result.text.trim_end());
    pushed["commitId"] = commit_id(&result);
    Ok(Ok(Call { arguments: pushed.to_string(), ..call.clone() }))
}

/// The last commit that is left, as it is named now.
fn commit_id(result: &wit::ToolResult) -> Value {
    let structured: Value = serde_json::from_str(&result.structured).unwrap_or_default();
    structured["commitId"].clone()
}
