//! `git_discard`: take a staged commit away, and keep what it did in the working folder.

use std::collections::BTreeMap;

use gix::ObjectId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{ErrorKind, Stop, ToolError};
use crate::git::ids::Ids;
use crate::git::replay::{self, Replayed};
use crate::git::repo::Repo;
use crate::git::staged::{self, StagedCommit};
use crate::git::unfinished::{self, Doing};
use crate::git::{commit, follow_head};
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::Call;

/// Discard a staged commit without pushing it. Its changes stay in the working folder, uncommitted. Staged commits that came
/// after it are kept, and keep their ids.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GitDiscard {
    /// The id of a staged commit, as git_stage and git_status give it, or a revision.
    commit_id: String,
}

#[derive(Serialize)]
struct Discarded {
    discarded: String,
    hint: String,
}

impl Call for GitDiscard {
    const NAME: &'static str = "git_discard";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Git];

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let repo = Repo::of(context.session)?;
        unfinished::ensure_none(&repo, Doing::Discard)?;
        let doomed = staged::find(&repo, &self.commit_id, context.deadline)?;
        let head = repo.head()?;
        let later = later(&repo, &doomed, context)?;
        let old_tree = repo.head_tree()?;
        let mut successors = BTreeMap::new();
        let mut tip = match doomed.parents.as_slice() {
            [] => None,
            [parent] => Some(*parent),
            _ => return Err(merge_error(&doomed).into()),
        };
        for next in &later {
            let rewritten = without(&repo, next, &doomed, tip, context)?;
            successors.insert(next.id, rewritten);
            tip = Some(rewritten);
        }
        match tip {
            Some(tip) => commit::move_head(context, &repo, &head, tip, &format!("reset: moving to {tip}"))?,
            None => commit::unbear_branch(context, &repo, &head)?,
        }
        let mut ids = Ids::load(&repo)?;
        ids.forget(doomed.id);
        ids.rewritten(&successors);
        ids.store(&repo)?;
        follow_head::reset_index(context, &repo, old_tree)?;
        let subject = staged::subject(&doomed);
        let hint = "Its changes are still in the working folder, uncommitted.".to_owned();
        let text = format!("Discarded staged commit {} \"{subject}\"\n{hint}\n", doomed.short_id);
        Ok(Output::new(text, Discarded { discarded: doomed.short_id, hint }))
    }
}

/// The commits on top of a staged one, in order. They have to be a line: a merge cannot be rewritten without its other side.
pub fn later(repo: &Repo, doomed: &StagedCommit, context: &Context<'_>) -> Result<Vec<StagedCommit>, ToolError> {
    let staged = staged::unpushed(repo, context.deadline)?;
    let mut children = BTreeMap::new();
    for commit in &staged {
        for parent in &commit.parents {
            children.entry(*parent).or_insert(commit);
        }
    }
    let mut later = Vec::new();
    let mut below = doomed.id;
    while let Some(&next) = children.get(&below) {
        context.deadline.poll()?;
        if next.parents.len() != 1 {
            return Err(merge_error(next));
        }
        below = next.id;
        later.push(next.clone());
    }
    let head = repo.head()?.id();
    if head != Some(below) {
        return Err(ToolError::failed(format!("Commit {} is not on the line of HEAD", doomed.short_id))
            .hint("Discard what is on top of it first."));
    }
    Ok(later)
}

/// The commit `next` without what `doomed` did, on top of what is below it now.
fn without(
    repo: &Repo,
    next: &StagedCommit,
    doomed: &StagedCommit,
    below: Option<ObjectId>,
    context: &mut Context<'_>,
) -> Result<ObjectId, ToolError> {
    match replay::replay(repo, next.id, below, context)? {
        Replayed::Applied(commit) => Ok(commit),
        // Its message and its id stay.
        Replayed::Empty => replay::rewrite(repo, next.id, replay::tree_below(repo, below)?, below),
        Replayed::Conflicts(_) => Err(ToolError::new(
            ErrorKind::Conflict,
            format!("Staged commit {} \"{}\" builds on {}", next.short_id, staged::subject(next), doomed.short_id),
        )
        .hint(format!("Discard {} first.", next.short_id))),
    }
}

/// The error for a merge.
pub fn merge_error(commit: &StagedCommit) -> ToolError {
    ToolError::failed(format!("Commit {} is a merge", commit.short_id))
        .hint("A merge cannot be taken apart. Discard what is on top of it, or undo the call that made it.")
}
