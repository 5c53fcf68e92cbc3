//! HTTP at an address: connections, and the requests that come by them.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::{HeaderName, HeaderValue};
use http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Frame, Incoming, SizeHint};
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

/// A request without its body, as the interface has it.
pub fn head(request: &Request<Incoming>) -> api::Request {
    // What is no text says nothing, but is there.
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let headers = request.headers().iter().map(|(name, value)| (name.as_str().to_owned(), text(value)));
    api::Request::new(request.method().as_str().to_owned(), request.uri().path().to_owned(), headers)
        .with_query(request.uri().query().unwrap_or_default())
}

/// An answer that has come whole.
pub fn whole(response: &api::Response) -> Answer {
    written(response, Parts(response.body.parts().iter().filter(|part| !part.is_empty()).cloned().collect()).boxed())
}

/// A body that is there, in parts.
struct Parts(VecDeque<Bytes>);

impl Body for Parts {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop_front().map(|part| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.iter().map(|part| part.len() as u64).sum())
    }
}

/// An answer with a body that may go on.
pub fn written(response: &api::Response, body: BoxBody<Bytes, Infallible>) -> Answer {
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
