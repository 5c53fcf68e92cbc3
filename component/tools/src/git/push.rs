//! `git_push`: propose that staged commits leave the sandbox.

use std::collections::BTreeSet;

use gix::ObjectId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Conflict, Landed, Refs};
use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::git::repo::Repo;
use crate::git::staged;
use crate::git::target::GitTarget;
use crate::git::{landed, pack, targets};
use crate::options::Toolset;
use crate::output::{Effect, Output};
use crate::question::{Push, Question, Target};
use crate::session::Context;
use crate::tool::Call;

/// Push a staged commit, and the staged commits before it, to a git repository. The user sees the whole difference to the target
/// and approves or rejects it. Without a target, the commits go where the branch came from.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GitPush {
    /// The id of a staged commit, as git_stage and git_status give it, or a revision.
    commit_id: String,
    /// Where to push. Default: the sandbox's default target, else the upstream of the current branch.
    target: Option<GitTarget>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Pushed {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit_sha: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conflict: Option<ConflictShown>,
    target: String,
    branch: String,
    hint: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ConflictShown {
    reason: String,
    message: String,
    target_head: Option<String>,
}

impl Call for GitPush {
    const NAME: &'static str = "git_push";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Git];

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let repo = Repo::of(context.session)?;
        // A fact comes before everything else: it is applied whatever the tree has become since.
        if let Some(fact) = context.answers.landed() {
            landed::apply(context, &repo, fact)?;
            return Ok(success(fact).effect(Effect::Fact));
        }
        let tip = staged::resolve_reachable(&repo, &self.commit_id, context.deadline)?;
        let place = targets::place(self.target.as_ref(), &context.session.options, &repo)?;
        let Answer::Refs(refs) = context.answers.get(Question::Refs(place.clone()))? else {
            return Err(ToolError::failed("The host answered a question about refs with something else").into());
        };
        let reference = reference(&place, refs)?;
        let old = refs.get(&reference);
        if let Some(head) = old
            && contains(&repo, head, tip, context.deadline)?
        {
            let output = up_to_date(refs, &reference, tip);
            let known = staged::between(&repo, tip, &staged::tracking_heads(&repo)?, context.deadline)?.is_empty();
            if known {
                return Ok(output);
            }
            // As with git, the tracking ref follows: it is the target's own word that the commit has landed.
            let fact = Landed { target: refs.target.clone(), reference, old, new: head };
            landed::apply(context, &repo, &fact)?;
            return Ok(output.effect(Effect::Fact));
        }
        if let Some(conflict) = moved(&repo, old, tip, context)? {
            return Ok(conflicting(&conflict, &refs.target, &reference));
        }
        let question = Question::Push(propose(&repo, context, refs, reference.clone(), old, tip)?);
        match context.answers.get(question)? {
            Answer::Conflict(conflict) => Ok(conflicting(conflict, &refs.target, &reference)),
            _ => Err(ToolError::failed("The host answered a push with something else than its outcome").into()),
        }
    }
}

/// The ref to move: the branch that was named, else the one that the target's HEAD names.
fn reference(place: &Target, refs: &Refs) -> Result<String, ToolError> {
    match (&place.branch, &refs.head) {
        (Some(branch), _) => Ok(format!("refs/heads/{branch}")),
        (None, Some(head)) => Ok(head.clone()),
        (None, None) => Err(ToolError::bad_args("branch is required: the target's HEAD is detached")
            .hint("Name a branch in the target.")),
    }
}

/// Whether the history of `head` has `commit`, as far as both are known here.
fn contains(repo: &Repo, head: ObjectId, commit: ObjectId, deadline: &Deadline) -> Result<bool, ToolError> {
    let known = repo.gix.has_object(head) && repo.gix.has_object(commit);
    Ok(known && staged::between(repo, commit, &BTreeSet::from([head]), deadline)?.is_empty())
}

/// Why `tip` cannot simply follow what the target's branch is now.
fn moved(
    repo: &Repo,
    old: Option<ObjectId>,
    tip: ObjectId,
    context: &Context<'_>,
) -> Result<Option<Conflict>, ToolError> {
    let Some(old) = old else {
        return Ok(None);
    };
    if contains(repo, tip, old, context.deadline)? {
        return Ok(None);
    }
    Ok(Some(Conflict {
        reason: "non-fast-forward".to_owned(),
        message: "Target has new commits since your base".to_owned(),
        target_head: Some(old),
    }))
}

/// The question whether these commits may leave.
fn propose(
    repo: &Repo,
    context: &Context<'_>,
    refs: &Refs,
    reference: String,
    old: Option<ObjectId>,
    tip: ObjectId,
) -> Result<Push, ToolError> {
    // Everything that the target has and the sandbox knows bounds what has to be sent.
    let heads = refs.references.iter().map(|reference| reference.peeled.unwrap_or(reference.id));
    let had: BTreeSet<ObjectId> = heads
        .filter(|id| repo.gix.find_header(*id).is_ok_and(|header| header.kind() == gix::objs::Kind::Commit))
        .collect();
    let commits = staged::between(repo, tip, &had, context.deadline)?;
    let objects = pack::enumerate(repo, &commits, context.deadline)?;
    let pack = pack::write(repo, &objects, context.deadline)?;
    Ok(Push { target: refs.target.clone(), reference, old, new: tip, pack })
}

fn success(landed: &Landed) -> Output {
    let branch = short(&landed.reference);
    let new = landed.new.to_hex_with_len(7);
    let range = match landed.old {
        Some(old) => format!("   {}..{new}  {branch} -> {branch}", old.to_hex_with_len(7)),
        None => format!(" * [new branch]      {branch} -> {branch}"),
    };
    let pushed = Pushed {
        status: "success",
        commit_sha: Some(landed.new.to_string()),
        conflict: None,
        target: landed.target.clone(),
        branch: branch.to_owned(),
        hint: format!("Successfully pushed to {} ({branch}).", landed.target),
    };
    Output::new(format!("To {}\n{range}\n", landed.target), pushed)
}

fn up_to_date(refs: &Refs, reference: &str, tip: ObjectId) -> Output {
    let pushed = Pushed {
        status: "success",
        commit_sha: Some(tip.to_string()),
        conflict: None,
        target: refs.target.clone(),
        branch: short(reference).to_owned(),
        hint: "The target has this commit already.".to_owned(),
    };
    Output::new("Everything up-to-date\n", pushed)
}

fn conflicting(conflict: &Conflict, target: &str, reference: &str) -> Output {
    let branch = short(reference);
    // Anything but new commits says in its message what is in the way and what to do about it.
    let hint = match conflict.reason.as_str() {
        "non-fast-forward" => format!(
            "Nothing was pushed. git_pull brings in what is new there and re-applies the staged commits; then push again. Or push to a \
             new branch of {target}: target.branch, or TARGET#BRANCH on the command line."
        ),
        _ => "Nothing was pushed.".to_owned(),
    };
    let text = format!(
        "To {target}\n ! [rejected]        {branch} -> {branch} ({})\nerror: {}\nhint: {hint}\n",
        conflict.reason, conflict.message
    );
    let pushed = Pushed {
        status: "conflict",
        commit_sha: None,
        conflict: Some(ConflictShown {
            reason: conflict.reason.clone(),
            message: conflict.message.clone(),
            target_head: conflict.target_head.map(|id| id.to_string()),
        }),
        target: target.to_owned(),
        branch: branch.to_owned(),
        hint,
    };
    Output::new(text, pushed)
}

fn short(reference: &str) -> &str {
    reference.strip_prefix("refs/heads/").unwrap_or(reference)
}
