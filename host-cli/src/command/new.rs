use std::collections::HashSet;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::Args;
use gate::id::SandboxId;
use gate::policy::{Caller, Policy};
use gate::target::CanonicalTarget;
use serde_json::Value;

use self::part::Pull;
pub(super) use self::part::named;
use self::whole::{Read, import};
use super::Context;
use super::destination::{self, Destination, destination};
use crate::approve::Scripted;
use crate::driver;
use crate::error::{Doing, ErrorKind, HostError};
use crate::home::{Author, HexId, Identity, Place, PolicyChoice, SandboxFile, author, policy, worker};
use crate::moment;
use crate::on_disk;
use crate::platform::random;
use crate::remote::{self, Location, Target, TargetSpec};
use crate::report::{self, Exit, ToolFailure};
use crate::sandbox::{self, Sandbox};
use crate::screen;
use crate::store::{self, Attachment};
use host::answer::{Call, Reply};

mod naming;
mod origin;
mod part;
mod whole;

/// What the help ends with.
const EXAMPLES: &str = "\
Examples:
  gitgate new                          # from the repository in the current folder
  gitgate new --from github:ada/project --depth 50
  gitgate -s docs new --paths docs --policy strict";

/// Create a sandbox from a repository
///
/// It belongs to that repository: in its folders, commands are for this sandbox.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct New {
    #[arg(
        long,
        value_name = "TARGET",
        value_parser = source,
        help = format!(
            "Source: a folder, {}, with #BRANCH for a branch other than HEAD's, or bundle:FILE [default: the repository in \
             the current folder]",
            remote::usage(" or ")
        )
    )]
    from: Option<Source>,
    /// Start with an empty folder
    #[arg(long, conflicts_with = "from")]
    empty: bool,
    /// File or folder to bring in; gitgate fetches other files when they are needed
    #[arg(long, value_name = "PATH", conflicts_with = "empty")]
    paths: Vec<String>,
    /// Number of commits of history to bring in [default: all, or 1 with --paths]
    #[arg(long, value_name = "N", conflicts_with = "empty")]
    depth: Option<NonZeroU32>,
    #[arg(
        long,
        value_name = "TARGET",
        value_parser = destination,
        help = "Where pushes go that name no target; `origin` is the branch that it comes from [default: a branch of its \
                own there, agent/NAME]"
    )]
    push_to: Option<Destination>,
    /// When to ask for approval: gate asks before anything leaves the sandbox, strict before any
    /// change to the repository; or a file with rules
    #[arg(long, value_name = "gate|strict|FILE", default_value = "gate", value_parser = |text: &str| text.parse::<PolicyChoice>())]
    policy: PolicyChoice,
    /// Author of commits [default: user.name and user.email of the repository, else of your git
    /// configuration]
    #[arg(long, value_name = "\"NAME <EMAIL>\"", value_parser = |text: &str| text.parse::<Identity>().map_err(|error| format!("{}: {}", error.message, screen::hint::words(&error.hint))))]
    identity: Option<Identity>,
    /// Run the tools on this folder instead of inside the component, for debugging: they are then
    /// NOT sealed
    #[arg(long, value_name = "DIR")]
    on_disk: Option<PathBuf>,
    /// Worker file: its front matter sets where pushes go and whether an agent may propose them
    #[arg(long, value_name = "FILE")]
    worker: Option<PathBuf>,
}

/// What a sandbox is created from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Repository(TargetSpec),
    Bundle(PathBuf),
}

/// Reads a source as an option names it.
pub(super) fn source(text: &str) -> Result<Source, String> {
    match text.strip_prefix("bundle:") {
        Some("") => Err("`bundle:` does not name a file".to_owned()),
        Some(file) => Ok(Source::Bundle(file.into())),
        None => remote::of_person(text).map(Source::Repository),
    }
}

