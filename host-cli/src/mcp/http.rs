//! Clients over streamable HTTP, on a loopback address. Each sandbox has a path and a token of its
//! own: who has one reaches no other.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use api::{Advice, Site};
use bytes::Bytes;
use gate::hex;
use gate::id::SandboxId;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use super::message;
use super::server::Server;
use crate::error::{ErrorKind, HostError, Result};
use crate::limits;
use crate::listen::{self, Answer, head, whole};

/// The environment's variable with the token, where one sandbox is served.
pub const TOKEN: &str = "GITGATE_MCP_TOKEN";

const ADVICE: Advice = Advice {
    host: "let what brings requests here say localhost, 127.0.0.1 or [::1]",
    origin: "no page but those of this machine is a client: connect a program",
};

/// Bytes of the longest request.
const BODY: usize = 64 << 20;
/// How long a session lasts in which nothing is sent. Nothing may be while a call is made, waits
/// for the person, and is made again.
const IDLE: Duration = Duration::from_millis(limits::WAIT_SECONDS * 1000 + 2 * limits::CALL_MS)
    .saturating_add(SessionConfig::DEFAULT_KEEP_ALIVE);

/// Where a sandbox is served.
#[derive(Clone, Debug)]
pub struct Listening {
    /// The sandbox.
    pub sandbox: SandboxId,
    /// The address.
    pub url: String,
    /// What a client sends as its bearer token.
    pub token: String,
}

type Service = StreamableHttpService<Server, LocalSessionManager>;

/// The sandboxes by their paths.
type Routes = HashMap<String, Route>;

struct Route {
    /// The hash of the token, so that comparing tells nothing of it.
    token: [u8; 32],
    service: Service,
}

/// Serves until the process ends.
///
/// # Errors
/// If the address is not a loopback address, or cannot be had.
pub async fn serve(
    servers: Vec<(SandboxId, Server)>,
    address: SocketAddr,
    ended: CancellationToken,
    listening: impl FnOnce(&[Listening]) -> Result<()>,
) -> anyhow::Result<()> {
    if !address.ip().is_loopback() {
        return Err(HostError::new(ErrorKind::Usage, format!("{address} is not a loopback address"))
            .hint("serve on 127.0.0.1 or [::1], and let a tunnel that you trust bring others there")
            .into());
    }
    let given = std::env::var(TOKEN).ok().filter(|token| !token.is_empty());
    if given.is_some() && servers.len() > 1 {
        return Err(HostError::new(
            ErrorKind::Usage,
            format!("{TOKEN} is one token, and several sandboxes are served"),
        )
        .hint("unset it: each sandbox gets a token of its own")
        .into());
    }
    let (listener, address) = listen::bind(address).await?;
    let (mut routes, mut places) = (Routes::new(), Vec::new());
    for (sandbox, server) in servers {
        let token = given.clone().map_or_else(random, Ok)?;
        let path = format!("/mcp/{sandbox}");
        places.push(Listening { sandbox, url: format!("http://{address}{path}"), token: token.clone() });
        routes.insert(path, Route { token: hash(&token), service: service(server, ended.clone()) });
    }
    listening(&places)?;
    // A tunnel brings its users by the names of this machine.
    let served = Arc::new((Site::at(address.ip(), ADVICE), routes));
    let answer = move |request| {
        let served = Arc::clone(&served);
        async move {
            let (site, routes) = &*served;
            match site.admit(&head(&request)) {
                Ok(_) => route(routes, request).await,
                Err(problem) => whole(&problem.response()),
            }
        }
    };
    listen::serve(listener, ended, answer).await;
    Ok(())
}

fn service(server: Server, ended: CancellationToken) -> Service {
    let config = StreamableHttpServerConfig::default()
        // The site has looked at both. rmcp takes an authority whose port is no number for one without a port.
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_cancellation_token(ended)
        .with_max_request_body_bytes(BODY);
    StreamableHttpService::new(move || Ok(server.clone()), Arc::new(sessions()), config)
}

fn sessions() -> LocalSessionManager {
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(IDLE);
    sessions
}

async fn route(routes: &Routes, request: Request<Incoming>) -> Answer {
    // Who has no token learns nothing, not even which sandboxes there are.
    let token = request.headers().get(AUTHORIZATION).and_then(bearer).map(hash);
    match routes.get(request.uri().path()).filter(|route| token == Some(route.token)) {
        Some(Route { service, .. }) => handle(service, request).await,
        None => refused(),
    }
}

/// Lets rmcp answer. What it says in plain text to a body that is no message, a client would not find in its session.
async fn handle(service: &Service, request: Request<Incoming>) -> Answer {
    let (head, body) = request.into_parts();
    let body = match Limited::new(body, BODY).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => {
            return told(StatusCode::PAYLOAD_TOO_LARGE, &message::too_long(BODY));
        }
        Err(error) => return told(StatusCode::BAD_REQUEST, &message::broken_off(&*error)),
    };
    let answer = service.handle(Request::from_parts(head, Full::new(body.clone()))).await;
    if answer.status() != StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return answer;
    }
    // Its answer is the same to a message of another type of content.
    match message::read(&body) {
        Err(said) => told(StatusCode::BAD_REQUEST, &said),
        Ok(_) => answer,
    }
}

fn told(status: StatusCode, said: &Value) -> Answer {
    let mut response = Response::new(Full::new(Bytes::from(said.to_string())).boxed());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn refused() -> Answer {
    let text = "This address needs the sandbox's token: Authorization: Bearer TOKEN\n";
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

fn bearer(value: &HeaderValue) -> Option<&str> {
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

fn random() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| HostError::new(ErrorKind::Storage, format!("the system gives no randomness: {error}")))?;
    Ok(hex::encode(&bytes))
}

#[cfg(test)]
mod tests;
