use std::collections::HashSet;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::Args;
use gate::policy::{Caller, Policy};
use serde_json::Value;

use self::part::Pull;
use self::whole::{Read, import};
use super::Context;
use crate::answer::{self, Call, Reply};
use crate::approve::Scripted;
use crate::error::{Doing, ErrorKind, HostError};
use crate::home::{HexId, Identity, PolicyChoice, SandboxFile, Worker, identity_of_git};
use crate::moment::Moment;
use crate::on_disk;
use crate::report::{self, Exit, ToolFailure};
use crate::sandbox::Sandbox;
use crate::screen;
use crate::store::Attachment;
use crate::target::{Location, Target, TargetSpec};

mod part;
mod whole;

/// Open a sandbox, empty or from a repository
#[derive(Debug, Args)]
pub struct New {
    /// What to open it from: local:PATH, bare:PATH, with #BRANCH if it is not the branch that HEAD names, or bundle:FILE
    #[arg(long, value_name = "TARGET", value_parser = source)]
    from: Option<Source>,
    /// File or folder of the repository to bring in; what is elsewhere is fetched when it is needed
    #[arg(long, value_name = "PATH", requires = "from")]
    paths: Vec<String>,
    /// Commits of history to bring in [default: all; with --paths 1]
    #[arg(long, value_name = "N", requires = "from")]
    depth: Option<NonZeroU32>,
    /// Who is asked for what: gate for what leaves the sandbox, strict for all that changes the repository, or a file with rules
    #[arg(long, value_name = "gate|strict|FILE", default_value = "gate", value_parser = |text: &str| text.parse::<PolicyChoice>())]
    policy: PolicyChoice,
    /// Who commits [default: user.name and user.email of the repository, else of your git configuration]
    #[arg(long, value_name = "\"NAME <EMAIL>\"", value_parser = |text: &str| text.parse::<Identity>().map_err(|error| format!("{}: {}", error.message, error.hint)))]
    identity: Option<Identity>,
    /// Let the tools work on this folder instead of inside the component, for debugging: they are NOT sealed then
    #[arg(long, value_name = "DIR")]
    on_disk: Option<PathBuf>,
    /// A worker file: its front matter says where pushes go, and whether an agent may propose them
    #[arg(long, value_name = "FILE")]
    worker: Option<PathBuf>,
}

/// What a sandbox is opened from.
#[derive(Clone, Debug)]
enum Source {
    Repository(TargetSpec),
    Bundle(PathBuf),
}

fn source(text: &str) -> Result<Source, String> {
    match text.strip_prefix("bundle:") {
        Some("") => Err("`bundle:` names no file".to_owned()),
        Some(file) => Ok(Source::Bundle(file.into())),
        None => TargetSpec::parse(text).map(Source::Repository).map_err(|error| match &error.hint {
            Some(hint) => format!("{error}: {hint}"),
            None => error.to_string(),
        }),
    }
}

