//! Drives a call to its end: does what each step needs, and gives it.

#[cfg(test)]
mod far;
#[cfg(all(test, unix))]
mod faults;
#[cfg(all(test, unix))]
mod script;

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use gate::approval::Proposal;
use gate::forge::{self, ChangeRequest, Cut, Forge, Request, Standing};
use gate::policy::{Policy, Ruling};
use gate::refname::BranchRef;
use host::answer::{
    self, Advance, Answered, Ask, Call, Export, Given, Looking, Making, Need, NotApproved, Proposing, PushRequest,
    Reply, Ruled, Run, Said, Settling, Wanted,
};

use host::review::Notes;

use crate::approve::{Approver, CallRequest, Response, Scripted};
use crate::error::{ErrorKind, HostError, Result};
use crate::home::ToolSettings;
use crate::interrupt::{self, Phase};
use crate::report;
use crate::sandbox::{self, Locked, Runtime, Sandbox};
use crate::screen;
use crate::screen::progress::{Spinner, spinner};
use crate::store::{self, Attachment, Log, Waiting};

/// Reaches servers.
pub trait Servers {
    /// Sends a request, and nothing else.
    ///
    /// # Errors
    /// If it cannot be sent at all: there is no token, or the person has called it off.
    fn send(&self, request: &Request) -> Result<Result<forge::Response, Cut>>;

    /// Why the last request was lost, if that is known: one line that is safe to show.
    fn why(&self) -> Option<String>;

    /// Waits.
    ///
    /// # Errors
    /// If the person has called it off.
    fn sleep(&self, time: Duration) -> Result<()>;
}

/// Makes a call. Its arguments may name what is `attached`.
pub fn run(
    sandbox: &mut Sandbox,
    call: &Call,
    attached: Vec<Attachment>,
    policy: Policy,
    approver: &mut dyn Approver,
    servers: &dyn Servers,
) -> Result<Reply> {
    let run = Run::new(Wanted {
        call: call.clone(),
        attached,
        policy: Rc::new(policy),
        digest: approver.digest(),
        revision: approver.revision(),
        along: approver.along(),
        takes_time: approver.takes_time(),
    });
    play(sandbox, run.into(), approver, servers)
}

/// Makes a call or an export to its end.
fn play(
    sandbox: &mut Sandbox,
    mut making: Making,
    approver: &mut dyn Approver,
    servers: &dyn Servers,
) -> Result<Reply> {
    let mut here = Here::new(approver, servers);
    loop {
        let advanced = making.advance(sandbox);
        here.tell(sandbox);
        match advanced? {
            Advance::Done(reply) => return Ok(reply),
            Advance::Need(need) => {
                let given = here.perform(&need, making.proposal().map(|proposal| (proposal, &*sandbox)));
                making.give(given);
            }
        }
    }
}

/// Returns the policy's ruling about a push or pull, once its content and target are known, or the
/// reply that prevents it. Changes nothing.
pub fn rule_on(
    sandbox: &mut Sandbox,
    call: &Call,
    policy: Policy,
    approver: &mut dyn Approver,
    servers: &dyn Servers,
) -> Result<Result<Ruling, Reply>> {
    let mut ruled = Ruled::new(sandbox, call, Rc::new(policy))?;
    let mut here = Here::new(approver, servers);
    loop {
        let advanced = ruled.advance(sandbox);
        here.tell(sandbox);
        match advanced? {
            Advance::Done(ruling) => return Ok(ruling),
            Advance::Need(need) => ruled.give(here.perform(&need, None)),
        }
    }
}

/// Writes `branch` to the bundle `file`.
pub fn export(
    sandbox: &mut Sandbox,
    file: &Path,
    branch: &BranchRef,
    policy: Policy,
    approver: &mut dyn Approver,
    servers: &dyn Servers,
) -> Result<Reply> {
    let (digest, revision) = (approver.digest(), approver.revision());
    let export = Export::new(sandbox, sandbox.near(), file, branch, Rc::new(policy), digest, revision)?;
    play(sandbox, export.into(), approver, servers)
}

/// Does what a request over HTTP asks for. Nobody is asked here: what needs a person waits for them.
pub fn answer_request(sandbox: &mut Sandbox, doing: &mut api::Doing, servers: &dyn Servers) -> api::Response {
    let mut nobody = Scripted::default();
    let mut here = Here::new(&mut nobody, servers);
    loop {
        let advanced = doing.advance(sandbox);
        here.tell(sandbox);
        match advanced {
            Advance::Done(response) => return response,
            Advance::Need(need) => doing.give(here.perform(&need, None)),
        }
    }
}

/// Opens a pull request.
pub fn propose(mut proposing: Proposing, servers: &dyn Servers) -> Result<ChangeRequest> {
    let mut nobody = Scripted::default();
    let mut here = Here::new(&mut nobody, servers);
    loop {
        match proposing.advance()? {
            Advance::Done(opened) => return Ok(opened),
            Advance::Need(need) => proposing.give(here.perform(&need, None)),
        }
    }
}

