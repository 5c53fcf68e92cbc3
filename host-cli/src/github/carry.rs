//! Plays an exchange to its end.

use gate::forge::{Exchange, Fault, FaultKind, Poll};

use super::Client;
use crate::error::Result;

/// Sends and waits as `exchange` says, until it is over. The inner error is the exchange's own.
///
/// # Errors
/// What [`Client::send`] and [`Client::sleep`] fail with. The exchange is given up then.
pub fn carry<E: Exchange>(client: &Client, mut exchange: E) -> Result<Result<E::Out, Fault>> {
    let mut last = None;
    loop {
        match exchange.poll(last.take()) {
            Ok(Poll::Send(request)) => last = Some(client.send(&request)?),
            Ok(Poll::Sleep(duration)) => client.sleep(duration)?,
            Ok(Poll::Done(out)) => return Ok(Ok(out)),
            Err(fault) => return Ok(Err(with_reason(fault, client))),
        }
    }
}

/// The gate knows only that there was no answer. A name that cannot be found, or a certificate that
/// is not trusted, is for the person to mend.
fn with_reason(mut fault: Fault, client: &Client) -> Fault {
    if let (FaultKind::NoAnswer, Some(why)) = (&fault.kind, client.why()) {
        fault.message = format!("{}: {why}", fault.message);
    }
    fault
}
