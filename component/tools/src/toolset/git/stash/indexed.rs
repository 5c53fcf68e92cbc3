//! Computes the index before and after a merge.

use std::collections::{BTreeMap, BTreeSet};

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;
use gix::index::entry::{Flags, Mode, Stage, Stat};
use patch::sort::map;
use patch::tree_merge::Entry;

use crate::error::ToolError;
use crate::git::change::merged_index::Edits;
use crate::git::store::flat_tree::FlatTree;
use crate::git::store::index_edit::{self, Slot};
use crate::git::store::repo::Repo;
use crate::git::worktree::changes::Change;
use crate::git::worktree::sparse::Sparse;

/// The index after git has applied `changes` as a patch. git has reread the changed entries, and checks their files again unless a sparse
/// checkout leaves them out.
pub fn looked_at(repo: &Repo, index: &State, changes: &[Change]) -> Result<State, ToolError> {
    let sparse = Sparse::load(repo)?;
    let paths: BTreeSet<&BStr> = changes.iter().map(|change| change.path.as_bstr()).collect();
    let mut state = index.clone();
    let (entries, backing) = state.entries_mut_and_pathbacking();
    for entry in entries {
        let path = entry.path_in(backing);
        if !paths.contains(path) {
            continue;
        }
        entry.stat = Stat::default();
        entry.flags.remove(Flags::ASSUME_VALID);
        if sparse.as_ref().is_none_or(|sparse| sparse.contains(path)) {
            entry.flags.remove(Flags::SKIP_WORKTREE);
        }
    }
    Ok(state)
}

/// Refuses an index with conflicts, in git's words.
pub fn ensure_merged(index: &State) -> Result<(), ToolError> {
    if index.entries().iter().all(|entry| entry.stage() == Stage::Unconflicted) {
        return Ok(());
    }
    Err(ToolError::failed("error: could not write index")
        .hint("Nothing has changed. git_status lists files in conflict. Resolve each file, then add it with git_add."))
}

/// Paths with intent-to-add entries.
pub fn intended(index: &State) -> Vec<BString> {
    let intended = index.entries().iter().filter(|entry| entry.flags.contains(Flags::INTENT_TO_ADD));
    intended.map(|entry| entry.path(index).to_owned()).collect()
}

/// Paths that a clean merge removed and that the index cannot restore, because a new file collides with them.
pub fn blocked(from: &FlatTree, edits: &Edits) -> BTreeSet<BString> {
    let is_old = |path: &BString| from.find(path.as_bstr()).is_some();
    let new = edits.iter().filter(|(path, new)| new.is_some() && !is_old(path));
    let added: BTreeSet<&[u8]> = new.map(|(path, _)| path.as_slice()).collect();
    let collides = |path: &BString| {
        let inside = [path.as_slice(), b"/"].concat();
        let is_below = added.range(inside.as_slice()..).next().is_some_and(|first| first.starts_with(&inside));
        is_below || path.find_iter(b"/").any(|slash| added.contains(&path[..slash]))
    };
    let gone = edits.iter().filter(|(path, new)| new.is_none() && is_old(path) && collides(path));
    gone.map(|(path, _)| path.clone()).collect()
}

/// The index after a clean merge: as before, except that new files stay added (git's builtin/stash.c, `unstage_changes_unless_new`).
pub fn unstaged(
    index: &State,
    from: &FlatTree,
    edits: &Edits,
    blocked: &BTreeSet<BString>,
    stats: &BTreeMap<BString, Stat>,
) -> State {
    let slot = |(path, new): (&BString, &Option<Entry>)| {
        let slot = |mode, id, stat| Slot { mode: Mode::from_bits_truncate(mode), id, stat };
        let old = from.find(path.as_bstr()).filter(|_| !blocked.contains(path));
        let slot = match (old, new) {
            (Some(old), _) => Some(slot(old.mode, old.id, Stat::default())),
            (None, Some(new)) => Some(slot(new.mode, new.id, stats.get(path).copied().unwrap_or_default())),
            (None, None) => None,
        };
        (path.clone(), slot)
    };
    let changes = map(edits.iter().map(slot));
    let mut state = index.clone();
    index_edit::apply(&mut state, &changes);
    let (entries, backing) = state.entries_mut_and_pathbacking();
    for entry in entries.iter_mut().filter(|entry| changes.contains_key(entry.path_in(backing))) {
        entry.flags.remove(Flags::ASSUME_VALID | Flags::SKIP_WORKTREE);
    }
    state
}
