//! Stopping in time.
//!
//! A tool polls in every loop over objects, files or lines. Polling is cheap: the clock is read once in some thousand units. The moment of
//! the deadline is fixed when the call begins; a host cancels by a clock that jumps past it.

use std::cell::Cell;
use std::ops::ControlFlow;

use crate::error::{ErrorKind, ToolError};

/// How many units of work go by between two looks at the clock.
const UNITS_PER_LOOK: u32 = 1024;

/// Units of work that looking through so many bytes is worth: none for a short line.
pub fn units(bytes: usize) -> u32 {
    u32::try_from(bytes / 64).unwrap_or(u32::MAX - 1)
}

/// The end of a call's time.
pub struct Deadline {
    clock: fn() -> u64,
    at: u64,
    allowed_ms: u64,
    until_look: Cell<u32>,
    over: Cell<bool>,
}

impl Deadline {
    /// A deadline `nanos` from what `clock` says now, in nanoseconds.
    pub fn after(clock: fn() -> u64, nanos: u64) -> Deadline {
        Deadline {
            clock,
            at: clock().saturating_add(nanos),
            allowed_ms: nanos / 1_000_000,
            until_look: Cell::new(UNITS_PER_LOOK),
            over: Cell::new(false),
        }
    }

    /// A deadline no later than this one and at most `ms` milliseconds from now.
    pub fn shorten(&mut self, ms: u64) {
        let at = (self.clock)().saturating_add(ms.saturating_mul(1_000_000));
        if at < self.at {
            self.at = at;
            self.allowed_ms = ms;
        }
    }

    /// Whether the time is over, having done `units` more units of work.
    pub fn passed(&self, units: u32) -> bool {
        let left = self.until_look.get();
        if units < left {
            self.until_look.set(left - units);
        } else {
            self.until_look.set(UNITS_PER_LOOK);
            if (self.clock)() >= self.at {
                self.over.set(true);
            }
        }
        self.over.get()
    }

    /// As [`passed`](Self::passed), for loops that are not the tools' own.
    pub fn flow(&self, units: u32) -> ControlFlow<()> {
        if self.passed(units) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// One more unit of work: goes on, or is over.
    pub fn poll(&self) -> Result<(), ToolError> {
        self.poll_units(1)
    }

    /// As [`poll`](Self::poll), for a step that did `units` at once.
    pub fn poll_units(&self, units: u32) -> Result<(), ToolError> {
        if self.passed(units) { Err(self.timeout(String::new())) } else { Ok(()) }
    }

    /// Whether the time is over, by a look at the clock.
    pub fn is_over(&self) -> bool {
        self.passed(UNITS_PER_LOOK)
    }

    /// The moment of the deadline, on its clock.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// The error to end with, and the text as far as it had come. Whose time it was, dispatch says.
    pub fn timeout(&self, partial: String) -> ToolError {
        let ms = self.allowed_ms;
        ToolError::new(ErrorKind::Timeout { ms, partial }, format!("timed out after {ms}ms"))
    }
}
