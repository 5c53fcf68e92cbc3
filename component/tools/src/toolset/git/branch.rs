//! `git_branch`: list, create, delete and rename branches.

pub mod asked;
pub mod create;
mod delete;
mod detached;
mod in_use;
mod list;
mod page;
mod rename;
mod report;
#[cfg(all(test, not(target_os = "wasi")))]
mod tests;
mod upstream;

use serde::Deserialize;

use self::delete::Force;
use self::page::Kinds;
use crate::approval::Annotations;
use crate::arguments::{TimeoutMs, WorkingDir};
use crate::error::{Stop, ToolError};
use crate::git::store::repo::Repo;
use crate::git::words::advice::plain;
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// List the branches as git branch -v does, or create one at HEAD, delete or rename one.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitBranch {
    /// List remote branches too (-a)
    #[serde(default)]
    list_all: bool,
    /// List only remote branches (-r)
    #[serde(default)]
    list_remote: bool,
    /// Create this branch
    create: Option<String>,
    /// Delete this branch, if merged (-d)
    delete: Option<String>,
    /// Delete this branch (-D)
    force_delete: Option<String>,
    /// Rename this branch (requires new_name)
    rename: Option<String>,
    /// Its new name
    new_name: Option<String>,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    working_dir: Option<WorkingDir>,
}

/// The requested operation.
#[derive(Clone, Copy, Debug)]
enum Operation<'a> {
    List(Kinds),
    Create(&'a str),
    Delete(&'a str, Force),
    Rename(&'a str, &'a str),
}

impl Call for GitBranch {
    const NAME: &'static str = "git_branch";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Repo];
    const ANNOTATIONS: Annotations = Annotations::asks(asked::approval).destructive();
    const FILE: &'static str = schema_file!("git_branch");
    type Result = report::Report;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let operation = self.operation()?;
        let working_dir = context.working_dir(self.working_dir.as_ref())?;
        let repo = context.repo(&working_dir)?;
        let done = operation.run(context, &repo);
        done.map_err(|error| ToolError { message: plain(&error.message), ..error }.into())
    }
}

impl Operation<'_> {
    fn run(self, context: &mut Context<'_>, repo: &Repo) -> Result<Output, ToolError> {
        let done = match self {
            Operation::List(kinds) => return list::list(context, repo, kinds),
            Operation::Create(name) => create::create(context, repo, name)?,
            Operation::Delete(name, force) => delete::delete(context, repo, name, force)?,
            Operation::Rename(old, new) => rename::rename(context, repo, old, new)?,
        };
        // The cached refs and configuration are outdated now.
        context.session.forget();
        Ok(done.output(context.session.options.git.max_bytes))
    }
}

impl GitBranch {
    /// FR-GIT-BRANCH-04: the first given operation wins.
    fn operation(&self) -> Result<Operation<'_>, ToolError> {
        let (rename, new_name) = (self.rename.as_deref(), self.new_name.as_deref());
        let required =
            || ToolError::bad_args("rename requires new_name").hint("Give the branch's new name in new_name.");
        Ok(match (rename, &self.force_delete, &self.delete, &self.create) {
            (Some(old), ..) => Operation::Rename(old, new_name.ok_or_else(required)?),
            (_, Some(name), ..) => Operation::Delete(name, Force::Yes),
            (_, _, Some(name), _) => Operation::Delete(name, Force::No),
            (.., Some(name)) => Operation::Create(name),
            // Of git's options, the last one wins.
            _ if self.list_remote => Operation::List(Kinds::Remote),
            _ if self.list_all => Operation::List(Kinds::All),
            _ => Operation::List(Kinds::Local),
        })
    }
}
