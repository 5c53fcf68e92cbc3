//! `git_add`: put files of the working folder into the index.

pub mod asked;
mod ignored;
mod select;
#[cfg(all(test, not(target_os = "wasi")))]
mod tests;

use gix::bstr::{BString, ByteSlice};
use serde::{Deserialize, Serialize};

use self::select::Which;
use crate::approval::Annotations;
use crate::arguments::{TimeoutMs, WorkingDir};
use crate::budget::{Room, is_zero};
use crate::error::{Stop, ToolError};
use crate::git::store::pathspec::Pathspec;
use crate::git::store::{index, index_edit};
use crate::git::text::workspace_path;
use crate::git::worktree::{nested, sparse};
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Add changes to the index, as git add does, for git_commit. git_stage does both at once.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitAdd {
    /// Files to stage
    #[serde(default)]
    paths: Vec<String>,
    /// Stage all changes (-A)
    #[serde(default)]
    all: bool,
    /// Stage modified/deleted only (-u)
    #[serde(default)]
    update: bool,
    /// What scripts add with force: ignored files, from the top.
    #[serde(skip)]
    forced: Vec<BString>,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    working_dir: Option<WorkingDir>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Added {
    /// Paths at which the index is another than it was.
    count: usize,
    files: Vec<String>,
    /// Files that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    files_omitted: usize,
}

impl Call for GitAdd {
    const NAME: &'static str = "git_add";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Repo];
    const ANNOTATIONS: Annotations = Annotations::asks(asked::approval).idempotent();
    const FILE: &'static str = schema_file!("git_add");
    type Result = Added;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        self.validate()?;
        let working_dir = context.working_dir(self.working_dir.as_ref())?;
        let pathspec = match self.all {
            true => Pathspec::all(),
            false => Pathspec::parse(&self.paths, &working_dir)?,
        };
        let repo = context.repo(&working_dir)?;
        let old = sparse::present(&repo, &index::load(&mut context.session.caches.index, &repo)?);
        nested::not_in_submodule(&old, working_dir.relative().as_str().into())?;
        let which = if self.update { Which::Tracked } else { Which::Any };
        let staging = select::select(&repo, &old, &pathspec, which, &self.forced, context.deadline)?;
        let edits = staging.edits(&repo, &old, context.deadline)?;
        let mut new = old.as_ref().clone();
        index_edit::apply(&mut new, &edits);
        let changed = index_edit::changed_paths(&old, &new);
        // Also stores entries of which only the timestamps changed, because the next status is then faster.
        if !edits.is_empty() {
            index::store(&mut context.session.caches.index, &repo, new)?;
        }
        Ok(report(&changed, context.session.options.git.max_bytes))
    }
}

impl GitAdd {
    /// Adds files, and those among them that are ignored.
    pub fn forced(paths: Vec<String>, ignored: Vec<BString>) -> GitAdd {
        GitAdd { paths, all: false, update: false, forced: ignored, _timeout_ms: None, working_dir: None }
    }

    fn validate(&self) -> Result<(), ToolError> {
        if self.paths.is_empty() && !self.all && !self.update {
            return Err(ToolError::bad_args("At least one of paths, all, or update must be specified"));
        }
        if self.all && self.update {
            return Err(ToolError::bad_args("all and update are mutually exclusive"));
        }
        Ok(())
    }
}

fn report(changed: &[BString], max_bytes: usize) -> Output {
    let mut files: Vec<String> = changed.iter().map(|path| workspace_path::absolute(path.as_bstr())).collect();
    let count = files.len();
    let files_omitted = Room::new(max_bytes).cut(&mut files);
    Output::new::<GitAdd>(format!("Staged {count} file(s)"), Added { count, files, files_omitted }).max_bytes(max_bytes)
}
