//! Writes commit objects.

use gix::ObjectId;
use gix::objs::{self, WriteTo};

use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};

/// Size limit of a commit, in bytes; a host pushes no larger one. Nobody reads a longer message before approving it.
const MOST_BYTES: u64 = 1 << 20;

/// Writes a commit object and moves no ref.
pub fn write(repo: &Repo, commit: &objs::Commit) -> Result<ObjectId, ToolError> {
    if commit.size() > MOST_BYTES {
        return Err(ToolError::bad_args(format!("The commit would be larger than {} MiB", MOST_BYTES >> 20))
            .hint("Nothing has changed. Write a shorter message."));
    }
    Ok(repo.gix.write_object(commit).map_err(|error| damaged(&error))?.detach())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_names_the_size_of_the_largest_commit_and_the_depth_of_the_deepest() {
        let readme = include_str!("../../../README.md").split_whitespace().collect::<Vec<_>>().join(" ");
        let (mib, thousands) = (MOST_BYTES >> 20, crate::git::store::tree_diff::MAX_DEPTH / 1000);
        for words in [format!("A commit has at most {mib} MiB"), format!("{thousands},000 folders in each other")] {
            assert!(readme.contains(&words), "not in the README: {words}");
        }
    }
}
