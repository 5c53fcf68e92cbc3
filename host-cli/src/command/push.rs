use clap::Args;
use gate::forge::{Along, ChangeRequest, Forge};
use gate::policy::Caller;
use gate::refname::BranchRef;
use gate::target::CanonicalTarget;
use host::answer::{Call, Proposing, Reply};
use host::wit::ToolResult;
use serde_json::{Value, json};

use super::context::{Approvals, Edits};
use super::destination::{Destination, destination, origin};
use super::landed::{self, landed_by};
use super::{Context, call};
use crate::driver;
use crate::error::{ErrorKind, HostError};
use crate::home::Place;
use crate::remote;
use crate::report::Exit;
use crate::sandbox::Sandbox;
use crate::screen::status;

/// What the help ends with.
const EXAMPLES: &str = r#"Examples:
  gitgate push                         # all staged commits
  gitgate push 5e0f0d1c --to ../other#review
  gitgate push --leave-out notes.md --message "Fix the parser""#;

/// Push a proposed commit and those before it, after you approve the diff
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Push {
    /// Proposed commit, as `gitgate status` names it [default: the last one]
    #[arg(value_name = "ID")]
    id: Option<String>,
    #[arg(
        long,
        value_name = "TARGET",
        value_parser = destination,
        help = format!(
            "Target: a repository's folder, {}, with #BRANCH for a branch other than HEAD's; or `origin`, where the \
             sandbox came from, or `origin#BRANCH` [default: the branch that `new` has said]",
            remote::usage(" or ")
        )
    )]
    to: Option<Destination>,
    /// Push only this commit, re-applied on top of the target's branch, without the proposed commits
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
            "Open a pull request for the pushed branch on {}, or have a git server make a merge request, as GitLab does, \
             with this title [default: the subject of the last commit]",
            Forge::names(Forge::with_change_requests())
        )
    )]
    pull_request: Option<Option<String>>,
    /// Open it as a draft, which is not ready to be merged
    #[arg(long, requires = "pull_request")]
    draft: bool,
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
            draft: false,
            approvals: Approvals::default(),
            json: false,
        }
    }

    pub fn run(self, context: Context) -> anyhow::Result<Exit> {
        let named = self.to.as_ref().and_then(Destination::branch).map(|branch| branch.branch().to_owned());
        let mut approver = context.revising_approver(&self.approvals, self.edits, named)?;
        let along = self.pull_request.map(|title| Along { title, is_draft: self.draft });
        approver.along.clone_from(&along);
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
        if let Some(to) = &self.to {
            let target = match to {
                Destination::Origin(None) => came_from(&context, &mut sandbox)?,
                to => to.place(origin(&sandbox.file.targets).as_ref())?,
            };
            if let Some(target) = target {
                arguments["target"] = serde_json::to_value(target)?;
            }
        }
        let call = Call::new("git_push", arguments.to_string(), Caller::User);
        let reply = context.run(&mut sandbox, &call, &mut approver)?;
        let Some(along) = along else {
            let landed = if self.json { None } else { landed_by(&call, &reply).cloned() };
            let exit = call::finish(&context, &call, reply, self.json)?;
            landed.iter().for_each(|result| landed::tell_next(&mut sandbox, &context.servers, result));
            return Ok(exit);
        };
        // Without a push there is nothing to propose, and a server that makes merge requests has been asked with it.
        let Some(pushed) = landed_by(&call, &reply).filter(|pushed| !is_asked_along(pushed)).cloned() else {
            return call::finish(&context, &call, reply, self.json);
        };
        let opened = Proposing::new(&pushed.structured, along)
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

/// The branch that the sandbox came from. `None` if pushes go there anyway.
fn came_from(context: &Context, sandbox: &mut Sandbox) -> anyhow::Result<Option<Place>> {
    let Some(origin) = origin(&sandbox.file.targets).filter(|_| sandbox.file.default_target.is_some()) else {
        return Ok(None);
    };
    let result = context.tool(sandbox, "git_status", &json!({}))?;
    let branch = status::upstream_branch(&status::read(&result.structured)?);
    let branch = branch.map(|branch| BranchRef::from_branch(&branch)).transpose()?;
    Ok(Some(Place::of(&origin, branch.as_ref())))
}

/// Whether a push went to a server that makes change requests of pushes itself, if it makes any.
fn is_asked_along(pushed: &ToolResult) -> bool {
    let target = serde_json::from_str::<Value>(&pushed.structured).ok();
    let target = target.and_then(|pushed| pushed["target"].as_str()?.parse::<CanonicalTarget>().ok());
    let forge = target.and_then(|target| target.kind().forge());
    forge.is_some_and(|forge| !Forge::with_change_requests().any(|one| one == forge))
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

fn nothing_staged() -> HostError {
    HostError::new(ErrorKind::Session, "no commit is proposed")
        .hint("an agent proposes one with the tool git_stage; then push")
}
