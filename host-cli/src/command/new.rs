use std::path::{Path, PathBuf};

use clap::Args;
use gate::policy::Caller;
use gate::target::TargetKind;
use serde_json::{Value, json};

use super::Context;
use crate::answer::{self, Call, Reply};
use crate::approve::Scripted;
use crate::error::{Doing, ErrorKind, HostError};
use crate::hex;
use crate::home::{HexId, Identity, PolicyName, SandboxFile, Worker, identity_of_git};
use crate::moment::Moment;
use crate::report::{self, Exit, ToolFailure};
use crate::sandbox::Sandbox;
use crate::screen::{self, progress};
use crate::target::bundle::read_bundle;
use crate::target::supply::Supplied;
use crate::target::{Location, Target, TargetSpec};

/// Open a sandbox, empty or from a repository
#[derive(Debug, Args)]
pub struct New {
    /// What to open it from: local:PATH, bare:PATH, with #BRANCH if it is not the branch that HEAD names, or bundle:FILE
    #[arg(long, value_name = "TARGET", value_parser = source)]
    from: Option<Source>,
    /// Who is asked for what
    #[arg(long, value_enum, value_name = "POLICY", default_value_t)]
    policy: PolicyName,
    /// Who commits [default: user.name and user.email of the repository, else of your git configuration]
    #[arg(long, value_name = "\"NAME <EMAIL>\"", value_parser = |text: &str| text.parse::<Identity>().map_err(|error| format!("{}: {}", error.message, error.hint)))]
    identity: Option<Identity>,
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
        New { from: Some(Source::Repository(spec)), policy: PolicyName::Gate, identity: Some(identity), worker: None }
    }

    /// Makes the sandbox, or leaves nothing of it; says what is in it.
    pub fn create(self, context: &Context) -> anyhow::Result<String> {
        let config = context.config()?;
        let now = Moment::now();
        let worker = self.worker.as_ref().map(|file| Worker::read(file, now)).transpose()?.unwrap_or_default();
        let unfinished = context.home.begin(&context.name)?;
        let base = std::env::current_dir().doing("find", Path::new("."))?;
        let read = self.from.as_ref().map(|source| Read::from(source, &base)).transpose()?;
        let mut targets = Vec::from_iter(read.as_ref().and_then(|read| read.target.clone()));
        if let Some(place) = &worker.default_target {
            // It is looked at now, so that it is known under its one name.
            let target = Target::open(&TargetSpec::of(place)?, &base)?.canonical().to_string();
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        let file = SandboxFile {
            version: SandboxFile::VERSION,
            id: HexId(answer::random()?),
            created: now.rfc3339(),
            identity: self.identity.or_else(|| read.as_ref()?.identity.clone()).or_else(identity_of_git),
            policy: self.policy,
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
        let text = import(context, &mut sandbox, read)?;
        drop(sandbox);
        unfinished.finish()?;
        Ok(text)
    }
}

/// A repository as it was read.
struct Read {
    supplied: Supplied,
    /// The full name of the branch to begin on, or else the detached commit.
    head: Option<Value>,
    /// Where it is, unless it is a bundle, which nothing can be pushed to.
    origin: Option<Value>,
    /// Who commits there.
    identity: Option<Identity>,
    target: Option<String>,
}

impl Read {
    fn from(source: &Source, base: &Path) -> anyhow::Result<Self> {
        let bars = progress::Bars::default();
        let (supplied, branch, origin, identity) = match source {
            Source::Bundle(file) => (read_bundle(&base.join(file), &bars)?, None, None, None),
            Source::Repository(spec) => {
                let target = Target::open(spec, base)?;
                if let Some(branch) = &spec.branch {
                    target.existing_branch(branch)?;
                }
                let place = target.canonical();
                let kind = if place.kind() == TargetKind::Bare { "local-bare" } else { place.kind().as_str() };
                let origin = json!({ "kind": kind, "location": place.location(), "target": place.to_string() });
                let identity = target.identity().and_then(|(name, email)| format!("{name} <{email}>").parse().ok());
                (target.supply(&bars)?, spec.branch.clone(), Some(origin), identity)
            }
        };
        let listing = &supplied.listing;
        for odd in &listing.left_out {
            report::note(&format!("left out: {odd}"));
        }
        let head = match (branch, &listing.head, listing.detached) {
            (Some(branch), _, _) => Some(json!({ "branch": branch.as_str() })),
            (None, Some(head), _) => Some(json!({ "branch": head })),
            (None, None, Some(id)) => Some(json!({ "detached": id.to_string() })),
            (None, None, None) => None,
        };
        let target = origin.is_some().then(|| listing.canonical.to_string());
        Ok(Read { supplied, head, origin, identity, target })
    }
}

/// Gives the sandbox its repository.
fn import(context: &Context, sandbox: &mut Sandbox, read: Option<Read>) -> anyhow::Result<String> {
    let arguments = match read {
        None => json!({}),
        Some(read) => {
            let _waiting = progress::spinner("Bringing it into the sandbox");
            let supply = &read.supplied.supply;
            let packs = match supply.verified.objects() {
                [] => json!([]),
                _ => {
                    let mut locked = sandbox.lock()?;
                    let pack = locked.attach(supply.verified.bytes())?;
                    let index = locked.attach(&supply.verified.index()?)?;
                    json!([{ "pack": hex::encode(&pack), "index": hex::encode(&index) }])
                }
            };
            let refs = read
                .supplied
                .listing
                .refs
                .iter()
                .map(|entry| json!({ "name": entry.name, "id": entry.id.to_string() }));
            json!({
                "origin": read.origin,
                "head": read.head,
                "refs": refs.collect::<Vec<_>>(),
                "packs": packs,
                "shallow": supply.shallow.iter().map(ToString::to_string).collect::<Vec<_>>(),
            })
        }
    };
    let _waiting = progress::spinner("Checking out the files");
    let call = Call { tool: "sandbox_import".to_owned(), arguments: arguments.to_string(), caller: Caller::User };
    // The person has just asked for it, so they need not be asked.
    match context.run(sandbox, &call, &mut Scripted { yes: true, ..Scripted::default() })? {
        Reply::Done(Ok(result)) => Ok(result.text),
        Reply::Done(Err(error)) => Err(ToolFailure(error).into()),
        Reply::NotApproved(not) => Err(HostError::new(ErrorKind::NotApproved, not.reason).hint(not.hint).into()),
    }
}
