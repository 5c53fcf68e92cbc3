//! Gives up an unfinished merge, pick or revert (`git merge --abort` and the others): index and files are as HEAD has them where it has changed
//! them. Other changes stay.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;
use gix::index::entry::Stage;

use super::Verb;
use super::report::Integrated;
use crate::deadline::Deadline;
use crate::error::{ErrorKind, Stop, ToolError};
use crate::git::change::branch_state;
use crate::git::change::two_way::Plan;
use crate::git::change::unfinished;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::Repo;
use crate::git::store::version::Version;
use crate::git::store::{flat_tree, index};
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::{changes, diff_files, sparse};
use crate::paths::SandboxPath;
use crate::platform;
use crate::session::Context;

/// Aborts what `verb` has begun.
///
/// # Errors
///
/// In git's words, if there is nothing to abort, or a person has begun more than one commit of it.
pub fn run(context: &mut Context<'_>, repo: &Repo, working_dir: &SandboxPath, verb: Verb) -> Result<Integrated, Stop> {
    let exists = |file: &str| platform::stat(&repo.git_dir().join(file)).is_ok();
    let (file, message) = match verb {
        Verb::Merge => ("MERGE_HEAD", "fatal: There is no merge to abort (MERGE_HEAD missing)."),
        Verb::Pick => ("CHERRY_PICK_HEAD", "error: no cherry-pick or revert in progress\nfatal: cherry-pick failed"),
        Verb::Revert => ("REVERT_HEAD", "error: no cherry-pick or revert in progress\nfatal: revert failed"),
    };
    if !exists(file) {
        return Err(ToolError::failed(message).hint("Nothing has changed.").into());
    }
    if unfinished::GITS_OWN.into_iter().any(exists) {
        let command = verb.command();
        return Err(ToolError::failed(format!("git has more to do in this {command} than one commit"))
            .hint(format!("Nothing has changed. Ask the user to run git {command} --abort in the repository."))
            .into());
    }
    let deadline = context.deadline;
    let old = sparse::present(repo, &index::load(&mut context.session.caches.index, repo)?);
    let head = flat_tree::load(&mut context.session.caches.trees, repo, repo.head_tree()?, deadline)?;
    let conflicts = old.entries().iter().filter(|entry| entry.stage() != Stage::Unconflicted);
    let conflicts: BTreeSet<BString> = conflicts.map(|entry| entry.path(&old).to_owned()).collect();
    let staged = changes::tree_to_index(&head, &old, deadline)?.into_iter().map(|change| change.path);
    let staged: BTreeSet<BString> = staged.filter(|path| !conflicts.contains(path)).collect();
    ensure_unchanged(repo, &old, &staged, deadline)?;
    let version = |path: BString| (path.clone(), head.find(path.as_bstr()));
    let versions: BTreeMap<BString, Option<Version>> = conflicts.into_iter().chain(staged).map(version).collect();
    let count = versions.len();
    let carried = Plan::overwriting(repo, &old, versions, working_dir, deadline).carry_out()?;
    index::store(&mut context.session.caches.index, repo, carried.index)?;
    branch_state::forget(repo)?;
    Ok(Integrated::aborted(repo.head()?.short_branch(), count))
}

/// Refuses, as git does, to throw away what was changed since a file was merged or added: only files in conflict are the merge's own.
fn ensure_unchanged(
    repo: &Repo,
    index: &Rc<State>,
    staged: &BTreeSet<BString>,
    deadline: &Deadline,
) -> Result<(), ToolError> {
    let attributes = Attributes::of(repo, Rc::clone(index), deadline);
    let options =
        diff_files::Options { untracked: false, pathspec: &Pathspec::all(), compare: diff_files::Compare::Content };
    let scan = diff_files::scan(repo, index, &attributes, &options, deadline)?;
    let changed: BTreeSet<&BStr> = scan.changes.iter().map(|change| change.path.as_bstr()).collect();
    for path in staged {
        let is_tracked = index.entry_by_path(path.as_bstr()).is_some();
        let words = match (is_tracked, repo.standing(path.as_bstr()).is_some()) {
            (true, true) if changed.contains(path.as_bstr()) => {
                format!("error: Entry '{path}' not uptodate. Cannot merge.")
            }
            (false, true) => {
                format!("error: Untracked working tree file '{path}' would be overwritten by merge.")
            }
            _ => continue,
        };
        return Err(ToolError::new(
            ErrorKind::Conflict,
            format!("{words}\nfatal: Could not reset index file to revision 'HEAD'."),
        )
        .hint("Nothing has changed. Move the file with move_file, or delete it or restore it with git_restore, then try again."));
    }
    Ok(())
}
