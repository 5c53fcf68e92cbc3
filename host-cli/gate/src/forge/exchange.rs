//! An exchange with a server as a value that somebody else drives.
//!
//! Each exchange is written as one `async` function over a [`Wire`], which the compiler turns into
//! the state machine. There is no executor: a step runs when the host polls, until the next
//! request or pause is due.

use std::{
    cell::RefCell,
    future::{Future, poll_fn},
    pin::Pin,
    rc::Rc,
    task::{Context, Waker},
    time::Duration,
};

use bytes::Bytes;

use super::{Fault, FaultKind, Forge, date};

/// A conversation with a server. The host sends, waits, and hands back what came.
pub trait Exchange {
    /// What it ends with.
    type Out;

    /// Goes on until the next thing to do. `last` is the answer to the request that the former
    /// call returned, and `None` at the start and after a pause. If an answer is due and none is
    /// given, it counts as lost.
    ///
    /// # Errors
    /// Whatever ends the exchange early. Then, and after [`Poll::Done`], it is over.
    fn poll(&mut self, last: Option<Result<Response, Cut>>) -> Result<Poll<Self::Out>, Fault>;
}

impl<E: Exchange + ?Sized> Exchange for Box<E> {
    type Out = E::Out;

    fn poll(&mut self, last: Option<Result<Response, Cut>>) -> Result<Poll<E::Out>, Fault> {
        (**self).poll(last)
    }
}

impl<E: Exchange + ?Sized> Exchange for &mut E {
    type Out = E::Out;

    fn poll(&mut self, last: Option<Result<Response, Cut>>) -> Result<Poll<E::Out>, Fault> {
        (**self).poll(last)
    }
}

/// What the host does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Poll<T> {
    /// Send this, and poll with its answer.
    Send(Request),
    /// Wait that long, then poll with `None`.
    Sleep(Duration),
    /// It is over.
    Done(T),
}

/// What a request does to a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Method {
    Get,
    Post,
    Patch,
}

impl Method {
    /// The word in an HTTP request.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Patch => "PATCH",
        }
    }
}

/// A request, to which the host adds what the forge's server is called, the token, and the headers that
/// the forge wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Whose server it is for.
    pub forge: Forge,
    /// What it does.
    pub method: Method,
    /// Path and query as the forge counts them, such as relative to the base of its API, percent-encoded,
    /// starting with `/`.
    pub path: String,
    /// What is sent with it, in the forge's own form.
    pub body: Option<Bytes>,
    /// The request may move a branch. The host records durably, before it sends it, that and when
    /// it does: [`Server::settle`](super::Server::settle) needs that after a crash.
    pub moves: bool,
}

/// An answer with any status. The host follows no redirect and repeats nothing by itself. A page,
/// which sees of a redirect only that there is one, gives it as a 301 without a location.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The headers that matter.
    pub headers: Headers,
    /// The body, decompressed.
    pub body: Bytes,
}

/// Headers by name. A page sees only those that the server exposes to it, so all may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Headers {
    pub retry_after: Option<String>,
    pub x_ratelimit_remaining: Option<String>,
    pub x_ratelimit_reset: Option<String>,
    pub date: Option<String>,
    pub location: Option<String>,
    pub link: Option<String>,
}

impl Headers {
    /// For how long the server asks to be left alone. Both moments of a date are the server's own, so that no
    /// clock of the host's plays a part.
    pub(crate) fn retry_after_seconds(&self) -> Option<u64> {
        let value = self.retry_after.as_deref()?.trim();
        let until = || date::of_http(value)?.checked_sub(date::of_http(self.date.as_deref()?)?)?.try_into().ok();
        value.parse().ok().or_else(until)
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// There was no connection: the request was not sent.
    Unreached,
    /// The connection failed or took too long. The server may have acted on the request.
    Lost,
    /// The answer is larger than the host takes. The server has acted on the request.
    TooBig,
}

/// What an exchange waits for.
enum Need {
    Send(Request),
    Sleep(Duration),
}

#[derive(Default)]
struct Slot {
    need: Option<Need>,
    answer: Option<Result<Response, Cut>>,
}

/// The inner end of an exchange.
#[derive(Clone, Default)]
pub(crate) struct Wire(Rc<RefCell<Slot>>);

impl Wire {
    pub async fn send(&self, request: Request) -> Result<Response, Cut> {
        self.wait(Need::Send(request)).await;
        self.0.borrow_mut().answer.take().unwrap_or(Err(Cut::Lost))
    }

    pub async fn sleep(&self, duration: Duration) {
        self.wait(Need::Sleep(duration)).await;
    }

    async fn wait(&self, need: Need) {
        self.0.borrow_mut().need = Some(need);
        let mut is_polled_again = false;
        poll_fn(|_| match std::mem::replace(&mut is_polled_again, true) {
            true => std::task::Poll::Ready(()),
            false => std::task::Poll::Pending,
        })
        .await;
    }
}

type Steps<T> = Pin<Box<dyn Future<Output = Result<T, Fault>>>>;

/// The outer end of an exchange.
pub(crate) struct Running<T> {
    wire: Wire,
    /// `None` once it is over.
    steps: Option<Steps<T>>,
}

impl<T> Running<T> {
    pub fn new<F>(steps: impl FnOnce(Wire) -> F) -> Self
    where
        F: Future<Output = Result<T, Fault>> + 'static,
    {
        let wire = Wire::default();
        Running { steps: Some(Box::pin(steps(wire.clone()))), wire }
    }

    pub fn poll(&mut self, last: Option<Result<Response, Cut>>) -> Result<Poll<T>, Fault> {
        let Some(steps) = &mut self.steps else {
            return Err(Fault::new(FaultKind::Over, "the exchange is over"));
        };
        self.wire.0.borrow_mut().answer = last;
        match steps.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            std::task::Poll::Pending => {
                let need = self.wire.0.borrow_mut().need.take();
                match need.expect("the steps wait for nothing but the wire") {
                    Need::Send(request) => Ok(Poll::Send(request)),
                    Need::Sleep(duration) => Ok(Poll::Sleep(duration)),
                }
            }
            std::task::Poll::Ready(done) => {
                self.steps = None;
                done.map(Poll::Done)
            }
        }
    }
}

/// Makes a tuple struct of a [`Running`] an exchange.
macro_rules! exchange {
    ($name:ident => $out:ty) => {
        impl $crate::forge::Exchange for $name {
            type Out = $out;

            fn poll(
                &mut self,
                last: Option<Result<$crate::forge::Response, $crate::forge::Cut>>,
            ) -> Result<$crate::forge::Poll<$out>, $crate::forge::Fault> {
                self.0.poll(last)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use exchange;
