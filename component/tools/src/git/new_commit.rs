//! Making commits: the object, and its message as git cleans it up.

use std::borrow::Cow;

use gix::ObjectId;
use gix::actor::Signature;
use gix::bstr::{BString, ByteSlice};
use gix::objs::{self, WriteTo};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::ids::Ids;
use crate::git::refs::{self, Refs};
use crate::git::repo::{Head, Repo, damaged};

/// The message as `git commit -m` stores it (git-commit, `--cleanup=whitespace`): no whitespace at
/// the ends of lines, no empty lines at either end, never two empty lines in a row, and one line
/// feed at the end.
///
/// # Errors
///
/// If nothing is left of the message, or if it has a NUL, which a commit cannot store.
pub fn clean_message(message: &str) -> Result<BString, ToolError> {
    if message.contains('\0') {
        return Err(ToolError::bad_args("a NUL byte in commit log message not allowed"));
    }
    let mut lines: Vec<&[u8]> = Vec::new();
    for line in message.as_bytes().split(|byte| *byte == b'\n') {
        let line = line.trim_end_with(|c| c.is_ascii_whitespace());
        let is_superfluous = line.is_empty() && lines.last().is_none_or(|last| last.is_empty());
        if !is_superfluous {
            lines.push(line);
        }
    }
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    if lines.is_empty() {
        return Err(ToolError::bad_args("message must not be empty"));
    }
    let mut clean: BString = lines.join(&b'\n').into();
    clean.push(b'\n');
    Ok(clean)
}

/// Largest commit, in bytes, that a host lets out. Nobody reads a longer message before approving
/// it.
const MOST_BYTES: u64 = 1 << 20;

/// Makes a commit of `tree` on top of HEAD, which is `head`, moves the branch to it, and gives the
/// commit an id, which is returned with its name.
pub fn on_head(
    repo: &Repo,
    who: &Signature,
    head: &Head,
    tree: ObjectId,
    message: &BString,
    deadline: &Deadline,
) -> Result<(ObjectId, String), ToolError> {
    let id = write(
        repo,
        &objs::Commit {
            tree,
            parents: head.id().into_iter().collect(),
            author: who.clone(),
            committer: who.clone(),
            encoding: None,
            message: message.clone(),
            extra_headers: Vec::new(),
        },
    )?;
    let kind = if head.id().is_some() { "commit" } else { "commit (initial)" };
    let log = format!("{kind}: {}", subject(message).to_str_lossy());
    refs::move_head(who, &Refs::of(repo, deadline), head, id, &log)?;
    let mut ids = Ids::load(repo)?;
    let short_id = ids.give(id);
    ids.store(repo)?;
    Ok((id, short_id))
}

/// Writes a commit object and moves nothing.
pub fn write(repo: &Repo, commit: &objs::Commit) -> Result<ObjectId, ToolError> {
    if commit.size() > MOST_BYTES {
        return Err(ToolError::bad_args(format!("The commit would be larger than {} MiB", MOST_BYTES >> 20))
            .hint("Nothing has changed. Write a shorter message."));
    }
    Ok(repo.gix.write_object(commit).map_err(|error| damaged(&error))?.detach())
}

/// A message as every structured result gives it: without the white space at its end.
pub fn message_text(message: &[u8]) -> Cow<'_, str> {
    message.trim_end().to_str_lossy()
}

/// The first line of a message.
pub fn subject(message: &[u8]) -> &[u8] {
    message.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_names_the_size_of_the_largest_commit_and_the_depth_of_the_deepest() {
        let readme = include_str!("../../README.md").split_whitespace().collect::<Vec<_>>().join(" ");
        let (mib, thousands) = (MOST_BYTES >> 20, crate::git::tree_diff::MAX_DEPTH / 1000);
        for words in [format!("A commit has at most {mib} MiB"), format!("{thousands},000 folders in each other")] {
            assert!(readme.contains(&words), "not in the README: {words}");
        }
    }

    #[test]
    fn t_git_edge_15_messages_are_cleaned_as_git_does() {
        let clean = |message: &str| clean_message(message).ok().map(|message| message.to_string());
        assert_eq!(clean("Add a file").as_deref(), Some("Add a file\n"));
        assert_eq!(clean("\n\n  Indented  \n\n\n\nBody\t\n\n").as_deref(), Some("  Indented\n\nBody\n"));
        assert_eq!(clean("# kept\n").as_deref(), Some("# kept\n"));
        assert_eq!(clean(" \n\t\n"), None);
        assert_eq!(clean("one\0two"), None);
    }
}
