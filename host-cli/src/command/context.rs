//! What every command needs: the home, the sandbox's name, and the way to open it.

use std::io::IsTerminal;
use std::rc::Rc;

use clap::Args;
use gate::digest::Digest;
use gate::id::SandboxId;
use gate::policy::{Caller, Policy};
use serde_json::Value;

use crate::answer::{self, Call, Reply};
use crate::approve::{Approver, Prompt, Scripted};
use crate::error::{ErrorKind, HostError};
use crate::home::{Config, Home, policy};
use crate::report::{self, ToolFailure};
use crate::sandbox::{Clock, Runtime, Sandbox, wit};
use crate::screen::progress;

/// What a command works with.
#[derive(Clone, Debug)]
pub struct Context {
    /// The home folder.
    pub home: Home,
    /// The sandbox that was named.
    pub name: SandboxId,
    /// What running calls look at.
    pub clock: Clock,
}

/// How approvals are answered, on the command line.
#[derive(Clone, Debug, Default, Args)]
pub struct Approvals {
    /// Approve what happens inside the sandbox; for a push only where gitgate.toml says `unattended = true`
    #[arg(long)]
    pub yes: bool,
    /// Approve the one push that was shown with this digest
    #[arg(long, value_name = "DIGEST", value_parser = digest, conflicts_with = "yes")]
    pub approve: Option<Digest>,
}

fn digest(text: &str) -> Result<Digest, String> {
    text.parse().map_err(|fault: gate::Fault| format!("{}: {}", fault.message, fault.hint))
}

impl Context {
    /// A context for the sandbox `name`.
    pub fn new(home: Home, name: SandboxId, clock: Clock) -> Self {
        Context { home, name, clock }
    }

    /// Loads the component.
    pub fn runtime(&self) -> anyhow::Result<Rc<Runtime>> {
        let mut waiting = None;
        let runtime = Runtime::load(self.clock.clone(), || {
            waiting = Some(progress::spinner("Compiling the sandbox for this machine, once"))
        });
        drop(waiting);
        Ok(Rc::new(runtime?))
    }

    /// Opens the sandbox.
    pub fn open(&self) -> anyhow::Result<Sandbox> {
        let (folder, config) = (self.home.sandbox(&self.name)?, self.home.config()?);
        Ok(Sandbox::open(&folder, config.git(), self.runtime()?)?)
    }

    /// Brings every target to one of the two ends of a push that was cut off; of this sandbox only with `own`. What cannot be
    /// settled is told, and does not keep the command from its work.
    pub fn recover_all(&self, own: bool) {
        let names = self.home.sandboxes().unwrap_or_else(|error| {
            report::note(&error.message);
            Vec::new()
        });
        for name in names.iter().filter(|name| own || **name != self.name) {
            let recovered = self.home.sandbox(name).map_err(anyhow::Error::from).and_then(|folder| {
                let config = self.config()?;
                answer::recover_elsewhere(&folder, config.git(), || self.runtime(), &mut Scripted::default())
            });
            if let Err(error) = recovered {
                report::note(&format!("what sandbox {name} has pushed cannot be looked at: {error:#}"));
            }
        }
    }

    /// What the person allows.
    pub fn config(&self) -> anyhow::Result<Config> {
        Ok(self.home.config()?)
    }

    /// Whoever answers approvals: the command line if it does, else a person if there is a terminal.
    pub fn approver(&self, approvals: &Approvals) -> anyhow::Result<Box<dyn Approver>> {
        let answered = approvals.yes || approvals.approve.is_some();
        if !answered && std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
            return Ok(Box::new(Prompt::at_terminal()));
        }
        Ok(Box::new(self.scripted(approvals)?))
    }

    /// What the command line itself answers, where nobody can be asked.
    pub fn scripted(&self, approvals: &Approvals) -> anyhow::Result<Scripted> {
        let unattended = self.config()?.unattended;
        Ok(Scripted { yes: approvals.yes, digest: approvals.approve, unattended })
    }

    /// Runs a call and says what it came to.
    pub fn run(&self, sandbox: &mut Sandbox, call: &Call, approver: &mut dyn Approver) -> anyhow::Result<Reply> {
        let policy = self.policy(sandbox)?;
        self.ended(answer::run(sandbox, call, Vec::new(), &policy, approver)?)
    }

    /// What decides about the calls of this sandbox, as it stands now.
    pub fn policy(&self, sandbox: &Sandbox) -> anyhow::Result<Policy> {
        Ok(policy::read(sandbox.folder(), &sandbox.file, self.config()?.unattended)?)
    }

    /// What a call came to; one that was called off is an error of its own.
    pub fn ended(&self, reply: Reply) -> anyhow::Result<Reply> {
        let timed_out = matches!(&reply, Reply::Done(Err(wit::ToolError { kind: wit::ErrorKind::Timeout(_), .. })));
        if timed_out {
            self.clock.ensure_wanted()?;
        }
        Ok(reply)
    }

    /// Runs a tool that asks nothing, as the user, for a screen made from its result.
    pub fn tool(&self, sandbox: &mut Sandbox, tool: &str, arguments: &Value) -> anyhow::Result<wit::ToolResult> {
        let call = Call { tool: tool.to_owned(), arguments: arguments.to_string(), caller: Caller::User };
        // A screen is the person's own, and shows what there is.
        let reply = answer::run(sandbox, &call, Vec::new(), &Policy::default(), &mut Scripted::default())?;
        match self.ended(reply)? {
            Reply::Done(Ok(result)) => Ok(result),
            Reply::Done(Err(error)) => Err(ToolFailure(error).into()),
            Reply::NotApproved(not) => Err(HostError::new(ErrorKind::NotApproved, not.reason).hint(not.hint).into()),
        }
    }
}
