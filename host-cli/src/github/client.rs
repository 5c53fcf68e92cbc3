//! Sends requests. The only file that knows octocrab.
//!
//! octocrab is used by its raw routes, on a connection that is made here: nothing repeats a request,
//! follows a redirect or logs one. What is known of a failure is kept as one line for a person,
//! without the token.

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use gate::forge::{Cut, Request, Response};
use http::header::{ACCEPT, CONTENT_TYPE, HeaderValue, USER_AGENT};
use http::uri::{Scheme, Uri};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::connect::{Connect, HttpConnector};
use hyper_util::rt::TokioExecutor;
use octocrab::service::middleware::{base_uri::BaseUriLayer, extra_headers::ExtraHeadersLayer};
use octocrab::{AuthState, OctoBody, Octocrab, OctocrabBuilder};
use tokio::runtime::Runtime;

use super::base::Base;
use super::environment::Environment;
use super::token::Token;
use crate::error::{ErrorKind, HostError, Result};
use crate::sandbox::Clock;
use crate::screen;
use crate::wire::{Broken, Limits, Upload, Watch, broken, guard, read, root};

/// What a request to GitHub is held to.
pub const LIMITS: Limits =
    Limits { silence: Duration::from_secs(30), whole: Duration::from_secs(600), answer: 64 << 20 };

/// A connection to GitHub's API in the person's name.
///
/// It is made by the first request, so that a command that needs no GitHub looks for no token and
/// starts nothing. It blocks, and must not be used from within an asynchronous task.
pub struct Client {
    clock: Clock,
    environment: Environment,
    limits: Limits,
    line: OnceCell<Line>,
    /// Why the last request had no answer.
    why: RefCell<Option<String>>,
}

/// What is there once something is sent.
struct Line {
    base: Base,
    token: Token,
    crab: Octocrab,
    limits: Limits,
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
}

impl Client {
    /// A client with this process's settings, which `clock` calls off.
    pub fn new(clock: Clock) -> Self {
        Client::with(clock, Environment::of_process(), LIMITS)
    }

    /// A client with other settings and limits.
    pub fn with(clock: Clock, environment: Environment, limits: Limits) -> Self {
        Client { clock, environment, limits, line: OnceCell::new(), why: RefCell::new(None) }
    }

    /// Finds the token and the server without sending anything.
    ///
    /// # Errors
    /// There is no token, or the settings make no sense.
    pub fn ensure_ready(&self) -> Result<()> {
        self.line().map(drop)
    }

    /// Sends `request` once, whatever comes of it, and follows no redirect.
    ///
    /// A person who calls it off ends the request, unless it `moves` a branch: then nobody would
    /// know what became of it, so its answer is waited for, within the limits.
    ///
    /// # Errors
    /// [`ErrorKind::Interrupted`] if it was called off: nothing was sent if it `moves`. Any other
    /// kind if there is no token or the settings make no sense, and nothing was sent.
    pub fn send(&self, request: &Request) -> Result<Result<Response, Cut>> {
        self.why.replace(None);
        let _landing = request.moves.then(|| self.clock.landing());
        self.clock.ensure_wanted()?;
        let line = self.line()?;
        let path = line.base.path(&request.path).ok_or_else(|| {
            HostError::new(ErrorKind::Refused, format!("'{}' is no path at GitHub", screen::line(&request.path)))
        })?;
        let watch = Watch::new();
        // A path alone: octocrab adds the server to it, and gives the token to no address that
        // names its server.
        let mut head = http::Request::builder()
            .method(request.method.as_str())
            .uri(Uri::from(path))
            .header(ACCEPT, "application/vnd.github+json");
        let body = match &request.body {
            Some(body) => {
                head = head.header(CONTENT_TYPE, "application/json");
                OctoBody::new(Upload::new(body.clone(), Arc::clone(&watch)))
            }
            None => OctoBody::empty(),
        };
        let sent = head.body(body).expect("its parts are valid");
        let answer = answer(&line.crab, sent, &watch, line.limits.answer);
        let done = line.runtime().block_on(guard(&self.clock, &watch, line.limits, request.moves, "GitHub", answer))?;
        Ok(done.map_err(|Broken(cut, why)| {
            let why = screen::line(&line.token.redact(&why));
            tracing::debug!("no answer to {} {}: {why}", request.method.as_str(), request.path);
            self.why.replace(Some(why));
            cut
        }))
    }

