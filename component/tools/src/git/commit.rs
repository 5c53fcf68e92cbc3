//! Making commits: who, when, and the message as git cleans it up.

use std::path::PathBuf;

use gix::bstr::{BString, ByteSlice};
use gix::objs::{self, WriteTo};
use gix::refs::transaction::{Change, LogChange, PreviousValue, RefEdit, RefLog};
use gix::refs::{FullName, Target};

use crate::error::{ErrorKind, ToolError};
use crate::git::repo::{Head, Repo, damaged};
use crate::platform;
use crate::session::Context;

/// Who commits, at the time of the call.
///
/// # Errors
///
/// Without an identity, the message that the requirements give (SRD, FR-GIT-COMMIT-05).
pub fn signature(context: &Context<'_>) -> Result<gix::actor::Signature, ToolError> {
    let identity = context
        .session
        .options
        .identity
        .as_ref()
        .filter(|identity| !identity.name.trim().is_empty() && !identity.email.trim().is_empty());
    let identity = identity.ok_or_else(|| {
        ToolError::new(
            ErrorKind::ExecutionFailed,
            "Git user.name or user.email not configured. Run: git config --global user.name 'Your Name' && git config --global user.email 'you@example.com'",
        )
        .hint("The user sets the identity, on the machine or when opening the sandbox.")
    })?;
    // Whoever receives commits refuses such lines (git-fsck), and with them everything on top.
    let is_bad = |value: &str| value.contains(|c: char| c.is_ascii_control() || matches!(c, '<' | '>'));
    if is_bad(&identity.name) || is_bad(&identity.email) {
        return Err(ToolError::failed("Git user.name or user.email has a character that no commit can hold")
            .hint("The user sets the identity, without <, > and control characters."));
    }
    Ok(gix::actor::Signature {
        name: identity.name.as_str().into(),
        email: identity.email.as_str().into(),
        time: context.now().git_time(),
    })
}

/// Who stands in a reflog: the identity, or a name for the sandbox itself, as a reflog line needs one.
pub fn reflog_signature(context: &Context<'_>) -> gix::actor::Signature {
    signature(context).unwrap_or_else(|_| gix::actor::Signature {
        name: "gitgate".into(),
        email: "gitgate@localhost".into(),
        time: context.now().git_time(),
    })
}

/// The message as `git commit -m` stores it (git-commit, `--cleanup=whitespace`): no white space at the ends of lines, no empty lines at the
/// ends, never two in a row, and one line feed at the end.
///
/// # Errors
///
/// If nothing is left of it, or it has a NUL, which no commit can hold.
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

/// Bytes of the largest commit that a host lets out: nobody reads a longer message before they approve of it.
const MOST_BYTES: u64 = 1 << 20;

/// Writes a commit object and moves nothing.
pub fn write(repo: &Repo, commit: &objs::Commit) -> Result<gix::ObjectId, ToolError> {
    if commit.size() > MOST_BYTES {
        return Err(ToolError::bad_args(format!("The commit would have more than {} MiB", MOST_BYTES >> 20))
            .hint("Nothing has changed. Write a shorter message."));
    }
    Ok(repo.gix.write_object(commit).map_err(|error| damaged(&error))?.detach())
}

/// Moves HEAD, and the branch that it is on, to `new`, with a line in both reflogs.
pub fn move_head(
    context: &Context<'_>,
    repo: &Repo,
    head: &Head,
    new: gix::ObjectId,
    log: &str,
) -> Result<(), ToolError> {
    let log = LogChange { mode: RefLog::AndReference, force_create_reflog: false, message: log.into() };
    let expected = match head.id() {
        Some(id) => PreviousValue::MustExistAndMatch(Target::Object(id)),
        None => PreviousValue::MustNotExist,
    };
    let edit = RefEdit {
        change: Change::Update { log, expected, new: Target::Object(new) },
        name: FullName::try_from("HEAD").expect("HEAD is a valid name"),
        deref: true,
    };
    edit_as(context, repo, edit)
}

/// Takes the branch that HEAD is on back to where it has no commit.
pub fn unbear_branch(context: &Context<'_>, repo: &Repo, head: &Head) -> Result<(), ToolError> {
    let (Some(branch), Some(id)) = (head.branch(), head.id()) else {
        return Err(ToolError::failed("HEAD is not on a branch"));
    };
    let change =
        Change::Delete { expected: PreviousValue::MustExistAndMatch(Target::Object(id)), log: RefLog::AndReference };
    let name = FullName::try_from(branch.as_bstr()).map_err(|error| damaged(&error))?;
    edit_as(context, repo, RefEdit { change, name, deref: false })
}

/// Makes one change to the refs, in the name of whoever commits.
pub fn edit_as(context: &Context<'_>, repo: &Repo, edit: RefEdit) -> Result<(), ToolError> {
    let signature = reflog_signature(context);
    let mut time = gix::date::parse::TimeBuf::default();
    let files = files_of(repo, &edit)?;
    let edited =
        platform::editing(&files, || repo.gix.edit_references_as(Some(edit), Some(signature.to_ref(&mut time))));
    edited.map_err(|error| ToolError::io(".git/refs", &error))?.map_err(|error| damaged(&error))?;
    Ok(())
}

/// The files that a change to a ref may change: the ref's own, those of the refs that it names in turn, their logs, and that of all packed refs.
fn files_of(repo: &Repo, edit: &RefEdit) -> Result<Vec<PathBuf>, ToolError> {
    let mut names = vec![edit.name.clone()];
    if edit.deref
        && let Some(branch) = repo.head()?.branch()
    {
        names.push(FullName::try_from(branch.as_bstr()).map_err(|error| damaged(&error))?);
    }
    let git = repo.git_dir();
    let files = names.iter().flat_map(|name| {
        let (folder, log) = (git.clone(), git.join("logs"));
        [folder, log].map(|folder| platform::join(&folder, name.as_bstr()))
    });
    Ok(files.chain([git.join("packed-refs")]).collect())
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
        let readme = include_str!("../../../../README.md").split_whitespace().collect::<Vec<_>>().join(" ");
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
