use clap::Args;
use gate::forge::{ChangeRequest, Forge};
use gate::policy::Caller;
use host::answer::{Call, Proposing, Reply};
use host::wit::ToolResult;
use serde_json::{Value, json};

use super::context::{Approvals, Edits};
use super::{Context, call};
use crate::driver;
use crate::error::{Doing, ErrorKind, HostError};
use crate::remote::{self, Location, TargetSpec};
use crate::report::Exit;
use crate::screen::status;

/// Push a staged commit and those before it, after you approve the diff
#[derive(Debug, Args)]
pub struct Push {
    /// Staged commit, as `gitgate status` names it [default: the last one]
    #[arg(value_name = "ID")]
    id: Option<String>,
    #[arg(
        long,
        value_name = "TARGET",
        value_parser = destination,
        help = format!(
            "Target: a repository's folder, {}, with #BRANCH for a branch other than HEAD's, or `origin` [default: \
             origin, where the sandbox came from]",
            remote::usage(" or ")
        )
    )]
    to: Option<Destination>,
    /// Push only this commit, re-applied on top of the target's branch, without the staged commits
    /// before it
    #[arg(long, conflicts_with = "leave_out_hunks")]
    only: bool,
    #[command(flatten)]
    edits: Edits,
    #[arg(
        long,
        value_name = "TITLE",
        num_args = 0..=1,
        help = format!(
            "Open a pull request for the pushed branch on {}, with this title [default: the subject of the last commit]",
            Forge::names(Forge::with_change_requests())
        )
    )]
    pull_request: Option<Option<String>>,
    #[command(flatten)]
    approvals: Approvals,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

impl Push {
    /// The same as `gitgate push`.
    pub(super) fn of_staged() -> Self {
        Push {
            id: None,
            to: None,
            only: false,
            edits: Edits::default(),
            pull_request: None,
            approvals: Approvals::default(),
            json: false,
        }
    }

    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let mut approver = context.revising_approver(&self.approvals, self.edits)?;
        let mut sandbox = context.open()?;
        let id = match self.id {
            Some(id) => id,
            None => {
                let result = context.tool(&mut sandbox, "git_status", &json!({}))?;
                status::last_staged(&status::read(&result.structured)?).ok_or_else(nothing_staged)?
            }
        };
        let mut arguments = json!({ "commitId": id });
        if self.only {
            arguments["only"] = true.into();
        }
        if let Some(Destination::Target(to)) = &self.to {
            arguments["target"] = target(to)?;
        }
        let call = Call { tool: "git_push".to_owned(), arguments: arguments.to_string(), caller: Caller::User };
        let reply = context.run(&mut sandbox, &call, &mut approver)?;
        let Some(title) = self.pull_request else { return call::finish(&context, &call, reply, self.json) };
        let pushed = match &reply {
            Reply::Done(Ok(result)) if call::exit(&call, &result.structured) == Exit::Done => result.clone(),
            // Without a push there is nothing to propose.
            _ => return call::finish(&context, &call, reply, self.json),
        };
        let opened = Proposing::new(&pushed.structured, title)
            .and_then(|proposing| driver::propose(proposing, &*context.servers))
            .map_err(|error| {
                let what = format!("the push has landed, but there is no pull request: {}", error.message);
                HostError::new(error.kind, what).hint(error.hint)
            });
        let reply = Reply::Done(Ok(with_pull_request(pushed, opened.as_ref().ok())));
        let exit = call::finish(&context, &call, reply, self.json)?;
        opened?;
        Ok(exit)
    }
}

/// The result of a push, with the pull request that was opened for it.
fn with_pull_request(pushed: ToolResult, opened: Option<&ChangeRequest>) -> ToolResult {
    let Some(ChangeRequest { number, address, existed }) = opened else { return pushed };
    let verb = if *existed { "Updates" } else { "Opened" };
    let text = format!("{}{verb} pull request {number}: {address}\n", pushed.text);
    let mut structured: Value = serde_json::from_str(&pushed.structured).unwrap_or_default();
    structured["pullRequest"] = json!({ "number": number, "address": address, "existed": existed });
    ToolResult { text, structured: structured.to_string(), ..pushed }
}

/// Where a push goes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Destination {
    /// Where the sandbox came from.
    Origin,
    Target(TargetSpec),
}

fn destination(text: &str) -> Result<Destination, String> {
    if text == "origin" {
        return Ok(Destination::Origin);
    }
    remote::of_person(text).map(Destination::Target)
}

/// Formats a target for the tool. A relative path starts in the person's current folder, not where
/// the sandbox was created.
fn target(spec: &TargetSpec) -> anyhow::Result<Value> {
    let mut spec = spec.clone();
    match &mut spec.location {
        Location::Local(path) | Location::Bare(path) => *path = std::path::absolute(&*path).doing("find", path)?,
        Location::Server { forge, .. } if forge.is_reached() => {}
        Location::Server { place, .. } => {
            // The part before the last `@` may hold a password.
            let url = place
                .split_once("://")
                .map_or(place.as_str(), |(_, rest)| rest.rsplit_once('@').map_or(rest, |(_, host)| host));
            return Err(HostError::new(ErrorKind::Usage, format!("cannot push to {url}"))
                .hint("push to a clone of it: local:PATH or bare:PATH")
                .into());
        }
    }
    Ok(serde_json::to_value(spec.place()?)?)
}

fn nothing_staged() -> HostError {
    HostError::new(ErrorKind::Session, "nothing is staged").hint("stage files with the tool git_stage, then push")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_the_same_to_the_tool() {
        let tool = |text: &str| target(&TargetSpec::parse(text).unwrap()).unwrap();
        let here = std::env::current_dir().unwrap();
        let path = here.join("a/b");
        assert_eq!(tool("local:a/b#topic/x"), json!({"type": "local", "path": path, "branch": "topic/x"}));
        assert_eq!(tool("bare:/b.git"), json!({"type": "local-bare", "path": "/b.git"}));
        assert!(target(&TargetSpec::parse("git:https://example.org/x").unwrap()).is_err());
    }
}
