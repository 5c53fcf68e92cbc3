//! From a request to its answer.

use std::rc::Rc;
use std::time::Duration;

use api::{Authorized, DESCRIPTION, Doing, Operation, Operator, Permit, Problem, Refusal, Routed};
use bytes::Bytes;
use gate::id::SandboxId;
use http::header::{ALLOW, AUTHORIZATION, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue};
use http::header::{WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS};
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::directory;
use super::reach::Reach;
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
/// The most requests that are worked on. More are turned away.
const MOST: usize = 256;

/// Answers requests.
#[derive(Debug)]
pub struct Office {
    rooms: Rooms,
    operator: Operator,
    places: Semaphore,
}

impl Office {
    /// An office for these sandboxes.
    pub fn new(rooms: Rooms, operator: Operator) -> Self {
        Office { rooms, operator, places: Semaphore::new(MOST) }
    }

    /// Answers a request, whatever it is.
    pub async fn answer(&self, request: Request<Incoming>) -> Answer {
        written(self.asked(request).await.unwrap_or_else(|problem| problem.response()))
    }

    async fn asked(&self, request: Request<Incoming>) -> Result<api::Response, Problem> {
        let routed = api::route(head(&request))?;
        let permit = authorize(routed, self.operator, &self.rooms.home).await??;
        let too_many = || Problem::refused(Refusal::TooMany, "too many requests are worked on", "try again later");
        let _place = self.places.try_acquire().map_err(|_| too_many())?;
        let authorized = permit.admit(&body(request).await?)?;
        self.done(authorized).await.map_err(|error| of_error(&error))
    }

    async fn done(&self, authorized: Authorized) -> anyhow::Result<api::Response> {
        let Rooms { home, clock, .. } = &self.rooms;
        match (authorized.operation, authorized.sandbox.clone()) {
            (Operation::Describe, _) => Ok(api::Response::of(200, "application/json", DESCRIPTION.as_bytes().to_vec())),
            (Operation::ListSandboxes, _) => directory::list(home),
            (Operation::CreateSandbox, _) => directory::create(home, clock, authorized).await,
            (Operation::DeleteSandbox, Some(name)) => {
                self.rooms.close(&name);
                directory::remove(home, clock, name, &authorized).await
            }
            (_, Some(name)) => {
                let desk = self.rooms.desk(&name).await?;
                // A client that goes away drops this, and with it calls off what is not made yet.
                let never = CancellationToken::new();
                let work = move |context: &Context, sandbox: &mut Sandbox| {
                    let policy = Rc::new(context.policy(sandbox)?);
                    let mut doing = Doing::begin(&authorized, sandbox, policy);
                    let targets = sandbox.file.targets.clone();
                    let servers = Reach { servers: &*context.servers, targets: &targets };
                    Ok(turns::answer_request(sandbox, &mut doing, &servers))
                };
                desk.run(&never, work).await
            }
            (_, None) => Err(HostError::new(ErrorKind::Usage, "the operation names no sandbox").into()),
        }
    }
}

fn head(request: &Request<Incoming>) -> api::Request {
    let header =
        |name: HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    api::Request {
        method: request.method().as_str().to_owned(),
        path: request.uri().path().to_owned(),
        authorization: header(AUTHORIZATION),
        content_type: header(CONTENT_TYPE),
        content_encoding: header(CONTENT_ENCODING),
    }
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
fn store_of(home: &Home, name: &SandboxId) -> Result<Option<store::Store>> {
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

fn written(response: api::Response) -> Answer {
    let asks_for_token = response.asks_for_token();
    let api::Response { status, content_type, allow, body } = response;
    let mut answer = Response::new(Full::new(body.into()).boxed());
    *answer.status_mut() = StatusCode::from_u16(status).expect("the interface has only statuses that there are");
    let headers = answer.headers_mut();
    // What is answered is for whoever asked.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Some(content_type) = content_type {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    if let Some(allow) = allow.and_then(|allow| HeaderValue::from_str(&allow).ok()) {
        headers.insert(ALLOW, allow);
    }
    if asks_for_token {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    answer
}
