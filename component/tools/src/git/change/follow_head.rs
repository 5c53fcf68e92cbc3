//! Updates the index when HEAD moves and the working folder stays.

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice};
use gix::index::{Entry, State, entry};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::index;
use crate::git::store::index_edit::{self, Edits, Slot};
use crate::git::store::repo::Repo;
use crate::git::store::version::Version;
use crate::git::worktree::changes;

/// Moves the index from `old_tree` to HEAD at every path where it had HEAD's version. Added entries stay.
pub fn reset_index(
    repo: &Repo,
    cache: &mut index::Cache,
    old_tree: ObjectId,
    deadline: &Deadline,
) -> Result<(), ToolError> {
    let old_state = index::load(cache, repo)?;
    let mut edits = Edits::new();
    for change in changes::tree_to_tree(repo, old_tree, repo.head_tree()?, deadline)? {
        let indexed = index_edit::slot(&old_state, change.path.as_bstr()).map(|slot| (slot.mode.bits(), slot.id));
        if indexed == change.old.map(|version| (version.mode, version.id)) {
            edits.insert(change.path, change.new.map(unread));
        }
    }
    keep_added(&old_state, &mut edits);
    let mut state = old_state.as_ref().clone();
    index_edit::apply(&mut state, &edits);
    index::store(cache, repo, state)
}

/// Drops the edits that would replace an added entry: a file in the place of its parent folder, or a folder in the place of a file.
fn keep_added(state: &State, edits: &mut Edits) {
    let stays = |entry: &Entry| !edits.contains_key(entry.path(state));
    let in_the_way = |path: &BString| {
        let mut above = path.find_iter(b"/").filter_map(|slash| state.entry_by_path(path[..slash].as_bstr()));
        let mut folder = path.clone();
        folder.push(b'/');
        let below = state.prefixed_entries(folder.as_bstr()).unwrap_or_default();
        above.any(stays) || below.iter().any(stays)
    };
    let new = edits.iter().filter(|(_, slot)| slot.is_some()).map(|(path, _)| path);
    let blocked: Vec<BString> = new.filter(|path| in_the_way(path)).cloned().collect();
    edits.retain(|path, _| blocked.binary_search(path).is_err());
}

/// An entry with an unknown stat, so the next status reads its file.
fn unread(version: Version) -> Slot {
    Slot { mode: entry::Mode::from_bits_truncate(version.mode), id: version.id, stat: entry::Stat::default() }
}
