//! `git_status`: show what changed and what is staged.

mod collect;
mod human;
mod porcelain;
mod progress;
mod structured;
#[cfg(all(test, not(target_os = "wasi")))]
mod tests;

use serde::Deserialize;

use self::collect::Status;
use crate::approval::Annotations;
use crate::arguments::{MaxBytes, TimeoutMs, WorkingDir};
use crate::error::{Stop, ToolError};
use crate::git::store::refs::Refs;
use crate::git::store::repo::Repo;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Show the status as git does, and the staged commits that wait for a push.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitStatus {
    /// As --porcelain=1
    #[serde(default = "yes")]
    porcelain: bool,
    /// Branch info (-b)
    #[serde(default = "yes")]
    branch: bool,
    /// Include untracked files (false: -uno)
    #[serde(default = "yes")]
    untracked: bool,
    /// Staged commits to skip, from the latest on
    #[serde(default)]
    skip_staged: u32,
    /// Changed files to skip
    #[serde(default)]
    skip_unstaged: u32,
    /// Maximum output bytes, of the text and of each list; 200000 unless the sandbox is set up otherwise
    max_bytes: Option<MaxBytes>,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    working_dir: Option<WorkingDir>,
}

fn yes() -> bool {
    true
}

impl Call for GitStatus {
    const NAME: &'static str = "git_status";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Git, Toolset::Repo, Toolset::Lean];
    const ANNOTATIONS: Annotations = Annotations::reads();
    const FILE: &'static str = schema_file!("git_status");
    type Result = structured::Report;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let working_dir = context.working_dir(self.working_dir.as_ref())?;
        let repo = context.repo(&working_dir)?;
        let status = Status::of(&mut context.session.caches, &repo, self.untracked, context.deadline)?;
        let text = match self.porcelain {
            true => porcelain::text(&status, self.branch),
            false => {
                let refs = Refs::of(&repo, context.deadline);
                human::text(&refs, &status, self.untracked, &working_dir.relative())?
            }
        };
        let max_bytes = context.max_bytes(self.max_bytes)?;
        let page = structured::Page { skip_staged: self.skip_staged, skip_unstaged: self.skip_unstaged, max_bytes };
        let structured = structured::report(&repo, &status, &page, context.deadline)?;
        Ok(Output::new::<GitStatus>(text, structured).max_bytes(max_bytes))
    }
}

/// The human-readable output of `git status` in the folder `prefix`, relative to the root of the repository.
pub fn long_text(context: &mut Context<'_>, repo: &Repo, prefix: &str) -> Result<Vec<u8>, ToolError> {
    let status = Status::of(&mut context.session.caches, repo, true, context.deadline)?;
    human::text(&Refs::of(repo, context.deadline), &status, true, prefix)
}
