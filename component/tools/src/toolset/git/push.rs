//! `git_push`: propose that staged commits leave the sandbox.

mod only;
mod report;

use std::collections::BTreeSet;

use gix::ObjectId;
use serde::Deserialize;

use self::only::Reapplied;
use crate::answer::{Answer, Conflict, Landed, Refs};
use crate::approval::{Annotations, Mode};
use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::git::history::{rev_list, tracking};
use crate::git::staged::target::GitTarget;
use crate::git::staged::{landed, rewritten, signed, staged_commit, targets};
use crate::git::store::pack_objects;
use crate::git::store::repo::{Repo, damaged};
use crate::options::Toolset;
use crate::output::{Effect, Output};
use crate::question::{Push, Question, Target};
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Propose a staged commit and those before it for a push. The user sees the whole diff, and
/// approves or rejects it.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GitPush {
    /// Id of a staged commit, or a revision
    commit_id: String,
    /// Where to push. Default: as the user set it
    target: Option<GitTarget>,
    /// Push this commit alone, made anew on the target's branch
    #[serde(default)]
    only: bool,
}

impl Call for GitPush {
    const NAME: &'static str = "git_push";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Git, Toolset::Lean];
    // It needs no approval before it runs: its question is the push itself, with everything that leaves the sandbox.
    const ANNOTATIONS: Annotations = Annotations::writes().only(Mode::ManualPush).idempotent().open_world();
    const FILE: &'static str = schema_file!("git_push");
    type Result = report::Pushed;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let repo = context.session.repo()?;
        // A fact comes first: it applies whatever has happened to the tree since.
        if let Some(fact) = context.answers.landed() {
            return Ok(self.landed(context, &repo, fact)?.effect(Effect::Fact));
        }
        let output = self.propose(context, &repo)?;
        // No undo takes back the fetched objects.
        Ok(if context.answers.fetched().next().is_some() { output.effect(Effect::Fact) } else { output })
    }
}

impl GitPush {
    /// Asks the host to push. Returns the result of every outcome except success.
    fn propose(&self, context: &mut Context<'_>, repo: &Repo) -> Result<Output, Stop> {
        let tip = staged_commit::resolve_reachable(repo, &self.commit_id, context.deadline)?;
        let place = targets::place(self.target.as_ref(), &context.session.options, repo)?;
        let refs = context.answers.refs(place.clone())?;
        let reference = reference(&place, refs)?;
        let old = refs.get(&reference);
        if self.only {
            only::bring(context, repo, refs, old)?;
        }
        if let Some(head) = old
            && let Some(there) = self.found_in(repo, head, tip, context.deadline)?
        {
            return Ok(up_to_date(context, repo, refs, reference, head, Some(there))?);
        }
        if let Some(head) = old
            && !(repo.gix.has_object(head) && (self.only || contains(repo, tip, head, context.deadline)?))
        {
            let moved = Conflict {
                reason: "non-fast-forward".to_owned(),
                message: match is_known(repo, &refs.target, &reference, head)? {
                    true => {
                        "Target has commits that were pushed from here and are undone, left aside or made anew here"
                            .to_owned()
                    }
                    false => "Target has new commits since your base".to_owned(),
                },
                target_head: Some(head),
            };
            return Ok(report::conflict(repo, &moved, &refs.target, &reference)?);
        }
        // Objects made only for the question stay in memory. They are made again after the push has landed.
        let aside = self.only.then(|| repo.in_memory());
        let repo = aside.as_ref().unwrap_or(repo);
        let new = match self.only {
            false => tip,
            true => match only::reapply(repo, context, refs, &reference, tip)? {
                Reapplied::As(commit) => commit,
                Reapplied::Nothing(head) => return Ok(up_to_date(context, repo, refs, reference, head, None)?),
                Reapplied::Not(conflict) => return Ok(report::does_not_apply(&conflict, &refs.target, &reference)),
            },
        };
        let ask = |repo: &Repo, new| -> Result<&Answer, Stop> {
            let push = propose(repo, context, refs, reference.clone(), old, new)?;
            context.answers.get(Question::Push(push))
        };
        let answer = match ask(repo, new)? {
            Answer::Signatures(signatures) => {
                // They are written again after the push has landed.
                let aside = repo.in_memory();
                let signed = signed::write(&aside, signatures)?;
                ask(&aside, signed.get(&new).copied().unwrap_or(new))?
            }
            answer => answer,
        };
        match answer {
            Answer::Conflict(conflict) => Ok(report::conflict(repo, conflict, &refs.target, &reference)?),
            Answer::Changes(changes) => {
                let most = context.session.options.git.max_bytes;
                Ok(report::changes(changes, &refs.target, &reference, most))
            }
            _ => Err(ToolError::failed("The host did not answer a push with its outcome").into()),
        }
    }

