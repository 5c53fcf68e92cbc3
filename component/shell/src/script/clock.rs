//! The time that a script sleeps. It passes for the script, and nobody waits for it.

use std::cell::{Cell, RefCell};

use super::turns::Turns;

/// A nanosecond is its unit.
pub const SECOND: u64 = 1_000_000_000;
/// Later than everything.
pub const NEVER: u64 = u64::MAX;

/// How long a script has slept, and who sleeps.
#[derive(Debug, Default)]
pub struct Clock {
    slept: Cell<u64>,
    /// When those who sleep wake up.
    wakes: RefCell<Vec<u64>>,
}

impl Clock {
    /// Nanoseconds that were slept since the script began.
    pub fn slept(&self) -> u64 {
        self.slept.get()
    }

    /// Sleeps until then. The others go on meanwhile.
    pub async fn sleep(&self, turns: &Turns, until: u64) {
        if until <= self.slept() {
            return;
        }
        self.wakes.borrow_mut().push(until);
        turns.made();
        while self.slept() < until {
            turns.others().await;
        }
    }

    /// Goes on to when the next one wakes up, if anybody ever does.
    pub fn pass(&self) -> Option<u64> {
        let now = self.slept();
        let mut wakes = self.wakes.borrow_mut();
        wakes.retain(|wake| *wake > now);
        let next = *wakes.iter().min()?;
        self.slept.set(next);
        Some(next)
    }
}
