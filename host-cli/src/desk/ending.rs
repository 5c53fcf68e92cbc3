//! How a server ends: one desk's end is every desk's, and no process ends in the middle of a push.

use std::convert::Infallible;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use tokio::runtime::Builder;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::interrupt;

/// The time that calls have to end which nobody waits for any more. One may be waiting for another
/// process that uses its sandbox.
const MOMENT: Duration = Duration::from_secs(2);

/// What the desks of a server have in common.
#[derive(Debug)]
pub struct Desks {
    opener: Opener,
    closed: Receiver<Infallible>,
}

/// What is needed to open another desk.
#[derive(Clone, Debug)]
pub struct Opener {
    ended: CancellationToken,
    open: Sender<Infallible>,
}

/// What a desk's thread has as long as it runs.
#[derive(Debug)]
pub struct Running {
    ended: DropGuard,
    _open: Sender<Infallible>,
}

impl Desks {
    /// None yet.
    pub fn new() -> Desks {
        let (open, closed) = channel();
        Desks { opener: Opener { ended: CancellationToken::new(), open }, closed }
    }

    /// Cancelled when a desk's thread has ended, because the person interrupted the process.
    pub fn ended(&self) -> CancellationToken {
        self.opener.ended.clone()
    }

    /// For whoever opens desks while these are served.
    pub fn opener(&self) -> Opener {
        self.opener.clone()
    }

    /// For another desk.
    pub fn running(&self) -> Running {
        self.opener.running()
    }

    /// Plays `serve` to its end. Then nobody waits for the calls of its clients any more, and they
    /// are called off. A push that one of them is writing is finished before this returns.
    ///
    /// # Errors
    /// What `serve` fails with.
    pub fn serve<T>(self, serve: impl AsyncFnOnce(&Desks) -> anyhow::Result<T>) -> anyhow::Result<T> {
        // One thread for all clients: the work is done at the desks.
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let served = runtime.block_on(serve(&self));
        // A thread that reads standard input waits for the client, who need not write or close it.
        runtime.shutdown_background();
        self.wait(MOMENT, interrupt::is_landing);
        served
    }

    /// Waits until the threads have ended. Those that are not landing have only a moment for it.
    fn wait(self, moment: Duration, is_landing: impl FnOnce() -> bool) {
        let Desks { opener, closed } = self;
        drop(opener);
        if closed.recv_timeout(moment) == Err(RecvTimeoutError::Timeout) && is_landing() {
            // Nothing is ever sent: it fails as soon as the last thread has ended.
            let Err(_) = closed.recv();
        }
    }
}

impl Opener {
    /// For another desk.
    pub fn running(&self) -> Running {
        Running { ended: self.ended.clone().drop_guard(), _open: self.open.clone() }
    }
}

impl Running {
    /// A desk's thread has come to its end. That is the end of all of them if the person has interrupted
    /// the process, or the thread has not even come to this.
    pub fn end(self, is_interrupted: bool) {
        if !is_interrupted {
            self.ended.disarm();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_server_ends_though_its_client_neither_writes_nor_closes() {
        let (_client, input) = channel::<Infallible>();
        let (done, ended) = channel();
        // On a thread of its own, so that the test fails where it would wait forever.
        thread::spawn(move || {
            let served = Desks::new().serve(async |_| {
                // As the runtime reads standard input.
                tokio::task::spawn_blocking(move || input.recv());
                Ok(())
            });
            done.send(served.is_ok())
        });
        assert_eq!(ended.recv_timeout(LONG), Ok(true));
    }

    #[test]
    fn a_call_of_a_client_that_has_gone_is_called_off_before_its_desk_is_waited_for() {
        let (desks, off) = (Desks::new(), CancellationToken::new());
        let (running, call) = (desks.running(), off.clone().drop_guard());
        let desk = thread::spawn(move || {
            let _running = running;
            tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(off.cancelled());
        });
        desks
            .serve(async |_| {
                tokio::spawn(async move {
                    let _call = call;
                    std::future::pending::<()>().await;
                });
                Ok(())
            })
            .unwrap();
        desk.join().unwrap();
    }

    #[test]
    fn a_push_that_is_written_is_finished_before_the_process_ends() {
        let desks = Desks::new();
        let (running, landed) = (desks.running(), Arc::new(AtomicBool::new(false)));
        let (go, going) = channel();
        let desk = thread::spawn({
            let landed = Arc::clone(&landed);
            move || {
                going.recv().unwrap();
                landed.store(true, Ordering::SeqCst);
                drop(running);
            }
        });
        desks.wait(Duration::ZERO, || {
            assert!(!landed.load(Ordering::SeqCst));
            go.send(()).unwrap();
            true
        });
        assert!(landed.load(Ordering::SeqCst));
        desk.join().unwrap();
    }

    #[test]
    fn what_writes_no_push_is_waited_for_a_moment_only() {
        let desks = Desks::new();
        let _stuck = desks.running();
        desks.wait(Duration::ZERO, || false);
    }
}
