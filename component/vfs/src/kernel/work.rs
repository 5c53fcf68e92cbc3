//! Counted work, so that a long call can be stopped without asking a clock at every step.

use std::cell::Cell;

use super::Kernel;
use crate::errno::Errno;

/// Units of work between two questions to the interrupt hook.
const PERIOD: u64 = 1000;
/// Bytes moved that count as one unit.
const UNIT: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct Work {
    done: Cell<u64>,
    hook: Option<fn() -> bool>,
    interrupted: bool,
}

impl Kernel {
    /// Ask `hook` about once in a thousand units of work (a call is one, and so are 4 KiB moved, and
    /// a name passed on the way along a path or up to the root) whether to stop. Once it says so, every call but closing fails with `ECANCELED`, until this
    /// function is called again.
    ///
    /// The hook runs inside the kernel: it must not use the filesystem.
    pub fn set_interrupt(&mut self, hook: Option<fn() -> bool>) {
        self.work = Work { done: Cell::new(0), hook, interrupted: false };
    }

    /// Whether the hook has said to stop.
    pub fn interrupted(&self) -> bool {
        self.work.interrupted
    }

    /// Account for so many units of work in the course of a call: whether to stop is asked at the next one.
    pub(super) fn pass(&self, units: u64) {
        self.work.done.update(|done| done.saturating_add(units));
    }

    /// Account for one call that moves so many bytes.
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
