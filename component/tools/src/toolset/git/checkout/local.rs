//! The local changes that a switch of branches keeps, as git lists them afterwards.

#[cfg(all(test, not(target_os = "wasi")))]
mod tests;

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::index::Entry;
use gix::index::entry::Flags;
use serde::Serialize;

use crate::error::ToolError;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::Repo;
use crate::git::store::version::Version;
use crate::git::store::{flat_tree, index};
use crate::git::text::workspace_path;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::changes::{self, Change};
use crate::git::worktree::diff_files::{self, Compare};
use crate::session::Context;

/// A path at which the working folder is not what is checked out.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Local {
    /// git's letter.
    status: char,
    path: String,
    /// The line that git prints.
    #[serde(skip)]
    pub line: BString,
}

/// The changes of tracked files between `tree` and the working folder.
pub fn changes(context: &mut Context<'_>, repo: &Repo, tree: ObjectId) -> Result<Vec<Local>, ToolError> {
    let deadline = context.deadline;
    let caches = &mut context.session.caches;
    let index = index::load(&mut caches.index, repo)?;
    let head = flat_tree::load(&mut caches.trees, repo, tree, deadline)?;
    let attributes = Attributes::of(repo, index.clone(), deadline);
    let mut all: BTreeMap<BString, (Option<Version>, Option<Version>)> = BTreeMap::new();
    for change in changes::tree_to_index(&head, &index, deadline)? {
        all.insert(change.path, (change.old, change.new));
    }
    // An intent-to-add entry whose file git must not check counts as added (diff-lib.c, `do_oneway_diff`).
    let is_unseen = |entry: &&Entry| {
        entry.flags.contains(Flags::INTENT_TO_ADD) && entry.flags.intersects(Flags::SKIP_WORKTREE | Flags::ASSUME_VALID)
    };
    for entry in index.entries().iter().filter(is_unseen) {
        let path = entry.path(&index).to_owned();
        all.entry(path).or_insert((None, None)).1 = Some(Version::object(entry.mode.bits(), entry.id));
    }
    let unknown = ObjectId::null(repo.gix.object_hash());
    let options = diff_files::Options { untracked: false, pathspec: &Pathspec::all(), compare: Compare::Content };
    for change in diff_files::scan(repo, &index, &attributes, &options, deadline)?.changes {
        let entry = index.entry_by_path(change.path.as_bstr());
        // An intent-to-add entry is not in the index yet.
        let indexed = change.old.filter(|_| !entry.is_some_and(|entry| entry.flags.contains(Flags::INTENT_TO_ADD)));
        let old = all.get(&change.path).map_or(indexed, |(old, _)| *old);
        // If the file differs from the index, git does not compare it with the commit (diff-lib.c, `get_stat_data`).
        let new = change.new.map(|new| Version::worktree(new.mode, unknown));
        all.insert(change.path, (old, new));
    }
    let changed = all.into_iter().filter(|(_, (old, new))| old != new);
    Ok(changed.map(|(path, (old, new))| local(Change::new(path, old, new))).collect())
}

fn local(change: Change) -> Local {
    let status = change.letter();
    let mut line = BString::from(format!("{status}\t"));
    line.extend_from_slice(&patch::quote::quote_path(change.path.as_bstr()));
    line.push(b'\n');
    Local { status, path: workspace_path::absolute(change.path.as_bstr()), line }
}
