//! Moves new files with their folder. Each such move is a conflict, since git only suggests it.

use super::message::Kind;
use super::state::{Fate, Info, Pair, Path, State, Status};
use super::trees::{BASE, OURS, THEIRS, Trees, bit};
use crate::path::split;

impl State<'_> {
    /// Whether the entry that one side alone has at `old` can move to `new`.
    ///
    /// git moves it even if it cannot, and fails.
    pub(super) fn can_move(&self, old: &[u8], new: &[u8]) -> bool {
        let Some(info) = self.paths.get(old).filter(|info| info.is_open()) else {
            return false;
        };
        let is_of_one_side = info.files == bit(OURS) || info.files == bit(THEIRS);
        let is_free = self.paths.get(new).is_none_or(|there| there.is_open() && there.files & info.files == 0);
        is_of_one_side && info.folders & !bit(BASE) == 0 && is_free
    }

    /// Whether a path that the walk did not visit may be taken: the walk did not enter a folder above it, or that folder is a file.
    ///
    /// git does not check this, and loses the entry at the path.
    pub(super) fn is_taken_unseen(&self, path: &[u8], trees: &Trees<'_>) -> bool {
        let mut folder = split(path).0;
        while !folder.is_empty() {
            if let Some(info) = self.paths.get(folder) {
                return !info.is_open() && trees.have(path);
            }
            folder = split(folder).0;
        }
        false
    }

    /// Moves a path with its folder.
    pub(super) fn move_along(&mut self, pair: &Pair, new: &Path, side: usize) {
        let old = &pair.new;
        let mut info = self.paths.remove(old).expect("it was looked at before");
        if info.folders != 0 {
            // The folder at the old path may not be empty yet.
            self.paths.insert(old.clone(), Info::settled(old, Fate::Gone));
            info.folders = 0;
        }
        self.add_folders(new, info.files);
        let moved = match self.paths.get_mut(new) {
            None => self.paths.entry(new.clone()).or_insert(info),
            Some(there) => {
                there.files |= info.files;
                there.arrived |= info.files;
                there.has_folder_in_the_way |= there.folders != 0;
                there.names[side] = info.names[side].clone();
                there.stages[side] = info.stages[side];
                there
            }
        };
        moved.is_misplaced = true;
        let (here, there) = (self.label(side), self.label(OURS + THEIRS - side));
        let end: &[&[u8]] = &[b", inside a directory that was renamed in ", there];
        let last: &[&[u8]] = &[b", suggesting it should perhaps be moved to ", new, b"."];
        let text = if pair.status == Status::Added {
            let start: &[&[u8]] = &[b"CONFLICT (file location): ", old, b" added in ", here];
            let end: &[&[u8]] = &[b" inside a directory that was renamed in ", there];
            [start, end, last].concat()
        } else {
            let start: &[&[u8]] = &[b"CONFLICT (file location): ", &pair.old, b" renamed to ", old, b" in ", here];
            [start, end, last].concat()
        };
        self.messages.add(Kind::DirRenameSuggested, &[new, old], &text);
    }

    /// Adds the missing folders above a path. A file in the place of one of them is in the way.
    fn add_folders(&mut self, path: &Path, folders: u8) {
        let mut folder = path.folder();
        while !folder.is_empty() {
            if let Some(info) = self.paths.get_mut(&folder) {
                if info.is_open() && info.folders == 0 {
                    info.folders = folders;
                    info.has_folder_in_the_way = true;
                }
                return;
            }
            let info = Info { folders, ..Info::settled(&folder, Fate::Open) };
            self.paths.insert(folder.clone(), info);
            folder = folder.folder();
        }
    }
}
