//! The target argument of tools.

use serde::Deserialize;

use crate::error::ToolError;
use crate::question::Target;

/// A git repository outside the sandbox.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "type")]
#[serde(expecting = "an object with the type local, local-bare, github or git")]
pub enum GitTarget {
    /// A repository with a working tree, on the user's machine.
    Local {
        /// Its folder, absolute or relative to the folder that the sandbox was opened from.
        path: String,
        /// The branch. Default: the one that is checked out there.
        branch: Option<String>,
    },
    /// A bare repository, on the user's machine.
    LocalBare {
        /// Its folder, absolute or relative to the folder that the sandbox was opened from.
        path: String,
        /// The branch. Default: the one that its HEAD names.
        branch: Option<String>,
    },
    /// A repository on GitHub.
    Github {
        /// OWNER/REPO
        repo: String,
        /// The branch. Default: the repository's default branch.
        branch: Option<String>,
    },
    /// A repository on any git server.
    Git {
        /// As for git clone
        repo: String,
        /// The branch. Default: the repository's default branch.
        branch: Option<String>,
    },
}

impl GitTarget {
    /// Converts the target to the form of a question to the host. Refuses a branch name that git would refuse.
    pub fn question(&self) -> Result<Target, ToolError> {
        let (kind, location, branch) = match self {
            GitTarget::Local { path, branch } => ("local", path, branch),
            GitTarget::LocalBare { path, branch } => ("local-bare", path, branch),
            GitTarget::Github { repo, branch } => ("github", repo, branch),
            GitTarget::Git { repo, branch } => ("git", repo, branch),
        };
        if location.is_empty() || location.contains('\0') || location.starts_with('-') {
            return Err(ToolError::bad_args(format!("Not the location of a repository: {location:?}")));
        }
        // As in git, the full name means the same branch.
        let branch = branch.as_deref().map(|branch| branch.strip_prefix("refs/heads/").unwrap_or(branch));
        if let Some(branch) = branch {
            check_branch(branch)?;
        }
        Ok(Target { kind: kind.to_owned(), location: location.clone(), branch: branch.map(str::to_owned) })
    }
}

/// Refuses a branch name in git's words if `git check-ref-format --branch` would.
pub fn check_branch(branch: &str) -> Result<(), ToolError> {
    let valid = !branch.starts_with('-')
        && branch != "HEAD"
        && gix::validate::reference::name(format!("refs/heads/{branch}").as_str().into()).is_ok();
    if valid {
        Ok(())
    } else {
        Err(ToolError::bad_args(format!("'{branch}' is not a valid branch name"))
            .hint("Call git_branches to list the branches."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_06_branch_names_that_traverse_or_look_like_options_are_refused() {
        for name in [
            "",
            "-x",
            "--upload-pack=x",
            "../config",
            "a/../../config",
            "a..b",
            "a.lock",
            "HEAD",
            "a b",
            "a\u{7}",
            "/a",
            "a//b",
            "a/",
            "@{-1}",
        ] {
            assert!(check_branch(name).is_err(), "{name:?}");
        }
        for name in ["main", "feature/one", "worker-2026", "ünïcode"] {
            assert!(check_branch(name).is_ok(), "{name:?}");
        }
    }
}
