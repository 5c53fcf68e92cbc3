//! `git_restore`: restore files of the working folder or of the index.

pub mod asked;

use gix::bstr::ByteSlice;
use serde::{Deserialize, Serialize};

use crate::approval::Annotations;
use crate::arguments::{TimeoutMs, WorkingDir};
use crate::budget::{Room, is_zero};
use crate::error::{Stop, ToolError};
use crate::git::change::restoring::{self, Restored, Scope};
use crate::git::store::pathspec::Pathspec;
use crate::git::text::workspace_path;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Restore files, as git restore does: the working tree from the index, or with `staged` the index
/// from HEAD.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitRestore {
    /// Files to restore (passed after --)
    #[cfg_attr(test, schemars(length(min = 1)))]
    paths: Vec<String>,
    /// Restore the index/staging area (--staged)
    #[serde(default)]
    staged: bool,
    /// Restore the working tree (--worktree)
    #[serde(default = "yes")]
    worktree: bool,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    working_dir: Option<WorkingDir>,
}

fn yes() -> bool {
    true
}

/// What was brought back.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Tracked paths at which the index or the working tree is another than it was.
    count: usize,
    files: Vec<String>,
    /// Files that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    files_omitted: usize,
}

impl Call for GitRestore {
    const NAME: &'static str = "git_restore";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Repo];
    const ANNOTATIONS: Annotations = Annotations::asks(asked::approval).destructive().idempotent();
    const FILE: &'static str = schema_file!("git_restore");
    type Result = Report;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        if self.paths.is_empty() {
            return Err(ToolError::bad_args("paths must contain at least one element").into());
        }
        if !self.staged && !self.worktree {
            return Err(ToolError::bad_args("At least one of staged or worktree must be true").into());
        }
        let working_dir = context.working_dir(self.working_dir.as_ref())?;
        let pathspec = Pathspec::parse(&self.paths, &working_dir)?;
        let repo = context.repo(&working_dir)?;
        let scope = Scope { staged: self.staged, worktree: self.worktree, ..Scope::default() };
        let restored = restoring::restore(
            &repo,
            &mut context.session.caches.index,
            &mut context.session.caches.trees,
            &pathspec,
            &working_dir,
            scope,
            context.deadline,
        )?;
        Ok(report::<GitRestore>(&restored, context.session.options.git.max_bytes))
    }
}

/// The result of the tool `C` for restored files.
pub fn report<C: Call<Result: From<Report>>>(restored: &Restored, max_bytes: usize) -> Output {
    let mut files: Vec<String> = restored.changed.iter().map(|path| workspace_path::absolute(path.as_bstr())).collect();
    let count = files.len();
    let files_omitted = Room::new(max_bytes).cut(&mut files);
    let mut text = format!("Restored {count} file(s)");
    if !restored.warnings.is_empty() {
        text.push_str(&format!("\n\n[stderr]\n{}", restored.warnings));
    }
    Output::new::<C>(text, Report { count, files, files_omitted }.into()).max_bytes(max_bytes)
}
