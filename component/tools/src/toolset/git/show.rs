//! `git_show`: show an object, with the changes of a commit.

mod commit;
mod merge;
mod object;
mod report;
mod tag;
#[cfg(all(test, not(target_os = "wasi")))]
mod tests;
mod tree;

use std::rc::Rc;

use gix::index::State;
use serde::Deserialize;

use self::commit::Commits;
use self::object::{Asked, Shown, Tip};
use self::report::Report;
use crate::approval::Annotations;
use crate::arguments::{MaxBytes, TimeoutMs, WorkingDir};
use crate::deadline::Deadline;
use crate::error::{Stop, ToolError};
use crate::git::history::graph::History;
use crate::git::history::revisions::Revisions;
use crate::git::store::repo::{Head, Repo};
use crate::git::store::{blob, missing};
use crate::git::text::log_entries::Entries;
use crate::git::text::patch_text::form::Form;
use crate::git::text::pretty::{Format, Layout, Printer};
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::content::Contents;
use crate::git::worktree::sparse::Sparse;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};
use crate::toolset::git::log;

/// Show an object as git show does: a commit, a tag, a folder (REV:folder/) or a file (REV:path).
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitShow {
    /// Commit to show
    #[cfg_attr(test, schemars(extend("default" = "HEAD")))]
    commit: Option<String>,
    /// Diffstat only (--stat)
    #[serde(default)]
    stat: bool,
    /// Only changed file names (--name-only)
    #[serde(default)]
    name_only: bool,
    /// Pretty-print format for commit info
    format: Option<String>,
    /// Give a file's content in base64 in the structured result
    #[serde(default)]
    base64: bool,
    max_bytes: Option<MaxBytes>,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    working_dir: Option<WorkingDir>,
}

impl Call for GitShow {
    const NAME: &'static str = "git_show";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Repo];
    const ANNOTATIONS: Annotations = Annotations::reads();
    const FILE: &'static str = schema_file!("git_show");
    type Result = report::Report;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let max_bytes = context.max_bytes(self.max_bytes)?;
        let working_dir = context.working_dir(self.working_dir.as_ref())?;
        let format = self.format(context.deadline)?;
        let repo = context.repo(&working_dir)?;
        let named = self.commit.as_deref().unwrap_or("HEAD");
        if let (None, Head::Unborn { name }) = (&self.commit, repo.head()?) {
            return Err(log::unborn(&name).into());
        }
        // Between commits git does not read the index, not even for attributes.
        let attributes = Attributes::of(&repo, Rc::new(State::new(repo.gix.object_hash())), context.deadline);
        let contents = Contents { repo: &repo, attributes: &attributes };
        let history = History::of(&repo, &context.session.caches.history)?;
        let printer = Printer::new(&repo, &history, &format, context.now(), context.deadline)?;
        let mut entries = Entries::new(max_bytes);
        let mut report = Report::new(max_bytes, self.base64);
        let mut commits = Commits {
            history: &history,
            printer: &printer,
            contents: &contents,
            form: self.form(),
            format: &format,
            shows_notes: self.format.is_none() || format.has_notes(),
            deadline: context.deadline,
            needed_limit: None,
        };
        let named_by_caller = self.commit.iter();
        let revisions = Revisions::new(&repo, working_dir.relative(), false, named_by_caller);
        let shown = object::asked(&revisions, &history, named, context.deadline)?;
        let show = || -> Result<(), ToolError> {
            match shown {
                Asked::Objects(tips) => {
                    for tip in tips {
                        one(&repo, &tip, &mut commits, &mut entries, &mut report)?;
                    }
                }
                Asked::Range { tips, hidden } => commits.walk(tips, hidden, &mut entries, &mut report)?,
            }
            Ok(())
        };
        show().map_err(|error| entries.interrupted(error))?;
        entries.append(commits.warning(&revisions.warnings()).as_bytes());
        Ok(report.finish(entries))
    }
}

/// Shows an object. After a tag, also the object that it names.
fn one(
    repo: &Repo,
    tip: &Tip,
    commits: &mut Commits<'_>,
    entries: &mut Entries,
    report: &mut Report,
) -> Result<(), ToolError> {
    let mut next = Some(tip.id);
    while let Some(id) = next.take() {
        if entries.is_full() {
            break;
        }
        commits.deadline.poll()?;
        match object::read(repo, id)? {
            Shown::Commit => commits.one(id, tip.origin(), entries, report)?,
            Shown::Tag(data) => {
                let source = (id == tip.id).then_some(tip.source.as_str());
                let tagged = tag::append(commits, (id, &data), source, entries, report)?;
                tagged.ensure(repo)?;
                next = Some(tagged.id);
            }
            Shown::Tree => tree::append(repo, &tip.source, id, commits.deadline, entries, report)?,
            Shown::Blob => {
                let content = blob::read(repo, id)?;
                let content = content.map_or_else(|| Err(missing(repo, id, tip)), Ok)?;
                if !report.has_base64() {
                    entries.append(&content);
                }
                report.blob(id, &content);
            }
        }
    }
    Ok(())
}

/// The error for a missing object `id`. A sparse sandbox lacks objects, and a submodule's entry names a commit of another repository.
fn missing(repo: &Repo, id: gix::ObjectId, tip: &Tip) -> ToolError {
    match Sparse::load(repo) {
        Ok(None) => ToolError::not_found(format!("fatal: bad object {}", tip.source)),
        Ok(Some(_)) => missing::blobs(repo, [id].into()),
        Err(error) => error,
    }
}

impl GitShow {
    fn format(&self, deadline: &Deadline) -> Result<Format, ToolError> {
        let parse = |text| Format::parse(text, deadline);
        self.format.as_deref().map_or(Ok(Format::Named(Layout::Medium)), parse)
    }

    /// FR-GIT-SHOW-03: `name_only` takes precedence over `stat`.
    fn form(&self) -> Form {
        match (self.name_only, self.stat) {
            (true, _) => Form::Names,
            (false, true) => Form::Stat(None),
            (false, false) => Form::Patch(Form::CONTEXT),
        }
    }
}
