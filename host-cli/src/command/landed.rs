//! What a person does next with a branch that a push has moved: merge it, or open a pull request for it.

use std::path::Path;

use gate::forge::{Along, ChangeRequest, Forge};
use gate::target::{CanonicalTarget, TargetKind};
use host::answer::{Call, Proposing, Reply};
use host::wit::ToolResult;
use serde::Deserialize;

use super::call;
use crate::approve::Talk;
use crate::driver;
use crate::error::Doing;
use crate::forge::Clients;
use crate::remote::{self, Target, TargetSpec};
use crate::report::{self, Exit};
use crate::sandbox::Sandbox;
use crate::screen::{self, shell};
use crate::terminal::Terminal;

/// A push that has landed, as its result says.
#[derive(Deserialize)]
struct Landed {
    target: String,
    branch: String,
    commits: Vec<Sent>,
}

#[derive(Deserialize)]
struct Sent {
    id: String,
}

/// The result of a push that has landed, or that had landed before.
pub fn landed_by<'a>(call: &Call, reply: &'a Reply) -> Option<&'a ToolResult> {
    match reply {
        Reply::Done(Ok(result)) if call.tool == "git_push" && call::exit(call, &result.structured) == Exit::Done => {
            Some(result)
        }
        _ => None,
    }
}

/// Says what comes next, after a push with this result. The push has landed, so nothing that fails here is an error.
pub fn tell_next(sandbox: &mut Sandbox, servers: &Clients, result: &ToolResult) {
    know_repository(sandbox);
    if let Err(error) = next(sandbox, servers, result) {
        report::note(&format!("{error:#}"));
    }
}

/// Notes by which commit the repository of a sandbox is known, if it had none when the sandbox was made.
pub fn know_repository(sandbox: &mut Sandbox) {
    let Some(own) = sandbox.file.repository.clone().filter(|own| own.root.is_none()) else { return };
    let known = remote::with_root(own).map_err(anyhow::Error::from).and_then(|known| match known.root {
        Some(_) => Ok(sandbox.set_repository(known)?),
        None => Ok(()),
    });
    if let Err(error) = known {
        tracing::debug!("cannot note the first commit of the sandbox's repository: {error}");
    }
}

fn next(sandbox: &Sandbox, servers: &Clients, result: &ToolResult) -> anyhow::Result<()> {
    let Ok(landed) = serde_json::from_str::<Landed>(&result.structured) else { return Ok(()) };
    let (Some(last), Ok(target)) = (landed.commits.last(), landed.target.parse::<CanonicalTarget>()) else {
        return Ok(());
    };
    let Some(forge) = target.kind().forge() else { return report_merge(&target, &landed.branch) };
    let own = sandbox.file.default_target.as_ref().and_then(|own| TargetSpec::of(own).ok()?.branch);
    let is_own = own.is_some_and(|own| own.branch() == landed.branch);
    if !is_own || !Forge::with_change_requests().any(|one| one == forge) {
        return Ok(());
    }
    let Some(mut terminal) = Terminal::open() else {
        let command = format!("gitgate -s {} push {} --pull-request", sandbox.name(), last.id);
        report::print(&format!("Open a pull request for it: {command}\n"))?;
        return Ok(());
    };
    let answer = terminal.press("Open a pull request for it? [y]es [n]o ").doing("write to", Path::new("/dev/tty"))?;
    if !matches!(answer.as_deref(), Some("y" | "yes")) {
        return Ok(());
    }
    let ChangeRequest { number, address, existed } =
        driver::propose(Proposing::new(&result.structured, Along::default())?, servers)?;
    let verb = if existed { "Updates" } else { "Opened" };
    report::print(&format!("{verb} pull request {number}: {}\n", screen::line(&address)))?;
    Ok(())
}

/// How to merge the branch, unless it is the one that is checked out.
fn report_merge(target: &CanonicalTarget, branch: &str) -> anyhow::Result<()> {
    let open = Target::known(target, None)?;
    if open.branch()?.is_some_and(|head| head.branch() == branch) {
        return Ok(());
    }
    let word = shell::word(branch);
    let command = match target.kind() {
        TargetKind::Local => {
            let place = Path::new(target.location());
            let here = Path::new(".").canonicalize().doing("find", Path::new("."))?;
            let is_here = remote::here(&here)?.and_then(|here| here.worktree).is_some_and(|worktree| worktree == place);
            let there = if is_here { String::new() } else { format!(" -C {}", shell::word(target.location())) };
            format!("git{there} merge {word}")
        }
        // A bare repository merges nothing.
        _ => format!("git fetch && git merge {}, in a clone of it", shell::word(&format!("origin/{branch}"))),
    };
    report::print(&format!("To merge it: {}\n", screen::line(&command)))?;
    Ok(())
}
