//! Counts work, so that a long call can be stopped without reading a clock at every step.

use std::cell::Cell;

use super::Kernel;
use crate::errno::Errno;

/// Units of work between two questions to the interrupt hook.
const PERIOD: u64 = 1000;
/// This many moved bytes count as one unit.
const UNIT: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct Work {
    done: Cell<u64>,
    hook: Option<fn() -> bool>,
    interrupted: bool,
}

impl Kernel {
    /// Asks `hook` about once in a thousand units of work whether to stop. A call is a unit, and so are 4 KiB moved, and each name passed
    /// along a path or up to the root. Once the hook says stop, every call but closing fails with `ECANCELED`, until the next call of this
    /// function.
    ///
    /// The hook runs inside the kernel, so it must not use the filesystem.
    pub fn set_interrupt(&mut self, hook: Option<fn() -> bool>) {
        self.work = Work { done: Cell::new(0), hook, interrupted: false };
    }

    /// Whether the hook said stop.
    pub fn interrupted(&self) -> bool {
        self.work.interrupted
    }

    /// Counts units of work within a call. The next call asks whether to stop.
    pub(super) fn pass(&self, units: u64) {
        self.work.done.update(|done| done.saturating_add(units));
    }

    /// Counts one call that moves this many bytes.
    pub(super) fn charge(&mut self, bytes: usize) -> Result<(), Errno> {
        self.pass(1 + (bytes / UNIT) as u64);
        if self.work.done.get() >= PERIOD {
            self.work.done.set(0);
            if self.work.hook.is_some_and(|hook| hook()) {
                self.work.interrupted = true;
            }
        }
        if self.work.interrupted { Err(Errno::Canceled) } else { Ok(()) }
    }
}
