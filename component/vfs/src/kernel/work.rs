//! Counted work, so that a long call can be stopped without asking a clock at every step.

use super::Kernel;
use crate::errno::Errno;

/// Units of work between two questions to the interrupt hook.
const PERIOD: u64 = 1000;
/// Bytes moved that count as one unit.
const UNIT: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct Work {
    done: u64,
    hook: Option<fn() -> bool>,
    interrupted: bool,
}

impl Kernel {
    /// Ask `hook` about once in a thousand units of work (a call is one, and so are 4 KiB moved)
    /// whether to stop. Once it says so, every call but closing fails with `ECANCELED`, until this
    /// function is called again.
    ///
    /// The hook runs inside the kernel: it must not use the filesystem.
    pub fn set_interrupt(&mut self, hook: Option<fn() -> bool>) {
        self.work = Work { done: 0, hook, interrupted: false };
    }

    /// Whether the hook has said to stop.
    pub fn interrupted(&self) -> bool {
        self.work.interrupted
    }

    /// Account for one call that moves so many bytes.
    pub(super) fn charge(&mut self, bytes: usize) -> Result<(), Errno> {
        self.work.done += 1 + (bytes / UNIT) as u64;
        if self.work.done >= PERIOD {
            self.work.done = 0;
            if self.work.hook.is_some_and(|hook| hook()) {
                self.work.interrupted = true;
            }
        }
        if self.work.interrupted { Err(Errno::Canceled) } else { Ok(()) }
    }
}