/// Asks how the pull request of a sandbox's own branch stands. A server that does not answer, or wants to be left alone, is not waited for.
pub fn look(mut looking: Looking, servers: &dyn Servers) -> Result<Option<Standing>> {
    let mut nobody = Scripted::default();
    let mut here = Here::new(&mut nobody, servers);
    loop {
        match looking.advance()? {
            Advance::Done(found) => return Ok(found),
            Advance::Need(Need::Sleep(_)) => {
                return Err(HostError::new(ErrorKind::Refused, "the server does not answer now"));
            }
            Advance::Need(need) => looking.give(here.perform(&need, None)),
        }
    }
}

/// Asks about a waiting call inside the sandbox, and keeps the answer. `None` for any other call.
pub fn decide_waiting(
    sandbox: &mut Sandbox,
    waiting: &Waiting,
    approver: &mut dyn Approver,
) -> Result<Option<Result<&'static str, NotApproved>>> {
    let Some(request) = answer::ask_waiting(waiting) else { return Ok(None) };
    let given = answer(&Ask::Call(request), None, approver);
    answer::decide_waiting(sandbox, waiting, given).map(Some)
}

/// Takes the sandbox's lock, once what is interrupted is settled, and tells what there is to tell.
pub fn enter(sandbox: &mut Sandbox) -> Result<Locked<'_>> {
    let entered = answer::enter(sandbox).map(drop);
    sandbox.take_notes().iter().for_each(|note| report::note(note));
    entered?;
    sandbox.lock()
}

/// Settles the interrupted pushes of the sandbox in `folder`, unless another process uses it and
/// does so itself. Reports what it cannot settle as a note.
pub fn recover_elsewhere(
    folder: &Path,
    tools: &ToolSettings,
    runtime: impl FnOnce() -> anyhow::Result<Rc<Runtime>>,
    approver: &mut dyn Approver,
    servers: &dyn Servers,
) -> anyhow::Result<()> {
    // Check without the lock first, so that a sandbox with nothing open need not wait.
    if !folder.join(Log::Audit.name()).exists() {
        return Ok(());
    }
    if store::open(folder)?.ledger.read()?.open_intents().next().is_none() {
        return Ok(());
    }
    let mut sandbox = sandbox::open(folder, tools, runtime()?)?;
    let recovered = answer::try_recover(&mut sandbox);
    let mut here = Here::new(approver, servers);
    here.tell(&mut sandbox);
    recovered?;
    let mut settling = Settling::unless_in_use();
    loop {
        let advanced = settling.advance(&mut sandbox);
        here.tell(&mut sandbox);
        match advanced? {
            Advance::Done(()) => return Ok(()),
            Advance::Need(need) => settling.give(here.perform(&need, None)),
        }
    }
}

/// Who and what is here to answer a call.
struct Here<'a> {
    approver: &'a mut dyn Approver,
    servers: &'a dyn Servers,
    /// From the first request of several to the last.
    waiting: Option<Spinner>,
    /// Whose server was asked last.
    asked: Option<Forge>,
}

impl<'a> Here<'a> {
    fn new(approver: &'a mut dyn Approver, servers: &'a dyn Servers) -> Self {
        Here { approver, servers, waiting: None, asked: None }
    }

    /// Tells the person what the sandbox has to say.
    fn tell(&mut self, sandbox: &mut Sandbox) {
        for note in sandbox.take_notes() {
            self.waiting = None;
            self.approver.tell(&note);
        }
    }

    /// Does what a call needs. A question about a push comes with it, and with the sandbox that it leaves.
    fn perform(&mut self, need: &Need, push: Option<(&Proposal, &Sandbox)>) -> Given {
        match need {
            Need::Ask(ask) => {
                self.waiting = None;
                Given::Answer(answer(ask, push, self.approver))
            }
            Need::Http(request) => {
                // A person can call off a request, but not one that may move a branch.
                let _during = interrupt::during(if request.moves { Phase::Landing } else { Phase::Call });
                self.asked = Some(request.forge);
                self.wait();
                match self.servers.send(request) {
                    Ok(Err(cut)) => self.servers.why().map_or(Given::Http(Err(cut)), |why| Given::Cut(cut, why)),
                    Ok(came) => Given::Http(came),
                    Err(error) => Given::Failed(error),
                }
            }
            Need::Sleep(time) => {
                let _during = interrupt::during(Phase::Call);
                self.wait();
                self.servers.sleep(*time).map_or_else(Given::Failed, |()| Given::Slept)
            }
        }
    }

    fn wait(&mut self) {
        let name = self.asked.map_or("the server", Forge::name);
        self.waiting.get_or_insert_with(|| spinner(format!("Waiting for {name}")));
    }
}

/// Asks.
fn answer(ask: &Ask, push: Option<(&Proposal, &Sandbox)>, approver: &mut dyn Approver) -> Answered {
    let (Ask::Call(CallRequest { reasons, .. }) | Ask::Push(PushRequest { reasons, .. })) = ask;
    for reason in reasons {
        approver.tell(&format!("asked because {}", screen::line(reason)));
    }
    let said = match (ask, push) {
        (Ask::Call(request), _) => Said::Call(approver.call(request)),
        (Ask::Push(request), Some((proposal, sandbox))) => {
            let notes = Notes::of(sandbox, proposal.review());
            Said::Push(approver.push(proposal, request.offer.as_ref(), &notes))
        }
        (Ask::Push(_), None) => Said::Push(Response::Unavailable {
            reason: "there is no push to decide about".to_owned(),
            hint: String::new(),
        }),
    };
    Answered { said, how: approver.how(), was_shown: approver.shows() }
}
