//! Describes each risk to a person in one sentence.

use super::{
    flags::{Flag, Secret},
    words,
};

impl Flag {
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
            Flag::Privileged { path, what, .. } => format!("Changes {path}: {what}"),
            Flag::LargeBinary { path, size } => {
                format!("Adds {path}, a binary file of {}", words::size(*size))
            }
            Flag::LargeFile { path, size } => format!("Includes the large text file {path} of {}", words::size(*size)),
            Flag::LfsPointer { path } => {
                format!("Points {path} to content in Git LFS that is not part of this review")
            }
            Flag::IgnoredAdded { path, pattern } => format!("Adds {path}, which .gitignore ignores ({pattern})"),
            Flag::ConflictMarkers { path } => format!("Leaves the markers of an unfinished merge in {path}"),
            Flag::ManyDeletions { files } => format!("Deletes {files} files"),
            Flag::Secret(Secret { what, place, line, shown, .. }) => {
                let line = line.map_or(String::new(), |line| format!(", line {line}"));
                format!("Contains {what} ({shown}) in {place}{line}")
            }
            Flag::MoreSecrets { count } => format!("Contains {count} more secrets that are not listed"),
            Flag::Submodule { path } => {
                format!("Points the submodule {path} to a commit that is not part of this review")
            }
            Flag::IntermediateOnly { path, commit } => {
                format!("Only in the intermediate commit {commit}, but still published by the push: {path}")
            }
            Flag::LookAlike { path, twin, others: 0 } => format!("Adds {path}, which looks like {twin}"),
            Flag::LookAlike { path, twin, others } => {
                format!("Adds {path}, which looks like {twin} and {others} more")
            }
            Flag::Disguised { path } => {
                format!("Contains NUL bytes in {path}, which make git hide its text")
            }
            Flag::HiddenCharacters { place } => {
                format!("Contains invisible or reordering characters in {place}")
            }
            Flag::MisleadingName { name } => {
                format!("Contains characters that look like others in the name {name}")
            }
            Flag::Elsewhere { does, path } => format!("The target {does} {path}, which is outside its folder"),
            Flag::Runs { path, what } => format!("Changes what {path} runs: {what}"),
            Flag::RunsOnInstall { path, what } => format!("Changes what {path} runs on install: {what}"),
            Flag::Joins { commits } => {
                format!("Includes {commits} commits that the target has on other branches")
            }
            Flag::Leftover { commits } => {
                format!("Restores {commits} commits that no branch of the target has any more")
            }
            Flag::Supplied { commits } => {
                format!("Includes {commits} earlier commits that this sandbox was created with, which are not listed")
            }
        }
    }
}
