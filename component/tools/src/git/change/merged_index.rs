//! The index and the tree after a merge.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::State;
use gix::index::entry::{Flags, Mode, Stat};
use patch::sort::map;
use patch::tree_merge::{Entry, Outcome};

use crate::error::ToolError;
use crate::git::store::edit_tree::edit_tree;
use crate::git::store::flat_tree::FlatTree;
use crate::git::store::index_edit::{self, Slot};
use crate::git::store::repo::Repo;
use crate::git::store::version::Version;
use crate::git::worktree::changes::Change;

/// The edits of a merge, by path: a new entry, or `None` for a removal.
pub type Edits = BTreeMap<BString, Option<Entry>>;

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

/// The changes of the merge against the tree `from`.
pub fn changes_of(from: &FlatTree, outcome: &Outcome) -> Vec<Change> {
    let change = |(path, new): (&BString, &Option<Entry>)| {
        let (old, new) = (from.find(path.as_bstr()), new.map(|new| Version::object(new.mode, new.id)));
        (old != new).then(|| Change::new(path.clone(), old, new))
    };
    outcome.edits.iter().filter_map(change).collect()
}
