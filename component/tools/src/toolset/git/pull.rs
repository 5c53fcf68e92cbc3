//! `git_pull`: bring in commits or files from a git repository.
//!
//! | file | what it does |
//! |---|---|
//! | `source` | resolves the repository and branch, and fetches the commit |
//! | `wanted` | selects the files |
//! | `first` | pulls into a sandbox without a commit, as a clone |
//! | `upstream` | pulls from the target of the sandbox's commits: moves the base, then re-applies them |
//! | `reapply`, `work`, `update` | re-apply those commits; diff the working folder for the merge; write the result |
//! | `same` | finds commits that came in as other commits |
//! | `files` | pulls from anywhere else: only files, which it merges with existing ones |
//! | `incoming` | one such file, and the existing file at its path |
//! | `report` | the result |

mod files;
mod first;
mod incoming;
mod reapply;
mod report;
mod same;
mod source;
mod unresolved;
mod update;
mod upstream;
mod wanted;
mod work;

use std::num::NonZeroU32;

use serde::Deserialize;

use crate::approval::Annotations;
use crate::error::{ErrorKind, Stop, ToolError};
use crate::git::change::unfinished::{self, Doing};
use crate::git::staged::target::GitTarget;
use crate::git::staged::{landed, targets};
use crate::git::store::repo::Repo;
use crate::options::Toolset;
use crate::output::Output;
use crate::paths::WORKSPACE;
use crate::session::Context;
use crate::tool::{Call, schema_file};

use self::source::Source;
use self::wanted::Wanted;

pub use self::upstream::MADE_ANEW;

/// Bring in new commits from where the sandbox's commits go, and re-apply the staged ones on top;
/// from anywhere else, files only. Conflicts stay in the files, with markers.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GitPull {
    /// The repository and branch. Default: the upstream
    source: Option<GitTarget>,
    /// Only these files and folders. In a first pull, others are fetched when needed
    paths: Option<Vec<String>>,
    /// Zone to put files into. Default: workspace
    dest_zone: Option<String>,
    /// Commits of history in a first pull
    depth: Option<NonZeroU32>,
}

impl Call for GitPull {
    const NAME: &'static str = "git_pull";
    const TOOLSETS: &'static [Toolset] = &[Toolset::Git];
    const ANNOTATIONS: Annotations = Annotations::writes().idempotent().open_world();
    /// Like an import, a pull may bring a whole repository, so only the host's limit applies.
    const HURRIED: bool = false;
    const FILE: &'static str = schema_file!("git_pull");
    type Result = report::Pulled;

    fn run(self, context: &mut Context<'_>) -> Result<Output, Stop> {
        let zone = self.dest_zone.as_deref().unwrap_or(WORKSPACE);
        let zone = context.session.zones.writable_root(zone)?;
        let wanted = Wanted::parse(self.paths.as_deref())?;
        let repo = context.session.repo()?;
        if zone.is_in_workspace() {
            unfinished::ensure_none(&repo, Doing::Pull)?;
        }
        let source = Source::find(context, &repo, self.source.as_ref())?;
        let is_clone = self.dest_zone.is_none() && self.begins_with(context, &repo, &source)?;
        if self.depth.is_some() && !is_clone {
            return Err(ToolError::bad_args("depth works only on the first pull into an empty sandbox")
                .hint("Omit depth. A later pull brings only new commits.")
                .into());
        }
        if is_clone {
            first::pull(context, &repo, &source, &wanted, self.depth)
        } else if zone.is_in_workspace()
            && repo.head()?.id().is_some()
            && landed::is_own(&repo, &source.target, &source.reference)?
        {
            upstream::pull(context, &repo, &source, &wanted)
        } else {
            files::pull(context, &repo, &source, &wanted, &zone)
        }
    }
}

impl GitPull {
    /// Whether the sandbox becomes a clone of this repository: it has no commit yet, and its target is this repository or none.
    fn begins_with(&self, context: &Context<'_>, repo: &Repo, source: &Source) -> Result<bool, Stop> {
        if repo.head()?.id().is_some() {
            return Ok(false);
        }
        match targets::own_source(&context.session.options, repo)? {
            Some(own) if self.source.is_some() => Ok(context.answers.refs(own)?.target == source.target),
            _ => Ok(true),
        }
    }
}

/// The error for a path that an incoming file or its folder needs.
fn in_the_way(path: &str) -> ToolError {
    ToolError::new(ErrorKind::Conflict, format!("{path} is in the way of the pull"))
        .hint("Nothing has changed. Move it with move_file or delete it, then pull again.")
}
