//! The result of making a commit.

use gix::ObjectId;
use gix::actor::Signature;
use gix::bstr::BString;
use serde::Serialize;

use super::GitCommit;
use crate::budget::{Room, brief, is_zero};
use crate::call::Moment;
use crate::error::ToolError;
use crate::git::store::abbrev::Abbrev;
use crate::git::store::index;
use crate::git::store::repo::{Head, Repo};
use crate::git::text::patch_text::form::Form;
use crate::git::text::patch_text::queue::between;
use crate::git::text::patch_text::writer::Writer;
use crate::git::text::pretty::subject::subject;
use crate::git::text::summary;
use crate::git::words::dates::{self, DateForm};
use crate::git::words::message;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::changes;
use crate::git::worktree::content::Contents;
use crate::output::Output;
use crate::session::Context;

/// A new commit.
pub struct Made<'a> {
    pub id: ObjectId,
    /// The short id, which stays the same when the commit is rewritten.
    pub short_id: String,
    /// The previous HEAD.
    pub head: &'a Head,
    /// The previous tree and the commit's own.
    pub trees: (ObjectId, ObjectId),
    pub message: &'a BString,
    /// What it takes the place of.
    pub amends: Option<Amends>,
}

/// A commit that another took the place of.
pub struct Amends {
    /// Its author, who stays.
    pub author: Signature,
    /// Whether that is somebody else than who commits now.
    pub is_by_another: bool,
    /// Whether it has no parent.
    pub is_root: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The same as `id`.
    commit_id: String,
    /// What other tools name it by.
    id: String,
    /// Its name in git.
    commit_sha: String,
    /// Absent where HEAD is detached.
    #[serde(skip_serializing_if = "Option::is_none")]
    branch: Option<String>,
    message: String,
    file_count: usize,
    files: Vec<summary::File>,
    /// Files that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    files_omitted: usize,
    created_at: String,
    hint: String,
}

impl Made<'_> {
    /// git's output (builtin/commit.c, `print_commit_summary`), and the same as a structured result.
    pub fn output(self, context: &mut Context<'_>, repo: &Repo) -> Result<Output, ToolError> {
        let max_bytes = context.session.options.git.max_bytes;
        let (deadline, (before, after)) = (context.deadline, self.trees);
        let state = index::load(&mut context.session.caches.index, repo)?;
        let attributes = Attributes::of(repo, state, deadline);
        let contents = Contents { repo, attributes: &attributes };
        let mut text = self.title(repo, context.now())?;
        let mut writer = Writer::new(&contents, Form::Summary, max_bytes, deadline)?;
        let mut queue = between(&contents, before, after, deadline)?;
        // git prints no rename limit warning here.
        queue.needed_limit = None;
        writer.queue(&queue)?;
        text.extend_from_slice(&writer.finish().0);
        let changes = changes::tree_to_tree(repo, before, after, deadline)?;
        let mut files = summary::files(repo, &changes, deadline)?;
        let file_count = files.len();
        let files_omitted = Room::new(max_bytes).cut(&mut files);
        let report = Report {
            commit_id: self.short_id.clone(),
            id: self.short_id.clone(),
            commit_sha: self.id.to_string(),
            branch: self.head.short_branch(),
            message: brief(&message::text(self.message), max_bytes),
            file_count,
            files,
            files_omitted,
            created_at: context.now().rfc3339(),
            hint: format!("Call git_diff with commitId {} to see it. The user reviews and pushes it.", self.short_id),
        };
        Ok(Output::new::<GitCommit>(text, report).max_bytes(max_bytes))
    }

    /// `[main 1234567] feat: a subject`
    fn title(&self, repo: &Repo, now: Moment) -> Result<Vec<u8>, ToolError> {
        let branch = self.head.short_branch().unwrap_or_else(|| "detached HEAD".to_owned());
        let is_root = self.amends.as_ref().map_or(self.head.id().is_none(), |amends| amends.is_root);
        let root = if is_root { " (root-commit)" } else { "" };
        let short = Abbrev::of(repo)?.short(&self.id)?;
        let mut title = format!("[{branch}{root} {short}] ").into_bytes();
        title.extend_from_slice(&subject(self.message).0);
        title.push(b'\n');
        if let Some(Amends { author, is_by_another, .. }) = &self.amends {
            if *is_by_another {
                title.extend_from_slice(&[b" Author: ", &author.name[..], b" <", &author.email[..], b">\n"].concat());
            }
            let date = dates::show(author.time, DateForm::Default, now)?;
            title.extend_from_slice(format!(" Date: {date}\n").as_bytes());
        }
        Ok(title)
    }
}
