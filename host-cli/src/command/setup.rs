use std::path::{Path, PathBuf};

use clap::Args;

use super::Context;
use super::standing::Standing;
use crate::approve::Talk;
use crate::error::{Doing, ErrorKind, HostError, Result};
use crate::home;
use crate::report::{self, Exit};
use crate::screen::{self, wrap};
use crate::setup::client::Client;
use crate::setup::diff;
use crate::setup::exclusion::Exclusion;
use crate::setup::place::{Place, UserFolders};
use crate::setup::plan::{self, Plan, Step};
use crate::setup::record::Record;
use crate::setup::server::Server;
use crate::setup::write::{self, Files};
use crate::terminal::Terminal;

/// What the help ends with.
const EXAMPLES: &str = "\
Examples:
  gitgate setup claude-code --print    # show what it would write
  gitgate setup codex --user
  gitgate setup codex --user --undo";

/// Connect an agent's program to gitgate
///
/// Shows what it would write into the program's configuration files, and writes it if you say yes: the
/// server `gitgate mcp`, settings that turn the program's own tools for files, shell and git off, and
/// instructions for the agent. What is in the files stays there.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
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
    /// Keep the files that it creates out of git, in .git/info/exclude [default: asked at a terminal]
    #[arg(long, conflicts_with_all = ["user", "undo", "no_exclude"])]
    exclude: bool,
    /// Let git see the files that it creates
    #[arg(long, conflicts_with_all = ["user", "undo"])]
    no_exclude: bool,
}

