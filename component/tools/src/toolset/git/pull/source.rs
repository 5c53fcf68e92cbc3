//! The source of a pull: a branch of a repository.

use gix::ObjectId;

use crate::answer::Refs;
use crate::error::{Stop, ToolError};
use crate::git::staged::target::GitTarget;
use crate::git::staged::targets::{self, Known};
use crate::git::store::repo::Repo;
use crate::session::Context;

/// A branch of a repository outside the sandbox.
pub struct Source {
    /// The host's canonical name for the repository.
    pub target: String,
    /// The full name of the branch.
    pub reference: String,
    /// The commit of the branch. `None` in a repository without commits.
    pub commit: Option<ObjectId>,
    /// The sandbox's entry for the repository, if it has dealt with it before.
    pub known: Option<Known>,
}

impl Source {
    /// Resolves the call's target with the host.
    pub fn find(context: &Context<'_>, repo: &Repo, named: Option<&GitTarget>) -> Result<Source, Stop> {
        let place = targets::source(named, &context.session.options, repo)?;
        let refs = context.answers.refs(place.clone())?;
        let reference = match (&place.branch, &refs.head) {
            (Some(branch), _) => format!("refs/heads/{branch}"),
            (None, Some(head)) => head.clone(),
            (None, None) => {
                return Err(ToolError::bad_args("branch is required: the repository's HEAD is detached")
                    .hint("Name a branch with source.branch. git_branches lists them.")
                    .into());
            }
        };
        let commit = refs.get(&reference);
        if commit.is_none() && !is_empty(refs) {
            let branch = reference.trim_start_matches("refs/heads/");
            return Err(ToolError::not_found(format!("couldn't find remote ref {branch}"))
                .hint("Call git_branches to list the repository's branches.")
                .into());
        }
        let known = targets::list(repo)?.into_iter().find(|known| known.target == refs.target);
        Ok(Source { target: refs.target.clone(), reference, commit, known })
    }

    /// The branch without `refs/heads/`.
    pub fn branch(&self) -> &str {
        self.reference.strip_prefix("refs/heads/").unwrap_or(&self.reference)
    }
}

fn is_empty(refs: &Refs) -> bool {
    refs.references.iter().all(|reference| !reference.name.starts_with("refs/heads/"))
}
