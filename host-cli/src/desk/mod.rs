//! The thread that has a sandbox. The sandbox is not to be shared, and its code needs a large stack:
//! whatever a client asks for comes here, and is made one after the other.
//!
//! | file | what it does |
//! |---|---|
//! | `ticket` | a call on its way there, which can be called off |
//! | `ending` | how a server ends, and what it waits for then |

mod ending;
#[cfg(test)]
pub(crate) mod scene;
mod ticket;

pub use ending::{Desks, Opener};

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use gate::id::SandboxId;
use host::answer::{Call, Reply};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use self::ending::Running;
use self::ticket::{Ticket, WhileWanted};
use crate::approve::Scripted;
use crate::command::Context;
use crate::driver;
use crate::error::{ErrorKind, HostError};
use crate::home::Home;
use crate::sandbox::{Clock, STACK, Sandbox, wit};

/// What is done with the sandbox. `None` where it cannot be opened, for the reason that is given.
type Work = Box<dyn FnOnce(anyhow::Result<(&Context, &mut Sandbox)>) + Send>;

/// How a sandbox is opened, which depends on who uses it.
pub type Open = fn(&Context) -> anyhow::Result<Sandbox>;

struct Job {
    ticket: Ticket,
    work: Work,
}

/// The way to a sandbox.
#[derive(Clone, Debug)]
pub struct Desk {
    jobs: Sender<Job>,
    /// The home that the sandbox is in.
    pub home: Home,
    /// Its name.
    pub name: SandboxId,
    /// The worktree that it was made from, if it was made from one on this machine.
    pub worktree: Option<PathBuf>,
}

impl Desk {
    /// Opens a sandbox on a thread of its own, which has `running` until its end. Also returns its
    /// tools.
    pub fn open(
        home: Home,
        clock: Clock,
        name: SandboxId,
        open: Open,
        running: Running,
    ) -> anyhow::Result<(Desk, Vec<wit::ToolSpec>)> {
        let (jobs, queue) = channel();
        let (opened, opening) = channel();
        let (home_of_desk, name_of_desk) = (home.clone(), name.clone());
        let work = move || {
            let mut office = Office { home, name, clock, how: open, open: None };
            let tools = office.enter().and_then(|(_, sandbox)| {
                let worktree = sandbox.file.repository.as_ref().and_then(|repository| repository.worktree.clone());
                Ok((driver::enter(sandbox)?.tools()?, worktree))
            });
            let is_open = tools.is_ok();
            let is_interrupted = opened.send(tools).is_ok() && is_open && office.serve(&queue);
            running.end(is_interrupted);
        };
        spawn("desk", work)?;
        let (tools, worktree) = opening.recv().map_err(|_| gone())??;
        Ok((Desk { jobs, home: home_of_desk, name: name_of_desk, worktree }, tools))
    }

    /// Does something with the sandbox when it is its turn. `off` calls it off.
    ///
    /// # Errors
    /// What `work` fails with, or that the sandbox is gone.
    pub async fn run<T: Send + 'static>(
        &self,
        off: &CancellationToken,
        work: impl FnOnce(&Context, &mut Sandbox) -> anyhow::Result<T> + Send + 'static,
    ) -> anyhow::Result<T> {
        let (done, mut doing) = oneshot::channel();
        let wanted = WhileWanted(Ticket::new());
        let ticket = wanted.0.clone();
        let work = move |office: anyhow::Result<(&Context, &mut Sandbox)>| {
            let result = office.and_then(|(context, sandbox)| work(context, sandbox));
            // Before the answer: whoever has it lets go of the ticket, and the clock is the next call's.
            ticket.end();
            // Who has gone away needs no answer.
            let _ = done.send(result);
        };
        let job = Job { ticket: wanted.0.clone(), work: Box::new(work) };
        self.jobs.send(job).map_err(|_| gone())?;
        tokio::select! {
            result = &mut doing => return result.map_err(|_| gone())?,
            () = off.cancelled() => wanted.0.call_off(),
        }
        // It may have been too late for that. One that never began drops its sender.
        doing.await.unwrap_or_else(|_| Err(called_off().into()))
    }

    /// Makes a call when it is its turn. Nobody is asked here: what needs the person waits for them.
    ///
    /// # Errors
    /// If the host fails, or `off` calls it off.
    pub async fn call(&self, call: Call, off: &CancellationToken) -> anyhow::Result<Reply> {
        self.run(off, move |context, sandbox| context.run(sandbox, &call, &mut Scripted::default())).await
    }
}

/// What a desk's thread has.
struct Office {
    home: Home,
    name: SandboxId,
    /// The process's clock.
    clock: Clock,
    how: Open,
    open: Option<(Context, Sandbox)>,
}

impl Office {
    /// Makes what is in the queue, until nobody puts anything there any more, or the person interrupts
    /// the process. Returns whether they have.
    fn serve(&mut self, queue: &Receiver<Job>) -> bool {
        while let Ok(Job { ticket, work }) = queue.recv() {
            let office = self.enter();
            let clock = office.as_ref().map_or_else(|_| Clock::default(), |(context, _)| context.clock.clone());
            if ticket.begin(clock.clone()) {
                work(office);
            }
            if clock.is_cancelled() {
                // A clock does not go back, so the next call has another one, and a sandbox on it.
                self.open = None;
            }
            if self.clock.is_cancelled() {
                return true;
            }
        }
        false
    }

    /// Opens the sandbox unless it is open.
    fn enter(&mut self) -> anyhow::Result<(&Context, &mut Sandbox)> {
        if self.open.is_none() {
            let context = Context::new(self.home.clone(), Some(self.name.clone()), self.clock.child());
            let sandbox = (self.how)(&context)?;
            self.open = Some((context, sandbox));
        }
        let (context, sandbox) = self.open.as_mut().expect("it has been opened");
        Ok((context, sandbox))
    }
}

/// Starts a thread in which a sandbox can be opened.
pub fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    // As in a process that makes one call.
    let stack = STACK + (16 << 20);
    thread::Builder::new().name(name.to_owned()).stack_size(stack).spawn(work).map(drop)
}

fn gone() -> HostError {
    HostError::new(ErrorKind::Interrupted, "the sandbox is no longer served")
        .hint("start the server again; nothing that was answered is lost")
}

fn called_off() -> HostError {
    HostError::new(ErrorKind::Interrupted, "the call was called off; nothing has changed")
}

#[cfg(test)]
mod tests;
