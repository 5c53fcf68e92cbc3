//! Makes and removes sandboxes.

use api::token::{self, Wanted};
use api::{Authorized, Response, Role};
use gate::id::SandboxId;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::oneshot;

use crate::around::Native;
use crate::command::{Context, New, Part, Rm};
use crate::desk;
use crate::error::{ErrorKind, HostError};
use crate::home::{Home, Identity, PolicyChoice};
use crate::sandbox::Clock;
use crate::store;

/// What a new sandbox is to be. The description holds it to its shape.
#[derive(Debug, Deserialize)]
struct Made {
    name: SandboxId,
    from: Option<Part>,
    identity: Option<String>,
    policy: Option<String>,
}

/// The names of all sandboxes.
pub fn list(home: &Home) -> anyhow::Result<Response> {
    Ok(Response::json(200, &json!({ "sandboxes": home.sandboxes()? })))
}

/// Makes a sandbox, and its owner's token.
///
/// # Errors
/// If it cannot be made. Then nothing is left of it.
pub async fn create(home: &Home, clock: &Clock, authorized: Authorized) -> anyhow::Result<Response> {
    let Made { name, from, identity, policy } = Made::deserialize(&authorized.body)
        .map_err(|error| HostError::new(ErrorKind::Usage, format!("the body does not fit: {error}")))?;
    let identity = identity.map(|identity| identity.parse::<Identity>()).transpose()?;
    let policy = policy.map(|policy| policy.parse::<PolicyChoice>()).transpose();
    let policy = policy.map_err(|error| HostError::new(ErrorKind::Usage, error.to_string()))?.unwrap_or_default();
    let (home, clock) = (home.clone(), clock.child());
    apart(move || {
        let context = Context::new(home, Some(name.clone()), clock);
        let text = New::for_others(from, identity, policy)?.create(&context)?;
        let owner = owner(&context).inspect_err(|_| {
            // Nobody could ever use it.
            let _ = context.home.remove(&name);
        })?;
        Ok(Response::json(201, &json!({ "name": name, "text": text, "owner": owner })))
    })
    .await
}

fn owner(context: &Context) -> anyhow::Result<serde_json::Value> {
    let store = store::open(&context.home.sandbox(&context.name)?)?;
    let held = store.lock.acquire()?;
    let wanted = Wanted { role: Role::Owner, note: String::new(), expires_in: None };
    Ok(token::make(&store, &held, &Native::new(context.clock.clone()), &wanted)?.shown())
}

/// Removes a sandbox.
///
/// # Errors
/// If it has work that was not pushed, and that is not to go.
pub async fn remove(home: &Home, clock: &Clock, name: SandboxId, authorized: &Authorized) -> anyhow::Result<Response> {
    let force = authorized.body["force"] == true;
    let (home, clock) = (home.clone(), clock.child());
    apart(move || {
        let context = Context::new(home, Some(name.clone()), clock);
        Rm::of(name, force).remove(&context)?;
        Ok(Response::empty())
    })
    .await
}

/// Does what opens a sandbox for itself, on a thread of its own.
async fn apart(work: impl FnOnce() -> anyhow::Result<Response> + Send + 'static) -> anyhow::Result<Response> {
    let (done, doing) = oneshot::channel();
    // Who has gone away needs no answer.
    desk::spawn("directory", move || drop(done.send(work())))?;
    doing.await?
}
