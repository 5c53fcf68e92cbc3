//! Makes a call, and waits for the person if it has to.

use std::ops::ControlFlow;
use std::time::Duration;

use api::mcp::Form;
use gate::policy::{Caller, MOUNTED};
use host::answer::{Call, Reply, Script, decide_mounted};
use host::hint::Act;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, JsonObject};
use rmcp::service::RequestContext;
use serde_json::Value;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::mount::Mount;
use super::telling::Telling;
use crate::command::Context;
use crate::desk::Desk;
use crate::sandbox::Sandbox;
use crate::screen;
use crate::store;

/// How often it is looked whether the person has answered.
const LOOK: Duration = Duration::from_millis(200);
/// How often a client is told that a call still waits.
const TELL: Duration = Duration::from_secs(5);

/// A call as a client makes it.
pub struct Called {
    /// The tool's own name.
    pub tool: String,
    /// Its arguments, in the names of any dialect.
    pub arguments: JsonObject,
    /// How the client is told of the result.
    pub form: Form,
    /// Bytes of text that it is sent at once.
    pub max_bytes: u64,
}

/// Makes an agent's call. If it needs the person, waits for them as long as `wait`.
///
/// # Errors
/// If the host fails, or the client calls it off.
pub async fn call(
    desk: &Desk,
    mount: &Mount,
    Called { tool, arguments, form, max_bytes }: Called,
    wait: Duration,
    context: &RequestContext<RoleServer>,
) -> anyhow::Result<CallToolResult> {
    let call = Call::new(tool, Value::from(arguments.clone()).to_string(), Caller::Agent);
    let mut call = Call { dialect: form.dialect, max_bytes: Some(max_bytes), ..call };
    // A script that has run, and whose push is made again until the person has answered it.
    let mut script = None;
    let until = Instant::now() + wait;
    let mut telling = Telling::of(context);
    loop {
        let reply = match call.tool.starts_with(MOUNTED) {
            false => desk.call(call.clone(), &context.ct).await?,
            true => match decided(desk, &call, &context.ct).await? {
                ControlFlow::Break(reply) => reply,
                ControlFlow::Continue(()) => return mount.call(&call.tool, arguments, &context.ct).await,
            },
        };
        let mut reply = match script.take() {
            Some(script) => Script::with(script, reply),
            None => reply,
        };
        let Some(review) = waiting(&reply) else { return Ok(told(reply, form)) };
        if !answered(desk, &review, until, &context.ct, &mut telling).await? {
            return Ok(told(reply, form));
        }
        if let Reply::NotApproved(not) = &mut reply
            && let Some(waits) = not.script.take()
        {
            call = waits.push().clone();
            script = Some(*waits);
        }
    }
}

fn told(reply: Reply, form: Form) -> CallToolResult {
    api::mcp::result(reply, form, screen::hint::words)
}

/// Whether a call of another server's tool may be made.
async fn decided(desk: &Desk, call: &Call, off: &CancellationToken) -> anyhow::Result<ControlFlow<Reply>> {
    let call = call.clone();
    let decide = move |context: &Context, sandbox: &mut Sandbox| {
        let decided = decide_mounted(sandbox, &call, &context.policy(sandbox)?)?;
        if let ControlFlow::Break(reply) = &decided {
            context.tell_of(&call, reply)?;
        }
        Ok(decided)
    };
    desk.run(off, decide).await
}

/// The review by which a person answers a call, if it waits for them.
struct Review {
    /// The beginning of the waiting call's id.
    id: String,
    /// How a person answers it.
    words: String,
}

fn waiting(reply: &Reply) -> Option<Review> {
    let Reply::NotApproved(not) = reply else { return None };
    let act = not.hint.act().filter(|_| not.waits)?;
    let Act::Review { id, .. } = act else { return None };
    Some(Review { id: id.clone(), words: screen::hint::act(act) })
}

/// Waits until the person has answered, and returns whether they have.
async fn answered(
    desk: &Desk,
    review: &Review,
    until: Instant,
    off: &CancellationToken,
    telling: &mut Telling<'_>,
) -> anyhow::Result<bool> {
    let begun = Instant::now();
    let mut told = None;
    loop {
        let now = Instant::now();
        if now >= until || off.is_cancelled() {
            return Ok(false);
        }
        if told.is_none_or(|told| now >= told + TELL) {
            telling.waits(&format!("Waiting for the user: {}", review.words), now - begun, until - begun).await;
            told = Some(now);
        }
        tokio::select! {
            () = sleep(LOOK.min(until - now)) => {}
            () = off.cancelled() => return Ok(false),
        }
        if is_answered(desk, &review.id).await? {
            return Ok(true);
        }
    }
}

/// Whether a waiting call has been answered, or is gone. This reads files, and needs no turn at the
/// desk.
async fn is_answered(desk: &Desk, id: &str) -> anyhow::Result<bool> {
    let (home, name, id) = (desk.home.clone(), desk.name.clone(), id.to_owned());
    let look = move || -> anyhow::Result<bool> {
        let unanswered = store::open(&home.sandbox(&name)?)?.waiting.unanswered()?;
        Ok(!unanswered.iter().any(|waiting| waiting.id.starts_with(&id)))
    };
    tokio::task::spawn_blocking(look).await?
}
