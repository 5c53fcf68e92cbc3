//! Pushes one commit alone: re-applies it on top of the target's branch, and does so again after it has landed.
//!
//! The restored tree between question and fact does not keep the new commit. But the same commit on the same parent gives the same object
//! again.

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};

use super::had;
use crate::answer::{Conflict, Landed, Refs};
use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::git::change::replay::{self, Replayed};
use crate::git::history::rev_list;
use crate::git::staged::fetch::{self, Extent};
use crate::git::staged::ids::Ids;
use crate::git::staged::{landed, rewritten, signed, staged_commit, targets};
use crate::git::store::repo::{Repo, damaged};
use crate::git::words::message;
use crate::session::Context;

/// A commit re-applied on top of the target's branch.
pub enum Reapplied {
    /// The commit to push.
    As(ObjectId),
    /// The target's branch, at this commit, already has all changes.
    Nothing(ObjectId),
    /// The commit cannot be re-applied there.
    Not(Conflict),
}

/// Fetches the target's branch at `head` with its history. Fetches nothing from a target that the sandbox does not know, because they may
/// share no history.
pub fn bring(context: &Context<'_>, repo: &Repo, refs: &Refs, head: Option<ObjectId>) -> Result<(), Stop> {
    let is_known = targets::list(repo)?.iter().any(|known| known.target == refs.target);
    match head.filter(|_| is_known) {
        // A sparse sandbox could not find missing blobs later, because no tracking ref exists yet. So fetch them now.
        Some(head) => {
            fetch::commit(context.answers, repo, &refs.target, head, Extent { depth: None, blobs: true, related: true })
        }
        None => Ok(()),
    }
}

/// Maximum number of paths in a conflict's message.
const NAMED_PATHS: usize = 10;

/// Re-applies `tip` on top of the target's branch `reference`. For a new branch, on top of the last ancestor that the target has.
pub fn reapply(
    repo: &Repo,
    context: &mut Context<'_>,
    refs: &Refs,
    reference: &str,
    tip: ObjectId,
) -> Result<Reapplied, Stop> {
    let old = refs.get(reference);
    let parent = replay::parent(repo, tip)
        .map_err(|error| error.hint("Push without only, so that the commits before it go along."))?;
    let onto = match old {
        Some(head) => Some(head),
        None => last_had(repo, parent, &had(repo, refs), context.deadline)?,
    };
    let branch = reference.strip_prefix("refs/heads/").unwrap_or(reference);
    let conflict = |message| Reapplied::Not(Conflict { reason: "other".to_owned(), message, target_head: old });
    Ok(match (context.replayer(repo).replay(tip, onto)?, old) {
        (Replayed::Applied(commit), _) => Reapplied::As(commit),
        (Replayed::Empty, Some(head)) => Reapplied::Nothing(head),
        (Replayed::Empty, None) => {
            conflict(format!("{} changes nothing without the commits before it", name(repo, tip)?))
        }
        (Replayed::Conflicts(paths), Some(_)) => {
            conflict(format!("{} does not apply to {branch} by itself: {}", name(repo, tip)?, list(&paths)))
        }
        (Replayed::Conflicts(paths), None) => {
            conflict(format!("{} does not apply without the commits before it: {}", name(repo, tip)?, list(&paths)))
        }
    })
}

/// The first of `from` and its first parents that a commit in `had` reaches.
fn last_had(
    repo: &Repo,
    from: Option<ObjectId>,
    had: &BTreeSet<ObjectId>,
    deadline: &Deadline,
) -> Result<Option<ObjectId>, ToolError> {
    let missing: BTreeSet<ObjectId> = rev_list::between(repo, from, had, deadline)?.into_iter().collect();
    let mut next = from;
    while let Some(commit) = next.filter(|commit| missing.contains(commit)) {
        next = first_parent(repo, commit)?;
    }
    Ok(next)
}

fn first_parent(repo: &Repo, commit: ObjectId) -> Result<Option<ObjectId>, ToolError> {
    let commit = repo.gix.find_commit(commit).map_err(|error| damaged(&error))?;
    Ok(commit.parent_ids().next().map(gix::Id::detach))
}

/// A commit's short id and subject, for a person.
fn name(repo: &Repo, commit: ObjectId) -> Result<String, ToolError> {
    let object = repo.gix.find_commit(commit).map_err(|error| damaged(&error))?;
    let message = object.message_raw().map_err(|error| damaged(&error))?;
    Ok(format!("Commit {} \"{}\"", Ids::load(repo)?.of(commit), message::subject(message).to_str_lossy()))
}

fn list(paths: &[BString]) -> String {
    let named: Vec<_> = paths.iter().take(NAMED_PATHS).map(|path| path.to_str_lossy()).collect();
    match paths.len() - named.len() {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// Records that a commit has landed alone. Returns it with the commit that it landed as.
///
/// The landed commit is made again from the commit in the call. If that commit is gone, the sandbox cannot tell what landed. The next look
/// at the target then treats it as somebody else's commit.
pub fn note(
    context: &mut Context<'_>,
    repo: &Repo,
    named: &str,
    fact: &Landed,
) -> Result<Option<(ObjectId, ObjectId)>, ToolError> {
    let Some((commit, onto)) = original(context, repo, named, fact)? else {
        if repo.gix.has_object(fact.new) {
            landed::apply(&context.reflog_signature(), repo, fact)?;
        }
        return Ok(None);
    };
    // Makes the commit again, this time in the repository.
    context.replayer(repo).replay(commit, onto)?;
    signed::write(repo, context.answers.signatures())?;
    landed::apply(&context.reflog_signature(), repo, fact)?;
    if commit != fact.new {
        rewritten::note(repo, commit, fact.new)?;
    }
    Ok(Some((commit, fact.new)))
}

/// How many combinations of commit and parent to try.
const ATTEMPTS: usize = 1000;

/// The commit from which `fact.new` was made, and the parent there. The name in the call may mean another commit by now, or none.
fn original(
    context: &mut Context<'_>,
    repo: &Repo,
    named: &str,
    fact: &Landed,
) -> Result<Option<(ObjectId, Option<ObjectId>)>, ToolError> {
    let aside = repo.in_memory();
    // What was signed on its way has another name.
    let new = context.answers.signatures().last().map_or(fact.new, |signature| signature.commit);
    let named = staged_commit::resolve(repo, named).ok();
    let commits = named.into_iter().chain(Ids::load(repo)?.commits());
    let places = commits.flat_map(|commit| {
        let below = match fact.old {
            Some(old) => vec![Some(old)],
            None => below(repo, commit),
        };
        below.into_iter().map(move |onto| (commit, onto))
    });
    for (commit, onto) in places.take(ATTEMPTS) {
        // A commit that does not apply there cannot be the one.
        if let Ok(Replayed::Applied(made)) = context.replayer(&aside).replay(commit, onto)
            && made == new
        {
            return Ok(Some((commit, onto)));
        }
    }
    Ok(None)
}

/// The ancestors of `commit` along first parents, up to a limit, and finally `None` for a root commit.
fn below(repo: &Repo, commit: ObjectId) -> Vec<Option<ObjectId>> {
    let parents = std::iter::successors(Some(commit), |commit| first_parent(repo, *commit).ok().flatten());
    parents.skip(1).take(ATTEMPTS).map(Some).chain([None]).collect()
}
