//! What a branch is built on, in the results of several tools.

use serde::Serialize;

use crate::git::history::tracking;

/// What a branch is built on.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Upstream {
    /// Such as `origin/main`.
    pub name: String,
    /// Commits of the branch that the upstream does not have; absent if the upstream is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ahead: Option<usize>,
    /// Commits of the upstream that the branch does not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behind: Option<usize>,
    pub gone: bool,
}

impl From<&tracking::Upstream> for Upstream {
    fn from(upstream: &tracking::Upstream) -> Self {
        Upstream {
            name: upstream.name.to_string(),
            ahead: upstream.distance.map(|distance| distance.ahead),
            behind: upstream.distance.map(|distance| distance.behind),
            gone: upstream.distance.is_none(),
        }
    }
}
