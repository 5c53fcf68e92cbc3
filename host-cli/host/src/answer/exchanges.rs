//! Exchanges with a server, which halt a call at every request.

use std::any::Any;

use gate::github::{Cut, Exchange, Fault, Poll, Request, Response};

use super::turn::{Halt, Halting, Need};
use crate::error::{HostError, Result};

/// The exchange that is under way, if one is, and what came back.
#[derive(Default)]
pub(super) struct Exchanges {
    open: Option<Box<dyn Any>>,
    came: Option<Result<Response, Cut>>,
    failed: Option<HostError>,
}

impl Exchanges {
    /// Takes the answer to the last request, or `None` after a pause.
    pub(super) fn give(&mut self, came: Option<Result<Response, Cut>>) {
        self.came = came;
    }

    /// Takes the reason why the last request cannot be sent at all.
    pub(super) fn fail(&mut self, error: HostError) {
        self.failed = Some(error);
    }

    /// Goes on with the exchange under way, or else with the one that `begin` gives.
    pub(super) fn go_on<E: Exchange + 'static>(&mut self, begin: impl FnOnce() -> E) -> Halting<Result<E::Out, Fault>> {
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

    /// Goes on with `exchange`. `before` is told of each request before it can be sent.
    pub(super) fn drive<E: Exchange>(
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
                Err(Halt::Need(Need::Http(request)))
            }
            Ok(Poll::Sleep(time)) => Err(Halt::Need(Need::Sleep(time))),
            Ok(Poll::Done(out)) => Ok(Ok(out)),
            Err(fault) => Ok(Err(fault)),
        }
    }
}
