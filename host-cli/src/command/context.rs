//! What every command needs: the home, the sandbox's name, and how to open it.

use std::path::Path;
use std::rc::Rc;

use clap::Args;
use gate::digest::Digest;
use gate::id::SandboxId;
use gate::policy::{Caller, Policy};
use host::answer::{Call, Reply};
use serde_json::Value;

use super::standing::Standing;
use crate::approve::{Approver, LeftOut, Pressed, Prompt, Revising, Revision, Scripted};
use crate::driver;
use crate::error::{Doing, ErrorKind, HostError};
use crate::forge::Clients;
use crate::home::{Config, Home, policy};
use crate::notify;
use crate::report::{self, ToolFailure};
use crate::sandbox::{self, Clock, Runtime, Sandbox, wit};
use crate::store::{self, Waiting};
use crate::terminal::Terminal;

/// What a command works with.
#[derive(Clone, Debug)]
pub struct Context {
    /// The home folder.
    pub home: Home,
    /// The sandbox: named, or found by [`Context::chosen`].
    pub name: SandboxId,
    /// True if the person named it.
    pub is_named: bool,
    /// True if only the environment names it, which nobody sees who types a command.
    pub is_named_by_environment: bool,
    /// The clock that running calls poll.
    pub clock: Clock,
    /// The servers that this process reaches.
    pub servers: Rc<Clients>,
}

/// The options that answer approvals.
#[derive(Clone, Debug, Default, Args)]
pub struct Approvals {
    /// Approve calls inside the sandbox, and pushes if gitgate.toml says `unattended = true`
    #[arg(long)]
    pub yes: bool,
    /// Approve the push that was shown with this digest
    #[arg(long, value_name = "DIGEST", value_parser = digest, conflicts_with = "yes")]
    pub approve: Option<Digest>,
}

impl Approvals {
    /// True if they answer for the person.
    fn decide(&self) -> bool {
        self.yes || self.approve.is_some()
    }
}

/// The options that edit what would leave.
#[derive(Clone, Debug, Default, Args)]
pub struct Edits {
    /// Leave this file out, or all in this folder, or all that match this pattern; their changes stay in the sandbox
    #[arg(long, value_name = "PATH|FOLDER|GLOB", conflicts_with = "approve")]
    leave_out: Vec<String>,
    /// Leave these hunks of a file out, as the review numbers them; they stay in the sandbox
    #[arg(long, value_name = "PATH:1,3", conflicts_with = "approve")]
    leave_out_hunks: Vec<LeftOut>,
    /// New message for the commit, or for the last remaining one of several
    #[arg(long, value_name = "TEXT", conflicts_with = "approve")]
    message: Option<String>,
}

impl Edits {
    /// The edits, if there are any.
    fn revision(self) -> Option<Revision> {
        let whole = self.leave_out.into_iter().map(|path| LeftOut { path, hunks: None, context: None });
        let revision =
            Revision { leave_out: whole.chain(self.leave_out_hunks).collect(), message: self.message, upto: None };
        Some(revision).filter(|revision| !revision.is_empty())
    }
}

fn digest(text: &str) -> Result<Digest, String> {
    text.parse().map_err(|fault: gate::Fault| format!("{}: {}", fault.message, fault.hint))
}

impl Context {
    /// A context for the sandbox `name`.
    pub fn new(home: Home, name: Option<SandboxId>, clock: Clock) -> Self {
        let is_named = name.is_some();
        let name = name.unwrap_or_else(|| "default".parse().expect("it is a sandbox name"));
        let servers = Rc::new(Clients::new(clock.clone()));
        Context { home, name, is_named, is_named_by_environment: false, clock, servers }
    }

    /// Where the person stands: in the repository that `GIT_DIR` names, as for git, else in the current folder.
    pub fn standing(&self) -> anyhow::Result<Standing> {
        let named = std::env::var_os("GIT_DIR").filter(|named| !named.is_empty());
        let place = named.as_ref().map_or(Path::new("."), Path::new);
        let standing = Standing::of(&self.home, &place.canonicalize().doing("find", place)?)?;
        Ok(match named {
            Some(_) => standing.by_variable(&Path::new(".").canonicalize().doing("find", Path::new("."))?),
            None => standing,
        })
    }

    /// The same for the sandbox that was named, else for the one that the current folder names. If that is not plain to see, says which one
    /// it is. `acts` is what the command does beyond the sandbox, if anything: it asks first whether a sandbox of another repository is
    /// meant, if only the environment names it.
    ///
    /// # Errors
    /// If there is none, or the person does not mean it.
    pub fn chosen(self, acts: Option<&str>) -> anyhow::Result<Self> {
        let standing = self.standing()?;
        self.chosen_in(&standing, acts)
    }

