//! Edits a push or an export: remakes its commits in the sandbox and asks about it again.
//!
//! The edit is a separate call by the person and can be undone like any other, so nothing that was
//! left out is lost.

use std::rc::Rc;

use gate::approval::Proposal;
use gate::ledger::{CallVerdict, How};
use gate::policy::{Caller, Policy, Verdict};
use serde_json::{Map, Value, json};

use crate::answer::approval::audit;
use crate::answer::call::invocation::{End, Invocation, tool_call};
use crate::answer::call::suspend::{Given, Halting};
use crate::answer::wording::tool_error;
use crate::answer::{Call, Reply, approval, misbehaved};
use crate::approve::Revision;
use crate::error::Result;
use crate::sandbox::Sandbox;
use crate::wit;

/// The edits that a person wants in a push.
pub(crate) struct Otherwise {
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
        Box::new(Otherwise { revision: revision.spelled_out(&proposal.review().touched), base, how })
    }
}

/// An edit that goes on.
pub(crate) struct Revising {
    /// The call that edits. None if the push is only shorter.
    invocation: Option<Invocation>,
    /// The arguments of the call that asks to push or export the commits.
    pushed: Map<String, Value>,
    /// The edits in one line, and how the person gave them.
    edits: (String, How),
}

impl Revising {
    /// Begins to edit the commits that would leave by `call`, or returns the reply that ends it.
    pub(crate) fn begin(
        sandbox: &mut Sandbox,
        call: &Call,
        Otherwise { revision, base, how }: Otherwise,
        policy: &Rc<Policy>,
    ) -> Result<Result<Self, Reply>> {
        let Ok(Value::Object(pushed)) = serde_json::from_str(&call.arguments) else {
            return Err(misbehaved("it pushes for a call whose arguments are not an object"));
        };
        let mut pushed = pushed;
        if let Some(upto) = &revision.upto {
            if pushed.get("only") == Some(&Value::Bool(true)) {
                return Ok(Err(Reply::Done(Err(tool_error::one_commit()))));
            }
            pushed.insert("commitId".to_owned(), upto.as_str().into());
            if revision.leave_out.is_empty() && revision.message.is_none() {
                let edits = (format!("push only the commits up to {upto}"), how);
                return Ok(Ok(Revising { invocation: None, pushed, edits }));
            }
        }
        let mut arguments = json!({ "commitId": pushed.get("commitId"), "leaveOut": revision.leave_out });
        let hunks = revision.leave_out.iter().find(|left_out| left_out.hunks.is_some());
        match (base, hunks) {
            _ if pushed.get("only") == Some(&Value::Bool(true)) => arguments["only"] = true.into(),
            (Some(base), _) => arguments["base"] = base.into(),
            // The tool would count them in another diff than the review.
            (None, Some(left_out)) => return Ok(Err(Reply::Done(Err(tool_error::no_hunks(&left_out.path))))),
            (None, None) => {}
        }
        if let Some(message) = &revision.message {
            arguments["message"] = message.as_str().into();
        }
        let edits = (summary(&arguments), how);
        let revise = Call::new("git_revise", arguments.to_string(), Caller::User);
        let ruling = policy.decide(&approval::facts_of(&revise.tool, &revise.arguments, revise.caller));
        if let Verdict::Deny { reason, hint } = ruling.verdict {
            return Ok(Err(Reply::Done(Err(tool_error::not_permitted(reason, hint)))));
        }
        let revise = tool_call(&revise, sandbox)?;
        // The person requested the edit.
        let mut invocation = Invocation::new(revise, Caller::User, Rc::clone(policy));
        invocation.is_approved = true;
        Ok(Ok(Revising { invocation: Some(invocation), pushed, edits }))
    }

    /// Edits. Returns the call by which the result leaves, or the reply that ends it.
    pub(crate) fn go_on(&mut self, sandbox: &mut Sandbox, call: &Call) -> Halting<Result<Call, Reply>> {
        let Some(invocation) = &mut self.invocation else { return self.shortened(sandbox, call) };
        let result = match invocation.go_on(sandbox)? {
            End::Over(Reply::Done(Ok(result))) => result,
            End::Over(reply) => return Ok(Err(reply)),
            End::Ruled(_) | End::Revise(_) => {
                return Err(misbehaved("it pushes where it was to edit").into());
            }
        };
        // An edit that came to nothing was no decision. One that is made can be undone, and a push of it is decided about anew.
        let held = sandbox.store.lock.acquire()?;
        let (edits, how) = &self.edits;
        let decided = audit::decided_so(how.clone(), sandbox);
        audit::call_decided(sandbox, &held, &invocation.call, edits, CallVerdict::Approved, decided)?;
        drop(held);
        sandbox.tell(result.text.trim_end().to_owned());
        self.pushed.insert("commitId".to_owned(), commit_id(&result));
        let arguments = Value::from(std::mem::take(&mut self.pushed)).to_string();
        Ok(Ok(Call { arguments, ..call.clone() }))
    }

    /// Takes what the call at hand needed.
    pub(crate) fn give(&mut self, given: Given) {
        if let Some(invocation) = &mut self.invocation {
            invocation.give(given);
        }
    }

    /// The call that pushes fewer commits. They are decided about anew.
    fn shortened(&mut self, sandbox: &Sandbox, call: &Call) -> Halting<Result<Call, Reply>> {
        let arguments = Value::from(std::mem::take(&mut self.pushed)).to_string();
        let call = Call { arguments, ..call.clone() };
        let (edits, how) = &self.edits;
        let decided = audit::decided_so(how.clone(), sandbox);
        let edit = Call::new("git_revise", call.arguments.clone(), Caller::User);
        let held = sandbox.store.lock.acquire()?;
        audit::call_decided(sandbox, &held, &tool_call(&edit, sandbox)?, edits, CallVerdict::Approved, decided)?;
        Ok(Ok(call))
    }
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
