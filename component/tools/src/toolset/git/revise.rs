//! `git_revise`: leave files or hunks out of staged commits before a push, or change the last
//! message.
//!
//! With it a person asks for a push in another form. The changes that they leave out stay in the working folder, and the push asks again.

mod leave_out;

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::BString;
use serde::{Deserialize, Serialize};

use self::leave_out::{Below, Kept};
use crate::approval::{Annotations, Mode};
use crate::error::{Stop, ToolError};
use crate::git::change::replay;
use crate::git::change::unfinished::{self, Doing};
use crate::git::history::{rev_list, tracking};
use crate::git::staged::ids::Ids;
use crate::git::staged::records::message::Recorded;
use crate::git::staged::restack::{self, Restack};
use crate::git::staged::staged_commit::{self, StagedCommit};
use crate::git::store::commit_object;
use crate::git::store::repo::{Repo, damaged};
use crate::git::words::message;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Leave files or hunks out of the staged commits that a push would send, or change the last
/// message. What is left out stays in the files, uncommitted. Only the user can call it.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GitRevise {
    /// Last of the commits: its id or a revision
    commit_id: String,
    /// Commit to count hunks against. Default: the one before the staged ones
    base: Option<String>,
    /// What to leave out of the push.
    #[serde(default)]
    leave_out: Vec<LeaveOut>,
    /// New message for the last remaining commit.
    message: Option<String>,
    /// Revise this commit alone, as a push with `only` sends it
    #[serde(default)]
    only: bool,
}

/// A file, or hunks of it.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct LeaveOut {
    /// Path from the root of the repository
    path: String,
    /// Hunks, from 1. Default: the whole file
    hunks: Option<Vec<u32>>,
    /// Lines of context in that diff. Default: 3
    context: Option<u32>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Revised {
    /// The last commit that is left, as it is named now.
    commit_id: String,
    /// Its name in git.
    commit_sha: String,
    /// Files that are left out, in whole or in part.
    left_out: Vec<String>,
    /// The ids of commits of which nothing is left.
    dropped: Vec<String>,
    hint: String,
}

impl Call for GitRevise {
    const NAME: &'static str = "git_revise";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Git];
    const ANNOTATIONS: Annotations = Annotations::writes().only(Mode::Manual).destructive();
    const FILE: &'static str = schema_file!("git_revise");
    type Result = Revised;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let repo = context.session.repo()?;
        unfinished::ensure_none(&repo, Doing::Revise)?;
        if self.leave_out.is_empty() && self.message.is_none() {
            return Err(ToolError::bad_args("There is nothing to revise").hint("Set leaveOut or message.").into());
        }
        if self.only && self.leave_out.iter().any(|left_out| left_out.hunks.is_some()) {
            let message = "Cannot leave hunks out of a commit that is pushed alone";
            return Err(ToolError::bad_args(message).hint("Leave out whole files, or push without only.").into());
        }
        let message = self.message.as_deref().map(message::clean).transpose()?;
        let last = staged_commit::find(&repo, &self.commit_id, context.deadline)?;
        let line = self.line(&repo, &last, context)?;
        let later = restack::later(&repo, &last, context.deadline)?;
        let before = line[0].parents.first().copied();
        let base = match &self.base {
            Some(base) if !self.only => Some(staged_commit::resolve(&repo, base)?),
            _ => before,
        };
        // The target may already have some of these commits, or lack earlier ones that are not staged and so stay unchanged.
        let below = if line.iter().any(|commit| Some(commit.id) == base) { base } else { before };
        let trees: Vec<ObjectId> = line.iter().map(|commit| commit.tree).collect();
        let kept = Kept::of(&repo, context, Below { base, below }, &trees, &self.leave_out)?;
        let mut stack = Restack::onto(before);
        // The last commit that remains, with its former version.
        let (mut left, mut dropped) = (None, Vec::new());
        for staged in &line {
            context.deadline.poll()?;
            let tree = kept.tree(&repo, staged.tree)?;
            let is_emptied = tree != staged.tree && tree == replay::tree_below(&repo, stack.tip)?;
            // A commit without changes was made for its message, and so was a task's record.
            let says_something = || -> Result<bool, ToolError> {
                let parent = replay::tree_below(&repo, staged.parents.first().copied())?;
                let prefix = &context.session.options.tasks.trailer_prefix;
                Ok(parent == staged.tree || Recorded::read(&staged.message, prefix).is_some())
            };
            if is_emptied && !says_something()? {
                dropped.push(staged.clone());
                continue;
            }
            // An unchanged commit remains the same object with all its headers, such as a signature.
            let stays = tree == staged.tree && stack.tip == staged.parents.first().copied();
            let made = if stays { staged.id } else { replay::rewrite(&repo, staged.id, tree, stack.tip)? };
            stack.add(staged.id, made);
            left = Some((staged.id, made));
        }
        let (former, mut made) = left.ok_or_else(nothing_left)?;
        if let Some(message) = &message {
            made = say(&repo, made, message)?;
            stack.add(former, made);
        }
        stack.put(&later, "the changes you leave out", &mut context.replayer(&repo))?;
        let gone: Vec<ObjectId> = dropped.iter().map(|dropped| dropped.id).collect();
        stack.finish(&repo, &gone, &context.reflog_signature(), &mut context.session.caches.index, context.deadline)?;
        Ok(report(&Ids::load(&repo)?, (last.id, made), &self.leave_out, &dropped))
    }
}

