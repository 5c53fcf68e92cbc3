//! The names that fit an option or an argument. `None` is that there are no candidates, for whatever reason.

use std::ffi::OsStr;
use std::path::Path;
use std::rc::Rc;

use clap::Command;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use gate::id::SandboxId;
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;

use super::asking::Asking;
use crate::command::Context;
use crate::moment;
use crate::on_disk::registry;
use crate::remote::{self, Remotes, Target};
use crate::sandbox::{self, Runtime, wit};
use crate::screen::status;
use crate::store;

/// How long the component may take for a key.
const LONGEST_MS: u64 = 1000;

/// Candidates for what is asked.
type Find = fn(&Asking) -> Option<Vec<CompletionCandidate>>;

/// Where a name is asked for: the command below gitgate, its argument, and what finds the names.
const PLACES: [(&[&str], &str, Find); 9] = [
    (&[], "sandbox", sandboxes),
    (&["rm"], "name", sandboxes),
    (&["mcp"], "also", sandboxes),
    (&["call"], "tool", tools),
    (&["policy", "explain"], "tool", tools),
    (&["push"], "id", staged),
    (&["diff"], "id", staged),
    (&["review"], "id", waiting),
    (&["settle"], "branch", unsettled),
];

/// Where a repository is asked for, and what names those that are known.
const TARGETS: [(&str, &str, Find); 4] = [
    ("push", "to", destinations),
    ("pull", "from", targets),
    ("new", "from", all_targets),
    ("run", "from", all_targets),
];

/// The command with completers for names.
pub(super) fn known(mut command: Command, asking: &Asking) -> Command {
    for (path, argument, find) in PLACES {
        let asking = asking.clone();
        let completer = ArgValueCompleter::new(move |word: &OsStr| fitting(find(&asking), word));
        command = with(command, path, argument, completer);
    }
    for (name, argument, find) in TARGETS {
        let asking = asking.clone();
        let completer = ArgValueCompleter::new(move |word: &OsStr| repositories(find(&asking), word));
        command = with(command, &[name], argument, completer);
    }
    command
}

