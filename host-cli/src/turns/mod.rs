//! Plays the turns of a call with whoever answers its questions here.

#[cfg(all(test, unix))]
mod faults;

use std::path::Path;
use std::rc::Rc;

use gate::approval::Proposal;
use gate::policy::{Policy, Ruling};
use gate::refname::BranchRef;
use host::answer::{
    self, Ask, Call, Export, Given, Need, NotApproved, PushRequest, Reply, Ruled, Run, Said, Turn, Wanted,
};

use crate::approve::{Approver, CallRequest, Response};
use crate::error::Result;
use crate::home::{GitSettings, sandbox_file};
use crate::report;
use crate::sandbox::{self, Locked, Runtime, Sandbox};
use crate::screen;
use crate::store::{self, Attachment, Log, Waiting};

/// Makes a call. Its arguments may name what is `attached`.
pub fn run(
    sandbox: &mut Sandbox,
    call: &Call,
    attached: Vec<Attachment>,
    policy: Policy,
    approver: &mut dyn Approver,
) -> Result<Reply> {
    let mut run = Run::new(Wanted {
        call: call.clone(),
        attached,
        policy: Rc::new(policy),
        digest: approver.digest(),
        revision: approver.revision(),
        takes_time: approver.takes_time(),
    });
    loop {
        let turn = run.advance(sandbox);
        tell(sandbox, approver);
        match turn? {
            Turn::Done(reply) => return Ok(reply),
            Turn::Need(Need::Ask(ask)) => {
                let given = answer(&ask, run.proposal(), approver);
                run.give(given);
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
) -> Result<Result<Ruling, Reply>> {
    let mut ruled = Ruled::new(sandbox, call, Rc::new(policy))?;
    loop {
        let turn = ruled.advance(sandbox);
        tell(sandbox, approver);
        match turn? {
            Turn::Done(ruling) => return Ok(ruling),
            Turn::Need(Need::Ask(ask)) => drop(answer(&ask, None, approver)),
        }
    }
}

/// Writes `branch` to the bundle `file`.
pub fn export(
    sandbox: &mut Sandbox,
    file: &Path,
    branch: &BranchRef,
    call: &Call,
    policy: Policy,
    approver: &mut dyn Approver,
) -> Result<Reply> {
    let mut export = Export::new(sandbox, file, branch, call, Rc::new(policy), approver.digest())?;
    loop {
        let turn = export.advance(sandbox);
        tell(sandbox, approver);
        match turn? {
            Turn::Done(reply) => return Ok(reply),
            Turn::Need(Need::Ask(ask)) => {
                let given = answer(&ask, export.proposal(), approver);
                export.give(given);
            }
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
    git: &GitSettings,
    runtime: impl FnOnce() -> anyhow::Result<Rc<Runtime>>,
    approver: &mut dyn Approver,
) -> anyhow::Result<()> {
    // Check without the lock first, so that a sandbox with nothing open need not wait.
    if !folder.join(Log::Audit.name()).exists() {
        return Ok(());
    }
    let id = sandbox_file::read(folder)?.id.name();
    if store::open(folder, id)?.ledger.read()?.open_intents().next().is_none() {
        return Ok(());
    }
    let mut sandbox = sandbox::open(folder, git, runtime()?)?;
    let recovered = answer::try_recover(&mut sandbox);
    tell(&mut sandbox, approver);
    Ok(recovered?)
}

/// Tells the person what the sandbox has to say.
pub fn tell(sandbox: &mut Sandbox, approver: &mut dyn Approver) {
    sandbox.take_notes().iter().for_each(|note| approver.tell(note));
}

/// Asks.
fn answer(ask: &Ask, proposal: Option<&Proposal>, approver: &mut dyn Approver) -> Given {
    let (Ask::Call(CallRequest { reasons, .. }) | Ask::Push(PushRequest { reasons, .. })) = ask;
    for reason in reasons {
        approver.tell(&format!("asked because {}", screen::line(reason)));
    }
    let said = match (ask, proposal) {
        (Ask::Call(request), _) => Said::Call(approver.call(request)),
        (Ask::Push(request), Some(proposal)) => Said::Push(approver.push(proposal, request.offer.as_ref())),
        (Ask::Push(_), None) => Said::Push(Response::Unavailable {
            reason: "there is no push to decide about".to_owned(),
            hint: String::new(),
        }),
    };
    Given { answer: said, how: approver.how(), was_shown: approver.shows() }
}