    /// The same for somebody who stands elsewhere than in the current folder.
    ///
    /// # Errors
    /// As [`Context::chosen`].
    pub fn chosen_in(self, standing: &Standing, acts: Option<&str>) -> anyhow::Result<Self> {
        let named = self.is_named.then(|| self.name.clone());
        let choice = standing.choose(named)?;
        let tell = || standing.words(&choice).iter().for_each(|words| report::note(words));
        // What the person has typed they mean.
        let is_typed = self.is_named && !self.is_named_by_environment;
        match acts.filter(|_| !is_typed) {
            Some(acts) => standing.ensure_meant(&choice, acts, tell)?,
            None => tell(),
        }
        let is_named = self.is_named;
        Ok(Context { name: choice.name, is_named, ..self })
    }

    /// The same for a command that is for all sandboxes unless one is named: asks whether it is meant if only the environment names it.
    ///
    /// # Errors
    /// If the person does not mean it.
    pub fn meant_in(self, standing: &Standing, acts: &str) -> anyhow::Result<Self> {
        match self.is_named && self.is_named_by_environment {
            true => self.chosen_in(standing, Some(acts)),
            false => Ok(self),
        }
    }

    /// The same for another sandbox.
    pub fn of(&self, name: SandboxId) -> Self {
        Context { name, is_named: true, is_named_by_environment: false, ..self.clone() }
    }

    /// Loads the component. Says so at once, and not only at a terminal, if that takes its time: a log that stands still for seconds looks
    /// as if something hung.
    pub fn runtime(&self) -> anyhow::Result<Rc<Runtime>> {
        let prepare = || report::progress("Preparing gitgate for this machine (once, about 10 seconds)");
        Ok(Rc::new(Runtime::load(self.clock.clone(), prepare)?))
    }

    /// Opens the sandbox.
    pub fn open(&self) -> anyhow::Result<Sandbox> {
        let (folder, config) = (self.home.sandbox(&self.name)?, self.home.config()?);
        Ok(sandbox::open(&folder, config.tools(), self.runtime()?)?)
    }

    /// Opens the sandbox for others than the person here.
    pub fn open_for_others(&self) -> anyhow::Result<Sandbox> {
        let (folder, config) = (self.home.sandbox(&self.name)?, self.home.config()?);
        Ok(sandbox::open_for_others(&folder, config.tools(), self.runtime()?)?)
    }

    /// Settles the interrupted pushes of all sandboxes, and of this one only with `own`: each
    /// target ends up with or without the push. Reports what it cannot settle as a note, so that
    /// the command still runs.
    ///
    /// # Errors
    /// If none can be settled, whichever it is: then nothing is said here, because the command may well
    /// fail for the same cause.
    pub fn recover_all(&self, own: bool) -> anyhow::Result<()> {
        let names = self.home.sandboxes()?;
        let mut others = names.iter().filter(|name| own || **name != self.name).peekable();
        if others.peek().is_none() {
            return Ok(());
        }
        let config = self.config()?;
        for name in others {
            let recovered = self.home.sandbox(name).map_err(anyhow::Error::from).and_then(|folder| {
                let (approver, servers) = (&mut Scripted::default(), &*self.servers);
                driver::recover_elsewhere(&folder, config.tools(), || self.runtime(), approver, servers)
            });
            if let Err(error) = recovered {
                report::note(&format!("cannot check the pushes of sandbox {name}: {error:#}"));
            }
        }
        Ok(())
    }

    /// The calls that wait for the person in a sandbox, oldest first.
    pub fn waiting(&self, name: &SandboxId) -> anyhow::Result<Vec<Waiting>> {
        let folder = self.home.sandbox(name)?;
        let store = store::open(&folder)?;
        Ok(store.waiting.unanswered()?)
    }

    /// The person's configuration.
    pub fn config(&self) -> anyhow::Result<Config> {
        Ok(self.home.config()?)
    }

    /// Returns who answers approvals: the command line if it does, else a person at a terminal.
    pub fn approver(&self, approvals: &Approvals) -> anyhow::Result<Box<dyn Approver>> {
        self.approver_for(approvals, None)
    }

    /// The same for a push to the branch that the person has `named`.
    fn approver_for(&self, approvals: &Approvals, named: Option<String>) -> anyhow::Result<Box<dyn Approver>> {
        match Terminal::open().filter(|_| !approvals.decide()) {
            Some(terminal) => Ok(Box::new(Prompt::new(terminal).to(named).about(self.told()?))),
            None => Ok(Box::new(self.scripted(approvals)?)),
        }
    }

    /// The sandbox, if the folder does not say which one it is, and whose it is if that is another repository.
    fn told(&self) -> anyhow::Result<Option<String>> {
        if !self.is_named {
            return Ok(None);
        }
        Ok(Some(self.standing()?.heading(&self.name)))
    }

