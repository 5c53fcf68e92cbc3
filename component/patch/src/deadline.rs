//! Stopping in time: long loops ask now and then whether to go on.

use std::fmt;
use std::ops::ControlFlow;

/// How many units (lines, similarity estimates) pass between two questions.
const UNITS_PER_QUESTION: usize = 4096;

/// The work was stopped by its [`Deadline`]. What was written to an output buffer so far stays there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// A question asked every few thousand lines: break to stop with [`Interrupted`].
///
/// The caller keeps what it needs (a clock, a counter) in a `Cell`. Between two questions lie at most
/// some thousand lines, except in the search of the line diff itself, which is not cut: it is linear
/// for all but the most entangled inputs, by the same heuristics as git's.
#[derive(Clone, Copy, Default)]
pub struct Deadline<'a>(Option<&'a dyn Fn() -> ControlFlow<()>>);

impl<'a> Deadline<'a> {
    /// Never stops.
    pub fn none() -> Self {
        Self(None)
    }

    /// Stops when `poll` breaks.
    pub fn new(poll: &'a dyn Fn() -> ControlFlow<()>) -> Self {
        Self(Some(poll))
    }

    /// Asks now.
    ///
    /// # Errors
    /// [`Interrupted`], if the answer is to stop.
    pub fn check(&self) -> Result<(), Interrupted> {
        match self.0.map(|poll| poll()) {
            Some(ControlFlow::Break(())) => Err(Interrupted),
            Some(ControlFlow::Continue(())) | None => Ok(()),
        }
    }

    /// A counter for one loop.
    pub(crate) fn ticker(self) -> Ticker<'a> {
        Ticker { deadline: self, left: 0 }
    }
}

impl fmt::Debug for Deadline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Deadline(..)" } else { "Deadline(none)" })
    }
}

/// Counts the units of one loop and asks the deadline at the first and every few thousand.
pub(crate) struct Ticker<'a> {
    deadline: Deadline<'a>,
    /// How many units may pass before the next question.
    left: usize,
}

impl Ticker<'_> {
    /// One more unit.
    pub(crate) fn tick(&mut self) -> Result<(), Interrupted> {
        self.tick_by(1)
    }

    /// Work as long as so many units.
    pub(crate) fn tick_by(&mut self, units: usize) -> Result<(), Interrupted> {
        if let Some(left) = self.left.checked_sub(units) {
            self.left = left;
            return Ok(());
        }
        self.left = UNITS_PER_QUESTION - 1;
        self.deadline.check()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_ticker_asks_at_the_first_unit_and_every_few_thousand() {
        let asked = Cell::new(0);
        let poll = || {
            asked.set(asked.get() + 1);
            ControlFlow::Continue(())
        };
        let mut ticker = Deadline::new(&poll).ticker();
        for _ in 0..=UNITS_PER_QUESTION {
            ticker.tick().expect("the poll never breaks");
        }
        assert_eq!(asked.get(), 2);
    }

    #[test]
    fn long_work_is_asked_about_at_once() {
        let asked = Cell::new(0);
        let poll = || {
            asked.set(asked.get() + 1);
            ControlFlow::Continue(())
        };
        let mut ticker = Deadline::new(&poll).ticker();
        for units in [usize::MAX, UNITS_PER_QUESTION - 1, 1, UNITS_PER_QUESTION] {
            ticker.tick_by(units).expect("the poll never breaks");
        }
        assert_eq!(asked.get(), 3);
    }

    #[test]
    fn a_break_is_an_error() {
        let stop = || ControlFlow::Break(());
        assert_eq!(Deadline::new(&stop).check(), Err(Interrupted));
        assert_eq!(Deadline::none().check(), Ok(()));
    }
}
