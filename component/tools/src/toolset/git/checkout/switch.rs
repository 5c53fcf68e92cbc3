//! Switches HEAD, index and working folder to another commit.

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::index::State;
use gix::index::entry::Stage;
use serde::Serialize;

use super::goal::Goal;
use super::left_behind;
use super::local::{self, Local};
use super::{Done, GitCheckout};
use crate::budget::{Room, is_zero};
use crate::error::{ErrorKind, ToolError};
use crate::git::change::branch_state;
use crate::git::change::two_way::{Command, Plan};
use crate::git::change::unfinished::{self, Doing};
use crate::git::history::branch_name::HEADS;
use crate::git::history::tracking;
use crate::git::store::index;
use crate::git::store::refs::{self, Refs};
use crate::git::store::repo::{Head, Repo};
use crate::git::worktree::{changes, sparse};
use crate::output::Output;
use crate::paths::SandboxPath;
use crate::session::Context;
use crate::toolset::git::branch::create;

/// What is checked out now.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Switched {
    /// The branch that HEAD is on; absent where it is detached.
    #[serde(skip_serializing_if = "Option::is_none")]
    branch: Option<String>,
    /// The commit that is checked out; absent before the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit_sha: Option<String>,
    detached: bool,
    /// Whether the branch was made just now.
    created: bool,
    /// Uncommitted changes, which are as they were.
    changes: Vec<Local>,
    /// Changes that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    changes_omitted: usize,
}

/// The output and error streams of git checkout.
#[derive(Default)]
struct Streams {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

/// Moves HEAD, index and working folder to `goal`. Uncommitted changes stay.
///
/// # Errors
///
/// In git's words, if the switch would lose something. Nothing has changed then.
pub fn to(context: &mut Context<'_>, repo: &Repo, goal: Goal, working_dir: &SandboxPath) -> Result<Output, ToolError> {
    unfinished::ensure_none(repo, Doing::Switch)?;
    let head = repo.head()?;
    let mut streams = Streams { stdout: Vec::new(), stderr: goal.warnings.to_vec() };
    let mut changes = Vec::new();
    // A new branch starts at HEAD, so git neither checks nor changes any file.
    let brought = goal.commit.filter(|_| goal.new.as_ref().is_none_or(|new| new.from != "HEAD"));
    if let Some(commit) = brought {
        // git prints earlier warnings before the error too.
        let warnings = goal.warnings.to_str_lossy();
        let left_behind = match head {
            Head::Detached { id } if id != commit => left_behind::told(repo, id, commit, context.deadline)?,
            _ => Vec::new(),
        };
        let is_possible = |refs: &Refs<'_>| match &goal.new {
            Some(new) => refs.ensure_available(new.branch.as_bstr()).map_err(|error| {
                let left_behind = left_behind.to_str_lossy();
                error.behind(&format!("{left_behind}fatal: "))
            }),
            None => Ok(()),
        };
        let brought =
            bring(context, repo, commit, working_dir, is_possible).map_err(|error| error.behind(&warnings))?;
        streams.stderr.extend_from_slice(brought.as_bytes());
        changes = local::changes(context, repo, repo.tree_of(commit)?)?;
        changes.iter().for_each(|change: &Local| streams.stdout.extend_from_slice(&change.line));
        streams.stderr.extend_from_slice(&left_behind);
    }
    move_head(context, repo, &head, &goal, &mut streams)?;
    branch_state::forget(repo)?;
    let is_configured = goal.new.as_ref().is_some_and(|new| new.start.tracked.is_some());
    let output = report(context, repo, goal, changes, streams)?;
    if is_configured {
        // The cached configuration is outdated now.
        context.session.forget();
    }
    Ok(output)
}