impl New {
    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let text = self.create(&context)?;
        report::print(&format!("Sandbox {}\n{}", context.name, screen::block(&text)))?;
        Ok(Exit::Done)
    }

    /// As `gitgate new --from local:PATH` with an identity.
    pub fn from_local(path: &Path, identity: Identity) -> Self {
        let spec = TargetSpec { location: Location::Local(path.to_owned()), branch: None };
        New {
            from: Some(Source::Repository(spec)),
            paths: Vec::new(),
            depth: None,
            policy: PolicyChoice::default(),
            identity: Some(identity),
            on_disk: None,
            worker: None,
        }
    }

    /// Makes the sandbox, or leaves nothing of it; says what is in it.
    pub fn create(self, context: &Context) -> anyhow::Result<String> {
        let config = context.config()?;
        let now = Moment::now();
        let worker = self.worker.as_ref().map(|file| Worker::read(file, now)).transpose()?.unwrap_or_default();
        let unfinished = context.home.begin(&context.name)?;
        let claimed = self.on_disk.as_deref().map(|folder| on_disk::claim(folder, &context.home, &context.name));
        let claimed = claimed.transpose()?;
        let is_taken_over = claimed.as_ref().is_some_and(|claimed| claimed.is_taken_over);
        if is_taken_over && self.from.is_some() {
            return Err(taken_over().into());
        }
        let base = std::env::current_dir().doing("find", Path::new("."))?;
        let part = self.part(&base)?;
        let whole = self.from.as_ref().filter(|_| part.is_none());
        let read = whole.map(|source| Read::from(source, &base)).transpose()?;
        let (identity, target) = match (&part, &read) {
            (Some(part), _) => (part.identity.clone(), Some(part.target.clone())),
            (None, Some(read)) => (read.identity.clone(), read.target.clone()),
            (None, None) => (None, None),
        };
        let pulls =
            worker.auto_pull.iter().map(|wanted| Pull::of(wanted, &base)).collect::<anyhow::Result<Vec<_>>>()?;
        let mut targets = Vec::from_iter(target);
        if let Some(place) = &worker.default_target {
            // It is looked at now, so that it is known under its one name.
            targets.push(Target::open(&TargetSpec::of(place)?, &base)?.canonical().to_string());
        }
        targets.extend(pulls.iter().map(|pull| pull.target.clone()));
        let mut seen = HashSet::new();
        targets.retain(|target| seen.insert(target.clone()));
        let (policy, policy_file) = self.policy.settled(|| {
            let mut written: Vec<PathBuf> = claimed.iter().map(|claimed| claimed.root.clone()).collect();
            for target in &targets {
                let target = target.parse().map_err(HostError::from)?;
                written.extend(Target::known(&target, None)?.folders()?);
            }
            anyhow::Ok(written)
        })?;
        let file = SandboxFile {
            version: SandboxFile::VERSION,
            id: HexId(answer::random()?),
            created: now.rfc3339(),
            on_disk: claimed.as_ref().map(|claimed| claimed.root.clone()),
            identity: self.identity.or(identity).or_else(identity_of_git),
            policy,
            policy_file,
            targets,
            base,
            worker: worker.name,
            push: worker.push,
            default_target: worker.default_target,
            auto_pull: worker.auto_pull,
        };
        file.write(unfinished.folder())?;
        let runtime = context.runtime()?;
        let mut sandbox = Sandbox::create(unfinished.folder(), config.git(), runtime)?;
        let mut text = match (is_taken_over, part) {
            (true, _) => "Repository at /workspace as it was left\n".to_owned(),
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
        // A folder without a sandbox is taken over by the next one of its name; a sandbox without its folder would be of no use.
        claimed.map(on_disk::Claimed::finish).transpose()?;
        unfinished.finish()?;
        if let Some(folder) = &file.on_disk {
            text.push_str(&screen::not_sealed(folder));
        }
        Ok(text)
    }
}

fn taken_over() -> HostError {
    HostError::new(ErrorKind::Refused, "an earlier sandbox of this name has left its repository in that folder")
        .hint("leave --from out to go on with it, or name another folder")
}

/// Makes a call for the person, who has just asked for it, so they need not be asked. Its arguments may name what is `attached`.
fn ask(
    context: &Context,
    sandbox: &mut Sandbox,
    tool: &str,
    arguments: &Value,
    attached: Vec<Attachment>,
) -> anyhow::Result<String> {
    let call = Call { tool: tool.to_owned(), arguments: arguments.to_string(), caller: Caller::User };
    let approver = &mut Scripted { yes: true, ..Scripted::default() };
    match context.ended(answer::run(sandbox, &call, attached, &Policy::default(), approver)?)? {
        Reply::Done(Ok(result)) => Ok(result.text),
        Reply::Done(Err(error)) => Err(ToolFailure(error).into()),
        Reply::NotApproved(not) => Err(HostError::new(ErrorKind::NotApproved, not.reason).hint(not.hint).into()),
    }
}
