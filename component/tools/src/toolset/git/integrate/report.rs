//! The result of bringing in changes.

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use patch::tree_merge::Outcome;
use serde::Serialize;

use crate::budget::{Room, brief, is_zero};
use crate::error::ToolError;
use crate::git::store::index;
use crate::git::store::repo::Repo;
use crate::git::text::patch_text::form::Form;
use crate::git::text::patch_text::queue::between;
use crate::git::text::patch_text::writer::Writer;
use crate::git::text::{summary, workspace_path};
use crate::git::words::message;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::changes;
use crate::git::worktree::content::Contents;
use crate::session::Context;

/// What became of it.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// HEAD has it already.
    UpToDate,
    /// The branch moved to the other commit.
    FastForward,
    /// There is a new commit.
    Committed,
    /// Files are in conflict, and there is no commit yet.
    Conflict,
    /// It was given up.
    Aborted,
}

/// What was brought in.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Integrated {
    status: Status,
    /// What other tools name the new commit by.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// The commit that HEAD is at now, as git names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit_sha: Option<String>,
    /// Absent where HEAD is detached.
    #[serde(skip_serializing_if = "Option::is_none")]
    branch: Option<String>,
    /// The new commit's.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    has_conflicts: bool,
    conflicts: Vec<String>,
    /// Conflicts that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    conflicts_omitted: usize,
    /// Files that differ from what HEAD had.
    count: usize,
    files: Vec<summary::File>,
    /// Files that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    files_omitted: usize,
    hint: String,
}

/// HEAD after something was brought in.
pub struct Made<'a> {
    /// What became of it.
    pub status: Status,
    /// The commit that HEAD is at, and its short id if it was made now.
    pub head: (ObjectId, Option<String>),
    /// The message of a commit that was made now.
    pub message: Option<&'a BStr>,
    /// HEAD's trees before and after.
    pub trees: (ObjectId, ObjectId),
}

impl Integrated {
    fn of(status: Status, branch: Option<String>, hint: String) -> Integrated {
        Integrated {
            status,
            id: None,
            commit_sha: None,
            branch,
            message: None,
            has_conflicts: status == Status::Conflict,
            conflicts: Vec::new(),
            conflicts_omitted: 0,
            count: 0,
            files: Vec::new(),
            files_omitted: 0,
            hint,
        }
    }

    /// Nothing was to be done.
    pub fn up_to_date(branch: Option<String>) -> Integrated {
        Integrated::of(Status::UpToDate, branch, "HEAD has everything already.".to_owned())
    }

    /// It was given up, and this many files are as HEAD has them.
    pub fn aborted(branch: Option<String>, count: usize) -> Integrated {
        Integrated { count, ..Integrated::of(Status::Aborted, branch, "Index and files are as before it.".to_owned()) }
    }

    /// Files are in conflict. `abort` is the call that gives up.
    pub fn conflict(branch: Option<String>, outcome: &Outcome, abort: &str, max_bytes: usize) -> Integrated {
        let absolute = |path: &gix::bstr::BString| workspace_path::absolute(path.as_bstr());
        let mut conflicts: Vec<String> = outcome.conflicts.keys().map(absolute).collect();
        let conflicts_omitted = Room::new(max_bytes).cut(&mut conflicts);
        let hint = format!(
            "Resolve each file in conflicts and add it with git_add, then call git_commit. To give up, call {abort} with abort."
        );
        let count = outcome.edits.len();
        Integrated { conflicts, conflicts_omitted, count, ..Integrated::of(Status::Conflict, branch, hint) }
    }

    /// HEAD has moved.
    ///
    /// # Errors
    ///
    /// If the trees cannot be compared.
    pub fn made(context: &Context<'_>, repo: &Repo, made: &Made<'_>) -> Result<Integrated, ToolError> {
        let max_bytes = context.session.options.git.max_bytes;
        let changes = changes::tree_to_tree(repo, made.trees.0, made.trees.1, context.deadline)?;
        let mut files = summary::files(repo, &changes, context.deadline)?;
        let count = files.len();
        let files_omitted = Room::new(max_bytes).cut(&mut files);
        let (commit, id) = &made.head;
        let hint = match id {
            Some(id) => format!("Call git_diff with commitId {id} to see it. The user reviews and pushes it."),
            None => "Call git_log to see the commits that came in.".to_owned(),
        };
        Ok(Integrated {
            id: id.clone(),
            commit_sha: Some(commit.to_string()),
            message: made.message.map(|message| brief(&message::text(message), max_bytes)),
            count,
            files,
            files_omitted,
            ..Integrated::of(made.status, repo.head()?.short_branch(), hint)
        })
    }
}

/// What git prints about the change from one tree to the other.
///
/// # Errors
///
/// If they cannot be compared.
pub fn changed(
    context: &mut Context<'_>,
    repo: &Repo,
    (before, after): (ObjectId, ObjectId),
    form: Form,
) -> Result<Vec<u8>, ToolError> {
    let max_bytes = context.session.options.git.max_bytes;
    let state = index::load(&mut context.session.caches.index, repo)?;
    let attributes = Attributes::of(repo, state, context.deadline);
    let contents = Contents { repo, attributes: &attributes };
    let mut writer = Writer::new(&contents, form, max_bytes, context.deadline)?;
    let mut queue = between(&contents, before, after, context.deadline)?;
    // git prints no warning about its rename limit here.
    queue.needed_limit = None;
    writer.queue(&queue)?;
    Ok(writer.finish().0)
}
