//! `git_diff`: show changes as patches, names or a summary.

pub mod patches;
mod report;
#[cfg(all(test, not(target_os = "wasi")))]
mod tests;

use std::rc::Rc;

use gix::index::State;
use serde::Deserialize;

use self::report::{Commit, Report};
use crate::approval::Annotations;
use crate::arguments::{MaxBytes, TimeoutMs, WorkingDir};
use crate::budget::brief;
use crate::error::{Stop, ToolError};
use crate::git::history::diff_selection::Selection;
use crate::git::history::revisions::Revisions;
use crate::git::staged::staged_commit::{self, StagedCommit};
use crate::git::store::index;
use crate::git::store::pathspec::Pathspec;
use crate::git::text::patch_text::form::Form;
use crate::git::text::patch_text::queue::{Queue, select};
use crate::git::text::patch_text::writer::Writer;
use crate::git::words::message;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::content::Contents;
use crate::options::Toolset;
use crate::output::Output;
use crate::paths::SandboxPath;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Show changes as git diff does. Without arguments: those in the working tree, then those of every
/// staged commit.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitDiff {
    /// Diff staged changes (--cached)
    #[cfg_attr(test, schemars(extend("default" = false)))]
    cached: Option<bool>,
    /// Only changed file names (--name-only)
    #[cfg_attr(test, schemars(extend("default" = false)))]
    name_only: Option<bool>,
    /// Diffstat only (--stat)
    #[cfg_attr(test, schemars(extend("default" = false)))]
    stat: Option<bool>,
    /// Number of context lines (-U<N>)
    unified: Option<u32>,
    /// Paths to diff
    paths: Option<Vec<String>>,
    /// Starting ref
    from_ref: Option<String>,
    /// Ending ref
    to_ref: Option<String>,
    /// Where `git_patches` writes: this tool only reads.
    #[serde(skip)]
    pub(super) output_dir: Option<String>,
    /// Show this staged commit: its id or a revision
    #[serde(rename = "commitId")]
    commit_id: Option<String>,
    /// First hunk to show of one file
    #[cfg_attr(test, schemars(range(min = 1)))]
    start_hunk: Option<usize>,
    /// Maximum output bytes before truncation; 200000 unless the sandbox is set up otherwise
    max_bytes: Option<MaxBytes>,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    working_dir: Option<WorkingDir>,
}

impl Call for GitDiff {
    const NAME: &'static str = "git_diff";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Git, Toolset::Repo];
    const ANNOTATIONS: Annotations = Annotations::reads();
    const FILE: &'static str = schema_file!("git_diff");
    type Result = Report;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        self.show(context)
    }
}

impl GitDiff {
    /// Shows the changes, or writes them as patches.
    pub(super) fn show(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        self.validate()?;
        let max_bytes = context.max_bytes(self.max_bytes)?;
        let working_dir = context.working_dir(self.working_dir.as_ref())?;
        let pathspec = Pathspec::parse(self.paths.as_deref().unwrap_or_default(), &working_dir)?;
        let repo = context.repo(&working_dir)?;
        let has_paths = self.paths.as_ref().is_some_and(|paths| !paths.is_empty());
        let named = [&self.from_ref, &self.to_ref].into_iter().flatten();
        let revisions = Revisions::new(&repo, working_dir.relative(), has_paths, named);
        let selection = self.selection(&revisions, context)?;
        let index = index::load(&mut context.session.caches.index, &repo)?;
        let attributes = match selection {
            // For a diff of two trees git does not read the index, not even for attributes.
            Selection::Trees(..) => {
                Attributes::of(&repo, Rc::new(State::new(repo.gix.object_hash())), context.deadline)
            }
            _ => Attributes::of(&repo, index.clone(), context.deadline),
        };
        let contents = Contents { repo: &repo, attributes: &attributes };
        let trees = &mut context.session.caches.trees;
        let mut queue = select(trees, &contents, &index, selection, &pathspec, context.deadline)?;
        queue.warnings = revisions.warnings();
        self.check_start(&queue)?;
        let writer = Writer::new(&contents, self.form(), max_bytes, context.deadline)?;
        let mut writer = writer.starting_at(self.start_hunk.unwrap_or(1));
        if let Some(output_dir) = &self.output_dir {
            let folder = self.output_folder(context, output_dir, &working_dir)?;
            return Ok(patches::write(context, &folder, &queue, &mut writer, max_bytes)?);
        }
        let mut report = Report::new(writer.queue(&queue)?);
        if self.is_plain() {
            for commit in staged_commit::list(&repo, context.deadline)? {
                report.commits.push(self.staged(&commit, context, &contents, &pathspec, &mut writer, max_bytes)?);
            }
        }
        let is_staged = self.commit_id.is_some() || self.is_plain();
        Ok(report.finish(writer, max_bytes, is_staged))
    }