/// Moves index and working folder to `commit`, and returns git's error stream. `is_possible` is the last check before anything changes; it
/// runs only if the move loses nothing.
pub fn bring(
    context: &mut Context<'_>,
    repo: &Repo,
    commit: ObjectId,
    working_dir: &SandboxPath,
    is_possible: impl FnOnce(&Refs<'_>) -> Result<(), ToolError>,
) -> Result<String, ToolError> {
    let loaded = index::load(&mut context.session.caches.index, repo)?;
    ensure_merged(&loaded)?;
    let present = sparse::present(repo, &loaded);
    let trees = [repo.head_tree()?, repo.tree_of(commit)?];
    let changes = changes::tree_to_tree(repo, trees[0], trees[1], context.deadline)?;
    let plan = Plan::new(repo, &present, trees, changes, working_dir, context.deadline)?
        .map_err(|rejected| rejected.error(rejected.text(Command::Checkout).trim_end()))?;
    is_possible(&Refs::of(repo, context.deadline))?;
    let carried = plan.carry_out()?;
    index::store(&mut context.session.caches.index, repo, carried.index)?;
    Ok(carried.warnings)
}

fn ensure_merged(index: &State) -> Result<(), ToolError> {
    if index.entries().iter().all(|entry| entry.stage() == Stage::Unconflicted) {
        return Ok(());
    }
    Err(ToolError::new(ErrorKind::Conflict, "error: you need to resolve your current index first")
        .hint("Nothing has changed. Resolve each conflicting file, then add it with git_add."))
}

/// Creates a new branch if the goal has one, and moves HEAD.
fn move_head(
    context: &mut Context<'_>,
    repo: &Repo,
    head: &Head,
    goal: &Goal,
    streams: &mut Streams,
) -> Result<(), ToolError> {
    if let Some(new) = &goal.new {
        let made = create::make(context, repo, new.branch.as_bstr(), &new.start, new.from.as_bstr())?;
        streams.stdout.extend_from_slice(&made);
        // git looks up the branch after creating it.
        let meanings = Refs::of(repo, context.deadline).meanings(goal.name.as_bstr())?;
        streams.stderr.extend_from_slice(meanings.warnings.as_bytes());
    }
    let name = goal.name.as_bstr();
    let old: BString = match head {
        Head::Branch { name, .. } | Head::Unborn { name } => name.strip_prefix(HEADS.as_bytes()).unwrap_or(name).into(),
        Head::Detached { id } => id.to_string().into(),
    };
    let message = [b"checkout: moving from ".as_slice(), &old, b" to ", name].concat();
    let (who, refs) = (context.reflog_signature(), Refs::of(repo, context.deadline));
    match (&goal.branch, goal.commit) {
        (Some(branch), _) => {
            refs::point_head(&who, &refs, &repo.git_dir(), branch.as_bstr(), &message)?;
            let what: &[u8] = match head.branch() {
                _ if goal.new.is_some() || goal.commit.is_none() => b"Switched to a new branch '",
                Some(old) if old == branch => b"Already on '",
                _ => b"Switched to branch '",
            };
            streams.stderr.extend_from_slice(&[what, name, b"'\n"].concat());
            if let Head::Unborn { name: old } = head {
                refs::forget_log(&refs, old.as_bstr())?;
            }
        }
        // HEAD is already there.
        (None, Some(_)) if name == "HEAD" => {}
        (None, Some(commit)) => {
            refs::detach_head(&who, &refs, commit, &message)?;
            if head.branch().is_some() {
                streams.stderr.extend_from_slice(detached_advice(&name.to_str_lossy()).as_bytes());
            }
            streams.stderr.extend(left_behind::described(repo, "HEAD is now at ", commit)?);
        }
        (None, None) => {}
    }
    Ok(())
}

fn report(
    context: &mut Context<'_>,
    repo: &Repo,
    goal: Goal,
    mut changes: Vec<Local>,
    mut streams: Streams,
) -> Result<Output, ToolError> {
    let deadline = context.deadline;
    let max_bytes = context.session.options.git.max_bytes;
    let head = repo.head()?;
    if let Some(branch) = head.branch()
        && head.id().is_some()
    {
        let caches = &mut context.session.caches;
        let (distances, commits) = (&mut caches.tracking, &caches.history);
        let upstream = tracking::upstream(distances, commits, repo, branch.as_bstr(), head.id(), deadline)?;
        streams.stdout.extend(upstream.map(|upstream| upstream.told()).unwrap_or_default());
    }
    let changes_omitted = Room::new(max_bytes).cut(&mut changes);
    let switched = Switched {
        branch: head.short_branch(),
        commit_sha: head.id().map(|id| id.to_string()),
        detached: head.branch().is_none(),
        created: goal.new.is_some() || goal.commit.is_none(),
        changes,
        changes_omitted,
    };
    let mut text = streams.stdout;
    if !streams.stderr.is_empty() {
        text.extend_from_slice(b"\n\n[stderr]\n");
        text.extend_from_slice(&streams.stderr);
    }
    Ok(Output::new::<GitCheckout>(text, Done::Switched(switched)).max_bytes(max_bytes))
}

/// git's advice on detaching HEAD (advice.c, `detach_advice`).
fn detached_advice(name: &str) -> String {
    format!(
        "Note: switching to '{name}'.

You are in 'detached HEAD' state. You can look around, make experimental
changes and commit them, and you can discard any commits you make in this
state without impacting any branches by switching back to a branch.

If you want to create a new branch to retain commits you create, you may
do so (now or later) by using -c with the switch command. Example:

  git switch -c <new-branch-name>

Or undo this operation with:

  git switch -

Turn off this advice by setting config variable advice.detachedHead to false

"
    )
}
