//! A sparse index with an entry for every file, as git has it in memory: git folds the folders again when it writes the index (git's
//! `sparse-index.c`).

use gix::bstr::{BString, ByteSlice};
use gix::index::State;
use gix::index::entry::{Flags, Mode, Stat};

use super::TargetError;

/// The entries of `index`, those of each folded folder one by one. They are not on the disk. Any other index stays as it is.
///
/// # Errors
/// If the tree of such a folder is missing.
pub(super) fn whole(repo: &gix::Repository, index: State) -> Result<State, TargetError> {
    if !index.is_sparse() {
        return Ok(index);
    }
    let unreadable = |error| TargetError::damaged("cannot read a folder of the sparse index", error);
    // No extension is kept: each is a cache that counts entries.
    let mut full = State::new(gix::hash::Kind::Sha1);
    for entry in index.entries() {
        let path = entry.path(&index);
        if entry.mode != Mode::DIR {
            full.dangerously_push_entry(entry.stat, entry.id, entry.flags, entry.mode, path);
            continue;
        }
        let below = repo.index_from_tree(&entry.id).map_err(unreadable)?;
        for file in below.entries() {
            let path: BString = [path.as_bytes(), file.path(&below).as_bytes()].concat().into();
            let flags = Flags::EXTENDED | Flags::SKIP_WORKTREE;
            full.dangerously_push_entry(Stat::default(), file.id, flags, file.mode, path.as_bstr());
        }
    }
    full.sort_entries();
    Ok(full)
}