impl New {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        self.make(context)?;
        Ok(Exit::Done)
    }

    /// Creates the sandbox that the command line describes, says so, and returns what works on it.
    pub(super) fn make(mut self, context: Context) -> anyhow::Result<Context> {
        let standing = context.standing()?;
        if context.is_named_by_environment && context.is_named && standing.has(&context.name) {
            let what = format!("the sandbox '{}' already exists", context.name);
            return Err(HostError::new(ErrorKind::SandboxExists, what)
                .hint("GITGATE_SANDBOX names it: choose another name with -s, or unset GITGATE_SANDBOX")
                .into());
        }
        self.from = self.source(&standing)?;
        let context = match context.is_named {
            true => context,
            false => context.of(self.name(&standing)?),
        };
        let text = self.create(&context)?;
        report::print(&format!("Sandbox {}: {}", context.name, screen::block(&text)))?;
        if standing.repository().is_some() && context.standing()?.is_strange(&context.name) {
            report::note(&format!(
                "sandbox {0} does not belong to the repository in this folder, so only `-s {0}` names it here",
                context.name
            ));
        }
        Ok(context)
    }

    /// The same as `gitgate new --from local:PATH --identity IDENTITY --push-to origin`.
    pub fn from_local(path: &Path, identity: Identity) -> Self {
        let spec = TargetSpec { location: Location::Local(path.to_owned()), branch: None };
        let push_to = Some(Destination::Origin(None));
        New { identity: Some(identity), push_to, ..New::from_or_here(Some(Source::Repository(spec))) }
    }

    /// The same as `gitgate new --from SOURCE`, or `gitgate new`.
    pub(super) fn from_or_here(from: Option<Source>) -> Self {
        New {
            from,
            empty: false,
            paths: Vec::new(),
            depth: None,
            push_to: None,
            policy: PolicyChoice::default(),
            identity: None,
            on_disk: None,
            worker: None,
        }
    }

    /// Creates the sandbox and describes its content. Leaves nothing behind on failure.
    pub fn create(self, context: &Context) -> anyhow::Result<String> {
        let config = context.config()?;
        let now = moment::now();
        let worker = self.worker.as_ref().map(|file| worker::read(file, now)).transpose()?.unwrap_or_default();
        let unfinished = context.home.begin(&context.name)?;
        let claimed = self.on_disk.as_deref().map(|folder| on_disk::claim(folder, &context.home, &context.name));
        let claimed = claimed.transpose()?;
        let is_taken_over = claimed.as_ref().is_some_and(|claimed| claimed.is_taken_over);
        if is_taken_over && self.from.is_some() {
            return Err(taken_over().into());
        }
        let base = std::env::current_dir().doing("find", Path::new("."))?;
        let part = self.part(&base)?;
        let repository = self.repository(&base)?.map(remote::with_root).transpose()?;
        let whole = self.from.as_ref().filter(|_| part.is_none());
        let read = whole.map(|source| Read::from(source, &base)).transpose()?;
        let (git, target) = match (&part, &read) {
            (Some(part), _) => (part.place.clone(), Some(part.target.clone())),
            (None, Some(read)) => (read.git.clone(), read.target.clone()),
            (None, None) => (None, None),
        };
        let author = match &self.identity {
            Some(_) => None,
            None => author(git.as_ref()),
        };
        let pulls =
            worker.auto_pull.iter().map(|wanted| Pull::of(wanted, &base)).collect::<anyhow::Result<Vec<_>>>()?;
        let mut targets = Vec::from_iter(target);
        let default_target =
            self.default_target(&context.name, destination::origin(&targets), worker.default_target)?;
        if let Some(place) = &default_target {
            // Open it now to learn its canonical name.
            targets.push(remote::canonical(&TargetSpec::of(place)?, &base)?.to_string());
        }
        targets.extend(pulls.iter().map(|pull| pull.target.clone()));
        let mut seen = HashSet::new();
        targets.retain(|target| seen.insert(target.clone()));
        for name in &targets {
            let Some(target) = nearby(name)? else { continue };
            for place in target.reads_elsewhere()? {
                report::note(&format!("{name} also reads objects in {}, which is outside its folder", place.display()));
            }
        }
        let (policy, policy_file) = policy::settled(self.policy, || {
            let mut written: Vec<PathBuf> = claimed.iter().map(|claimed| claimed.root.clone()).collect();
            for target in &targets {
                if let Some(target) = nearby(target)? {
                    written.extend(target.folders()?);
                }
            }
            anyhow::Ok(written)
        })?;
        let file = SandboxFile {
            version: SandboxFile::VERSION,
            id: HexId(random()?),
            created: now.rfc3339(),
            on_disk: claimed.as_ref().map(|claimed| claimed.root.clone()),
            identity: self.identity.or_else(|| author.as_ref().map(|author| author.identity.clone())),
            committer: author.as_ref().and_then(|author| author.committer.clone()),
            policy,
            policy_file,
            targets,
            repository,
            base,
            worker: worker.name,
            push: worker.push,
            tasks: worker.tasks,
            default_target,
            auto_pull: worker.auto_pull,
        };
        store::put_settings(unfinished.folder(), &file)?;
        let runtime = context.runtime()?;
        let mut sandbox = sandbox::create(unfinished.folder(), config.tools(), runtime)?;
        let mut text = match (is_taken_over, part) {
            (true, _) => "Repository at /workspace, as an earlier sandbox left it\n".to_owned(),
            (false, None) => import(context, &mut sandbox, read)?,
            (false, Some(part)) => {
                import(context, &mut sandbox, None)?;
                ask(context, &mut sandbox, "git_pull", &part.arguments, Vec::new())?
            }
        };
        for pull in pulls.iter().filter(|_| !is_taken_over) {
            text.push_str(&ask(context, &mut sandbox, "git_pull", &pull.arguments, Vec::new())?);
        }
        drop(sandbox);
        // The next sandbox of this name can take over a folder without a sandbox. A sandbox without
        // its folder would be useless, so the folder comes first.
        claimed.map(on_disk::Claimed::finish).transpose()?;
        unfinished.finish()?;
        if let Some(worktree) = file.repository.as_ref().and_then(|repository| repository.worktree.as_deref()) {
            note_uncommitted(worktree);
        }
        text.push_str(&committing(file.identity.as_ref(), author.as_ref()));
        if let Some(place) = &file.default_target {
            text.push_str(&destination::words(place));
        }
        if let Some(folder) = &file.on_disk {
            text.push_str(&screen::not_sealed(folder));
        }
        Ok(text)
    }
}

