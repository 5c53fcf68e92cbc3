//! `git_stash`: stash changes, and restore them.

mod apply;
mod applying;
mod asked;
#[cfg(all(test, not(target_os = "wasi")))]
mod attack_tests;
mod clean;
mod drop;
mod endangered;
mod entries;
mod index_patch;
mod indexed;
mod merged;
mod overlooked;
mod push;
mod report;
mod reset;
mod show;
mod snapshot;
#[cfg(all(test, not(target_os = "wasi")))]
mod tests;
mod untracked;
#[cfg(all(test, not(target_os = "wasi")))]
mod with_git;

use serde::{Deserialize, Serialize};

use crate::approval::Annotations;
use crate::arguments::{TimeoutMs, WorkingDir};
use crate::error::{Stop, ToolError};
use crate::git::change::unfinished::{self, Doing};
use crate::options::Toolset;
use crate::output::Output;
use crate::session::Context;
use crate::tool::{Call, schema_file};

/// Put uncommitted changes away and bring them back, as git stash does.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GitStash {
    /// Stash action to perform
    #[serde(default)]
    action: Action,
    /// Message for the stash (with push)
    message: Option<String>,
    /// Stash index for pop/apply/drop/show
    index: Option<u32>,
    /// Include untracked files (with push)
    #[serde(default)]
    include_untracked: bool,
    /// Restore the index too (--index, with pop/apply)
    #[serde(default)]
    restore_index: bool,
    #[serde(rename = "timeout_ms")]
    _timeout_ms: Option<TimeoutMs>,
    working_dir: Option<WorkingDir>,
}

/// The structured result: another one for each action.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Told {
    Saved(report::Saved),
    Applied(report::Report),
    Dropped(drop::Dropped),
    Listed(entries::List),
    Shown(show::Shown),
    Cleared(drop::Cleared),
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Action {
    #[default]
    Push,
    Pop,
    Apply,
    Drop,
    List,
    Show,
    Clear,
}

impl Call for GitStash {
    const NAME: &'static str = "git_stash";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Repo];
    const ANNOTATIONS: Annotations = Annotations::asks(asked::approval).destructive();
    const FILE: &'static str = schema_file!("git_stash");
    type Result = Told;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        self.validate()?;
        let working_dir = context.working_dir(self.working_dir.as_ref())?;
        let repo = context.repo(&working_dir)?;
        // git would lose the state of an unfinished merge.
        if matches!(self.action, Action::Push | Action::Pop | Action::Apply) {
            unfinished::ensure_none(&repo, Doing::Stash)?;
        }
        let output = match self.action {
            Action::Push => {
                let message = self.message.as_deref().unwrap_or_default();
                push::run(context, &repo, &working_dir, message, self.include_untracked)
            }
            Action::Pop | Action::Apply => {
                let stash = entries::find(&repo, self.index)?;
                let pops = self.action == Action::Pop;
                if pops {
                    entries::ensure_is_entry(&repo, &stash)?;
                }
                apply::run(context, &repo, &working_dir, &stash, applying::Wish { pops, index: self.restore_index })
            }
            Action::Drop => {
                let stash = entries::find(&repo, self.index)?;
                entries::ensure_is_entry(&repo, &stash)?;
                drop::run(context, &repo, &stash)
            }
            Action::List => entries::list(context, &repo),
            Action::Show => show::run(context, &repo, &entries::find(&repo, self.index)?),
            Action::Clear => drop::clear(context, &repo),
        };
        Ok(output?)
    }
}

impl GitStash {
    fn validate(&self) -> Result<(), ToolError> {
        // A caller who names one entry does not want to lose all.
        if self.action == Action::Clear && self.index.is_some() {
            return Err(ToolError::bad_args("index cannot be used with clear, which removes every entry")
                .hint("Nothing has changed. Use action drop with index to remove one entry."));
        }
        if self.message.as_ref().is_some_and(|message| message.contains('\0')) {
            return Err(ToolError::bad_args("a NUL byte in commit log message not allowed"));
        }
        Ok(())
    }
}
