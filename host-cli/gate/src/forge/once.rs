//! A request that may be sent again, and one that may not.

use std::time::Duration;

use super::{Fault, FaultKind, Response, Wire};

/// How often a request is sent that gets no answer or a 5xx.
const TRIES: u32 = 4;

/// What became of a request that must not be repeated blindly.
pub(crate) enum Once {
    /// The server's word on it.
    Answered(Response),
    /// The server may have acted on it, or may still do so.
    Unknown(Fault),
    /// Nothing was sent.
    Unreached(Fault),
}

/// Sends by `once` what can be repeated, whatever became of it. Who is not reached at first is not tried again: it is the name or the network.
pub(crate) async fn again(wire: &Wire, once: impl AsyncFn() -> Result<Once, Fault>) -> Result<Response, Fault> {
    let (mut pause, mut attempt) = (1, 0);
    loop {
        attempt += 1;
        match once().await? {
            Once::Answered(response) => return Ok(response),
            Once::Unknown(fault) if attempt == TRIES || fault.kind == FaultKind::TooLarge => return Err(fault),
            Once::Unreached(fault) if attempt == 1 || attempt == TRIES => return Err(fault),
            Once::Unknown(_) | Once::Unreached(_) => wire.sleep(Duration::from_secs(pause)).await,
        }
        pause *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forge::{Cut, Forge, Method, Poll, Request, Running};

    /// How often a request is sent that is always cut off: first so, then otherwise.
    fn sent(first: Cut, then: Cut) -> u32 {
        let mut running = Running::new(|wire| async move {
            let request =
                Request { forge: Forge::Git, method: Method::Get, path: String::new(), body: None, moves: false };
            let fault = || Fault::new(FaultKind::NoAnswer, "cut off");
            let once = async || {
                Ok(match wire.send(request.clone()).await {
                    Ok(response) => Once::Answered(response),
                    Err(Cut::Unreached) => Once::Unreached(fault()),
                    Err(_) => Once::Unknown(fault()),
                })
            };
            again(&wire, once).await.map(drop)
        });
        let (mut sent, mut came) = (0, None);
        loop {
            match running.poll(came.take()) {
                Ok(Poll::Send(_)) => {
                    came = Some(Err(if sent == 0 { first } else { then }));
                    sent += 1;
                }
                Ok(Poll::Sleep(_)) => {}
                Ok(Poll::Done(())) => unreachable!("it has no answer"),
                Err(_) => return sent,
            }
        }
    }

    #[test]
    fn who_is_not_reached_at_first_is_not_tried_again() {
        assert_eq!(sent(Cut::Unreached, Cut::Unreached), 1);
        assert_eq!(sent(Cut::Lost, Cut::Lost), TRIES);
        assert_eq!(sent(Cut::Lost, Cut::Unreached), TRIES);
    }
}
