//! Records are append-only (seed 004, "Append-Only State Model"). An agent's call fails if it makes a branch lose one of its own records.
//! Only the user can drop or rewrite records, and rename or delete a branch that has any.
//!
//! The check compares branches before and after a call and ignores its arguments. So it covers every tool that moves branches, including
//! future ones.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};

use crate::call::{Caller, ToolCall};
use crate::deadline::Deadline;
use crate::embedding::Embedding;
use crate::error::{ErrorKind, ToolError};
use crate::git::history::graph::History;
use crate::git::history::{rev_list, tracking};
use crate::git::store::repo::{Repo, damaged};
use crate::git::words::message;
use crate::options::Toolset;
use crate::output::Effect;
use crate::session::Session;
use crate::tool::Call;
use crate::toolset::tasks::reading::records;
use crate::toolset::tasks::record::TaskRecord;

/// The commits of all branches before a call, by full name.
pub struct Before(BTreeMap<BString, ObjectId>);

/// The texts of records, and how often each occurs.
type Words = BTreeMap<BString, usize>;

impl Before {
    /// The branches that `call` must not make lose records. `None` if the caller may do that, or if the tool changes no branch.
    pub fn of(session: &mut Session, call: &ToolCall, reads: bool) -> Result<Option<Before>, ToolError> {
        let is_on = session.options.toolsets.contains(&Toolset::Tasks);
        let may_move = !reads && (call.tool.starts_with("git_") || call.tool.starts_with("sandbox_"));
        if !is_on || call.caller == Caller::User || !may_move {
            return Ok(None);
        }
        match session.repo() {
            Ok(repo) => branches(&repo).map(|branches| Some(Before(branches))),
            Err(error) if error.kind == ErrorKind::NotARepository => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Refuses `call`, which had the effect `effect`, if a branch lost a record of its own.
    pub fn ensure_kept(
        &self,
        session: &mut Session,
        call: &ToolCall,
        effect: Effect,
        embedding: &dyn Embedding,
        deadline: &Deadline,
    ) -> Result<(), ToolError> {
        let repo = session.repo()?;
        if let Effect::Undo(steps) = effect {
            return ensure_not_undone(session, &repo, call, steps, embedding, deadline);
        }
        let now = branches(&repo)?;
        for (branch, old) in &self.0 {
            let new: BTreeSet<ObjectId> = now.get(branch).copied().into_iter().collect();
            if new.contains(old) {
                continue;
            }
            let lost = rev_list::between(&repo, [*old], &new, deadline)?;
            let lost = words(session, &repo, branch.as_bstr(), lost, deadline)?;
            if lost.is_empty() {
                continue;
            }
            // A record that was re-applied elsewhere has the same text.
            let again = rev_list::between(&repo, new, &BTreeSet::from([*old]), deadline)?;
            let again = words(session, &repo, branch.as_bstr(), again, deadline)?;
            let is_lost = |(words, count): &(&BString, &usize)| again.get(*words).is_none_or(|again| again < *count);
            if let Some((words, _)) = lost.iter().find(is_lost) {
                return Err(refusal(call, words));
            }
        }
        Ok(())
    }
}

/// Refuses to undo calls that made records. Nobody knows any more which commits a tool that rewrites or brings commits made of them. So
/// none of those that no target has may be among the undone.
fn ensure_not_undone(
    session: &Session,
    repo: &Repo,
    call: &ToolCall,
    steps: u32,
    embedding: &dyn Embedding,
    deadline: &Deadline,
) -> Result<(), ToolError> {
    let undone = embedding.calls_to_undo(steps as usize)?;
    if let Some(past) = undone.iter().find(|past| past.tool == TaskRecord::NAME) {
        return Err(refusal(call, past.summary.as_bytes()));
    }
    let made = undone.iter().filter(|past| matches!(&*past.tool, "git_stage" | "git_commit")).count();
    let moves = undone.iter().any(|past| matches!(&*past.tool, "git_pull" | "git_discard" | "git_revise"));
    let staged = rev_list::between(repo, repo.head()?.id(), &tracking::heads(repo)?, deadline)?;
    let latest = if moves { staged.len() } else { made };
    let history = History::of(repo, &session.caches.history)?;
    for commit in staged.into_iter().rev().take(latest) {
        deadline.poll()?;
        if records(session).read(&history, commit)?.is_some() {
            return Err(refusal(call, message::subject(history.commit(commit)?.message())));
        }
    }
    Ok(())
}

/// The texts of those `commits` that are records of `branch`.
fn words(
    session: &Session,
    repo: &Repo,
    branch: &BStr,
    commits: Vec<ObjectId>,
    deadline: &Deadline,
) -> Result<Words, ToolError> {
    let branch = branch.strip_prefix(b"refs/heads/").unwrap_or(branch).to_str_lossy();
    let history = History::of(repo, &session.caches.history)?;
    let mut words = Words::new();
    for commit in commits {
        deadline.poll()?;
        if records(session).read(&history, commit)?.is_some_and(|recorded| *recorded.branch == *branch) {
            *words.entry(history.commit(commit)?.message().into()).or_default() += 1;
        }
    }
    Ok(words)
}

/// The local branches.
fn branches(repo: &Repo) -> Result<BTreeMap<BString, ObjectId>, ToolError> {
    let refs = repo.gix.references().map_err(|error| damaged(&error))?;
    let mut branches = BTreeMap::new();
    for branch in refs.local_branches().map_err(|error| damaged(&error))? {
        let mut branch = branch.map_err(|error| ToolError::failed(error.to_string()).caused_by(&error))?;
        let name = branch.name().as_bstr().to_owned();
        // A symbolic ref may be dangling.
        branches.extend(branch.peel_to_id().ok().map(|id| (name, id.detach())));
    }
    Ok(branches)
}

fn refusal(call: &ToolCall, words: &[u8]) -> ToolError {
    let what = message::subject(words).to_str_lossy();
    ToolError::new(ErrorKind::NotPermitted, format!("{} would drop the record of a task: {what}", call.tool)).hint(
        "Nothing has changed. Records are append-only: record a further step with task_record. Only the user can drop \
         or rewrite one.",
    )
}
