//! From a request to its answer.

use std::convert::Infallible;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use api::{Authorized, DESCRIPTION, Doing, Listening, Operation, Operator, Permit, Problem, Refusal, Routed};
use bytes::Bytes;
use gate::id::SandboxId;
use http::header::{HeaderName, HeaderValue};
use http::{Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::directory;
use super::events;
use super::rooms::Rooms;
use crate::command::Context;
use crate::error::{ErrorKind, HostError, Result};
use crate::home::Home;
use crate::listen::Answer;
use crate::sandbox::Sandbox;
use crate::{moment, screen, store, turns};

/// Bytes of the longest body.
const BODY: usize = 16 << 20;
/// The time in which a client has to send one.
const SENDING: Duration = Duration::from_secs(60);
/// The most requests that are worked on, and the most that listen. More are turned away.
const MOST: usize = 256;

/// Answers requests.
#[derive(Debug)]
pub struct Office {
    rooms: Rooms,
    operator: Operator,
    places: Semaphore,
    listeners: Arc<Semaphore>,
}

impl Office {
    /// An office for these sandboxes.
    pub fn new(rooms: Rooms, operator: Operator) -> Self {
        Office { rooms, operator, places: Semaphore::new(MOST), listeners: Arc::new(Semaphore::new(MOST)) }
    }

    /// Answers a request, whatever it is.
    pub async fn answer(&self, request: Request<Incoming>) -> Answer {
        self.asked(request).await.unwrap_or_else(|problem| whole(&problem.response()))
    }

    async fn asked(&self, request: Request<Incoming>) -> Result<Answer, Problem> {
        let head = head(&request);
        if let Some(response) = api::preflight(&head) {
            return Ok(whole(&response));
        }
        let routed = api::route(&head)?;
        let permit = authorize(routed, self.operator, &self.rooms.home).await??;
        let too_many = || Problem::refused(Refusal::TooMany, "too many requests are worked on", "try again later");
        let _place = self.places.try_acquire().map_err(|_| too_many())?;
        let authorized = permit.admit(&body(request).await?)?;
        if authorized.operation == Operation::Listen {
            return self.listener(authorized);
        }
        let done = self.done(authorized).await;
        Ok(whole(&done.map_err(|error| of_error(&error))?))
    }

    /// An answer that goes on as long as there may be something to tell.
    fn listener(&self, authorized: Authorized) -> Result<Answer, Problem> {
        let too_many = || Problem::refused(Refusal::TooMany, "too many are listening", "try again later");
        let place = Arc::clone(&self.listeners).try_acquire_owned().map_err(|_| too_many())?;
        let name = authorized.sandbox.clone().expect("what is listened to is a sandbox");
        let events = events::of(self.rooms.home.clone(), name, Listening::new(authorized), place);
        Ok(written(&Listening::response(), events.boxed()))
    }

    async fn done(&self, authorized: Authorized) -> anyhow::Result<api::Response> {
        let Rooms { home, clock, .. } = &self.rooms;
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
                    Ok(turns::answer_request(sandbox, &mut doing, &*context.servers))
                };
                desk.run(&never, work).await
            }
            (_, None) => Err(HostError::new(ErrorKind::Usage, "the operation names no sandbox").into()),
        }
    }
}

fn head(request: &Request<Incoming>) -> api::Request {
    // What is no text says nothing, but is there.
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let headers = request.headers().iter().map(|(name, value)| (name.as_str().to_owned(), text(value)));
    api::Request::new(request.method().as_str().to_owned(), request.uri().path().to_owned(), headers)
}

/// Reads the body, whole.
async fn body(request: Request<Incoming>) -> Result<Bytes, Problem> {
    match timeout(SENDING, Limited::new(request.into_body(), BODY).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let detail = format!("the body has more than {} MiB", BODY >> 20);
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

fn whole(response: &api::Response) -> Answer {
    written(response, Full::new(Bytes::copy_from_slice(&response.body)).boxed())
}

fn written(response: &api::Response, body: BoxBody<Bytes, Infallible>) -> Answer {
    let mut answer = Response::new(body);
    *answer.status_mut() =
        StatusCode::from_u16(response.status).expect("the interface has only statuses that there are");
    let headers = response.headers().into_iter().map(|(name, value)| {
        // Methods and types are all that they say.
        let value = HeaderValue::from_str(value).expect("no header has a line of its own");
        (HeaderName::from_static(name), value)
    });
    answer.headers_mut().extend(headers);
    answer
}
