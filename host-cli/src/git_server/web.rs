//! Sends requests over HTTPS, or to this machine itself over HTTP. The only file here that knows the HTTP library.
//!
//! Nothing repeats a request or follows a redirect.

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use gate::forge::{Method, Response};
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, USER_AGENT};
use http::uri::Uri;
use hyper::body::Incoming;
use hyper_rustls::{ConfigBuilderExt, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::proxy::{SocksV5, Tunnel};
use hyper_util::client::legacy::connect::{Connect, HttpConnector};
use hyper_util::client::legacy::{Client, Error};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use hyper_util::rt::TokioExecutor;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tokio::runtime::Runtime;

use super::place::Place;
use super::settings::Settings;
use crate::error::{ErrorKind, HostError, Result};
use crate::program::Environment;
use crate::sandbox::Clock;
use crate::wire::{Broken, Limits, Upload, Watch, broken, guard, is_loopback, read};

type Sending = Pin<Box<dyn Future<Output = std::result::Result<http::Response<Incoming>, Error>>>>;

/// A connection to one server, as git's configuration has it.
pub struct Line {
    send: Box<dyn Fn(http::Request<Upload>) -> Sending>,
    /// A header that the person's configuration adds to each request.
    extra: Option<(HeaderName, HeaderValue)>,
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
}

/// One request.
pub struct Sent<'a> {
    pub place: Place<'a>,
    pub url: Uri,
    pub method: Method,
    pub body: Option<Bytes>,
    pub moves: bool,
    /// Who asks, as far as the server may know.
    pub signed: Option<&'a HeaderValue>,
}

impl Line {
    /// A line to the server of `url`.
    ///
    /// # Errors
    /// Its settings make no sense, or name a proxy or certificates that cannot be used.
    pub fn new(url: &Uri, settings: &Settings, environment: &Environment) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| unprepared(&error.to_string()))?;
        let mut tcp = HttpConnector::new();
        tcp.set_nodelay(true);
        // The scheme is for the layer above.
        tcp.enforce_http(false);
        let send = if url.scheme_str() == Some("http") {
            over(tcp)
        } else {
            match proxy(url, settings, environment)? {
                None => over(protected(tcp, settings, environment)?),
                Some(Proxy::Tunnel(through)) => {
                    let mut tunnel = Tunnel::new(through.uri().clone(), tcp);
                    if let Some(auth) = through.basic_auth() {
                        tunnel = tunnel.with_auth(auth.clone());
                    }
                    over(protected(tunnel, settings, environment)?)
                }
                Some(Proxy::Socks(through, resolves)) => {
                    let mut socks = SocksV5::new(through.uri().clone(), tcp).local_dns(!resolves);
                    if let Some((name, password)) = through.raw_auth() {
                        socks = socks.with_auth(name.to_owned(), password.to_owned());
                    }
                    over(protected(socks, settings, environment)?)
                }
            }
        };
        // It may be a secret.
        let extra = if is_private(url) { extra(settings)? } else { None };
        Ok(Line { send, extra, runtime: Some(runtime) })
    }

    /// Whether the person's configuration signs requests in by itself.
    pub fn is_signed(&self) -> bool {
        self.extra.as_ref().is_some_and(|(name, _)| *name == AUTHORIZATION)
    }

    /// Sends a request once.
    ///
    /// # Errors
    /// [`ErrorKind::Interrupted`] if it was called off.
    pub fn send(&self, sent: Sent<'_>, limits: Limits, clock: &Clock) -> Result<std::result::Result<Response, Broken>> {
        let watch = Watch::new();
        let Sent { place, url, method, body, moves, signed } = sent;
        let mut head = http::Request::builder()
            .method(method.as_str())
            .uri(url)
            .header(USER_AGENT, concat!("git/2 gitgate/", env!("CARGO_PKG_VERSION")));
        if place.service == "git-upload-pack" {
            head = head.header("git-protocol", "version=2");
        }
        if body.is_some() {
            head = head
                .header(CONTENT_TYPE, format!("application/x-{}-request", place.service))
                .header(ACCEPT, format!("application/x-{}-result", place.service));
        }
        if let Some(signed) = signed {
            head = head.header(AUTHORIZATION, signed);
        }
        if let Some((name, value)) = &self.extra {
            head = head.header(name, value);
        }
        let body = Upload::new(body.unwrap_or_default(), Arc::clone(&watch));
        let request = head.body(body).expect("its parts are valid");
        let answer = async {
            let answer = (self.send)(request).await.map_err(|error| broken(&error))?;
            read(answer, &watch, limits.answer).await
        };
        let runtime = self.runtime.as_ref().expect("it is there until the drop");
        runtime.block_on(guard(clock, &watch, limits, moves, "the git server", answer))
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

/// Whether nobody on the way hears what goes to a server.
pub fn is_private(url: &Uri) -> bool {
    url.scheme_str() == Some("https") || url.host().is_some_and(is_loopback)
}

/// Requests on connections that `connector` makes. One is sent a second time only if it never began to be sent,
/// because the connection had been closed before.
fn over<C: Connect + Clone + Send + Sync + 'static>(connector: C) -> Box<dyn Fn(http::Request<Upload>) -> Sending> {
    let client = Client::builder(TokioExecutor::new()).build(connector);
    Box::new(move |request| Box::pin(client.request(request)))
}

