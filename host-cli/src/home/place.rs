//! A repository as a worker file and `sandbox.toml` name it: as a caller of a tool names a target.

use serde::{Deserialize, Serialize};

/// Where a repository is. A relative path starts from the folder where `new` ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "type")]
pub enum Place {
    /// A repository with a working tree.
    Local {
        /// Its folder.
        path: String,
        /// Without it, the one that is checked out there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
    },
    /// A bare repository.
    LocalBare {
        /// Its folder.
        path: String,
        /// Without it, the one that its HEAD names.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
    },
    /// A repository on GitHub.
    Github {
        /// OWNER/REPO
        repo: String,
        /// Without it, the default one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
    },
}

/// Files that a new sandbox is to have from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutoPull {
    /// A file or folder there.
    pub path: String,
    /// Where.
    pub source: Place,
}
