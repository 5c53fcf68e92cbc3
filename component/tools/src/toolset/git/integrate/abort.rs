//! Gives up an unfinished merge, pick or revert (`git merge --abort` and the others): index and files are as HEAD has them where it has changed
//! them. Other changes stay.

use std::collections::BTreeMap;

use gix::bstr::BString;
use gix::index::entry::Stage;

use super::Verb;
use super::report::Integrated;
use crate::error::{Stop, ToolError};
use crate::git::change::branch_state;
use crate::git::change::two_way::Plan;
use crate::git::store::repo::Repo;
use crate::git::store::version::Version;
use crate::git::store::{flat_tree, index};
use crate::git::worktree::{changes, sparse};
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
    if exists("sequencer") {
        return Err(ToolError::failed(format!("A {} of several commits is under way", verb.command()))
            .hint(format!("Nothing has changed. Ask the user to run git {} --abort in the repository.", verb.command()))
            .into());
    }
    let deadline = context.deadline;
    let old = sparse::present(repo, &index::load(&mut context.session.caches.index, repo)?);
    let head = flat_tree::load(&mut context.session.caches.trees, repo, repo.head_tree()?, deadline)?;
    let mut versions: BTreeMap<BString, Option<Version>> = BTreeMap::new();
    let conflicts = old.entries().iter().filter(|entry| entry.stage() != Stage::Unconflicted);
    let conflicts = conflicts.map(|entry| entry.path(&old).to_owned());
    let staged = changes::tree_to_index(&head, &old, deadline)?.into_iter().map(|change| change.path);
    for path in conflicts.chain(staged) {
        let version = head.find(path.as_slice().into());
        versions.insert(path, version);
    }
    let count = versions.len();
    let carried = Plan::overwriting(repo, &old, versions, working_dir, deadline).carry_out()?;
    index::store(&mut context.session.caches.index, repo, carried.index)?;
    branch_state::forget(repo)?;
    Ok(Integrated::aborted(repo.head()?.short_branch(), count))
}
