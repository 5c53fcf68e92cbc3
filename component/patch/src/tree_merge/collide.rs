//! Resolves a path where the sides have entries of different types.

use super::Entry;
use super::message::Kind;
use super::resolve::Tree;
use super::state::{Info, Path, State};
use super::trees::{BASE, OURS, THEIRS, bit};
use crate::change::{is_regular, kind_of};

impl State<'_> {
    /// Renames one of the two entries, or both if neither is a file.
    pub(super) fn tell_apart(&mut self, path: &Path, info: &Info, sides: [Entry; 2], result: &mut Tree) {
        let [ours, theirs] = sides;
        let moves_ours = is_regular(ours.mode) || !is_regular(theirs.mode);
        let moves_theirs = !is_regular(ours.mode);
        let our_path = if moves_ours { self.free_name(path, self.labels.ours) } else { path.clone() };
        let their_path = if moves_theirs { self.free_name(path, self.labels.theirs) } else { path.clone() };
        let which: &[u8] = if moves_ours && moves_theirs { b"both" } else { b"one" };
        let start: &[u8] = b"CONFLICT (distinct types): ";
        let text = &[
            start,
            path,
            b" had different types on each side; renamed ",
            which,
            b" of them so each can be recorded somewhere.",
        ];
        let about: &[&[u8]] = match (moves_ours, moves_theirs) {
            (true, true) => &[path, &our_path, &their_path],
            (true, false) => &[path, &our_path],
            _ => &[path, &their_path],
        };
        self.say(Kind::DistinctModes, about, text);
        if moves_ours && moves_theirs {
            self.paths.remove(path);
        }
        for (tree, path, entry) in [(THEIRS, &their_path, theirs), (OURS, &our_path, ours)] {
            let mut info = info.clone();
            info.files = bit(tree);
            if info.stages[BASE].is_some_and(|base| kind_of(base.mode) == kind_of(entry.mode)) {
                info.files |= bit(BASE);
            }
            result.add_conflict(path, &info);
            self.record(result, path, entry);
            self.paths.insert(path.clone(), info);
        }
    }
}