/// What is to be done, and in which words.
struct Proposal {
    plan: Plan,
    /// The same, and git overlooks what it creates. `None` unless the person is to be asked.
    excluding: Option<Plan>,
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
        let context = self.sandbox(context)?;
        let mut proposal = self.proposal(&context)?;
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
            let offer = "* git sees the files that this creates; with --exclude, .git/info/exclude keeps them out.\n";
            let offer = proposal.excluding.as_ref().map_or("", |_| offer);
            report::print(&format!("{}{offer}", screen::patches(&shown)))?;
            return Ok(Exit::Done);
        }
        match self.approval(&context, &proposal, &shown)? {
            Approved::Nothing => {
                report::note("nothing was written");
                return Ok(Exit::NotApproved);
            }
            Approved::Shown => {}
            Approved::Excluding => proposal.plan = proposal.excluding.take().unwrap_or(proposal.plan),
        }
        self.carry_out(&proposal)?;
        let count = proposal.plan.steps.len();
        let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        report::print(&match self.undo {
            true => format!("Removed gitgate from {files}\n"),
            false => format!("Wrote {files}; `{} --undo` takes it back\n", self.command()),
        })?;
        Ok(Exit::Done)
    }

    /// The sandbox: the one that is named, else that of the project's folder. All of a user's work is in many, and what a client starts in a
    /// folder finds that folder's.
    fn sandbox(&self, context: Context) -> anyhow::Result<Context> {
        if self.user || self.undo {
            return Ok(context);
        }
        let folder = self.project.as_deref().unwrap_or(Path::new("."));
        let folder = folder.canonicalize().doing("find", folder)?;
        let standing = Standing::of(&context.home, &folder)?;
        let context = context.chosen_in(&standing, Some("Connect an agent to"))?;
        context.home.note_use(&context.name);
        Ok(context.of(context.name.clone()))
    }

    fn proposal(&self, context: &Context) -> anyhow::Result<Proposal> {
        let (place, mut files, place_words) = self.place(context)?;
        let what = format!("{}, {place_words}", self.client.title());
        let record = context.home.setups().join(format!("{}-{}.json", self.client.name(), place.key()));
        let earlier = Record::read(&record)?;
        let written = earlier.as_ref().map(|earlier| earlier.written.as_slice()).unwrap_or_default();
        let exclusion = files.root.as_deref().map(Exclusion::of).transpose()?.flatten();
        files.git_dir = exclusion.as_ref().map(|exclusion| exclusion.git_dir().to_owned());
        let read = |path: &Path| files.read(path);
        let (plan, excluding, notes) = match self.undo {
            true => (plan::undo(written, &read)?, None, Vec::new()),
            false => {
                let wiring = self.client.wiring(
                    &place,
                    &Server::of(&context.home, context.is_named.then_some(&context.name))?,
                    self.keep_tools,
                );
                let mut notes = [wiring.notes, lacking(context)].concat();
                let plain = plan::set_up(written, &wiring.edits, &read)?;
                let edit = match exclusion.as_ref().map(|exclusion| exclusion.edit(&plain)) {
                    None if self.exclude => return Err(no_repository().into()),
                    Some(Err(error)) if self.exclude => return Err(error.into()),
                    Some(Err(error)) => {
                        notes.push(format!("What git tracks here is unknown: {error}."));
                        None
                    }
                    edit => edit.transpose()?.flatten(),
                };
                let excluding = match edit.filter(|_| !self.no_exclude) {
                    Some(edit) => Some(plan::set_up(written, &[wiring.edits, vec![edit]].concat(), &read)?),
                    None => None,
                };
                // What an earlier set-up was told holds until the person says otherwise.
                let was_told = exclusion.is_some_and(|exclusion| {
                    let file = exclusion.file();
                    written.iter().any(|written| written.file == file)
                        || !excluding.as_ref().is_some_and(|plan| plan.changes(&file))
                });
                match excluding {
                    Some(excluding) if self.exclude || was_told => (excluding, None, notes),
                    excluding => (plain, excluding, notes),
                }
            }
        };
        Ok(Proposal { plan, excluding, notes, earlier, files, record, what })
    }

    /// Whose files are changed, and which of them may be.
    fn place(&self, context: &Context) -> anyhow::Result<(Place, Files, String)> {
        if self.user {
            return Ok((
                Place::User(UserFolders::find()?),
                Files { root: None, git_dir: None },
                "for all your work".to_owned(),
            ));
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
        Ok((Place::Project(root.clone()), Files { root: Some(root), git_dir: None }, words))
    }

    fn shown(&self, proposal: &Proposal) -> Result<String> {
        let change = if self.undo { "removes gitgate from" } else { "connects gitgate to" };
        let mut out = format!("This {change} {}:\n\n", screen::line(&proposal.what));
        out.push_str(&diffs(&proposal.plan.steps, &proposal.files)?);
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

    /// What the person wants of it: by the command line, or asked at the terminal.
    fn approval(&self, context: &Context, proposal: &Proposal, shown: &str) -> anyhow::Result<Approved> {
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
            return Ok(Approved::Shown);
        }
        let Some(mut terminal) = Terminal::open() else {
            return Err(HostError::new(ErrorKind::NotApproved, "nobody could be asked whether to write this")
                .hint(format!("run it at a terminal; `{} --print` shows what it would write", self.command()))
                .into());
        };
        let more = match &proposal.excluding {
            Some(excluding) => {
                let is_new = |step: &&Step| !proposal.plan.changes(&step.file);
                let steps: Vec<Step> = excluding.steps.iter().filter(is_new).cloned().collect();
                Some(diffs(&steps, &proposal.files)?)
            }
            None => None,
        };
        // A note above a long diff is out of sight by now.
        let question = match context.standing()?.elsewhere(&context.name).filter(|_| !self.user && !self.undo) {
            Some(of) => format!("Write this, for the sandbox {}, {of}? [y]es [n]o ", context.name),
            None => "Write this? [y]es [n]o ".to_owned(),
        };
        Ok(ask(&mut terminal, shown, &question, more.as_deref()).doing("write to", Path::new("/dev/tty"))?)
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

/// What a person has said yes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Approved {
    Nothing,
    /// What was shown first.
    Shown,
    /// That, and that git overlooks it.
    Excluding,
}

/// Shows it and asks, and then for `more`, if there is any.
fn ask(talk: &mut dyn Talk, shown: &str, question: &str, more: Option<&str>) -> std::io::Result<Approved> {
    if !is_wanted(talk, shown, question)? {
        return Ok(Approved::Nothing);
    }
    let question = "Keep them out of git, in .git/info/exclude? [y]es [n]o ";
    Ok(match more {
        Some(more) if is_wanted(talk, &format!("\n{more}"), question)? => Approved::Excluding,
        _ => Approved::Shown,
    })
}

fn is_wanted(talk: &mut dyn Talk, shown: &str, question: &str) -> std::io::Result<bool> {
    let screen = talk.screen();
    talk.say(&wrap::shown(shown, &screen))?;
    // A yes to something else must not count.
    talk.forget_typed()?;
    Ok(matches!(talk.press(question)?.as_deref(), Some("y" | "yes")))
}

/// The diff of each file, and where it is if a link leads there.
fn diffs(steps: &[Step], files: &Files) -> Result<String> {
    let mut out = String::new();
    for step in steps {
        out.push_str(&screen::block(&diff::unified(step)));
        if let Some(real) = files.link(&step.file)? {
            let (file, real) = (step.file.display().to_string(), real.display().to_string());
            out.push_str(&format!("{} leads to {}\n", screen::line(&file), screen::line(&real)));
        }
        out.push('\n');
    }
    Ok(out)
}

fn no_repository() -> HostError {
    HostError::new(ErrorKind::Usage, "there is no git repository here whose files could be excluded")
        .hint("leave --exclude away, or name a folder in a repository with --project")
}

/// A note if the sandbox does not exist yet.
fn lacking(context: &Context) -> Vec<String> {
    let lacking = context.is_named && context.home.folder(&context.name).is_err();
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
            let said = ask(&mut played, "--- a\n+++ b\n", "Write this? ", None).unwrap();
            assert_eq!(said == Approved::Shown, is_yes, "{typed:?}");
            assert!(played.shown.starts_with("--- a\n+++ b\n"), "{}", played.shown);
        }
    }

    #[test]
    fn what_git_overlooks_is_asked_for_after_the_yes_to_the_rest() {
        for (typed, is) in [
            ("y\ny\n", Approved::Excluding),
            ("y\nn\n", Approved::Shown),
            ("y\n", Approved::Shown),
            ("n\ny\n", Approved::Nothing),
        ] {
            let mut played = Played::new(typed);
            assert_eq!(ask(&mut played, "--- a\n", "Write this? ", Some("+/AGENTS.md\n")).unwrap(), is, "{typed:?}");
            assert_eq!(played.shown.contains("+/AGENTS.md\nKeep them out"), is != Approved::Nothing);
        }
    }
}
