//! Exchanges with a server, which halt a call at every request.

use std::any::Any;

use gate::forge::{Cut, Exchange, Fault, FaultKind, Poll, Request, Response};

use crate::answer::call::suspend::{Given, Halt, Halting, Need};
use crate::error::{HostError, Result};

/// The exchange that is under way, if one is, and what came back.
#[derive(Default)]
pub(crate) struct Exchanges {
    open: Option<Box<dyn Any>>,
    came: Option<Result<Response, Cut>>,
    /// Why the last request had no answer, if the body knows. A name that cannot be found, or a certificate that is
    /// not trusted, is for the person to mend.
    why: Option<String>,
    failed: Option<HostError>,
}

impl Exchanges {
    /// Takes what the last step needed. An answer of a person is no server's.
    pub(crate) fn take(&mut self, given: Given) {
        match given {
            Given::Http(came) => (self.came, self.why) = (Some(came), None),
            Given::Cut(cut, why) => (self.came, self.why) = (Some(Err(cut)), Some(why)),
            Given::Slept => self.came = None,
            Given::Failed(error) => self.failed = Some(error),
            Given::Answer(_) => {}
        }
    }

    /// Whether an exchange is under way.
    pub(crate) fn is_under_way(&self) -> bool {
        self.open.is_some()
    }

    /// Goes on with the exchange under way, or else with the one that `begin` gives.
    pub(crate) fn go_on<E: Exchange + 'static>(&mut self, begin: impl FnOnce() -> E) -> Halting<Result<E::Out, Fault>> {
        let mut exchange = match self.open.take().map(Box::<dyn Any>::downcast) {
            Some(Ok(exchange)) => exchange,
            _ => Box::new(begin()),
        };
        let gone_on = self.drive(&mut *exchange, |_| Ok(()));
        if let Err(Halt::Need(_)) = gone_on {
            self.open = Some(exchange);
        }
        gone_on
    }

    fn with_reason(&mut self, mut fault: Fault) -> Fault {
        if let (FaultKind::NoAnswer, Some(why)) = (&fault.kind, self.why.take()) {
            fault.message = format!("{}: {why}", fault.message);
        }
        fault
    }

    /// Goes on with `exchange`. `before` is told of each request before it can be sent.
    pub(crate) fn drive<E: Exchange>(
        &mut self,
        exchange: &mut E,
        before: impl FnOnce(&Request) -> Result<()>,
    ) -> Halting<Result<E::Out, Fault>> {
        if let Some(error) = self.failed.take() {
            return Err(error.into());
        }
        match exchange.poll(self.came.take()) {
            Ok(Poll::Send(request)) => {
                before(&request)?;
                Err(Need::Http(request).into())
            }
            Ok(Poll::Sleep(time)) => Err(Need::Sleep(time).into()),
            Ok(Poll::Done(out)) => Ok(Ok(out)),
            Err(fault) => Ok(Err(self.with_reason(fault))),
        }
    }
}
