//! Comments on pushes, over HTTP.

use gate::comment::{self, Place, Weight};
use host::error::{ErrorKind, HostError, Result};
use host::review::{self, Change, Draft};
use host::sandbox::Sandbox;
use host::store::{Topic, Waiting};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::decision;
use crate::message::Response;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewComment {
    commit: String,
    place: Place,
    #[serde(default = "must")]
    weight: Weight,
    text: String,
}

fn must() -> Weight {
    Weight::Must
}

#[derive(Deserialize)]
#[serde(tag = "change", rename_all = "camelCase", deny_unknown_fields)]
enum Wanted {
    Settle,
    Reopen,
    Withdraw,
    Reply { text: String },
}

/// The comments on the pushes to the branch that a waiting push goes to.
pub(crate) fn list(sandbox: &Sandbox, waiting: &Waiting) -> Result<Response> {
    let comments = review::comments(sandbox, topic(waiting)?)?;
    Ok(Response::json(200, &json!({ "comments": comments })))
}

/// Comments on a waiting push.
pub(crate) fn add(sandbox: &Sandbox, waiting: &Waiting, body: &Value) -> Result<Response> {
    let NewComment { commit, place, weight, text } = decision::read(body)?;
    let draft = Draft { commit: comment::commit(&commit)?, place, weight, text };
    let comment = review::add(sandbox, topic(waiting)?, draft)?;
    Ok(Response::json(201, &json!(comment)))
}

/// Changes a comment.
pub(crate) fn change(sandbox: &Sandbox, waiting: &Waiting, id: &str, body: &Value) -> Result<Response> {
    let change = match decision::read(body)? {
        Wanted::Settle => Change::Settle,
        Wanted::Reopen => Change::Reopen,
        Wanted::Withdraw => Change::Withdraw,
        Wanted::Reply { text } => Change::Reply(text),
    };
    Ok(Response::json(200, &json!(review::change(sandbox, topic(waiting)?, id, &change)?)))
}

/// Where a push goes that waits.
fn topic(waiting: &Waiting) -> Result<&Topic> {
    waiting.topic.as_ref().ok_or_else(|| {
        HostError::new(ErrorKind::Usage, "only a push that was proposed can be commented on")
            .hint("reject the call with what you would say")
    })
}