fn with(command: Command, path: &[&'static str], argument: &'static str, completer: ArgValueCompleter) -> Command {
    match path.split_first() {
        // Not `mut_arg`, which puts the argument behind the others.
        None => command.mut_args(|arg| if arg.get_id() == argument { arg.add(completer.clone()) } else { arg }),
        Some((name, rest)) => command.mut_subcommand(name, |below| with(below, rest, argument, completer)),
    }
}

/// Those that begin with `word`.
fn fitting(found: Option<Vec<CompletionCandidate>>, word: &OsStr) -> Vec<CompletionCandidate> {
    let begins = |one: &CompletionCandidate| one.get_value().as_encoded_bytes().starts_with(word.as_encoded_bytes());
    found.unwrap_or_default().into_iter().filter(begins).collect()
}

/// Repositories by their names, folders, and after a `#` the branches of the repository before it.
fn repositories(known: Option<Vec<CompletionCandidate>>, word: &OsStr) -> Vec<CompletionCandidate> {
    if let Some((place, _)) = word.to_str().and_then(|word| word.rsplit_once('#')) {
        return fitting(branches(place), word);
    }
    let mut found = fitting(known, word);
    found.extend(PathCompleter::dir().complete(word));
    found
}

fn sandboxes(asking: &Asking) -> Option<Vec<CompletionCandidate>> {
    let home = asking.of_all()?.home;
    let candidate = |name: SandboxId| {
        let from = store::settings(&home.sandbox(&name).ok()?).ok()?.targets.into_iter().next();
        Some(described(name.as_str(), from))
    };
    let bare = |name: &SandboxId| described(name.as_str(), None);
    Some(
        home.sandboxes().ok()?.into_iter().map(|name| candidate(name.clone()).unwrap_or_else(|| bare(&name))).collect(),
    )
}

fn tools(_: &Asking) -> Option<Vec<CompletionCandidate>> {
    Some(registry::names().map(CompletionCandidate::new).collect())
}

/// The calls that wait: in all sandboxes unless one is named, as for `gitgate review`.
fn waiting(asking: &Asking) -> Option<Vec<CompletionCandidate>> {
    let context = asking.of_all()?;
    let names = if context.is_named { vec![context.name.clone()] } else { context.home.sandboxes().ok()? };
    let calls = names.iter().filter_map(|name| context.waiting(name).ok()).flatten();
    let candidate = |call: store::Waiting| {
        let what = call.inside.map_or(call.arguments, |inside| inside.summary);
        described(&call.id, Some(format!("{}: {what}", call.tool)))
    };
    Some(calls.map(candidate).collect())
}

/// The branches with a push that is not settled.
fn unsettled(asking: &Asking) -> Option<Vec<CompletionCandidate>> {
    let context = asking.context()?;
    let (ledger, _) = store::open(&context.home.sandbox(&context.name).ok()?).ok()?.ledger.look().ok()?;
    let mut branches: Vec<_> =
        ledger.open_intents().chain(ledger.in_doubt()).map(|intent| intent.reference.branch().to_owned()).collect();
    branches.sort();
    branches.dedup();
    Some(branches.into_iter().map(CompletionCandidate::new).collect())
}

/// The staged commits, the latest first. Asks the component, if this machine has compiled it.
fn staged(asking: &Asking) -> Option<Vec<CompletionCandidate>> {
    let context = asking.context()?;
    let runtime = Runtime::load_compiled(context.clock.clone()).ok()??;
    let folder = context.home.sandbox(&context.name).ok()?;
    let sandbox = sandbox::open(&folder, context.config().ok()?.tools(), Rc::new(runtime)).ok()?;
    let now = moment::now();
    let call = wit::ToolCall {
        id: "complete".to_owned(),
        tool: "git_status".to_owned(),
        arguments: "{}".to_owned(),
        dialect: None,
        max_bytes: None,
        caller: wit::Caller::User,
        now: now.nanos,
        utc_offset: now.utc_offset,
        time_allowed: LONGEST_MS * 1_000_000,
    };
    let result = sandbox.look(&call).ok()?.ok()?;
    let state = status::read(&result.structured).ok()?;
    Some(status::staged_ids(&state).into_iter().map(|(id, subject)| described(&id, Some(subject))).collect())
}

/// Where a push can go: where the sandbox came from, and what it has reached.
fn destinations(asking: &Asking) -> Option<Vec<CompletionCandidate>> {
    let origin = described("origin", Some("where the sandbox came from".to_owned()));
    Some([origin].into_iter().chain(targets(asking).unwrap_or_default()).collect())
}

/// The targets of the sandbox.
fn targets(asking: &Asking) -> Option<Vec<CompletionCandidate>> {
    of_sandbox(&asking.context()?)
}

/// The targets of all sandboxes.
fn all_targets(asking: &Asking) -> Option<Vec<CompletionCandidate>> {
    let context = asking.of_all()?;
    let names = context.home.sandboxes().ok()?;
    let mut all: Vec<_> = names.into_iter().filter_map(|name| of_sandbox(&context.of(name))).flatten().collect();
    all.sort();
    all.dedup();
    Some(all)
}

fn of_sandbox(context: &Context) -> Option<Vec<CompletionCandidate>> {
    let file = store::settings(&context.home.sandbox(&context.name).ok()?).ok()?;
    let targets = file.targets.iter().filter_map(|target| target.parse::<CanonicalTarget>().ok());
    Some(targets.map(|target| CompletionCandidate::new(spoken(&target))).collect())
}

/// A target in a person's shortest words: a folder says itself which kind of repository it has.
fn spoken(target: &CanonicalTarget) -> String {
    match target.kind().forge() {
        None if Path::new(target.location()).is_absolute() => target.location().to_owned(),
        _ => target.to_string(),
    }
}

/// The branches of the repository at `place`, with it. Asks no server.
fn branches(place: &str) -> Option<Vec<CompletionCandidate>> {
    let here = std::env::current_dir().ok()?;
    let target = Target::open(&remote::of_person(place).ok()?, &here).ok()?;
    let refs = target.refs(Remotes::Without).ok()?.refs;
    let branches = refs.iter().filter_map(|entry| entry.name.parse::<BranchRef>().ok());
    Some(branches.map(|branch| CompletionCandidate::new(format!("{place}#{}", branch.branch()))).collect())
}

fn described(value: &str, help: Option<String>) -> CompletionCandidate {
    CompletionCandidate::new(value).help(help.map(Into::into))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_said_as_a_person_says_it() {
        for (target, said) in [
            ("local:/home/ada/project", "/home/ada/project"),
            ("bare:/srv/project.git", "/srv/project.git"),
            ("github:ada/project", "github:ada/project"),
        ] {
            assert_eq!(spoken(&target.parse().unwrap()), said);
        }
    }

    #[test]
    fn every_place_is_an_argument_that_there_is() {
        let command = known(<crate::cli::Cli as clap::CommandFactory>::command(), &Asking::default());
        command.clone().debug_assert();
        let targets = TARGETS.iter().map(|(name, argument, _)| (vec![*name], *argument));
        for (path, argument) in PLACES.iter().map(|(path, argument, _)| (path.to_vec(), *argument)).chain(targets) {
            let below = path.iter().fold(&command, |command, name| command.find_subcommand(name).unwrap());
            let arg = below.get_arguments().find(|arg| arg.get_id() == argument);
            assert!(arg.is_some_and(|arg| arg.get::<ArgValueCompleter>().is_some()), "{path:?} {argument}");
        }
    }
}
