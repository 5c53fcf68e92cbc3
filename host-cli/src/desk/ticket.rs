//! A call on its way to the desk. It can be called off until it is over.

use std::sync::{Arc, Mutex, MutexGuard};

use crate::sandbox::Clock;

/// The client's half and the desk's half of a call share one.
#[derive(Clone, Debug)]
pub struct Ticket(Arc<Mutex<Stage>>);

#[derive(Debug)]
enum Stage {
    /// It waits for its turn.
    Queued,
    /// It is being made, and polls this clock.
    Made(Clock),
    /// Nobody wants it any more, or it is over.
    Over,
}

impl Ticket {
    /// A call that waits for its turn.
    pub fn new() -> Ticket {
        Ticket(Arc::new(Mutex::new(Stage::Queued)))
    }

    /// Begins the call, which polls `clock`. False if it has been called off before.
    pub fn begin(&self, clock: Clock) -> bool {
        let mut stage = self.stage();
        let is_wanted = matches!(*stage, Stage::Queued);
        if is_wanted {
            *stage = Stage::Made(clock);
        }
        is_wanted
    }

    /// The call has ended. From now on its clock is not its own.
    pub fn end(&self) {
        *self.stage() = Stage::Over;
    }

    /// Nobody wants the call any more. One that waits is never made, and one that is being made ends
    /// without a change. A push that it is writing is finished, and those of other sandboxes are
    /// nothing to it.
    pub fn call_off(&self) {
        let mut stage = self.stage();
        match &*stage {
            Stage::Queued => *stage = Stage::Over,
            Stage::Made(clock) if !clock.is_landing() => clock.cancel(),
            Stage::Made(_) | Stage::Over => {}
        }
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.0.lock().expect("nothing panics while it is held")
    }
}

/// Calls a ticket off when it is dropped, as it is when a client goes away.
#[derive(Debug)]
pub struct WhileWanted(pub Ticket);

impl Drop for WhileWanted {
    fn drop(&mut self) {
        self.0.call_off();
    }
}

#[cfg(test)]
mod tests {
    use host::platform::{Phase, Platform};

    use super::*;
    use crate::platform::Native;

    #[test]
    fn a_call_that_waits_is_called_off_without_being_made() {
        let ticket = Ticket::new();
        ticket.call_off();
        assert!(!ticket.begin(Clock::default()));
    }

    #[test]
    fn a_call_that_is_made_is_cancelled_and_the_next_one_is_not() {
        let (ticket, clock) = (Ticket::new(), Clock::default());
        assert!(ticket.begin(clock.clone()));
        ticket.end();
        ticket.call_off();
        assert!(!clock.is_cancelled(), "it is over");
        let ticket = Ticket::new();
        assert!(ticket.begin(clock.clone()));
        drop(WhileWanted(ticket));
        assert!(clock.is_cancelled());
    }

    #[test]
    fn a_push_that_is_written_is_finished_and_keeps_no_call_elsewhere_from_being_called_off() {
        let process = Clock::default();
        let (pushing, elsewhere) = (process.child(), process.child());
        let landing = Native::new(pushing.clone()).during(Phase::Landing);
        let made = |clock: &Clock| {
            let ticket = Ticket::new();
            assert!(ticket.begin(clock.clone()));
            ticket
        };
        made(&pushing).call_off();
        made(&elsewhere).call_off();
        assert!(!pushing.is_cancelled() && elsewhere.is_cancelled());
        drop(landing);
        made(&pushing).call_off();
        assert!(pushing.is_cancelled(), "its push has landed");
    }
}
