//! `git_stage`: commit exactly the named paths on top of the branch.

mod asked;

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use serde::{Deserialize, Serialize};

use crate::approval::Annotations;
use crate::budget::{Room, brief, is_zero};
use crate::error::{Stop, ToolError};
use crate::git::change::unfinished::{self, Doing};
use crate::git::staged::new_commit;
use crate::git::store::edit_tree::edit_tree;
use crate::git::store::repo::Repo;
use crate::git::store::{index, index_edit};
use crate::git::text::summary;
use crate::git::words::message;
use crate::git::worktree::changes::{self, Change};
use crate::git::worktree::staged_paths;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Commit exactly these files, as they are now, for a later push. A gone path is committed as deleted. Nothing leaves the sandbox until the user pushes it.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitStage {
    /// Files and folders, no globs
    #[cfg_attr(test, schemars(length(min = 1)))]
    files: Vec<String>,
    /// The commit message
    message: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Staged {
    /// The same as `id`.
    commit_id: String,
    /// What other tools name it by.
    id: String,
    /// Its name in git.
    commit_sha: String,
    message: String,
    file_count: usize,
    files: Vec<summary::File>,
    /// Files that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    files_omitted: usize,
    created_at: String,
    hint: String,
}

impl Call for GitStage {
    const NAME: &'static str = "git_stage";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Git, Toolset::Lean];
    const ANNOTATIONS: Annotations = Annotations::asks(asked::approval);
    const FILE: &'static str = schema_file!("git_stage");
    type Result = Staged;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let repo = context.session.repo()?;
        unfinished::ensure_none(&repo, Doing::Stage)?;
        let message = message::clean(&self.message)?;
        let signatures = context.signatures()?;
        if self.files.is_empty() {
            return Err(ToolError::bad_args("files must contain at least one element").into());
        }
        let named = staged_paths::named(&context.session.zones, &self.files)?;
        let old_index = index::load(&mut context.session.caches.index, &repo)?;
        let edits = staged_paths::select(&repo, &old_index, &named, context.deadline)?;
        let head = repo.head()?;
        let old_tree = repo.head_tree()?;
        let tree = edit_tree(&repo, old_tree, &edits)?;
        if tree == old_tree {
            return Err(nothing(&self.files).into());
        }
        let (id, short_id) = new_commit::on_head(&repo, &signatures, &head, tree, &message, context.deadline)?;
        let mut state = old_index.as_ref().clone();
        index_edit::apply(&mut state, &edits);
        index::store(&mut context.session.caches.index, &repo, state)?;
        let changes = changes::tree_to_tree(&repo, old_tree, tree, context.deadline)?;
        Ok(report(&repo, context, &changes, id, short_id, &message)?)
    }
}

fn nothing(files: &[String]) -> ToolError {
    ToolError::failed("nothing to commit").hint(format!(
        "Nothing in {} differs from the last commit. Call git_status to see what has changed.",
        files.join(", ")
    ))
}

fn report(
    repo: &Repo,
    context: &Context<'_>,
    changes: &[Change],
    id: ObjectId,
    short_id: String,
    message: &BString,
) -> Result<Output, ToolError> {
    let mut files = summary::files(repo, changes, context.deadline)?;
    let subject = message::subject(message).to_str_lossy().into_owned();
    let hint = format!(
        "Staged commit {short_id} created. Call git_diff with commitId {short_id} to see it. The user reviews and \
         pushes it."
    );
    let mut text = format!(
        "Staged commit {short_id} \"{subject}\" ({} file{})\n",
        files.len(),
        if files.len() == 1 { "" } else { "s" }
    );
    for file in &files {
        text.push_str(&file.line());
        text.push('\n');
    }
    let marked = marked(&files);
    if let Some(marked) = &marked {
        text.push_str(&format!("warning: {marked}\n"));
    }
    let hint = marked.map_or_else(|| hint.clone(), |marked| format!("{marked} {hint}"));
    let max_bytes = context.session.options.git.max_bytes;
    let file_count = files.len();
    let files_omitted = Room::new(max_bytes).cut(&mut files);
    let staged = Staged {
        commit_id: short_id.clone(),
        id: short_id,
        commit_sha: id.to_string(),
        message: brief(&message::text(message), max_bytes),
        file_count,
        files,
        files_omitted,
        created_at: context.now().rfc3339(),
        hint,
    };
    Ok(Output::new::<GitStage>(text, staged).max_bytes(max_bytes))
}

/// The maximum number of files that a sentence names.
const NAMED: usize = 5;

/// Names the files that have the markers of an unfinished merge. As in git, they can be staged all the same: a text may be about markers.
fn marked(files: &[summary::File]) -> Option<String> {
    let marked: Vec<&str> = files.iter().filter_map(summary::File::in_conflict).collect();
    let named = marked.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match marked.len() {
        0 => None,
        count if count <= NAMED => Some(format!("The markers of an unfinished merge are left in {named}.")),
        count => Some(format!("The markers of an unfinished merge are left in {named} and {} more.", count - NAMED)),
    }
}
