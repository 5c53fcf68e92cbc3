//! Stops long loops in time: they ask regularly whether to go on.

use std::fmt;
use std::ops::ControlFlow;

/// How many units (lines, similarity estimates) pass between two questions.
const UNITS_PER_QUESTION: usize = 4096;

/// The [`Deadline`] stopped the work. An output buffer keeps what was written before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// A question that loops ask every few thousand lines. Break to stop them with [`Interrupted`].
///
/// The caller keeps its state (a clock, a counter) in a `Cell`. At most some thousand lines pass
/// between two questions, except during the search of the line diff itself, which cannot be
/// stopped. By git's heuristics that search is linear for all but the most entangled inputs.
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
    /// Units left until the next question.
    left: usize,
}

impl Ticker<'_> {
    /// Counts one more unit.
    pub(crate) fn tick(&mut self) -> Result<(), Interrupted> {
        self.tick_by(1)
    }

    /// Counts as many units.
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
