//! Edits many paths of the index in one pass.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::{Entry, State, entry};

/// The new entry of a path.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Slot {
    /// Regular file, executable file, link or submodule.
    pub mode: entry::Mode,
    /// The id of its content.
    pub id: ObjectId,
    /// The stat of the file in the working folder when it had that content. The default forces the next comparison to read the file.
    pub stat: entry::Stat,
}

/// The new entry of each path, or `None` to remove the path.
pub type Edits = BTreeMap<BString, Option<Slot>>;

/// Applies the edits. As with `git add`, a file replaces a folder and a folder a file, and an edited path is no longer in conflict.
pub fn apply(state: &mut State, edits: &Edits) {
    let removed = removed(state, edits);
    if !removed.is_empty() {
        state.remove_entries(|at, _, _| removed.contains(&at));
    }
    // Append new entries at the end, where lookups do not see them, and sort once after all edits.
    let mut new = Vec::new();
    for (path, slot) in edits.iter().filter_map(|(path, slot)| Some((path.as_bstr(), slot.as_ref()?))) {
        match state.entry_mut_by_path_and_stage(path, entry::Stage::Unconflicted) {
            // An unchanged entry keeps its skip-worktree flag, so a sparse checkout still leaves it out.
            Some(entry) if slot_of(entry) == *slot && !entry.flags.contains(INTENDED) => {}
            Some(entry) => {
                entry.mode = slot.mode;
                entry.id = slot.id;
                entry.stat = slot.stat;
                entry.flags.remove(NOTED);
            }
            None => new.push((path, slot)),
        }
    }
    for (path, slot) in &new {
        state.dangerously_push_entry(slot.stat, slot.id, entry::Flags::empty(), slot.mode, path);
    }
    if !new.is_empty() {
        state.sort_entries();
    }
}

/// The positions in `state` of the entries to remove.
fn removed(state: &State, edits: &Edits) -> HashSet<usize> {
    let mut removed = HashSet::new();
    let at_path = |path: &BStr| {
        let first = state.entries().partition_point(|entry| entry.path(state) < path);
        let same = state.entries()[first..].iter().take_while(|entry| entry.path(state) == path).count();
        first..first + same
    };
    let is_merged = |at: &usize| state.entries()[*at].stage() == entry::Stage::Unconflicted;
    let gives_way = |at: &usize| is_merged(at) && !edits.contains_key(state.entries()[*at].path(state));
    let mut before: &[u8] = b"";
    for (path, slot) in edits {
        let path = path.as_bstr();
        if slot.is_none() {
            removed.extend(at_path(path));
            continue;
        }
        removed.extend(at_path(path).filter(|at| !is_merged(at)));
        // A conflicted path can be both a file and a folder.
        let is_new = |folder: &&[u8]| !before.strip_prefix(*folder).is_some_and(|rest| rest.starts_with(b"/"));
        folders(path).take_while(is_new).for_each(|folder| removed.extend(at_path(folder.as_bstr()).filter(gives_way)));
        let inside = [path.as_bytes(), b"/"].concat();
        let first = state.entries().partition_point(|entry| entry.path(state) < inside.as_bstr());
        let below = state.entries()[first..].iter().take_while(|entry| entry.path(state).starts_with(&inside));
        removed.extend((first..).zip(below).map(|(at, _)| at).filter(gives_way));
        before = path;
    }
    removed
}

/// The folders above `path`, innermost first.
fn folders(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = path;
    std::iter::from_fn(move || {
        let slash = rest.rfind_byte(b'/')?;
        rest = &rest[..slash];
        Some(rest)
    })
}

/// The entry of `path` in `state`, unless it is in conflict.
pub fn slot(state: &State, path: &BStr) -> Option<Slot> {
    let entry = state.entry_by_path(path).filter(|entry| entry.stage() == entry::Stage::Unconflicted)?;
    Some(slot_of(entry))
}

