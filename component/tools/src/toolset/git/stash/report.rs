//! The results of stashing and restoring changes.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use patch::tree_merge::Outcome;
use serde::Serialize;

use super::applying::Wish;
use super::entries::{Entry, Stash};
use super::{GitStash, Told};
use crate::budget::{Room, is_zero};
use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::git::text::{summary, workspace_path};
use crate::git::words::streams::Streams;
use crate::git::worktree::changes;
use crate::output::Output;
use crate::session::Context;

/// What was put away.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Saved {
    #[cfg_attr(test, schemars(extend("const" = "push")))]
    action: &'static str,
    /// Whether there was anything to put away.
    saved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stash: Option<Entry>,
    /// Files that were put away.
    count: usize,
    files: Vec<summary::File>,
    /// Files that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    files_omitted: usize,
    hint: &'static str,
}

/// The result without changes.
pub fn nothing_saved() -> Output {
    let hint = "Nothing has changed. Set include_untracked to put untracked files away.";
    let saved =
        Saved { action: "push", saved: false, stash: None, count: 0, files: Vec::new(), files_omitted: 0, hint };
    Output::new::<GitStash>("No local changes to save\n", Told::Saved(saved))
}

/// The result of a push. `trees` are those of HEAD, of the working tree and of the untracked files.
pub fn saved(
    context: &Context<'_>,
    repo: &Repo,
    streams: Streams,
    entry: Entry,
    trees: (ObjectId, ObjectId, Option<ObjectId>),
) -> Result<Output, ToolError> {
    let (max_bytes, deadline) = (context.session.options.git.max_bytes, context.deadline);
    let (head, tree, untracked) = trees;
    let mut changes = changes::tree_to_tree(repo, head, tree, deadline)?;
    if let Some(untracked) = untracked {
        changes.extend(changes::tree_to_tree(repo, ObjectId::empty_tree(untracked.kind()), untracked, deadline)?);
    }
    let mut files = summary::files(repo, &changes, deadline)?;
    let count = files.len();
    let files_omitted = Room::new(max_bytes).cut(&mut files);
    let hint = "Call git_stash with action pop to bring the changes back.";
    let saved = Saved { action: "push", saved: true, stash: Some(entry), count, files, files_omitted, hint };
    Ok(Output::new::<GitStash>(streams.text(), Told::Saved(saved)).max_bytes(max_bytes))
}

/// A restored entry.
pub struct Applied<'a> {
    pub stash: &'a Stash,
    pub wish: Wish,
    pub outcome: &'a Outcome,
    /// Whether the entry was dropped.
    pub dropped: bool,
    /// The number of restored untracked files.
    pub untracked: usize,
}

/// What came back.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Report {
    #[cfg_attr(test, schemars(extend("enum" = ["pop", "apply"])))]
    action: &'static str,
    stash: Entry,
    #[cfg_attr(test, schemars(extend("enum" = ["clean", "conflict"])))]
    status: &'static str,
    has_conflicts: bool,
    conflicts: Vec<String>,
    /// Conflicts that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    conflicts_omitted: usize,
    /// Whether the entry is gone.
    dropped: bool,
    /// Tracked files that differ from what they were.
    count: usize,
    files: Vec<String>,
    /// Files that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    files_omitted: usize,
    /// Untracked files that came back.
    #[serde(skip_serializing_if = "is_zero")]
    untracked: usize,
    hint: &'static str,
}

impl Applied<'_> {
    /// git's output, and the structured result.
    pub fn output(self, streams: Streams, max_bytes: usize) -> Output {
        let absolute = |path: &gix::bstr::BString| workspace_path::absolute(path.as_bstr());
        let mut conflicts: Vec<String> = self.outcome.conflicts.keys().map(absolute).collect();
        let mut files: Vec<String> = self.outcome.edits.keys().map(absolute).collect();
        let count = files.len();
        let mut room = Room::new(max_bytes);
        let conflicts_omitted = room.cut(&mut conflicts);
        let files_omitted = room.cut(&mut files);
        let is_clean = self.outcome.is_clean;
        let report = Report {
            action: if self.wish.pops { "pop" } else { "apply" },
            stash: self.stash.entry(max_bytes),
            status: if is_clean { "clean" } else { "conflict" },
            has_conflicts: !is_clean,
            conflicts,
            conflicts_omitted,
            dropped: self.dropped,
            count,
            files,
            files_omitted,
            untracked: self.untracked,
            hint: match is_clean {
                true => "Call git_status to see what came back.",
                false => {
                    "Resolve each file in conflicts and add it with git_add. Then remove the entry with git_stash, \
                     action drop. Call sandbox_undo to take it all back."
                }
            },
        };
        Output::new::<GitStash>(streams.text(), Told::Applied(report)).max_bytes(max_bytes)
    }
}
