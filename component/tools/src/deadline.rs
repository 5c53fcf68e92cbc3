//! Stops a call in time.
//!
//! A tool polls in every loop over objects, files or lines. Polling is cheap: it reads the clock once in about a thousand units. The
//! start of the call fixes the deadline. A host cancels with a clock that jumps past it.

use std::cell::Cell;
use std::ops::ControlFlow;

use crate::error::{ErrorKind, Timeout, ToolError};

/// Units of work between two looks at the clock.
const UNITS_PER_LOOK: u32 = 1024;

/// Units of work for scanning this many bytes: zero for a short line.
pub fn units(bytes: usize) -> u32 {
    u32::try_from(bytes / 64).unwrap_or(u32::MAX - 1)
}

/// The end of a call's time.
#[derive(Clone)]
pub struct Deadline {
    clock: fn() -> u64,
    at: u64,
    allowed_ms: u64,
    until_look: Cell<u32>,
    over: Cell<bool>,
}

impl Deadline {
    /// A deadline `nanos` nanoseconds after the current time of `clock`.
    pub fn after(clock: fn() -> u64, nanos: u64) -> Deadline {
        Deadline {
            clock,
            at: clock().saturating_add(nanos),
            allowed_ms: nanos / 1_000_000,
            until_look: Cell::new(UNITS_PER_LOOK),
            over: Cell::new(false),
        }
    }

    /// Moves the deadline to `ms` milliseconds from now if that is earlier.
    pub fn shorten(&mut self, ms: u64) {
        let at = (self.clock)().saturating_add(ms.saturating_mul(1_000_000));
        if at < self.at {
            self.at = at;
            self.allowed_ms = ms;
        }
    }

    /// Counts `units` more units of work, and returns whether the time is over.
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

    /// As [`passed`](Self::passed), for loops in libraries.
    pub fn flow(&self, units: u32) -> ControlFlow<()> {
        if self.passed(units) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Counts one more unit of work, and fails if the time is over.
    pub fn poll(&self) -> Result<(), ToolError> {
        self.poll_units(1)
    }

    /// As [`poll`](Self::poll), for a step worth `units` of work.
    pub fn poll_units(&self, units: u32) -> Result<(), ToolError> {
        if self.passed(units) { Err(self.timeout(String::new())) } else { Ok(()) }
    }

    /// Looks at the clock now, and returns whether the time is over.
    pub fn is_over(&self) -> bool {
        self.passed(UNITS_PER_LOOK)
    }

    /// The deadline in the clock's nanoseconds.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// The timeout error, with the text produced so far. Dispatch adds the tool's name.
    pub fn timeout(&self, partial: String) -> ToolError {
        let ms = self.allowed_ms;
        ToolError::new(ErrorKind::Timeout(Timeout { ms, partial }), format!("timed out after {ms}ms"))
    }
}
