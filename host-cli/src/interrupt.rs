//! Ctrl-C and the signals that ask a process to end: never in the middle of what must not be left half done.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::error::{ErrorKind, HostError, Result};
use crate::sandbox::Clock;

/// What the process is doing, as far as it matters to someone who wants it to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// Nothing that could not be left at any moment.
    Anything = 0,
    /// A tool runs: the first signal ends it in an orderly way, the second at once.
    Call = 1,
    /// A push is being written: it is finished first, and nothing is begun after it. A crash would be made good at the next
    /// start, but there is no need for one.
    Landing = 2,
}

/// The exit code of a process that was interrupted, as shells have it.
pub const INTERRUPTED: u8 = 130;

static PHASE: AtomicU8 = AtomicU8::new(Phase::Anything as u8);
/// Whether a signal came while a push was written.
static WAITING: AtomicBool = AtomicBool::new(false);
static CLOCK: OnceLock<Clock> = OnceLock::new();
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Watches for signals from now on; `clock` is the one that running calls look at.
pub fn watch(clock: Clock) -> Result<()> {
    if CLOCK.set(clock).is_err() {
        return Ok(());
    }
    ctrlc::set_handler(|| {
        let clock = CLOCK.get().expect("it is set before the handler");
        match PHASE.load(Ordering::SeqCst) {
            phase if phase == Phase::Call as u8 && !clock.is_cancelled() => clock.cancel(),
            phase if phase == Phase::Call as u8 => clock.stop(),
            phase if phase == Phase::Landing as u8 => WAITING.store(true, Ordering::SeqCst),
            _ => {
                if let Some(folder) = temporary(None) {
                    // Nobody is left to be told, and it is in the system's folder for what may be lost.
                    let _ = std::fs::remove_dir_all(folder);
                }
                std::process::exit(INTERRUPTED.into())
            }
        }
    })
    .map_err(|error| HostError::new(ErrorKind::Storage, format!("cannot watch for signals: {error}")))
}

/// Names the folder that nobody needs once the process is called off, and gives the one that was named before.
pub fn temporary(folder: Option<PathBuf>) -> Option<PathBuf> {
    std::mem::replace(&mut TEMPORARY.lock().expect("nothing panics while it is held"), folder)
}

/// Says what the process is doing until the guard is dropped.
pub fn during(phase: Phase) -> During {
    During(PHASE.swap(phase as u8, Ordering::SeqCst))
}

/// Puts the former phase back when it is dropped.
#[derive(Debug)]
pub struct During(u8);

impl Drop for During {
    fn drop(&mut self) {
        PHASE.store(self.0, Ordering::SeqCst);
        if self.0 != Phase::Landing as u8
            && WAITING.swap(false, Ordering::SeqCst)
            && let Some(clock) = CLOCK.get()
        {
            clock.cancel();
        }
    }
}