    /// Why the last request had no answer, if it had none, safe to show in one line.
    pub fn why(&self) -> Option<String> {
        self.why.borrow().clone()
    }

    /// Waits.
    ///
    /// # Errors
    /// [`ErrorKind::Interrupted`] as soon as it is called off.
    pub fn sleep(&self, duration: Duration) -> Result<()> {
        self.clock.sleep(duration)
    }

    fn line(&self) -> Result<&Line> {
        if let Some(line) = self.line.get() {
            return Ok(line);
        }
        let base = Base::of(&self.environment)?;
        let silence = self.environment.silence()?.unwrap_or(self.limits.silence);
        let token = Token::find(&self.environment, &base, &self.clock)?;
        let line = Line::new(base, token, Limits { silence, ..self.limits })?;
        Ok(self.line.get_or_init(|| line))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Line {
    fn new(base: Base, token: Token, limits: Limits) -> Result<Self> {
        let failed = |error: &dyn std::error::Error| {
            let why = screen::line(&token.redact(&root(error)));
            HostError::new(ErrorKind::Storage, format!("cannot prepare connections to GitHub: {why}"))
                .hint("check that the system has its certificates, such as the package ca-certificates")
        };
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
        // octocrab starts a task of its own.
        let entered = runtime.enter();
        let crab = crab(&base, &token).map_err(|error| failed(&error))?;
        drop(entered);
        Ok(Line { base, token, crab, limits, runtime: Some(runtime) })
    }

    fn runtime(&self) -> &Runtime {
        self.runtime.as_ref().expect("it is there until the drop")
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        // A name that is being looked up cannot be called off, and nobody waits for it any more.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// octocrab for one server, over TLS unless that is this machine itself.
fn crab(base: &Base, token: &Token) -> io::Result<Octocrab> {
    let mut tcp = HttpConnector::new();
    tcp.set_nodelay(true);
    if base.server().scheme() == Some(&Scheme::HTTP) {
        return Ok(on(tcp, base, token));
    }
    // The scheme is for the layer above.
    tcp.enforce_http(false);
    let tls = HttpsConnectorBuilder::new().with_native_roots()?.https_only().enable_http1();
    Ok(on(tls.wrap_connector(tcp), base, token))
}

/// octocrab on connections that `connector` makes.
///
/// hyper sends a request a second time only if it never began to send it, because the connection
/// had been closed before.
fn on<C: Connect + Clone + Send + Sync + 'static>(connector: C, base: &Base, token: &Token) -> Octocrab {
    let client = hyper_util::client::legacy::Client::builder(TokioExecutor::new()).build(connector);
    let named = [(USER_AGENT, HeaderValue::from_static(concat!("gitgate/", env!("CARGO_PKG_VERSION"))))];
    // Of the ways to give octocrab a token, this is the one that marks the header as sensitive, and
    // sets it only where a request names no server.
    let auth = AuthState::AccessToken { token: token.expose().into() };
    let Ok(crab) = OctocrabBuilder::new_empty()
        .with_service(client)
        .with_layer(&ExtraHeadersLayer::new(Arc::new(named.into())))
        .with_layer(&BaseUriLayer::new(base.server().clone()))
        .with_auth(auth)
        .build();
    crab
}

/// Sends `request` and reads the whole answer, with at most `limit` bytes of body.
async fn answer(
    crab: &Octocrab,
    request: http::Request<OctoBody>,
    watch: &Watch,
    limit: usize,
) -> Result<Response, Broken> {
    let answer = crab.execute(request).await.map_err(|error| broken(&error))?;
    read(answer, watch, limit).await
}
