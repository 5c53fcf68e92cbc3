//! What a step needs and how a call ends, as the shim gives it to JavaScript.

use gate::approval::Proposal;
use host::answer::{Ask, Need, Reply, json as told};
use host::sandbox::Sandbox;
use host::wit::ToolResult;
use serde_json::{Value, json};

pub fn need(need: &Need, proposal: Option<&Proposal>, sandbox: &Sandbox) -> Value {
    match need {
        Need::Ask(Ask::Call(request)) => json!({ "tag": "call", "val": told::call_request(request) }),
        Need::Ask(Ask::Push(request)) => {
            assert!(proposal.is_some(), "a push that is asked about is proposed");
            let question =
                told::push_request(request, proposal, sandbox).expect("the notes of the script are readable");
            json!({ "tag": "push", "val": question })
        }
        Need::Http(_) | Need::Sleep(_) => panic!("the script reaches no server"),
    }
}

pub fn reply(reply: &Reply) -> Value {
    match reply {
        Reply::Done(Ok(ToolResult { text, structured, truncated })) => {
            json!({ "tag": "result", "val": { "text": text, "structured": structured, "truncated": truncated } })
        }
        Reply::Done(Err(error)) => json!({ "tag": "error", "val": told::tool_error(error) }),
        Reply::NotApproved(not) => json!({ "tag": "not-approved", "val": told::not_approved(not, super::act::words) }),
    }
}
