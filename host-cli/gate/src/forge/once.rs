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
}

/// Sends by `once` what can be repeated, whatever became of it.
pub(crate) async fn again(wire: &Wire, once: impl AsyncFn() -> Result<Once, Fault>) -> Result<Response, Fault> {
    let (mut pause, mut attempt) = (1, 0);
    loop {
        attempt += 1;
        match once().await? {
            Once::Answered(response) => return Ok(response),
            Once::Unknown(fault) if attempt == TRIES || fault.kind == FaultKind::TooLarge => return Err(fault),
            Once::Unknown(_) => wire.sleep(Duration::from_secs(pause)).await,
        }
        pause *= 2;
    }
}