    /// Records a push that has landed.
    fn landed(&self, context: &mut Context<'_>, repo: &Repo, fact: &Landed) -> Result<Output, ToolError> {
        if self.only {
            let sent = only::note(context, repo, &self.commit_id, fact)?;
            return Ok(report::success(context, repo, fact, &Vec::from_iter(sent)));
        }
        // Commits that are gone by now were signed for nothing: the next look at the target finds what landed.
        let signatures = context.answers.signatures();
        let are_here = signatures.iter().all(|signature| repo.gix.has_object(signature.commit));
        let signed = signed::write(repo, if are_here { signatures } else { &[] })?;
        let had = match context.answers.refs_of(&fact.target) {
            Some(refs) => had(repo, refs),
            None => tracking::heads(repo)?.into_iter().chain(fact.old).collect(),
        };
        // The list is only informative. The push has landed in any case.
        let sent = rev_list::between(repo, [fact.new], &had, context.deadline).unwrap_or_default();
        let who = context.reflog_signature();
        signed::adopt(repo, &signed, &who, &mut context.session.caches.index, context.deadline)?;
        if repo.gix.has_object(fact.new) {
            landed::apply(&who, repo, fact)?;
        }
        // Another branch may have the unsigned ones, and this one again after an undo.
        for (commit, made) in signed {
            rewritten::note(repo, commit, made)?;
        }
        Ok(report::success(context, repo, fact, &sent.into_iter().map(|id| (id, id)).collect::<Vec<_>>()))
    }

    /// The commit in the history of `head` that is `tip` or a version of it that landed.
    fn found_in(
        &self,
        repo: &Repo,
        head: ObjectId,
        tip: ObjectId,
        deadline: &Deadline,
    ) -> Result<Option<ObjectId>, ToolError> {
        let others = if self.only { rewritten::of(repo, tip)? } else { Vec::new() };
        for commit in std::iter::once(tip).chain(others) {
            if contains(repo, head, commit, deadline)? {
                return Ok(Some(commit));
            }
        }
        Ok(None)
    }
}

/// The ref to move: the named branch, or else the branch that the target's HEAD names.
fn reference(place: &Target, refs: &Refs) -> Result<String, ToolError> {
    match (&place.branch, &refs.head) {
        (Some(branch), _) => Ok(format!("refs/heads/{branch}")),
        (None, Some(head)) => Ok(head.clone()),
        (None, None) => {
            let error = ToolError::bad_args("branch is required: the target's HEAD is detached");
            Err(error.hint("Name a branch with target.branch."))
        }
    }
}

/// Whether the history of `head` contains `commit`. False if the sandbox lacks one of them.
fn contains(repo: &Repo, head: ObjectId, commit: ObjectId, deadline: &Deadline) -> Result<bool, ToolError> {
    let known = repo.gix.has_object(head) && repo.gix.has_object(commit);
    Ok(known && rev_list::between(repo, [commit], &BTreeSet::from([head]), deadline)?.is_empty())
}

/// The result if the target's branch, at `head`, already has the commits. As in git, the tracking ref follows, because `head` is the
/// target's real state.
fn up_to_date(
    context: &Context<'_>,
    repo: &Repo,
    refs: &Refs,
    reference: String,
    head: ObjectId,
    there: Option<ObjectId>,
) -> Result<Output, ToolError> {
    let output = report::up_to_date(refs, &reference, there);
    if landed::tracked(repo, &refs.target, &reference)? == Some(head) {
        return Ok(output);
    }
    landed::apply(
        &context.reflog_signature(),
        repo,
        &Landed { target: refs.target.clone(), reference, old: Some(head), new: head },
    )?;
    Ok(output.effect(Effect::Fact))
}

/// Whether the target's branch is where the sandbox knows it to be: nobody else has moved it.
fn is_known(repo: &Repo, target: &str, reference: &str, head: ObjectId) -> Result<bool, ToolError> {
    Ok(repo.gix.has_object(head) && landed::tracked(repo, target, reference)? == Some(head))
}

/// The target's commits that the sandbox knows. The push need not send them and their history.
fn had(repo: &Repo, refs: &Refs) -> BTreeSet<ObjectId> {
    let heads = refs.references.iter().map(|reference| reference.peeled.unwrap_or(reference.id));
    let is_commit =
        |id: &ObjectId| repo.gix.find_header(*id).is_ok_and(|header| header.kind() == gix::objs::Kind::Commit);
    heads.filter(is_commit).collect()
}

/// Asks the host to push these commits.
fn propose(
    repo: &Repo,
    context: &Context<'_>,
    refs: &Refs,
    reference: String,
    old: Option<ObjectId>,
    new: ObjectId,
) -> Result<Push, ToolError> {
    let commits = rev_list::between(repo, [new], &had(repo, refs), context.deadline)?;
    ensure_whole(repo, &commits)?;
    let objects = pack_objects::enumerate(repo, &commits, context.deadline)?;
    let pack = pack_objects::write(repo, &objects, context.deadline)?;
    Ok(Push { target: refs.target.clone(), reference, old, new, pack })
}

/// Fails if neither the target nor the shallow sandbox has the parents of these commits. A host that checks a sandbox detects this case by
/// its error kind, which no other error has once the refs are known.
fn ensure_whole(repo: &Repo, commits: &[ObjectId]) -> Result<(), ToolError> {
    let shallow = repo.shallow()?;
    for commit in commits.iter().filter(|commit| shallow.contains(*commit)) {
        let commit = repo.gix.find_commit(*commit).map_err(|error| damaged(&error))?;
        if commit.parent_ids().next().is_some() {
            return Err(ToolError::not_found(format!(
                "Neither the target nor this shallow sandbox has the history before {}",
                commit.id
            ))
            .hint(
                "Push to the repository that the sandbox was opened from, or ask the user for a sandbox with full \
                 history (no --paths, no --depth).",
            ));
        }
    }
    Ok(())
}
