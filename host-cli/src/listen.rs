//! HTTP at an address: connections, and the requests that come by them.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::combinators::BoxBody;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::error::{ErrorKind, HostError, Result};

/// What a request is answered with.
pub type Answer = Response<BoxBody<Bytes, Infallible>>;

/// The time in which a client has to send a request's head.
const HEAD: Duration = Duration::from_secs(30);

/// Takes the address, and says which it is: the system may have chosen the port.
///
/// # Errors
/// If it cannot be had.
pub async fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr)> {
    let refused = |error: std::io::Error| {
        HostError::new(ErrorKind::Usage, format!("cannot listen on {address}: {error}"))
            .hint("choose another port, or 0, with which the system chooses one")
    };
    let listener = TcpListener::bind(address).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    Ok((listener, address))
}

/// Answers requests until `ended`.
pub async fn serve<F>(
    listener: TcpListener,
    ended: CancellationToken,
    answer: impl Fn(Request<Incoming>) -> F + Clone + Send + 'static,
) where
    F: Future<Output = Answer> + Send + 'static,
{
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => drop(tokio::spawn(connection(stream, answer.clone()))),
                Err(error) => tracing::debug!("a connection is not accepted: {error}"),
            },
            () = ended.cancelled() => return,
        }
    }
}

async fn connection<F: Future<Output = Answer> + Send>(
    stream: TcpStream,
    answer: impl Fn(Request<Incoming>) -> F + Send,
) {
    let answer = service_fn(move |request| {
        let answered = answer(request);
        async move { Ok::<_, Infallible>(answered.await) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    if let Err(error) = http.serve_connection(TokioIo::new(stream), answer).await {
        tracing::debug!("a connection ended: {error}");
    }
}