/// TLS over what `inner` connects, by the system's certificates or those that git is told of.
fn protected<C>(inner: C, settings: &Settings, environment: &Environment) -> Result<hyper_rustls::HttpsConnector<C>> {
    let own = settings.get("sslcainfo").map(|file| home(file, environment));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| unprepared(&error.to_string()))?;
    let config = match own {
        Some(file) => {
            let roots = certificates(&file).map_err(|why| {
                HostError::new(ErrorKind::Usage, format!("http.sslCAInfo has no certificates: {why}"))
                    .hint("check the file that git's configuration names")
            })?;
            builder.with_root_certificates(roots).with_no_client_auth()
        }
        None => builder.with_native_roots().map_err(|error| unprepared(&error.to_string()))?.with_no_client_auth(),
    };
    Ok(HttpsConnectorBuilder::new().with_tls_config(config).https_only().enable_http1().wrap_connector(inner))
}

fn certificates(file: &Path) -> std::result::Result<rustls::RootCertStore, String> {
    let mut roots = rustls::RootCertStore::empty();
    let read = CertificateDer::pem_file_iter(file).map_err(|error| error.to_string())?;
    for certificate in read {
        roots.add(certificate.map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
    }
    if roots.is_empty() { Err("there are none in the file".to_owned()) } else { Ok(roots) }
}

/// git expands a `~` at the start of a path.
fn home(path: &str, environment: &Environment) -> std::path::PathBuf {
    match (path.strip_prefix("~/"), environment.home()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => path.into(),
    }
}

enum Proxy {
    Tunnel(Intercept),
    /// Whether the proxy looks names up.
    Socks(Intercept, bool),
}

/// The proxy for a server: git's configuration first, then the environment.
fn proxy(url: &Uri, settings: &Settings, environment: &Environment) -> Result<Option<Proxy>> {
    let first = |names: [&str; 2]| names.into_iter().find_map(|name| environment.text(name)).unwrap_or_default();
    let configured = match settings.get("proxy") {
        Some(proxy) => proxy,
        None if settings.is_emptied("proxy") => return Ok(None),
        None => match first(["https_proxy", "HTTPS_PROXY"]) {
            "" => first(["all_proxy", "ALL_PROXY"]),
            proxy => proxy,
        },
    };
    if configured.is_empty() {
        return Ok(None);
    }
    let matcher = Matcher::builder().all(configured).no(first(["no_proxy", "NO_PROXY"])).build();
    let Some(through) = matcher.intercept(url) else { return Ok(None) };
    match through.uri().scheme_str() {
        Some("http") => Ok(Some(Proxy::Tunnel(through))),
        Some(scheme @ ("socks5" | "socks5h")) => {
            let resolves = scheme == "socks5h";
            Ok(Some(Proxy::Socks(through, resolves)))
        }
        _ => Err(HostError::new(ErrorKind::Usage, "the proxy for git is of a kind that gitgate does not know")
            .hint("use one with http://, socks5:// or socks5h://")),
    }
}

/// The header that `http.extraHeader` adds. It may be a secret, so no error repeats it.
fn extra(settings: &Settings) -> Result<Option<(HeaderName, HeaderValue)>> {
    let Some(header) = settings.get("extraheader") else { return Ok(None) };
    let parsed = header.split_once(':').and_then(|(name, value)| {
        let mut value = HeaderValue::from_str(value.trim()).ok()?;
        value.set_sensitive(true);
        Some((name.trim().parse().ok()?, value))
    });
    let wrong = || HostError::new(ErrorKind::Usage, "http.extraHeader in git's configuration is not a header");
    parsed.map(Some).ok_or_else(wrong)
}

fn unprepared(why: &str) -> HostError {
    HostError::new(ErrorKind::Storage, format!("cannot prepare connections to git servers: {why}"))
        .hint("check that the system has its certificates, such as the package ca-certificates")
}
