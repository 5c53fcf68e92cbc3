//! `git_checkout`: switch branches, or restore files.

pub mod asked;
pub mod goal;
mod left_behind;
mod local;
pub mod switch;
#[cfg(all(test, not(target_os = "wasi")))]
mod tests;

use serde::{Deserialize, Serialize};

use crate::approval::Annotations;
use crate::arguments::{TimeoutMs, WorkingDir};
use crate::error::{Stop, ToolError};
use crate::git::change::restoring::{self, Scope};
use crate::git::store::pathspec::Pathspec;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};
use crate::toolset::git::restore;

/// Switch branches, check out a commit, or restore files from the index, as git checkout does. A
/// switch never overwrites uncommitted changes.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitCheckout {
    /// Branch to switch to
    branch: Option<String>,
    /// Create and switch to this branch (-b)
    create_branch: Option<String>,
    /// Check out this commit (detached HEAD)
    commit: Option<String>,
    /// Restore these paths from the index
    #[serde(default)]
    paths: Vec<String>,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    working_dir: Option<WorkingDir>,
}

/// The structured result.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Done {
    Switched(switch::Switched),
    Restored(restore::Report),
}

impl From<restore::Report> for Done {
    fn from(report: restore::Report) -> Done {
        Done::Restored(report)
    }
}

impl Call for GitCheckout {
    const NAME: &'static str = "git_checkout";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Repo];
    const ANNOTATIONS: Annotations = Annotations::asks(asked::approval).destructive().idempotent();
    const FILE: &'static str = schema_file!("git_checkout");
    type Result = Done;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let Self { branch, create_branch, commit, paths, .. } = &self;
        if create_branch.is_none() && branch.is_none() && commit.is_none() && paths.is_empty() {
            return Err(ToolError::bad_args(
                "At least one of branch, create_branch, commit, or paths must be specified",
            )
            .into());
        }
        let working_dir = context.working_dir(self.working_dir.as_ref())?;
        let repo = context.repo(&working_dir)?;
        // The first given field wins (SRD, FR-GIT-CHECKOUT-04).
        let goal = match (create_branch, branch, commit) {
            (Some(new), _, _) => goal::of_new_branch(context, &repo, new)?,
            (None, Some(branch), _) => goal::of_branch(context, &repo, branch)?,
            (None, None, Some(commit)) => goal::of_commit(context, &repo, commit, &working_dir)?,
            (None, None, None) => {
                let pathspec = Pathspec::parse(paths, &working_dir)?;
                let scope = Scope { worktree: true, ..Scope::default() };
                let restored = restoring::restore(
                    &repo,
                    &mut context.session.caches.index,
                    &mut context.session.caches.trees,
                    &pathspec,
                    &working_dir,
                    scope,
                    context.deadline,
                )?;
                return Ok(restore::report::<GitCheckout>(&restored, context.session.options.git.max_bytes));
            }
        };
        Ok(switch::to(context, &repo, goal, &working_dir)?)
    }
}
