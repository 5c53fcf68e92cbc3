//! Handles Ctrl-C and the signals that ask a process to end, without leaving critical work half
//! done.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use rustix::termios::{OptionalActions, Termios, tcsetattr};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::error::{ErrorKind, HostError, Result};
use crate::sandbox::Clock;

/// What the process is doing, as far as it matters for ending it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A tool is running. The first signal ends it in an orderly way, the second at once.
    Call,
    /// A push is being written. It is finished first, and nothing starts after it. Recovery could
    /// handle a crash, but avoiding one is better.
    Landing,
    /// An agent, or a pager or an editor of the person's, has the terminal, and its keys are meant for
    /// it. What is done for an agent meanwhile goes on, so nothing of it is left half done.
    Outside,
}

/// A signal is told on a thread of its own. One that an agent or an editor has ended by is still on its
/// way when that has ended, and is not meant for what comes after it.
const ON_ITS_WAY: Duration = Duration::from_millis(500);

/// How long the end of a push waits for that thread, which a busy machine lets run late.
const LONGEST: Duration = Duration::from_secs(2);

/// The exit code of a process that was interrupted, as shells have it.
pub const INTERRUPTED: u8 = 130;

const UNPOISONED: &str = "nothing panics while it is held";

/// How many threads are in each phase. In none, the process can end at any moment.
static PHASES: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];
/// Whether a signal came while a push was written.
static WAITING: AtomicBool = AtomicBool::new(false);
/// Whether a signal has come that was not told yet. The signal's own handler sets it, at once.
static CAME: OnceLock<Arc<AtomicBool>> = OnceLock::new();
/// When the terminal was last given back.
static BACK: Mutex<Option<Instant>> = Mutex::new(None);
static CLOCK: OnceLock<Clock> = OnceLock::new();
/// The clock that a signal ends in place of the process's.
static INSTEAD: Mutex<Option<Clock>> = Mutex::new(None);
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);
static TERMINAL: Mutex<Option<Former>> = Mutex::new(None);

/// A terminal, how it was before it got into raw mode, and what takes it out of it.
pub type Former = (File, Termios, &'static str);

/// Watches for signals from now on. `clock` is the clock that running calls poll.
pub fn watch(clock: Clock) -> Result<()> {
    if CLOCK.set(clock).is_err() {
        return Ok(());
    }
    ctrlc::set_handler(|| {
        let clock = ended_by_signals().expect("it is set before the handler");
        match phase() {
            _ if is_on_its_way(*BACK.lock().expect(UNPOISONED), Instant::now()) => {}
            Some(Phase::Landing) => WAITING.store(true, Ordering::SeqCst),
            Some(Phase::Outside) => {}
            Some(Phase::Call) if !clock.is_cancelled() => clock.cancel(),
            Some(Phase::Call) => clock.stop(),
            None => {
                if let Some(folder) = temporary(None) {
                    // Nobody is left to tell, and the folder is in the system's temporary folder.
                    let _ = std::fs::remove_dir_all(folder);
                }
                restore_terminal(None);
                std::process::exit(INTERRUPTED.into())
            }
        }
        if let Some(came) = CAME.get() {
            came.store(false, Ordering::SeqCst);
        }
    })
    .map_err(|error| unwatched(&error))?;
    let came = CAME.get_or_init(Arc::default);
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // It keeps the handler that is there.
        signal_hook::flag::register(signal, Arc::clone(came)).map_err(|error| unwatched(&error))?;
    }
    Ok(())
}

fn unwatched(error: &dyn std::error::Error) -> HostError {
    HostError::new(ErrorKind::Storage, format!("cannot watch for signals: {error}"))
}

/// Waits until a signal that has come was told, so that it is one of this phase and not of what comes after it.
fn await_told() {
    let Some(came) = CAME.get() else { return };
    let since = Instant::now();
    while came.load(Ordering::SeqCst) && since.elapsed() < LONGEST {
        std::thread::sleep(Duration::from_millis(1));
    }
    // One that was told before its handler had noted it would be waited for without end.
    came.store(false, Ordering::SeqCst);
}

