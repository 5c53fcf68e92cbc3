//! Makes, copies and removes sandboxes.

use std::rc::Rc;

use api::{Authorized, Doing, Fork, NewSandbox, Response};
use gate::id::SandboxId;
use serde_json::json;
use tokio::sync::oneshot;

use crate::command::{Context, Rm};
use crate::desk;
use crate::home::Home;
use crate::platform::Native;
use crate::sandbox::{self, Clock};
use crate::{driver, moment, store};

/// The names of all sandboxes.
pub fn list(home: &Home) -> anyhow::Result<Response> {
    Ok(Response::json(200, &json!({ "sandboxes": home.sandboxes()? })))
}

/// Makes a sandbox, and its owner's token.
///
/// # Errors
/// If it cannot be made. Then nothing is left of it, nor if the answer says why.
pub async fn create(home: &Home, clock: &Clock, authorized: Authorized) -> anyhow::Result<Response> {
    let new = NewSandbox::read(&authorized)?;
    let (home, clock) = (home.clone(), clock.child());
    apart(move || {
        let context = Context::new(home, Some(new.name.clone()), clock);
        let config = context.config()?;
        let unfinished = context.home.begin(&new.name)?;
        store::put_settings(unfinished.folder(), &new.settings(&Native::new(context.clock.clone()))?)?;
        let mut sandbox = sandbox::create(unfinished.folder(), config.tools(), context.runtime()?)?;
        let mut doing = Doing::create(new, &mut sandbox);
        let response = driver::answer_request(&mut sandbox, &mut doing, &*context.servers);
        drop(sandbox);
        if response.status == 201 {
            unfinished.finish()?;
        }
        Ok(response)
    })
    .await
}

/// Copies a sandbox.
///
/// # Errors
/// If it cannot be copied. Then nothing is left of the copy, nor if the answer says why.
pub async fn fork(home: &Home, clock: &Clock, name: SandboxId, authorized: Authorized) -> anyhow::Result<Response> {
    let fork = Fork::read(&authorized)?;
    let (home, clock) = (home.clone(), clock.child());
    apart(move || {
        let context = Context::new(home, Some(name.clone()), clock);
        let mut sandbox = context.open_for_others()?;
        // Whoever makes sandboxes may be waited for, so it comes before the lock.
        let unfinished = context.home.begin(&fork.name)?;
        // No process changes what is copied, nor begins a push.
        let held = sandbox.store.lock.acquire()?;
        let policy = Rc::new(context.policy(&sandbox)?);
        let mut doing = Doing::begin(&authorized, &mut sandbox, policy);
        let response = driver::answer_request(&mut sandbox, &mut doing, &*context.servers);
        if response.status != 204 {
            return Ok(response);
        }
        let copy = store::begin(unfinished.folder(), sandbox.file.id)?;
        let own = copy.lock.try_acquire()?;
        sandbox.store.copy_to(&held, &copy, &own)?;
        let response = fork.made(&name, &copy, &own, &*sandbox.platform())?;
        unfinished.finish()?;
        Ok(response)
    })
    .await
}

/// Removes a sandbox.
///
/// # Errors
/// If it has work that was not pushed, and that is not to go.
pub async fn remove(home: &Home, clock: &Clock, name: SandboxId, authorized: Authorized) -> anyhow::Result<Response> {
    let force = authorized.body["force"] == true;
    let (home, clock) = (home.clone(), clock.child());
    apart(move || {
        let context = Context::new(home, Some(name.clone()), clock);
        if authorized.by.is_some() {
            let store = store::open(&context.home.sandbox(&name)?)?;
            if let Some(problem) = authorized.no_more(&store, moment::now().timestamp())? {
                return Ok(problem.response());
            }
        }
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
