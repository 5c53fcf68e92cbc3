//! The only thing the component imports: a clock, which the host can push past any deadline.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::error::{ErrorKind, HostError, Result};

/// Nanoseconds beyond any call's time.
const FAR: u64 = 1 << 60;

/// How often somebody who waits looks whether they were called off.
const TICK: Duration = Duration::from_millis(20);

/// A monotonic clock with two ways to end a call. Pushing it forward ends the running call in an
/// orderly way, and a switch stops it by force. Both last for the rest of the process, because a
/// clock does not go back.
#[derive(Clone, Debug)]
pub struct Clock(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    start: Instant,
    /// True if it does not move by itself.
    is_fake: bool,
    cancelled: AtomicBool,
    stopped: AtomicBool,
    /// How many pushes are being written by calls that poll this clock.
    landings: AtomicUsize,
    /// The clock whose end is this one's too.
    parent: Option<Clock>,
}

impl Default for Clock {
    fn default() -> Self {
        Clock::new(false, None)
    }
}

impl Clock {
    fn new(is_fake: bool, parent: Option<Clock>) -> Clock {
        Clock(Arc::new(Shared {
            start: Instant::now(),
            is_fake,
            cancelled: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            landings: AtomicUsize::new(0),
            parent,
        }))
    }

    /// A clock on which no time passes. Only cancelling or stopping ends a call.
    #[cfg(test)]
    pub fn fake() -> Clock {
        Clock::new(true, None)
    }

    /// Waits.
    ///
    /// # Errors
    /// [`ErrorKind::Interrupted`] as soon as it is called off.
    pub fn sleep(&self, duration: Duration) -> Result<()> {
        let start = Instant::now();
        loop {
            self.ensure_wanted()?;
            match duration.saturating_sub(start.elapsed()) {
                Duration::ZERO => return Ok(()),
                left => std::thread::sleep(left.min(TICK)),
            }
        }
    }

    /// A clock that ends with this one, and that can be ended by itself: for calls of which each can
    /// be called off.
    pub fn child(&self) -> Clock {
        Clock::new(self.0.is_fake, Some(self.clone()))
    }

    fn any(&self, is: impl Fn(&Shared) -> bool + Copy) -> bool {
        is(&self.0) || self.0.parent.as_ref().is_some_and(|parent| parent.any(is))
    }

    /// Nanoseconds since this clock was created, or past every deadline once it is cancelled.
    pub fn now(&self) -> u64 {
        let passed = match self.0.is_fake {
            true => 0,
            false => u64::try_from(self.0.start.elapsed().as_nanos()).unwrap_or(u64::MAX),
        };
        passed.saturating_add(if self.is_cancelled() { FAR } else { 0 })
    }

    /// Ends the running call when it next reads the clock. The call changes nothing.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// True if it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.any(|shared| shared.cancelled.load(Ordering::Relaxed))
    }

    /// Fails if it was cancelled. Nothing new may start then.
    pub fn ensure_wanted(&self) -> Result<()> {
        if self.is_cancelled() {
            return Err(HostError::new(ErrorKind::Interrupted, "interrupted; nothing has changed"));
        }
        Ok(())
    }

    /// Ends the running call even if it does not read the clock. Its instance is lost.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// A push is being written by a call that polls this clock, until the guard is dropped.
    pub fn landing(&self) -> Landing {
        self.0.landings.fetch_add(1, Ordering::SeqCst);
        Landing(self.clone())
    }

    /// True if a call that polls this clock, and no relative of it, is writing a push.
    pub fn is_landing(&self) -> bool {
        self.0.landings.load(Ordering::SeqCst) > 0
    }

    /// True if it was stopped.
    pub fn is_stopped(&self) -> bool {
        self.any(|shared| shared.stopped.load(Ordering::Relaxed))
    }
}

/// A push that is being written, until this is dropped.
#[derive(Debug)]
pub struct Landing(Clock);

impl Drop for Landing {
    fn drop(&mut self) {
        self.0.0.landings.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_clock_is_past_every_deadline_and_does_not_go_back() {
        let clock = Clock::default();
        let before = clock.now();
        let longest_call = 600_000 * 1_000_000;
        clock.clone().cancel();
        let after = clock.now();
        assert!(after > before + longest_call);
        assert!(clock.now() >= after);
        assert!(clock.is_cancelled() && !clock.is_stopped());
    }

    #[test]
    fn a_clock_ends_with_its_parent_and_not_with_a_sibling() {
        let process = Clock::default();
        let (first, second) = (process.child(), process.child());
        first.cancel();
        assert!(first.is_cancelled() && !second.is_cancelled() && !process.is_cancelled());
        process.stop();
        assert!(second.is_stopped() && second.child().is_stopped());
    }
}
