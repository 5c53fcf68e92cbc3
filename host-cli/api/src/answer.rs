//! A sandbox's answers as JSON.

use gate::approval::Proposal;
use host::answer::{Ask, Reply, json};
use host::error::Result;
use host::hint::Hint;
use host::sandbox::Sandbox;
use host::wit::ToolResult;
use serde_json::{Value, json};

use crate::message::Response;
use crate::problem::problem;

/// The outcome of a call.
pub fn reply(reply: &Reply, words: impl Fn(&Hint) -> String) -> Response {
    match reply {
        Reply::Done(Ok(ToolResult { text, structured, truncated })) => Response::json(
            200,
            // The host has checked that it is JSON.
            &json!({
                "outcome": "done",
                "text": text,
                "structured": serde_json::from_str::<Value>(structured).unwrap_or_default(),
                "truncated": truncated,
            }),
        ),
        Reply::Done(Err(error)) => {
            let mut members = json::tool_error(error);
            members["detail"] = members["message"].take();
            members.as_object_mut().expect("it is an object").remove("message");
            problem(422, &members)
        }
        Reply::NotApproved(not) => {
            let mut pending = json::not_approved(not, words);
            pending["outcome"] = json!("pending");
            Response::json(202, &pending)
        }
    }
}

/// The question to a person about the waiting call `id`.
///
/// # Errors
/// If what is kept about a push cannot be read.
pub fn question(id: &str, ask: &Ask, proposal: Option<&Proposal>, sandbox: &Sandbox) -> Result<Response> {
    let question = match ask {
        Ask::Call(request) => json!({ "id": id, "about": "call", "call": json::call_request(request) }),
        Ask::Push(request) => {
            json!({ "id": id, "about": "push", "push": json::push_request(request, proposal, sandbox)? })
        }
    };
    Ok(Response::json(200, &question))
}
