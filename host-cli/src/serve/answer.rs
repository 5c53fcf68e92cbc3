//! From a request to its answer.

use std::convert::Infallible;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use api::{
    Authorized, DESCRIPTION, Doing, LONGEST_BODY, Listening, Operation, Operator, Permit, Plan, Problem, Refusal,
    Routed, Share, Shares, Site,
};
use bytes::Bytes;
use gate::id::SandboxId;
use http::Request;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Incoming};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::directory;
use super::events;
use super::rooms::Rooms;
use crate::command::Context;
use crate::error::{ErrorKind, HostError, Result};
use crate::home::Home;
use crate::listen::{Answer, head, whole, written};
use crate::sandbox::Sandbox;
use crate::{driver, moment, screen, store};

/// The time in which a client has to send a body.
const SENDING: Duration = Duration::from_secs(60);

/// Answers requests.
#[derive(Debug)]
pub struct Office {
    rooms: Arc<Rooms>,
    operator: Operator,
    site: Site,
    shares: Shares,
}

impl Office {
    /// An office for these sandboxes.
    pub fn new(rooms: Rooms, operator: Operator, site: Site) -> Self {
        Office { rooms: Arc::new(rooms), operator, site, shares: Shares::new(&Plan::SERVER) }
    }

    /// Answers a request, whatever it is.
    pub async fn answer(&self, request: Request<Incoming>) -> Answer {
        let head = head(&request);
        let origin = match self.site.admit(&head) {
            Ok(origin) => origin,
            Err(problem) => return whole(&problem.response().for_client(&head)),
        };
        let said = self.asked(&head, request).await.unwrap_or_else(|problem| Said::Whole(problem.response()));
        match said {
            Said::Whole(response) => whole(&response.for_client(&head).with_origin(origin)),
            Said::GoesOn(response, events) => written(&response.with_origin(origin), events),
        }
    }

    async fn asked(&self, head: &api::Request, request: Request<Incoming>) -> Result<Said, Problem> {
        if let Some(response) = api::preflight(head) {
            return Ok(Said::Whole(response));
        }
        let permit = authorize(api::route(head)?, self.operator, &self.rooms.home).await??;
        let body = self.shares.body(&permit.holder, request.body().size_hint().exact())?;
        let bytes = read(request).await?;
        // They take memory, in one form or another, until this is answered.
        let _bytes = body.has_come(bytes.len() as u64);
        let authorized = permit.admit(&bytes)?;
        drop(bytes);
        if authorized.operation == Operation::Listen {
            let share = self.shares.listener(&authorized.holder)?;
            return Ok(self.goes_on(Listening::response(), Listening::new(authorized), share));
        }
        let _place = self.shares.place(&authorized.holder, authorized.operation)?;
        let by = authorized.without_body();
        let mut response = self.done(authorized).await.map_err(|error| of_error(&error))?;
        let Some(rest) = response.rest.take() else { return Ok(Said::Whole(response)) };
        let listening = Listening::to_rest(by, rest);
        Ok(match self.shares.listener(listening.holder()) {
            Ok(share) => self.goes_on(response, listening, share),
            Err(problem) => Said::Whole(listening.at_once(response, &problem)),
        })
    }

    /// An answer that goes on for as long as there may be something to tell.
    fn goes_on(&self, mut response: api::Response, listening: Listening, share: Share) -> Said {
        let first = std::mem::take(&mut response.body).whole();
        Said::GoesOn(response, events::of(Arc::clone(&self.rooms), listening, first, share).boxed())
    }

    async fn done(&self, authorized: Authorized) -> anyhow::Result<api::Response> {
        let Rooms { home, clock, .. } = &*self.rooms;
        match (authorized.operation, authorized.sandbox.clone()) {
            (Operation::Describe, _) => Ok(api::Response::of(200, "application/json", DESCRIPTION.as_bytes().to_vec())),
            (Operation::ListSandboxes, _) => directory::list(home),
            (Operation::CreateSandbox, _) => directory::create(home, clock, authorized).await,
            (Operation::ForkSandbox, Some(name)) => directory::fork(home, clock, name, authorized).await,
            (Operation::DeleteSandbox, Some(name)) => {
                self.rooms.close(&name);
                directory::remove(home, clock, name, authorized).await
            }
            (_, Some(name)) => {
                let desk = self.rooms.desk(&name).await?;
                // A client that goes away drops this, and with it calls off what is not made yet.
                let never = CancellationToken::new();
                let work = move |context: &Context, sandbox: &mut Sandbox| {
                    let policy = Rc::new(context.policy(sandbox)?);
                    let mut doing = Doing::begin(&authorized, sandbox, policy);
                    Ok(driver::answer_request(sandbox, &mut doing, &*context.servers))
                };
                desk.run(&never, work).await
            }
            (_, None) => Err(HostError::new(ErrorKind::Usage, "the operation names no sandbox").into()),
        }
    }
}

type Events = BoxBody<Bytes, Infallible>;

/// What is answered.
enum Said {
    Whole(api::Response),
    GoesOn(api::Response, Events),
}

/// Reads the body, whole.
async fn read(request: Request<Incoming>) -> Result<Bytes, Problem> {
    match timeout(SENDING, Limited::new(request.into_body(), LONGEST_BODY as usize).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let detail = format!("the body has more than {} MiB", LONGEST_BODY >> 20);
            Err(Problem::refused(Refusal::TooLarge, detail, "send less at a time"))
        }
        Ok(Err(error)) => {
            let detail = format!("the body does not come to its end: {error}");
            Err(Problem::refused(Refusal::BadRequest, detail, "send it again"))
        }
        Err(_) => {
            let detail = format!("the body has not come within {} seconds", SENDING.as_secs());
            Err(Problem::refused(Refusal::BadRequest, detail, "send it faster, or less of it"))
        }
    }
}

/// Looks whether it may be done. That reads files, and needs no turn at a desk.
async fn authorize(routed: Routed, operator: Operator, home: &Home) -> Result<Result<Permit, Problem>, Problem> {
    let home = home.clone();
    let look = move || {
        let store = routed.sandbox.as_ref().map(|name| store_of(&home, name)).transpose()?.flatten();
        api::authorize(routed, operator, store.as_ref(), moment::now().timestamp())
    };
    let looked = tokio::task::spawn_blocking(look).await.map_err(|error| of_error(&error.into()))?;
    looked.map_err(|error| of_error(&error.into()))
}

/// The store of a sandbox. `None` if there is none of that name.
pub(super) fn store_of(home: &Home, name: &SandboxId) -> Result<Option<store::Store>> {
    match home.sandbox(name) {
        Ok(folder) => store::open(&folder).map(Some),
        Err(error) if error.kind == ErrorKind::NoSuchSandbox => Ok(None),
        Err(error) => Err(error),
    }
}

fn of_error(error: &anyhow::Error) -> Problem {
    let unknown = || HostError::new(ErrorKind::Component, format!("{error:#}"));
    let known = error.downcast_ref::<HostError>().cloned().unwrap_or_else(unknown);
    Problem::of(&known, screen::hint::words)
}
