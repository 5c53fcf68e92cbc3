//! How long a request may take, and who calls it off.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use gate::forge::Cut;

use super::Watch;
use crate::error::{ErrorKind, HostError, Result};
use crate::sandbox::Clock;

/// How often limits and a person who calls it off are looked at.
const TICK: Duration = Duration::from_millis(20);

/// What a request is held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest time in which nothing goes over the wire, connecting included.
    pub silence: Duration,
    /// The longest time that a request and its answer take.
    pub whole: Duration,
    /// Bytes of an answer's body.
    pub answer: usize,
}

/// Why there is no answer, and in words of whoever noticed.
#[derive(Debug)]
pub struct Broken(pub Cut, pub String);

/// Plays `work` to its end, within the limits. A person can call it off, unless it `moves` a branch. `server` is what
/// is asked.
///
/// # Errors
/// [`ErrorKind::Interrupted`] if it was called off.
pub async fn guard<T>(
    clock: &Clock,
    watch: &Watch,
    limits: Limits,
    moves: bool,
    server: &str,
    work: impl Future<Output = std::result::Result<T, Broken>>,
) -> Result<std::result::Result<T, Broken>> {
    let mut work = pin!(work);
    loop {
        if let Ok(done) = tokio::time::timeout(TICK, work.as_mut()).await {
            return Ok(done);
        }
        if clock.is_cancelled() && !moves {
            return Err(HostError::new(ErrorKind::Interrupted, format!("interrupted while {server} was asked")));
        }
        if watch.silence() > limits.silence || watch.passed() > limits.whole {
            return Ok(Err(Broken(Cut::Lost, "it took too long".to_owned())));
        }
    }
}
