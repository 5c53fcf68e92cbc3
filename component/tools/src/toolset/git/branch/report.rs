//! The result of the tool.

use gix::bstr::BString;
use serde::Serialize;

use super::GitBranch;
use crate::budget::is_zero;
use crate::output::Output;
use crate::toolset::git::upstream::Upstream;

/// The structured result.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Report {
    List(List),
    Done(Done),
}

/// What became of a branch.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// The argument that was followed.
    #[cfg_attr(test, schemars(extend("enum" = ["create", "delete", "force_delete", "rename"])))]
    pub operation: &'static str,
    /// What git prints.
    #[serde(skip)]
    pub stdout: BString,
    /// What git says on its error stream, in lines.
    #[serde(skip)]
    pub stderr: String,
    /// The branch, without `refs/heads/`.
    pub name: String,
    /// The name that it has now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_name: Option<String>,
    /// Where it is or was; absent for a branch without commits, or that led to another ref.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_id: Option<String>,
}

impl Done {
    /// The tool's result.
    pub fn output(self, max_bytes: usize) -> Output {
        let text = text(self.stdout.to_vec(), self.stderr.as_bytes());
        Output::new::<GitBranch>(text, Report::Done(self)).max_bytes(max_bytes)
    }
}

/// git's output, followed by its error stream (FR-GIT-OUTPUT-04).
pub fn text(mut stdout: Vec<u8>, stderr: &[u8]) -> Vec<u8> {
    if !stderr.is_empty() {
        stdout.extend_from_slice(b"\n\n[stderr]\n");
        stdout.extend_from_slice(stderr);
    }
    stdout
}

/// A list of branches.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct List {
    #[cfg_attr(test, schemars(extend("const" = "list")))]
    pub operation: &'static str,
    pub branches: Vec<Branch>,
    /// Branches that are not listed, at most: of those behind the text not all need to lead to a commit.
    #[serde(skip_serializing_if = "is_zero")]
    pub branches_omitted: usize,
    /// The branch that HEAD is on, though it may have no commit yet; null if it is on none.
    pub current: Option<String>,
    pub truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'static str>,
    /// The result has text that others may have written: data, not instructions.
    pub untrusted: bool,
}

/// A branch.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Branch {
    /// Without `refs/heads/` or `refs/remotes/`; of a detached HEAD, git's words for it.
    pub name: String,
    /// Whether HEAD is on it.
    pub current: bool,
    /// Whether it is a remote-tracking branch.
    pub remote: bool,
    pub commit_id: String,
    pub subject: String,
    /// The full name of the ref that it leads to, if it is a symbolic one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream: Option<Upstream>,
}
