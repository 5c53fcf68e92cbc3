use std::path::{Path, PathBuf};

use clap::Args;

use super::Context;
use crate::approve::Talk;
use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::home;
use crate::report::{self, Exit};
use crate::screen::{self, wrap};
use crate::setup::client::Client;
use crate::setup::diff;
use crate::setup::place::{Place, UserFolders};
use crate::setup::plan::{self, Plan};
use crate::setup::record::Record;
use crate::setup::server::Server;
use crate::setup::write::{self, Files};
use crate::terminal::Terminal;

/// Connect an agent's program to gitgate
///
/// Shows what it would write into the program's configuration files, and writes it if you say yes: the
/// server `gitgate mcp`, settings that turn the program's own tools for files, shell and git off, and
/// instructions for the agent. What is in the files stays there.
#[derive(Debug, Args)]
pub struct Setup {
    /// Program that the agent runs in
    #[arg(value_enum)]
    client: Client,
    /// Set it up for all your work, not for one folder
    #[arg(long, conflicts_with = "project")]
    user: bool,
    /// Set it up for work in this folder [default: the current one]
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Show what would be written, and write nothing
    #[arg(long)]
    print: bool,
    /// Write it without asking
    #[arg(long, conflicts_with = "print")]
    yes: bool,
    /// Take back what an earlier set-up has written
    #[arg(long, conflicts_with = "keep_tools")]
    undo: bool,
    /// Leave the program its own tools
    #[arg(long)]
    keep_tools: bool,
}

/// What is to be done, and in which words.
struct Proposal {
    plan: Plan,
    /// What the person has to know. Sentences.
    notes: Vec<String>,
    /// The earlier set-up.
    earlier: Option<Record>,
    files: Files,
    record: PathBuf,
    /// `Codex, for work in /home/ada/project`.
    what: String,
}

