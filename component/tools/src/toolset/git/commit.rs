//! `git_commit`: make a commit from the index.

mod amended;
pub mod asked;
mod report;

use std::rc::Rc;

use gix::bstr::ByteSlice;
use serde::Deserialize;

use crate::approval::Annotations;
use crate::arguments::{TimeoutMs, WorkingDir};
use crate::error::{Stop, ToolError};
use crate::git::change::branch_state;
use crate::git::change::concluded::Concluded;
use crate::git::change::unfinished::{self, Doing};
use crate::git::staged::new_commit::{self, NewCommit};
use crate::git::store::edit_tree::edit_tree;
use crate::git::store::index_edit::{Edits, Slot};
use crate::git::store::{flat_tree, index};
use crate::git::words::message;
use crate::git::worktree::changes::{self, Change};
use crate::git::worktree::sparse;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};
use crate::toolset::git::integrate::named;

/// Commit the index, as git commit does. With `type`, the message is `type(scope): message`.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitCommit {
    /// feat, fix, docs, refactor, test, ...
    #[cfg_attr(test, schemars(regex(pattern = "^[a-z]+$")))]
    #[serde(rename = "type")]
    kind: Option<String>,
    /// Area of change
    #[cfg_attr(test, schemars(regex(pattern = "^[a-z0-9_-]+$")))]
    scope: Option<String>,
    /// Commit description
    #[cfg_attr(test, schemars(length(min = 1)))]
    message: String,
    /// Replace HEAD's commit
    #[serde(default)]
    amend: bool,
    /// What scripts ask for: a commit that changes nothing.
    #[serde(skip)]
    allows_empty: bool,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    working_dir: Option<WorkingDir>,
}

impl Call for GitCommit {
    const NAME: &'static str = "git_commit";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Repo];
    const ANNOTATIONS: Annotations = Annotations::asks(asked::approval);
    const FILE: &'static str = schema_file!("git_commit");
    type Result = report::Report;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        self.validate()?;
        let working_dir = context.working_dir(self.working_dir.as_ref())?;
        let repo = context.repo(&working_dir)?;
        let message = message::clean(&self.text())?;
        let (head, old_tree) = (repo.head()?, repo.head_tree()?);
        let loaded = index::load(&mut context.session.caches.index, &repo)?;
        let flat = flat_tree::load(&mut context.session.caches.trees, &repo, old_tree, context.deadline)?;
        let staged = changes::tree_to_index(&flat, &loaded, context.deadline)?;
        let concluded = Concluded::of(&repo)?;
        if self.amend {
            unfinished::ensure_merged(&loaded)?;
            unfinished::ensure_none(&repo, Doing::Commit)?;
            let tree = edit_tree(&repo, old_tree, &edits(staged))?;
            return Ok(amended::amend(context, &repo, &head, tree, &message)?);
        }
        if staged.is_empty() && !self.allows_empty && concluded.merged.is_empty() {
            return Err(ToolError::failed("nothing to commit")
                .hint("First add the changes with git_add. Call git_status to see what has changed.")
                .into());
        }
        let mut by = context.signatures()?;
        unfinished::ensure_merged(&loaded)?;
        unfinished::ensure_none(&repo, Doing::Commit)?;
        let tree = edit_tree(&repo, old_tree, &edits(staged))?;
        let (id, short_id) = match head.id() {
            Some(_) => {
                if let Some(picked) = concluded.picked {
                    by.author = named::author(&repo, picked)?;
                }
                let log = format!("{}: {}", concluded.log, message::subject(&message).to_str_lossy());
                let new = NewCommit { tree, message: &message, more_parents: concluded.merged, log };
                new_commit::create(&repo, &by, &head, new, context.deadline)?
            }
            None => new_commit::on_head(&repo, &by, &head, tree, &message, context.deadline)?,
        };
        branch_state::forget(&repo)?;
        let present = sparse::present(&repo, &loaded);
        if !Rc::ptr_eq(&present, &loaded) {
            index::store(&mut context.session.caches.index, &repo, present.as_ref().clone())?;
        }
        let trees = (old_tree, tree);
        let made = report::Made { id, short_id, head: &head, trees, message: &message, amends: None };
        Ok(made.output(context, &repo)?)
    }
}

impl GitCommit {
    /// A commit that may change nothing.
    pub fn even_empty(message: String) -> GitCommit {
        GitCommit {
            kind: None,
            scope: None,
            message,
            amend: false,
            allows_empty: true,
            _timeout_ms: None,
            working_dir: None,
        }
    }

    /// The checks of the requirement, in its words (SRD, FR-GIT-COMMIT-03).
    fn validate(&self) -> Result<(), ToolError> {
        let is_kind = |kind: &String| !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_lowercase());
        if self.kind.is_none() && self.scope.is_some() {
            return Err(ToolError::bad_args("scope needs a type"));
        }
        if !self.kind.as_ref().is_none_or(is_kind) {
            return Err(ToolError::bad_args("type must be lowercase letters only (e.g., feat, fix, docs)"));
        }
        let is_scope = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
        if self.scope.as_ref().is_some_and(|scope| scope.is_empty() || !scope.bytes().all(is_scope)) {
            return Err(ToolError::bad_args("scope must be lowercase alphanumeric, underscore, or hyphen"));
        }
        if self.message.trim().is_empty() {
            return Err(ToolError::bad_args("message must not be empty"));
        }
        Ok(())
    }

    /// The whole message. Without a type it is the message as it is, as git has it, which may be a conventional one as a whole. One that
    /// begins with its type and scope is not given them twice.
    fn text(&self) -> String {
        asked::text(self.kind.as_deref(), self.scope.as_deref(), &self.message)
    }
}

fn edits(staged: Vec<Change>) -> Edits {
    let slot = |version: crate::git::store::version::Version| Slot {
        mode: gix::index::entry::Mode::from_bits_truncate(version.mode),
        id: version.id,
        stat: gix::index::entry::Stat::default(),
    };
    staged.into_iter().map(|change| (change.path, change.new.map(slot))).collect()
}
