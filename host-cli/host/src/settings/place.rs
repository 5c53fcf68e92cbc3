//! A repository as named in a worker file and in `sandbox.toml`, in the syntax of a tool's target.

use serde::{Deserialize, Serialize};

/// Where a repository is. A relative path starts from the folder where `new` ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "type")]
pub enum Place {
    /// A repository with a working tree.
    Local {
        /// Its folder.
        path: String,
        /// Default: the branch that is checked out there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
    },
    /// A bare repository.
    LocalBare {
        /// Its folder.
        path: String,
        /// Default: the branch that its HEAD names.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
    },
    /// A repository on GitHub.
    Github {
        /// OWNER/REPO
        repo: String,
        /// Default: the default branch.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
    },
}

/// Files that a new sandbox gets from another repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutoPull {
    /// A file or folder there.
    pub path: String,
    /// Where.
    pub source: Place,
}