/// Sets the folder to remove if the process is interrupted, and returns the previous one.
pub fn temporary(folder: Option<PathBuf>) -> Option<PathBuf> {
    std::mem::replace(&mut TEMPORARY.lock().expect(UNPOISONED), folder)
}

/// Sets the terminal to restore if the process is interrupted, and restores the previous one.
pub fn restore_terminal(next: Option<Former>) {
    let former = std::mem::replace(&mut *TERMINAL.lock().expect(UNPOISONED), next);
    if let Some((mut terminal, mode, leave)) = former {
        // A terminal that is gone needs nothing.
        let _ = terminal.write_all(leave.as_bytes());
        let _ = tcsetattr(&terminal, OptionalActions::Now, &mode);
    }
}

/// Enters the phase until the guard is dropped.
pub fn during(phase: Phase) -> During {
    PHASES[phase as usize].fetch_add(1, Ordering::SeqCst);
    During(phase)
}

/// The clock that a signal ends.
fn ended_by_signals() -> Option<Clock> {
    INSTEAD.lock().expect(UNPOISONED).clone().or_else(|| CLOCK.get().cloned())
}

/// Lets a signal end this clock and not the process's, until the guard is dropped: what goes on in one line of a shell, and not the shell.
pub fn instead(clock: Clock) -> Instead {
    *INSTEAD.lock().expect(UNPOISONED) = Some(clock);
    Instead(())
}

/// A signal ends the process's clock again when this is dropped.
#[derive(Debug)]
pub struct Instead(());

impl Drop for Instead {
    fn drop(&mut self) {
        *INSTEAD.lock().expect(UNPOISONED) = None;
    }
}

/// Whether a signal that is told now may be of the time before the terminal was given `back`.
fn is_on_its_way(back: Option<Instant>, now: Instant) -> bool {
    back.is_some_and(|back| now.duration_since(back) < ON_ITS_WAY)
}

/// What matters most of what the process is doing.
fn phase() -> Option<Phase> {
    most(has)
}

fn most(has: impl Fn(&Phase) -> bool) -> Option<Phase> {
    [Phase::Outside, Phase::Landing, Phase::Call].into_iter().find(has)
}

fn has(phase: &Phase) -> bool {
    PHASES[*phase as usize].load(Ordering::SeqCst) > 0
}

/// Whether a push is being written, by whichever thread.
pub fn is_landing() -> bool {
    has(&Phase::Landing)
}

/// Leaves the phase when dropped.
#[derive(Debug)]
pub struct During(Phase);

impl Drop for During {
    fn drop(&mut self) {
        if self.0 == Phase::Outside {
            *BACK.lock().expect(UNPOISONED) = Some(Instant::now());
        }
        if self.0 == Phase::Landing {
            await_told();
        }
        PHASES[self.0 as usize].fetch_sub(1, Ordering::SeqCst);
        if !is_landing()
            && WAITING.swap(false, Ordering::SeqCst)
            && let Some(clock) = ended_by_signals()
        {
            clock.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_an_agents_while_it_has_the_terminal_whatever_is_done_for_it() {
        assert_eq!(most(|_| true), Some(Phase::Outside));
        assert_eq!(most(|phase| *phase != Phase::Outside), Some(Phase::Landing));
        assert_eq!(most(|phase| *phase == Phase::Call), Some(Phase::Call));
        assert_eq!(most(|_| false), None);
    }

    #[test]
    fn a_signal_that_is_told_late_is_still_the_agents() {
        let back = Instant::now();
        assert!(is_on_its_way(Some(back), back));
        assert!(is_on_its_way(Some(back), back + ON_ITS_WAY / 2));
        assert!(!is_on_its_way(Some(back), back + ON_ITS_WAY));
        assert!(!is_on_its_way(None, back));
    }
}
