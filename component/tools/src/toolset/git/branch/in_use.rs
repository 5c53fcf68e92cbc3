//! The branches in use: those to which a working folder's HEAD points, or to which a running operation will return.

use std::collections::BTreeMap;
use std::path::PathBuf;

use gix::bstr::{BString, ByteSlice};

use crate::error::ToolError;
use crate::git::change::operation::{self, Operations, Rebase};
use crate::git::history::branch_name::full;
use crate::git::store::refs::{End, Refs};
use crate::paths::WORKSPACE;
use crate::platform;

/// A working folder.
pub struct Worktree {
    /// The path to show.
    pub path: BString,
    /// Its own git folder.
    pub folder: PathBuf,
    /// The full name of the branch to which HEAD points, existing or not. `None` if HEAD is detached.
    pub head: Option<BString>,
    /// Whether HEAD points to no commit yet.
    pub is_unborn: bool,
    /// Whether it is another working folder than the sandbox's.
    pub is_linked: bool,
}

/// All working folders: the sandbox's own, and on a real directory those linked to it (git-worktree).
pub fn worktrees(refs: &Refs<'_>) -> Result<Vec<Worktree>, ToolError> {
    let git = refs.repo.git_dir();
    let (head, is_unborn) = match refs.follow("HEAD".into())? {
        End::Id { name, .. } => (Some(name), false),
        End::Missing { name } => (Some(name), true),
        End::Broken => (None, true),
    };
    let main = Worktree {
        path: format!("/{WORKSPACE}").into(),
        folder: git.clone(),
        head: head.filter(|name| name != "HEAD"),
        is_unborn,
        is_linked: false,
    };
    let mut all = vec![main];
    for entry in platform::list(&git.join("worktrees")).unwrap_or_default() {
        refs.deadline.poll()?;
        let folder = platform::join(&git.join("worktrees"), &entry.name);
        let read = |name: &str| platform::read(&folder.join(name)).map(|content| content.trim_ascii().to_vec());
        let (Ok(path), Ok(head)) = (read("gitdir"), read("HEAD")) else { continue };
        let path = path.strip_suffix(b"/.git").unwrap_or(&path).into();
        let named = head.strip_prefix(b"ref:").map(|name| name.trim_ascii().as_bstr());
        let (head, is_unborn) = match named.map(|name| refs.follow(name)).transpose()? {
            Some(End::Id { name, .. }) => (Some(name), false),
            Some(End::Missing { name }) => (Some(name), true),
            Some(End::Broken) | None => (None, false),
        };
        all.push(Worktree { path, folder, head, is_unborn, is_linked: true });
    }
    Ok(all)
}

/// Maps the full name of each branch in use to the working folder that uses it.
pub fn users(refs: &Refs<'_>) -> Result<BTreeMap<BString, BString>, ToolError> {
    let mut users = BTreeMap::new();
    for worktree in worktrees(refs)? {
        let left = if worktree.is_linked { Vec::new() } else { left(refs)? };
        users.extend(worktree.head.into_iter().chain(left).map(|branch| (branch, worktree.path.clone())));
    }
    Ok(users)
}

/// The branches to which a running operation will return.
fn left(refs: &Refs<'_>) -> Result<Vec<BString>, ToolError> {
    let operations = Operations::of(refs.repo)?;
    let mut left: Vec<BString> = [rebased(&operations), bisected(&operations)].into_iter().flatten().collect();
    // Each ref to update takes three lines: its name, its old and its new value.
    let lines = operation::read(refs.repo, "rebase-merge/update-refs")?.unwrap_or_default();
    left.extend(lines.lines().step_by(3).map(BString::from));
    Ok(left)
}

/// The full name of the branch that a rebase is working on.
pub fn rebased(operations: &Operations) -> Option<BString> {
    match &operations.rebase {
        Some(Rebase::Commits { branch, .. }) => branch.as_ref().map(|branch| full(branch.as_bstr())),
        _ => None,
    }
}

/// The full name of the branch on which a bisection began.
pub fn bisected(operations: &Operations) -> Option<BString> {
    operations.bisect.iter().flatten().map(|branch| full(branch.as_bstr())).next()
}