impl GitRevise {
    /// The staged commits that the push would include, oldest first.
    fn line(&self, repo: &Repo, last: &StagedCommit, context: &Context<'_>) -> Result<Vec<StagedCommit>, ToolError> {
        let reached: BTreeSet<ObjectId> =
            rev_list::between(repo, [last.id], &tracking::heads(repo)?, context.deadline)?.into_iter().collect();
        let staged = staged_commit::unpushed(repo, context.deadline)?;
        let is_meant = |id: &ObjectId| if self.only { *id == last.id } else { reached.contains(id) };
        let line: Vec<StagedCommit> = staged.into_iter().filter(|commit| is_meant(&commit.id)).collect();
        match line.iter().find(|commit| commit.parents.len() > 1) {
            Some(merge) => Err(restack::merge_error(merge)),
            None => Ok(line),
        }
    }
}

/// Rewrites a commit with another message.
fn say(repo: &Repo, commit: ObjectId, message: &BString) -> Result<ObjectId, ToolError> {
    let old = repo.gix.find_commit(commit).map_err(|error| damaged(&error))?;
    let old: gix::objs::Commit =
        old.decode().map_err(|error| damaged(&error))?.try_into().map_err(|error| damaged(&error))?;
    // A signature or an encoding would not fit the new message.
    let (message, extra_headers, encoding) = (message.clone(), Vec::new(), None);
    commit_object::write(repo, &gix::objs::Commit { message, extra_headers, encoding, ..old })
}

fn nothing_left() -> ToolError {
    ToolError::bad_args("This would leave nothing to push").hint("Reject the push, or discard the commit.")
}

fn report(ids: &Ids, (was, left): (ObjectId, ObjectId), leave_out: &[LeaveOut], dropped: &[StagedCommit]) -> Output {
    let hint = format!(
        "The working folder has not changed. The changes you left out are still there, uncommitted, unless you edited \
         them after staging. Commit {} has them as they were staged.",
        was.to_hex_with_len(7)
    );
    let short = ids.of(left);
    let mut text = format!("Revised: {short} is now commit {}\n", left.to_hex_with_len(8));
    for dropped in dropped {
        text.push_str(&format!("Nothing is left of {} \"{}\"\n", dropped.short_id, staged_commit::subject(dropped)));
    }
    if !leave_out.is_empty() {
        text.push_str(&format!("{hint}\n"));
    }
    let left_out: BTreeSet<&str> = leave_out.iter().map(|left_out| &*left_out.path).collect();
    let revised = Revised {
        commit_id: short,
        commit_sha: left.to_string(),
        left_out: left_out.into_iter().map(str::to_owned).collect(),
        dropped: dropped.iter().map(|dropped| dropped.short_id.clone()).collect(),
        hint,
    };
    Output::new::<GitRevise>(text, revised)
}
