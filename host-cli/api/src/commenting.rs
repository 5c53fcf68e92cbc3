//! What a person says about pushes and has seen of them, over HTTP.

use host::error::{ErrorKind, HostError, Result};
use host::review::{self, Change, Draft, Look};
use host::sandbox::Sandbox;
use host::store::{Topic, Waiting};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::decision;
use crate::message::Response;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Looks {
    looks: Vec<Look>,
}

/// The comments on the pushes to the branch that a waiting push goes to.
pub(crate) fn list(sandbox: &Sandbox, waiting: &Waiting) -> Result<Response> {
    let comments = review::comments(sandbox, topic(waiting)?)?;
    Ok(Response::json(200, &json!({ "comments": comments })))
}

/// Comments on a waiting push.
pub(crate) fn add(sandbox: &Sandbox, waiting: &Waiting, body: &Value) -> Result<Response> {
    let draft: Draft = decision::read(body)?;
    Ok(Response::json(201, &json!(review::add(sandbox, topic(waiting)?, draft)?)))
}

/// Changes a comment.
pub(crate) fn change(sandbox: &Sandbox, waiting: &Waiting, id: &str, body: &Value) -> Result<Response> {
    let change: Change = decision::read(body)?;
    Ok(Response::json(200, &json!(review::change(sandbox, topic(waiting)?, id, &change)?)))
}

/// Keeps what a person has looked at.
pub(crate) fn mark(sandbox: &Sandbox, waiting: &Waiting, body: &Value) -> Result<Response> {
    let Looks { looks } = decision::read(body)?;
    review::look(sandbox, topic(waiting)?, &looks)?;
    Ok(Response::empty())
}

/// Where a push goes that waits.
fn topic(waiting: &Waiting) -> Result<&Topic> {
    waiting.topic.as_ref().ok_or_else(|| {
        HostError::new(ErrorKind::Usage, "only a push that was proposed can be commented on")
            .hint("reject the call with what you would say")
    })
}