    /// The same, with edits that the person gives in advance.
    pub fn revising_approver(
        &self,
        approvals: &Approvals,
        edits: Edits,
        named: Option<String>,
    ) -> anyhow::Result<Revising<'static>> {
        let revision = edits.revision();
        if revision.is_some() {
            self.ensure_person("edit a push")?;
        }
        Ok(Revising { revision, along: None, inner: self.approver_for(approvals, named)? })
    }

    /// A person at a terminal who has pressed a key of the prompt already.
    pub fn approver_after(&self, key: &'static str) -> anyhow::Result<Box<dyn Approver>> {
        match Terminal::open() {
            Some(terminal) => Ok(Box::new(Prompt::new(Pressed::new(terminal, key)).about(self.told()?))),
            None => Ok(Box::new(self.scripted(&Approvals::default())?)),
        }
    }

    /// Answers approvals from the command line alone, where nobody can be asked.
    pub fn scripted(&self, approvals: &Approvals) -> anyhow::Result<Scripted> {
        if approvals.decide() {
            self.ensure_person("decide")?;
        }
        let config = self.config()?;
        let (unattended, needs_terminal) = (config.unattended, !config.without_terminal());
        Ok(Scripted { yes: approvals.yes, digest: approvals.approve, changes: None, unattended, needs_terminal })
    }

    /// Whether whoever reads the output can approve what it shows.
    pub fn may_decide(&self) -> anyhow::Result<bool> {
        Ok(self.config()?.without_terminal() || Terminal::open().is_some())
    }

    /// Fails unless a person sits at a terminal, or lets command lines do without. `what` is what
    /// only they may do: an agent that has a shell could claim to be one. Every command that acts for the person asks here: that decides, edits
    /// a push, calls as the user, settles a push, or sets up a client.
    pub fn ensure_person(&self, what: &str) -> anyhow::Result<()> {
        if self.may_decide()? {
            return Ok(());
        }
        Err(HostError::new(ErrorKind::NotApproved, format!("only a person at a terminal can {what}"))
            .hint("run it at a terminal, or see `gitgate config` for what scripts may do")
            .into())
    }

    /// Runs a call under the sandbox's policy.
    pub fn run(&self, sandbox: &mut Sandbox, call: &Call, approver: &mut dyn Approver) -> anyhow::Result<Reply> {
        let policy = self.policy(sandbox)?;
        let reply = self.ended(driver::run(sandbox, call, Vec::new(), policy, approver, &*self.servers)?)?;
        if !approver.takes_time() {
            self.tell_of(call, &reply)?;
        }
        Ok(reply)
    }

    /// Tells the person at their desktop of an agent's call that waits for them, where nobody was asked.
    pub fn tell_of(&self, call: &Call, reply: &Reply) -> anyhow::Result<()> {
        let Reply::NotApproved(not) = reply else { return Ok(()) };
        if not.waits && call.caller == Caller::Agent {
            let what = not.inside.as_ref().map_or(&call.arguments, |inside| &inside.summary);
            notify::waits(self.config()?.notify(), self.name.as_str(), &format!("{}: {what}", call.tool));
        }
        Ok(())
    }

    /// Reads the sandbox's current policy.
    pub fn policy(&self, sandbox: &Sandbox) -> anyhow::Result<Policy> {
        Ok(policy::read(&self.home.folder(&self.name)?, &sandbox.file, self.config()?.unattended)?)
    }

    /// Turns the timeout of a cancelled call into an error of its own.
    pub fn ended(&self, reply: Reply) -> anyhow::Result<Reply> {
        let timed_out = matches!(&reply, Reply::Done(Err(wit::ToolError { kind: wit::ErrorKind::Timeout(_), .. })));
        if timed_out {
            self.clock.ensure_wanted()?;
        }
        Ok(reply)
    }

    /// Runs a tool that asks nothing, as the user, to make a screen from its result.
    pub fn tool(&self, sandbox: &mut Sandbox, tool: &str, arguments: &Value) -> anyhow::Result<wit::ToolResult> {
        let call = Call::new(tool, arguments.to_string(), Caller::User);
        // The person reads their own screen, so the default policy does.
        let reply =
            driver::run(sandbox, &call, Vec::new(), Policy::default(), &mut Scripted::default(), &*self.servers)?;
        match self.ended(reply)? {
            Reply::Done(Ok(result)) => Ok(result),
            Reply::Done(Err(error)) => Err(ToolFailure(error).into()),
            Reply::NotApproved(not) => Err(HostError::new(ErrorKind::NotApproved, not.reason).hint(not.hint).into()),
        }
    }
}
