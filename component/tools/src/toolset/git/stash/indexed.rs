//! Computes the index before and after a merge.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;
use gix::index::entry::{Flags, Mode, Stage, Stat};
use patch::sort::map;
use patch::tree_merge::{Entry, Outcome};

use super::merged::Edits;
use crate::error::ToolError;
use crate::git::store::edit_tree::edit_tree;
use crate::git::store::flat_tree::FlatTree;
use crate::git::store::index_edit::{self, Slot};
use crate::git::store::repo::Repo;
use crate::git::worktree::changes::Change;
use crate::git::worktree::sparse::Sparse;

/// Applies `edits` to `index`, with the stats in `stats`.
pub fn edited(index: &State, edits: &Edits, stats: &BTreeMap<BString, Stat>) -> State {
    let slot = |path: &BString, entry: Entry| index_edit::Slot {
        mode: Mode::from_bits_truncate(entry.mode),
        id: entry.id,
        stat: stats.get(path).copied().unwrap_or_default(),
    };
    let mut state = index.clone();
    // An unchanged entry keeps its stat.
    let is_there = |path: &BStr, entry: &Entry| {
        let found = index_edit::slot(index, path);
        found.is_some_and(|found| (found.mode.bits(), found.id) == (entry.mode, entry.id))
    };
    let edits = edits.iter().filter(|(path, new)| !new.as_ref().is_some_and(|new| is_there(path.as_bstr(), new)));
    let edits = map(edits.map(|(path, new)| (path.clone(), new.map(|new| slot(path, new)))));
    index_edit::apply(&mut state, &edits);
    let (entries, backing) = state.entries_mut_and_pathbacking();
    for entry in entries {
        if edits.contains_key(entry.path_in(backing)) {
            entry.flags.remove(Flags::ASSUME_VALID);
        }
    }
    state
}

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

/// Adds the stages of paths in conflict to the index.
pub fn in_conflict(mut state: State, outcome: &Outcome) -> State {
    state.remove_entries(|_, path, _| outcome.conflicts.contains_key(path));
    for (path, stages) in &outcome.conflicts {
        for (stage, entry) in (1..).zip(stages).filter_map(|(stage, entry)| Some((stage, entry.as_ref()?))) {
            let flags = Flags::from_bits_retain(stage << 12);
            let mode = Mode::from_bits_truncate(entry.mode);
            state.dangerously_push_entry(Stat::default(), entry.id, flags, mode, path.as_bstr());
        }
    }
    state.sort_entries();
    state
}

/// The merged tree, including conflict markers.
pub fn merged_tree(repo: &Repo, current: ObjectId, edits: &Edits) -> Result<ObjectId, ToolError> {
    let slot = |entry: Entry| Slot { mode: Mode::from_bits_truncate(entry.mode), id: entry.id, stat: Stat::default() };
    edit_tree(repo, current, &edits.iter().map(|(path, new)| (path.clone(), new.map(slot))).collect())
}