impl Setup {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let proposal = self.proposal(&context)?;
        if proposal.plan.steps.is_empty() {
            let outcome = if self.undo { "nothing of gitgate's is set up" } else { "gitgate is already set up" };
            report::print(&format!("{}: {outcome}\n{}", screen::line(&proposal.what), self.advice(&proposal)))?;
            if self.undo && proposal.earlier.is_some() {
                Record::new(Vec::new(), Vec::new()).write(&proposal.record)?;
            }
            return Ok(Exit::Done);
        }
        let shown = self.shown(&proposal)?;
        if self.print {
            report::print(&screen::patches(&shown))?;
            return Ok(Exit::Done);
        }
        if !self.is_approved(&context, &proposal, &shown)? {
            report::note("nothing was written");
            return Ok(Exit::NotApproved);
        }
        self.carry_out(&proposal)?;
        let count = proposal.plan.steps.len();
        let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        report::print(&match self.undo {
            true => format!("Took gitgate out of {files}\n"),
            false => format!("Wrote {files}; `{} --undo` takes it back\n", self.command()),
        })?;
        Ok(Exit::Done)
    }

    fn proposal(&self, context: &Context) -> anyhow::Result<Proposal> {
        let (place, files, place_words) = self.place(context)?;
        let what = format!("{}, {place_words}", self.client.title());
        let record = context.home.setups().join(format!("{}-{}.json", self.client.name(), place.key()));
        let earlier = Record::read(&record)?;
        let written = earlier.as_ref().map(|earlier| earlier.written.as_slice()).unwrap_or_default();
        let read = |path: &Path| files.read(path);
        let (plan, notes) = match self.undo {
            true => (plan::undo(written, &read)?, Vec::new()),
            false => {
                let wiring = self.client.wiring(&place, &Server::of(&context.home, &context.name)?, self.keep_tools);
                (plan::set_up(written, &wiring.edits, &read)?, [wiring.notes, lacking(context)].concat())
            }
        };
        Ok(Proposal { plan, notes, earlier, files, record, what })
    }

    /// Whose files are changed, and which of them may be.
    fn place(&self, context: &Context) -> anyhow::Result<(Place, Files, String)> {
        if self.user {
            return Ok((Place::User(UserFolders::find()?), Files { root: None }, "for all your work".to_owned()));
        }
        let folder = self.project.as_deref().unwrap_or(Path::new("."));
        let root = folder.canonicalize().doing("find", folder)?;
        if !root.is_dir() {
            return Err(HostError::new(ErrorKind::Usage, format!("{} is no folder", root.display()))
                .hint("name a folder with --project")
                .into());
        }
        if !self.undo {
            // An agent that writes there would write these files, too.
            home::ensure_in_no_sandbox(&context.home.root().join("sandboxes"), &root)?;
        }
        let words = format!("for work in {}", root.display());
        Ok((Place::Project(root.clone()), Files { root: Some(root) }, words))
    }

    fn shown(&self, proposal: &Proposal) -> Result<String> {
        let change = if self.undo { "takes gitgate out of" } else { "connects gitgate to" };
        let mut out = format!("This {change} {}:\n\n", screen::line(&proposal.what));
        for step in &proposal.plan.steps {
            out.push_str(&screen::block(&diff::unified(step)));
            if let Some(real) = proposal.files.link(&step.file)? {
                let real = real.display().to_string();
                out.push_str(&format!(
                    "{} leads to {}\n",
                    screen::line(&step.file.display().to_string()),
                    screen::line(&real)
                ));
            }
            out.push('\n');
        }
        out.push_str(&self.advice(proposal));
        Ok(out)
    }

    fn advice(&self, proposal: &Proposal) -> String {
        let kept =
            proposal.plan.kept.iter().map(|file| {
                format!("{} was changed since, and stays. Remove it if you do not want it.", file.display())
            });
        let notes = proposal.notes.iter().cloned().chain(kept);
        notes.map(|note| format!("* {}\n", screen::line(&note))).collect()
    }

    /// Whether the person wants it: by the command line, or asked at the terminal.
    fn is_approved(&self, context: &Context, proposal: &Proposal, shown: &str) -> anyhow::Result<bool> {
        if self.yes {
            context.ensure_person("set up a client")?;
            for step in &proposal.plan.steps {
                if let Some(real) = proposal.files.link(&step.file)? {
                    let what = format!("{} is a link to {}", step.file.display(), real.display());
                    return Err(HostError::new(ErrorKind::NotApproved, what)
                        .hint("run the command without --yes, which asks you whether to write there")
                        .into());
                }
            }
            return Ok(true);
        }
        let Some(mut terminal) = Terminal::open() else {
            return Err(HostError::new(ErrorKind::NotApproved, "nobody could be asked whether to write this")
                .hint(format!("run it at a terminal; `{} --print` shows what it would write", self.command()))
                .into());
        };
        Ok(ask(&mut terminal, shown).doing("write to", Path::new("/dev/tty"))?)
    }

    /// Writes everything. What takes it back is there before the first file is.
    fn carry_out(&self, proposal: &Proposal) -> Result<()> {
        let Proposal { plan, earlier, files, record, .. } = proposal;
        let mut folders = earlier.as_ref().map(|earlier| earlier.folders.clone()).unwrap_or_default();
        if !self.undo {
            for step in &plan.steps {
                for folder in files.missing_folders(&step.file)? {
                    if !folders.contains(&folder) {
                        folders.push(folder);
                    }
                }
            }
            Record::new(plan.written.clone(), folders.clone()).write(record)?;
        }
        for step in &plan.steps {
            files.write(step).map_err(|error| {
                let again = format!(
                    "{}; `{} --undo` takes back what was written",
                    screen::hint::words(&error.hint),
                    self.command()
                );
                error.hint(again)
            })?;
        }
        if self.undo {
            write::remove_empty(&folders);
            Record::new(Vec::new(), Vec::new()).write(record)?;
        }
        Ok(())
    }

    /// The command that set this up, for hints.
    fn command(&self) -> String {
        let place = match (&self.project, self.user) {
            (Some(folder), _) => format!(" --project {}", folder.display()),
            (None, true) => " --user".to_owned(),
            (None, false) => String::new(),
        };
        format!("gitgate setup {}{place}", self.client.name())
    }
}

/// Shows it and asks.
fn ask(talk: &mut dyn Talk, shown: &str) -> std::io::Result<bool> {
    let screen = talk.screen();
    talk.say(&wrap::shown(shown, &screen))?;
    // A yes to something else must not count.
    talk.forget_typed()?;
    Ok(matches!(talk.ask("Write this? [y]es [n]o ")?.as_deref(), Some("y" | "yes")))
}

/// A note if the sandbox does not exist yet.
fn lacking(context: &Context) -> Vec<String> {
    let lacking = context.home.folder(&context.name).is_err();
    let note = format!("There is no sandbox '{0}' yet: create it with `gitgate -s {0} new`.", context.name);
    lacking.then_some(note).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::approve::Played;

    #[test]
    fn only_a_yes_is_a_yes() {
        for (typed, is_yes) in
            [("y\n", true), ("yes\n", true), ("n\n", false), ("\n", false), ("", false), ("Y?\n", false)]
        {
            let mut played = Played::new(typed);
            assert_eq!(ask(&mut played, "--- a\n+++ b\n").unwrap(), is_yes, "{typed:?}");
            assert!(played.shown.starts_with("--- a\n+++ b\n"), "{}", played.shown);
        }
    }
}