impl New {
    /// Where pushes go that name no target. The person's word goes before the worker file's.
    fn default_target(
        &self,
        name: &SandboxId,
        origin: Option<CanonicalTarget>,
        worker: Option<Place>,
    ) -> anyhow::Result<Option<Place>> {
        match (&self.push_to, worker, origin) {
            (Some(named), _, origin) => named.place(origin.as_ref()),
            (None, Some(worker), _) => Ok(Some(worker)),
            (None, None, Some(origin)) => destination::of_its_own(name, &origin),
            (None, None, None) => Ok(None),
        }
    }
}

/// Opens the target of that canonical name. `None` for one on a server, which has no folder here.
fn nearby(name: &str) -> anyhow::Result<Option<Target>> {
    let target: CanonicalTarget = name.parse().map_err(HostError::from)?;
    Ok(match target.kind().forge() {
        Some(_) => None,
        None => Some(Target::known(&target, None)?),
    })
}

/// Says that the sandbox will lack what nobody has committed. It is no error if that cannot be found out.
fn note_uncommitted(worktree: &Path) {
    match remote::uncommitted(worktree) {
        Ok(0) => {}
        Ok(count) => {
            let what = if count == 1 { "1 file has" } else { &format!("{count} files have") };
            report::note(&format!("{what} changes that are not committed, so the sandbox does not have them"));
        }
        Err(error) => tracing::debug!("cannot compare {} with its last commit: {error}", worktree.display()),
    }
}

/// Says who commits, and where git has that from.
fn committing(identity: Option<&Identity>, author: Option<&Author>) -> String {
    match (identity, author) {
        (Some(identity), Some(author)) => {
            let committer = author.committer.as_ref().map(|committer| format!(", and made by {committer}"));
            let committer = committer.unwrap_or_default();
            screen::line(&format!("Commits are by {identity} ({}){committer}", author.from)) + "\n"
        }
        (Some(identity), None) => screen::line(&format!("Commits are by {identity}")) + "\n",
        (None, _) => "Nobody can commit yet: git has no user.name or no user.email here. Set them with git, or with \
                      `gitgate config identity \"NAME <EMAIL>\"`\n"
            .to_owned(),
    }
}

fn taken_over() -> HostError {
    HostError::new(ErrorKind::Refused, "an earlier sandbox of this name has left its repository in that folder")
        .hint("omit --from to continue with that repository, or name another folder")
}

/// Makes a call for the person. They requested it by running this command, so nobody is asked.
/// Its arguments may name what is `attached`.
fn ask(
    context: &Context,
    sandbox: &mut Sandbox,
    tool: &str,
    arguments: &Value,
    attached: Vec<Attachment>,
) -> anyhow::Result<String> {
    let call = Call::new(tool, arguments.to_string(), Caller::User);
    let approver = &mut Scripted { yes: true, ..Scripted::default() };
    match context.ended(driver::run(sandbox, &call, attached, Policy::default(), approver, &*context.servers)?)? {
        Reply::Done(Ok(result)) => Ok(result.text),
        Reply::Done(Err(error)) => Err(ToolFailure(error).into()),
        Reply::NotApproved(not) => Err(HostError::new(ErrorKind::NotApproved, not.reason).hint(not.hint).into()),
    }
}
