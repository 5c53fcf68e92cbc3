//! The commands, one a file: its arguments, its help and what it does. In the order of the help.

mod call;
mod choice;
pub(crate) mod completions;
mod config;
mod conflicts;
mod context;
mod demo;
mod destination;
mod diff;
mod export;
mod fsck;
mod history;
mod landed;
mod log;
mod ls;
mod man;
mod mcp;
mod new;
mod policy;
mod pull;
mod push;
mod review;
mod rm;
mod run;
mod serve;
mod settle;
mod setup;
mod sh;
mod standing;
mod status;
mod tasks;
mod tools;
mod undo;
mod watch;

use std::path::Path;

use clap::Subcommand;

pub use call::exit;
pub use context::Context;
#[cfg(test)]
pub(crate) use fsck::check;
pub use new::New;
pub use rm::Rm;
pub use standing::Standing;

use crate::report::{self, Exit};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    New(new::New),
    Ls(ls::Ls),
    Rm(rm::Rm),
    Tools(tools::Tools),
    Mcp(mcp::Mcp),
    Serve(serve::Serve),
    Call(call::CallTool),
    Sh(sh::Sh),
    Status(status::Status),
    Tasks(tasks::Tasks),
    Diff(diff::Diff),
    Push(push::Push),
    Pull(pull::Pull),
    Review(review::Review),
    Watch(watch::Watch),
    History(history::History),
    Policy(policy::PolicyCommand),
    Log(log::Log),
    Fsck(fsck::Fsck),
    Undo(undo::Undo),
    Settle(settle::Settle),
    Export(export::Export),
    Setup(setup::Setup),
    Run(run::Run),
    Config(config::ConfigCommand),
    Completions(completions::Completions),
    Man(man::Man),
    Demo(demo::Demo),
}

impl Command {
    /// True if results and errors are printed as JSON.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Command::Ls(command) => command.json,
            Command::Status(command) => command.json,
            Command::Review(command) => command.json,
            Command::History(command) => command.json,
            Command::Tools(command) => command.json,
            Command::Tasks(command) => command.json,
            Command::Mcp(command) => command.json,
            Command::Serve(command) => command.json,
            Command::Call(command) => command.json || command.batch,
            Command::Push(command) => command.json,
            Command::Policy(command) => command.wants_json(),
            Command::Log(command) => command.json,
            Command::Fsck(command) => command.json,
            _ => false,
        }
    }

    /// The socket of the process that does this command's work. This one needs no home for it, and may
    /// have none: an agent's client has started it.
    pub(crate) fn elsewhere(&self) -> Option<&Path> {
        match self {
            Command::Mcp(command) => command.connect.as_deref(),
            _ => None,
        }
    }

    /// True if the command opens the named sandbox, and so settles its pushes itself, or only
    /// inspects it.
    fn enters_sandbox(&self) -> bool {
        !matches!(
            self,
            Command::New(_) | Command::Ls(_) | Command::Rm(_) | Command::Run(_) | Command::Serve(_) | Command::Demo(_)
        )
    }

    /// How the command comes to its sandbox, if it is not named.
    fn choosing(&self) -> Choosing<'static> {
        match self {
            Command::Status(_)
            | Command::Tasks(_)
            | Command::Diff(_)
            | Command::History(_)
            | Command::Policy(_)
            | Command::Log(_)
            | Command::Fsck(_) => Choosing::Here(None),
            Command::Call(_) => Choosing::Here(Some("Call a tool in")),
            Command::Sh(_) => Choosing::Here(Some("Open a shell in")),
            Command::Mcp(_) => Choosing::Here(Some("Serve")),
            Command::Push(_) => Choosing::Here(Some("Push from")),
            Command::Pull(_) => Choosing::Here(Some("Pull into")),
            Command::Undo(_) => Choosing::Here(Some("Undo in")),
            Command::Settle(_) => Choosing::Here(Some("Settle the pushes of")),
            Command::Export(_) => Choosing::Here(Some("Export from")),
            // They choose themselves, or are for all, or for none.
            Command::New(_)
            | Command::Ls(_)
            | Command::Rm(_)
            | Command::Tools(_)
            | Command::Serve(_)
            | Command::Review(_)
            | Command::Watch(_)
            | Command::Setup(_)
            | Command::Run(_)
            | Command::Config(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Demo(_) => Choosing::Itself,
        }
    }

    /// True if a person works on the sandbox with it: the sandbox is then the last used. Who looks does not, and an agent does not either.
    fn is_persons_work(&self) -> bool {
        matches!(
            self,
            Command::Sh(_)
                | Command::Push(_)
                | Command::Pull(_)
                | Command::Undo(_)
                | Command::Settle(_)
                | Command::Export(_)
        )
    }

    /// True if the command has to do with no sandbox.
    fn is_about_none(&self) -> bool {
        matches!(self, Command::Setup(_) | Command::Config(_) | Command::Completions(_) | Command::Man(_))
    }

    pub(crate) fn run(self, context: Context) -> anyhow::Result<Exit> {
        let context = match self.choosing() {
            Choosing::Here(acts) => context.chosen(acts)?,
            Choosing::Itself => context,
        };
        if self.is_persons_work() {
            context.home.note_use(&context.name);
        }
        let recovered = match self.is_about_none() {
            true => Ok(()),
            false => context.recover_all(!self.enters_sandbox()),
        };
        context.clock.ensure_wanted()?;
        let exit = self.perform(context)?;
        // A command that needs what could not be read has failed, and said why.
        if let Err(error) = recovered {
            report::note(&format!("cannot check the pushes of other sandboxes: {error:#}"));
        }
        Ok(exit)
    }

    fn perform(self, context: Context) -> anyhow::Result<Exit> {
        match self {
            Command::New(command) => command.run(context),
            Command::Ls(command) => command.run(context),
            Command::Rm(command) => command.run(context),
            Command::Tools(command) => command.run(context),
            Command::Mcp(command) => command.run(context),
            Command::Serve(command) => command.run(context),
            Command::Call(command) => command.run(context),
            Command::Sh(command) => command.run(context),
            Command::Status(command) => command.run(context),
            Command::Tasks(command) => command.run(context),
            Command::Diff(command) => command.run(context),
            Command::Push(command) => command.run(context),
            Command::Pull(command) => command.run(context),
            Command::Review(command) => command.run(context),
            Command::Watch(command) => command.run(context),
            Command::History(command) => command.run(context),
            Command::Policy(command) => command.run(context),
            Command::Log(command) => command.run(context),
            Command::Fsck(command) => command.run(context),
            Command::Undo(command) => command.run(context),
            Command::Settle(command) => command.run(context),
            Command::Export(command) => command.run(context),
            Command::Setup(command) => command.run(context),
            Command::Run(command) => command.run(context),
            Command::Config(command) => command.run(context),
            Command::Completions(command) => command.run(),
            Command::Man(command) => command.run(),
            Command::Demo(command) => command.run(context),
        }
    }
}

/// How a command comes to its sandbox.
enum Choosing<'a> {
    /// It works on one, by default on that of the current folder. With what it does beyond the sandbox.
    Here(Option<&'a str>),
    /// It has a rule of its own.
    Itself,
}