/// The paths whose entries differ between `old` and `new`, without regard to stats.
pub fn changed_paths(old: &State, new: &State) -> Vec<BString> {
    let (mut before, mut after) = (old.entries().iter().peekable(), new.entries().iter().peekable());
    let mut changed: Vec<BString> = Vec::new();
    loop {
        let (one, two) = (before.peek().copied(), after.peek().copied());
        let order = match (one, two) {
            (None, None) => return changed,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(two)) => (one.path(old), one.stage_raw()).cmp(&(two.path(new), two.stage_raw())),
        };
        let one = order.is_le().then(|| before.next()).flatten();
        let two = order.is_ge().then(|| after.next()).flatten();
        let is_same = |(one, two): (&Entry, &Entry)| {
            (one.mode, one.id) == (two.mode, two.id) && one.flags.contains(INTENDED) == two.flags.contains(INTENDED)
        };
        if !one.zip(two).is_some_and(is_same) {
            let path = one.map_or_else(|| two.map(|entry| entry.path(new)), |entry| Some(entry.path(old)));
            let path = path.expect("there is one of both").to_owned();
            if changed.last() != Some(&path) {
                changed.push(path);
            }
        }
    }
}

/// The flags of an entry that a new content clears.
const NOTED: entry::Flags =
    entry::Flags::INTENT_TO_ADD.union(entry::Flags::SKIP_WORKTREE).union(entry::Flags::ASSUME_VALID);

/// The flag of `git add --intent-to-add`.
const INTENDED: entry::Flags = entry::Flags::INTENT_TO_ADD;

/// The mode of `path` in `state`. In a conflict it is that of our side, else of the base, else of theirs.
pub fn any_mode(state: &State, path: &BStr) -> Option<entry::Mode> {
    use entry::Stage::{Base, Ours, Theirs, Unconflicted};
    let found = [Unconflicted, Ours, Base, Theirs].map(|stage| state.entry_by_path_and_stage(path, stage));
    found.into_iter().flatten().next().map(|entry| entry.mode)
}

fn slot_of(entry: &Entry) -> Slot {
    Slot { mode: entry.mode, id: entry.id, stat: entry.stat }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot_of(digit: u8) -> Slot {
        Slot { mode: entry::Mode::FILE, id: ObjectId::from_bytes_or_panic(&[digit; 20]), stat: entry::Stat::default() }
    }

    fn state(paths: &[&str]) -> State {
        let mut state = State::new(gix::hash::Kind::Sha1);
        apply(&mut state, &paths.iter().map(|path| (BString::from(*path), Some(slot_of(1)))).collect());
        state
    }

    fn paths(state: &State) -> Vec<String> {
        state.entries().iter().map(|entry| entry.path(state).to_string()).collect()
    }

    #[test]
    fn edits_keep_the_order_of_the_index() {
        let mut state = state(&["b", "a/x", "a-b"]);
        assert_eq!(paths(&state), ["a-b", "a/x", "b"]);
        apply(
            &mut state,
            &Edits::from([("a/y".into(), Some(slot_of(2))), ("b".into(), None), ("0".into(), Some(slot_of(3)))]),
        );
        assert_eq!(paths(&state), ["0", "a-b", "a/x", "a/y"]);
        assert_eq!(slot(&state, "a/y".into()).unwrap().id, slot_of(2).id);
    }

    #[test]
    fn a_file_takes_the_place_of_a_folder_and_a_folder_of_a_file() {
        let mut state = state(&["a/x", "a/y/z", "b"]);
        apply(&mut state, &Edits::from([("a".into(), Some(slot_of(2))), ("b/c".into(), Some(slot_of(2)))]));
        assert_eq!(paths(&state), ["a", "b/c"]);
    }

    #[test]
    fn an_edited_path_is_no_longer_in_conflict() {
        let mut state = State::new(gix::hash::Kind::Sha1);
        for (stage, digit) in
            [(entry::Flags::from_stage(entry::Stage::Ours), 2), (entry::Flags::from_stage(entry::Stage::Theirs), 3)]
        {
            state.dangerously_push_entry(
                entry::Stat::default(),
                slot_of(digit).id,
                stage,
                entry::Mode::FILE,
                "a".into(),
            );
        }
        apply(&mut state, &Edits::from([("a".into(), Some(slot_of(4)))]));
        assert_eq!(paths(&state), ["a"]);
        assert_eq!(slot(&state, "a".into()).unwrap().id, slot_of(4).id);
    }
}
