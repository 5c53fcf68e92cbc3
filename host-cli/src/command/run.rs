use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitStatus};

use clap::Args;
use serde_json::json;

use self::clone::Clone;
use self::folder::Folder;
use super::Context;
use super::new::{New, Source, source};
use super::push::Push;
use super::review::Review;
use crate::error::{ErrorKind, HostError};
use crate::mcp::{self, Serving};
use crate::remote;
use crate::report::{self, Exit};
use crate::screen::{self, status};
use crate::serve;
use crate::terminal::Terminal;

mod clone;
mod environment;
mod folder;
mod program;

/// What the help ends with.
const EXAMPLES: &str = r#"Examples:
  gitgate run -- claude
  gitgate -s docs run --from ~/project -- codex "Fix the typos"
  gitgate run --git -- claude              # with its own shell and tests, in a clone"#;

/// Start an agent that has gitgate's tools, and review what it proposes when it ends
///
/// The agent starts in an empty folder, connected to the sandbox, without GitHub's and git's
/// credentials in its environment. Programs that gitgate knows (see `gitgate setup`) have their own
/// tools for files, shell and git off, as far as they let it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Run {
    #[arg(
        long,
        value_name = "TARGET",
        value_parser = source,
        help = format!(
            "Create the sandbox from here, if it does not exist: a folder, {} or bundle:FILE [default: the repository in \
             the current folder]",
            remote::usage(", ")
        )
    )]
    from: Option<Source>,
    /// Give the agent a clone of the sandbox, in which it works with git and tools of its own, in place of gitgate's tools
    ///
    /// What it pushes is proposed. The clone stays for the next run.
    #[arg(long)]
    git: bool,
    /// The agent's program and its arguments
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
}

impl Run {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let program = program::find_here(&self.command[0])?;
        let context = self.sandbox(context)?;
        if self.git {
            let ended = self.play_with_git(&context, &program)?;
            let reviewed = review(&context)?;
            return Ok(if ended.success() { reviewed } else { Exit::Error });
        }
        let folder = Folder::make(&context, &program)?;
        for note in &folder.notes {
            report::note(note);
        }
        let ended = self.play(&context, &program, &folder)?;
        for left in folder.left()? {
            report::note(&format!("the agent left {} in {}", screen::line(&left), folder.start.display()));
        }
        let reviewed = review(&context)?;
        Ok(if ended.success() { reviewed } else { Exit::Error })
    }

    /// The sandbox, which is made unless it exists.
    fn sandbox(&self, context: Context) -> anyhow::Result<Context> {
        let standing = context.standing()?;
        let exists = context.is_named && context.home.sandboxes()?.contains(&context.name);
        if exists && self.from.is_some() {
            let what = format!("the sandbox '{}' exists already", context.name);
            let hint = "leave --from away to go on with it, or name another sandbox with -s NAME";
            return Err(HostError::new(ErrorKind::Usage, what).hint(hint).into());
        }
        let is_found =
            !context.is_named && self.from.is_none() && standing.repository().is_some() && standing.found().is_some();
        if exists || is_found {
            let context = context.chosen(Some("Run an agent on"))?;
            context.home.note_use(&context.name);
            return Ok(context);
        }
        New::from_or_here(self.from.clone()).make(context)
    }

    /// Runs the agent's program. This process makes its calls, so the credentials for them stay here.
    fn play(&self, context: &Context, program: &Path, folder: &Folder) -> anyhow::Result<ExitStatus> {
        let serving = Serving { errors: Some(folder.errors.clone()), ..Serving::of(&context.config()?) };
        let mut agent = Command::new(program);
        agent.args(&self.command[1..]).current_dir(&folder.start);
        environment::strip(&mut agent, std::env::vars_os(), &folder.empty);
        let ended = mcp::beside(context, &serving, &folder.socket, agent, |error| not_started(program, &error))?;
        Ok(told(ended))
    }

    /// Runs the agent's program in a clone. This process answers its git, so the credentials for the repository stay here.
    fn play_with_git(&self, context: &Context, program: &Path) -> anyhow::Result<ExitStatus> {
        let clone = Clone::take(context)?;
        let mut agent = Command::new(program);
        agent.args(&self.command[1..]);
        let programs = |address| clone.programs(agent, address);
        let ended = serve::beside(context, programs, |error| not_started(program, &error), clone::not_cloned)?;
        report::note(&format!("the agent's clone stays in {}", clone.folder.display()));
        Ok(told(ended))
    }
}

fn not_started(program: &Path, error: &std::io::Error) -> HostError {
    HostError::new(ErrorKind::Usage, format!("cannot start {}: {error}", program.display()))
        .hint("name a program that is installed: gitgate run -- PROGRAM ARGUMENTS")
}

/// Says how the agent's program has ended, unless it has ended well.
fn told(ended: ExitStatus) -> ExitStatus {
    if !ended.success() {
        report::note(&format!("the agent ended with {ended}"));
    }
    ended
}

/// What the agent has left is what the person looks at: what waits for them, else what is staged.
fn review(context: &Context) -> anyhow::Result<Exit> {
    let waits = !context.waiting(&context.name)?.is_empty();
    if waits {
        return Review::all().run(context.of(context.name.clone()));
    }
    let staged = {
        let mut sandbox = context.open()?;
        let result = context.tool(&mut sandbox, "git_status", &json!({}))?;
        status::last_staged(&status::read(&result.structured)?)
    };
    match staged {
        None => report::print("The agent has proposed no commit\n")?,
        Some(_) if Terminal::open().is_some() => return Push::of_staged().run(context.clone()),
        Some(id) => report::print(&format!("Proposed commits wait: `gitgate -s {} push {id}`\n", context.name))?,
    };
    Ok(Exit::Done)
}
