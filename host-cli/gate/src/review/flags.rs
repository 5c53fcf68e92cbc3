//! What a person should look at twice, and the one sentence that says so.

use serde::{Deserialize, Serialize};

use super::words;

/// How much an approval deserves a second look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    Low,
    /// Unusual.
    Medium,
    /// Can do harm.
    High,
}

impl Severity {
    /// Its name for programs and policies.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Low => "low",
            Severity::Medium => "medium",
            Severity::High => "high",
        }
    }
}

/// A risk of a push. Paths and other texts have been escaped for a terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "flag", rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the fields are what the sentence of each flag names")]
pub enum Flag {
    /// The push moves a protected branch.
    ProtectedBranch { branch: String },
    /// The push makes a branch.
    NewBranch { branch: String },
    /// A file can be run that could not before.
    ExecutableAdded { path: String },
    /// A symlink is new or points elsewhere.
    SymlinkAdded { path: String, target: String },
    /// A path became another kind of thing.
    TypeChanged { path: String },
    /// Workflows run with the repository's secrets.
    Workflow { path: String },
    /// `.gitmodules` makes git fetch other repositories.
    Gitmodules { path: String },
    /// `.gitattributes` makes git run filters and hide diffs.
    Gitattributes { path: String },
    /// Something that tools run, obey or trust.
    Privileged { path: String, what: &'static str },
    /// A binary file over 1 MB.
    LargeBinary { path: String, size: u64 },
    /// A pointer to a commit of another repository, whose content is not part of the review.
    Submodule { path: String },
    /// Content that no final file shows, and that everybody who fetches gets all the same.
    IntermediateOnly { path: String, commit: String },
    /// Names in one folder that are taken for each other: one of them, and how many there are besides.
    LookAlike { path: String, twin: String, others: usize },
    /// Text that git takes for binary because of NUL bytes.
    Disguised { path: String },
    /// Characters that screens hide or reorder.
    HiddenCharacters { place: String },
    /// The branch joins commits that the target has elsewhere.
    Joins { commits: usize },
    /// The branch brings back commits that the target has let go.
    Leftover { commits: usize },
    /// What leaves has commits that the host gave to the sandbox, and that are not listed.
    Supplied { commits: usize },
}

impl Flag {
    /// The names of all flags.
    pub const NAMES: [&'static str; 18] = [
        "protected-branch",
        "new-branch",
        "executable-added",
        "symlink-added",
        "type-changed",
        "workflow",
        "gitmodules",
        "gitattributes",
        "privileged",
        "large-binary",
        "submodule",
        "intermediate-only",
        "look-alike",
        "disguised",
        "hidden-characters",
        "joins",
        "leftover",
        "supplied",
    ];

    /// Its name for programs and policies, as `--json` has it.
    pub fn name(&self) -> &'static str {
        match self {
            Flag::ProtectedBranch { .. } => "protected-branch",
            Flag::NewBranch { .. } => "new-branch",
            Flag::ExecutableAdded { .. } => "executable-added",
            Flag::SymlinkAdded { .. } => "symlink-added",
            Flag::TypeChanged { .. } => "type-changed",
            Flag::Workflow { .. } => "workflow",
            Flag::Gitmodules { .. } => "gitmodules",
            Flag::Gitattributes { .. } => "gitattributes",
            Flag::Privileged { .. } => "privileged",
            Flag::LargeBinary { .. } => "large-binary",
            Flag::Submodule { .. } => "submodule",
            Flag::IntermediateOnly { .. } => "intermediate-only",
            Flag::LookAlike { .. } => "look-alike",
            Flag::Disguised { .. } => "disguised",
            Flag::HiddenCharacters { .. } => "hidden-characters",
            Flag::Joins { .. } => "joins",
            Flag::Leftover { .. } => "leftover",
            Flag::Supplied { .. } => "supplied",
        }
    }

    /// How much it deserves a second look.
    pub fn severity(&self) -> Severity {
        match self {
            Flag::ProtectedBranch { .. }
            | Flag::SymlinkAdded { .. }
            | Flag::Workflow { .. }
            | Flag::Gitmodules { .. }
            | Flag::IntermediateOnly { .. }
            | Flag::LookAlike { .. }
            | Flag::Disguised { .. }
            | Flag::HiddenCharacters { .. }
            | Flag::Leftover { .. } => Severity::High,
            Flag::ExecutableAdded { .. }
            | Flag::TypeChanged { .. }
            | Flag::Gitattributes { .. }
            | Flag::Privileged { .. }
            | Flag::LargeBinary { .. }
            | Flag::Submodule { .. } => Severity::Medium,
            Flag::NewBranch { .. } | Flag::Joins { .. } | Flag::Supplied { .. } => Severity::Low,
        }
    }

    /// One sentence, without a full stop.
    pub fn sentence(&self) -> String {
        match self {
            Flag::ProtectedBranch { branch } => format!("Pushing directly to {branch} branch"),
            Flag::NewBranch { branch } => format!("Creates the new branch {branch}"),
            Flag::ExecutableAdded { path } => format!("Makes {path} executable"),
            Flag::SymlinkAdded { path, target } => format!("Makes {path} a symlink to {target}"),
            Flag::TypeChanged { path } => format!("Turns {path} into another kind of file"),
            Flag::Workflow { path } => {
                format!("Changes the workflow {path}, which runs with the repository's secrets")
            }
            Flag::Gitmodules { path } => {
                format!("Changes {path}, which makes git fetch other repositories")
            }
            Flag::Gitattributes { path } => {
                format!("Changes {path}, which makes git run filters and hide diffs")
            }
            Flag::Privileged { path, what } => format!("Changes {path}: {what}"),
            Flag::LargeBinary { path, size } => {
                format!("Adds {path}, a binary file of {}", words::size(*size))
            }
            Flag::Submodule { path } => {
                format!("Points the submodule {path} to a commit that is not part of this review")
            }
            Flag::IntermediateOnly { path, commit } => {
                format!("Only in the intermediate commit {commit}, and still public after the push: {path}")
            }
            Flag::LookAlike { path, twin, others: 0 } => format!("Adds {path}, which can be taken for {twin}"),
            Flag::LookAlike { path, twin, others } => {
                format!("Adds {path}, which can be taken for {twin} and {others} more")
            }
            Flag::Disguised { path } => {
                format!("Has NUL bytes in {path} that make git hide its text")
            }
            Flag::HiddenCharacters { place } => {
                format!("Has invisible or reordering characters in {place}")
            }
            Flag::Joins { commits } => {
                format!("Joins {commits} commits that the target has on other branches")
            }
            Flag::Leftover { commits } => {
                format!("Brings back {commits} commits that no branch of the target has any more")
            }
            Flag::Supplied { commits } => {
                format!("Carries {commits} earlier commits that this sandbox was given, which are not listed")
            }
        }
    }
}
