//! Refuses to work during a git operation that a person has not finished, in a repository on disk that they also use. Moving HEAD then
//! would damage it: a merge would lose its other side, and a commit of a rebase its author and message.

use gix::index::State;
use gix::index::entry::Stage;

use crate::error::ToolError;
use crate::git::store::repo::Repo;
use crate::git::words::advice;
use crate::platform;

/// An operation that git has stopped halfway.
#[derive(Debug)]
struct Unfinished {
    /// The file in `.git` that shows it.
    file: &'static str,
    name: &'static str,
    /// The command that finishes it.
    finish: &'static str,
    /// The command that aborts it.
    abort: &'static str,
    /// The tool that begins and aborts the same. `git_commit` finishes it.
    tool: Option<&'static str>,
}

/// A rebase can also stop at a cherry-pick, and `git am` keeps its state where a rebase does. So the more specific state comes first.
const ALL: [Unfinished; 7] = [
    of("rebase-merge", "rebase", "git rebase --continue", "git rebase --abort", None),
    of("rebase-apply/applying", "git am", "git am --continue", "git am --abort", None),
    of("rebase-apply", "rebase", "git rebase --continue", "git rebase --abort", None),
    of("MERGE_HEAD", "merge", "git commit", "git merge --abort", Some("git_merge_branch")),
    of(
        "CHERRY_PICK_HEAD",
        "cherry-pick",
        "git cherry-pick --continue",
        "git cherry-pick --abort",
        Some("git_cherry_pick"),
    ),
    of("REVERT_HEAD", "revert", "git revert --continue", "git revert --abort", Some("git_revert")),
    of("BISECT_LOG", "bisect", "git bisect good or bad", "git bisect reset", None),
];

const fn of(
    file: &'static str,
    name: &'static str,
    finish: &'static str,
    abort: &'static str,
    tool: Option<&'static str>,
) -> Unfinished {
    Unfinished { file, name, finish, abort, tool }
}

/// What only git goes on with: the commits that a pick or revert of several still has to do, and the changes that a merge has put away.
pub const GITS_OWN: [&str; 2] = ["sequencer", "MERGE_AUTOSTASH"];

/// The refused action.
#[derive(Clone, Copy, Debug)]
pub enum Doing {
    /// A pull.
    Pull,
    /// A staged commit. It never takes the whole index.
    Stage,
    /// A commit of the index.
    Commit,
    /// A task record.
    Record,
    /// A switch of branches.
    Switch,
    /// A stash, or applying one.
    Stash,
    /// Discarding a staged commit.
    Discard,
    /// Revising a staged commit.
    Revise,
    /// A merge of a branch.
    Merge,
    /// A cherry-pick.
    Pick,
    /// A revert.
    Revert,
}

/// Fails, in git's words if it has any, during an unfinished operation.
pub fn ensure_none(repo: &Repo, doing: Doing) -> Result<(), ToolError> {
    let git = repo.git_dir();
    let exists = |file: &str| platform::stat(&git.join(file)).is_ok();
    let Some(found) = ALL.iter().find(|unfinished| exists(unfinished.file)) else {
        return Ok(());
    };
    let Unfinished { file, name, finish, abort, tool } = found;
    let tool = tool.filter(|_| !GITS_OWN.into_iter().any(exists));
    if matches!(doing, Doing::Commit) && tool.is_some() {
        return Ok(());
    }
    let message = match doing {
        Doing::Pull | Doing::Merge => format!("You have not concluded your {name} (.git/{file} exists)."),
        Doing::Stage => format!("cannot do a partial commit during a {name}."),
        Doing::Stash => format!("cannot stash during a {name}."),
        Doing::Switch => format!("cannot switch branch during a {name}."),
        Doing::Commit | Doing::Record => format!("cannot commit during a {name}."),
        Doing::Discard => format!("cannot discard a commit during a {name}."),
        Doing::Revise => format!("cannot revise a commit during a {name}."),
        Doing::Pick => format!("cannot cherry-pick during a {name}."),
        Doing::Revert => format!("cannot revert during a {name}."),
    };
    Err(ToolError::failed(message).hint(match tool {
        Some(tool) => format!(
            "Nothing has changed. Finish it: resolve the files in conflict, add them with git_add and call git_commit. Or give it up: \
             call {tool} with abort."
        ),
        None => {
            format!("Nothing has changed. Ask the user to run {finish} or {abort} in the repository, then try again.")
        }
    }))
}

/// Refuses, in git's words, to commit unmerged files.
pub fn ensure_merged(index: &State) -> Result<(), ToolError> {
    if index.entries().iter().all(|entry| entry.stage() == Stage::Unconflicted) {
        return Ok(());
    }
    Err(unmerged("Committing").hint("Resolve each file, then add it with git_add."))
}

/// git's error for an index with conflicts. `doing` is what it refuses, such as `Merging` (advice.c, `error_resolve_conflict`).
pub fn unmerged(doing: &str) -> ToolError {
    let advice = advice::hint(
        "Fix them up in the work tree, and then use 'git add/rm <file>'\nas appropriate to mark resolution and make a commit.",
    );
    ToolError::failed(format!(
        "error: {doing} is not possible because you have unmerged files.\n{advice}fatal: Exiting because of an unresolved conflict."
    ))
}
