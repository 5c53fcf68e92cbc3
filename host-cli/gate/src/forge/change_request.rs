//! Changes that are proposed to a branch, for a person to merge: pull requests, as GitHub calls them.

use crate::refname::BranchRef;

/// What is proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// The branch with the changes.
    pub head: BranchRef,
    /// The branch that they shall go to.
    pub base: BranchRef,
    /// One line.
    pub title: String,
    /// Markdown; may be empty.
    pub body: String,
    /// It is not ready to be merged.
    pub is_draft: bool,
}

/// A change request that a server is to make of a push itself, as GitLab does: it asks for it to be merged into its
/// default branch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Along {
    /// One line. Otherwise the server names it after the commits.
    pub title: Option<String>,
    /// It is not ready to be merged.
    pub is_draft: bool,
}

/// How the latest change request of a branch stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Its number in the repository.
    pub number: u64,
    /// The address of its page.
    pub address: String,
    /// What became of it.
    pub progress: Progress,
    /// What the server's checks say of its last commit. `None` if there are none, or whoever asks may not know.
    pub checks: Option<Checks>,
}

/// What became of a change request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Progress {
    Draft,
    Open,
    Merged,
    Closed,
}

impl Progress {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Progress::Draft => "draft",
            Progress::Open => "open",
            Progress::Merged => "merged",
            Progress::Closed => "closed",
        }
    }
}

/// What checks say of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Checks {
    Pass,
    Run,
    Fail,
}

impl Checks {
    /// The word for it, after "checks".
    pub fn word(self) -> &'static str {
        match self {
            Checks::Pass => "pass",
            Checks::Run => "run",
            Checks::Fail => "fail",
        }
    }
}

/// A change request that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeRequest {
    /// Its number in the repository.
    pub number: u64,
    /// The address of its page.
    pub address: String,
    /// It was there before. Its title and text may be others.
    pub existed: bool,
}