    /// FR-GIT-DIFF-03, extended to the fields beyond it.
    fn validate(&self) -> Result<(), ToolError> {
        let has_refs = self.from_ref.is_some() || self.to_ref.is_some();
        let message = if self.is_cached() && has_refs {
            "cached cannot be used with from_ref/to_ref"
        } else if self.commit_id.is_some() && has_refs {
            "commitId and from_ref/to_ref are mutually exclusive"
        } else if self.commit_id.is_some() && self.is_cached() {
            "commitId and cached are mutually exclusive"
        } else if self.output_dir.is_some() && (self.from_ref.is_none() || self.to_ref.is_none()) {
            "output_dir requires both from_ref and to_ref"
        } else if self.to_ref.is_some() && self.from_ref.is_none() {
            "to_ref requires from_ref"
        } else if self.start_hunk == Some(0) {
            "start_hunk must be at least 1"
        } else if self.start_hunk.is_some() && !matches!(self.form(), Form::Patch(_)) {
            "start_hunk cannot be used with name_only or stat"
        } else if self.start_hunk.is_some() && self.output_dir.is_some() {
            "start_hunk cannot be used with output_dir"
        } else {
            return Ok(());
        };
        Err(ToolError::bad_args(message))
    }

    /// A hunk number needs exactly one patch.
    fn check_start(&self, queue: &Queue) -> Result<(), ToolError> {
        let changed = queue.changes.len() + queue.combined.len();
        if self.start_hunk.is_none() || changed == 1 {
            return Ok(());
        }
        let message = format!("start_hunk needs exactly one changed file, but there are {changed}");
        Err(ToolError::bad_args(message).hint("Set paths to the one file named by next.path in the truncated result."))
    }

    fn is_cached(&self) -> bool {
        self.cached == Some(true)
    }

    /// Whether no argument says what to compare or how to show it.
    fn is_plain(&self) -> bool {
        self.cached.is_none()
            && self.name_only.is_none()
            && self.stat.is_none()
            && self.unified.is_none()
            && self.paths.is_none()
            && self.start_hunk.is_none()
            && self.from_ref.is_none()
            && self.commit_id.is_none()
    }

    fn form(&self) -> Form {
        let context = self.unified.unwrap_or(Form::CONTEXT);
        // FR-GIT-DIFF-04. With a number of context lines, a patch follows the summary.
        match (self.name_only, self.stat) {
            // The files in output_dir are patches.
            _ if self.output_dir.is_some() => Form::Patch(context),
            (Some(true), _) => Form::Names,
            (_, Some(true)) => Form::Stat(self.unified),
            _ => Form::Patch(context),
        }
    }

    fn selection(&self, revisions: &Revisions<'_>, context: &mut Context<'_>) -> Result<Selection, ToolError> {
        if let Some(named) = &self.commit_id {
            let commit = staged_commit::resolve(revisions.repo, named)?;
            return Selection::commit(revisions.repo, commit);
        }
        let refs = (self.from_ref.as_deref(), self.to_ref.as_deref());
        match refs {
            _ if self.is_cached() => Ok(Selection::Cached(revisions.repo.head_tree()?)),
            (Some(from), Some(to)) => revisions.trees(from, to),
            (Some(from), None) => revisions.selection(from, context.deadline),
            _ => Ok(Selection::Worktree { combines: self.form().context().is_some() }),
        }
    }

    fn output_folder(
        &self,
        context: &Context<'_>,
        named: &str,
        working_dir: &SandboxPath,
    ) -> Result<SandboxPath, ToolError> {
        let access = crate::paths::Access::Write;
        context.session.zones.resolve(named, working_dir, access)
    }

    /// Writes the changes of a staged commit, under a line that names it.
    fn staged(
        &self,
        commit: &StagedCommit,
        context: &mut Context<'_>,
        contents: &Contents<'_>,
        pathspec: &Pathspec,
        writer: &mut Writer<'_>,
        max_bytes: usize,
    ) -> Result<Commit, ToolError> {
        let index = index::load(&mut context.session.caches.index, contents.repo)?;
        let selection = Selection::commit(contents.repo, commit.id)?;
        let trees = &mut context.session.caches.trees;
        let queue = select(trees, contents, &index, selection, pathspec, context.deadline)?;
        let subject = staged_commit::subject(commit);
        writer.staged(&commit.id, &format!("Staged commit: {} \"{subject}\"\n\n", commit.short_id));
        Ok(Commit {
            id: commit.short_id.clone(),
            commit_id: commit.id.to_string(),
            message: brief(&message::text(&commit.message), max_bytes),
            files: writer.queue(&queue)?,
            files_omitted: 0,
        })
    }
}
