//! Decides the result of each path.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use bstr::{BString, ByteSlice};

use super::content::{Contents, SUBMODULE, Sources};
use super::message::Kind;
use super::state::{Fate, Info, Path, State};
use super::trees::{BASE, OURS, THEIRS, bit};
use super::{Entry, Objects};
use crate::change::kind_of;
use crate::sort::sort_by;

/// Paths in conflict, with their stages.
pub(super) type Conflicts = BTreeMap<BString, [Option<Entry>; 3]>;
/// The changes from our side's tree to the merged tree.
pub(super) type Edits = BTreeMap<BString, Option<Entry>>;

/// The merged tree under construction.
#[derive(Default)]
pub(super) struct Tree {
    pub conflicts: Conflicts,
    /// The folders that will not be empty.
    pub filled: BTreeSet<Path>,
}

impl State<'_> {
    /// Decides every path, and the paths in a folder before the folder itself.
    pub(super) fn resolve<O: Objects>(
        &mut self,
        contents: &mut Contents<'_, '_, O>,
    ) -> Result<(Conflicts, Edits), O::Error> {
        let mut paths: Vec<Path> = self.paths.keys().cloned().collect();
        sort_by(&mut paths, |a, b| folder_order(a, b));
        let mut result = Tree::default();
        let mut ticker = contents.options().deadline.ticker();
        for path in paths.iter().rev() {
            ticker.tick()?;
            let info = self.paths[path].clone();
            match info.fate {
                // The deleted entry was a file. A folder of that name may still get entries.
                Fate::Gone if !result.filled.contains(path) => {}
                Fate::Gone | Fate::Kept => result.fill(path),
                Fate::Taken(entry) => self.record(&mut result, path, entry),
                Fate::Open => self.resolve_open(path, info, &mut result, contents)?,
            }
        }
        let mut edits = std::mem::take(&mut self.edits);
        edits.extend(std::mem::take(&mut self.standing).into_keys().map(|path| (path.as_bstr().to_owned(), None)));
        Ok((result.conflicts, edits))
    }

    /// Puts an entry at a path.
    pub(super) fn record(&mut self, result: &mut Tree, path: &Path, entry: Entry) {
        result.fill(path);
        if self.standing.remove(path) != Some(entry) {
            self.edits.insert(path.as_bstr().to_owned(), Some(entry));
        }
    }

    fn resolve_open<O: Objects>(
        &mut self,
        path: &Path,
        mut info: Info,
        result: &mut Tree,
        contents: &mut Contents<'_, '_, O>,
    ) -> Result<(), O::Error> {
        let mut path = path.clone();
        let mut moved_from = None;
        if info.folders != 0 {
            let is_filled = result.filled.contains(&path);
            if is_filled {
                result.fill(&path);
            }
            if info.files == 0 || is_filled && info.files == bit(BASE) {
                return Ok(());
            }
            let folders = info.folders;
            info.leave_files();
            if is_filled {
                let side = if folders & bit(OURS) != 0 { THEIRS } else { OURS };
                path = self.make_room(&path, side, &info);
                moved_from = Some(side);
            } else {
                info.has_folder_in_the_way = false;
            }
        }
        self.resolve_file(path, info, moved_from, result, contents)
    }

    /// Renames a file, because a folder has its path.
    fn make_room(&mut self, path: &Path, side: usize, info: &Info) -> Path {
        let label = self.label(side);
        let new = self.free_name(path, label);
        self.paths.insert(new.clone(), info.clone());
        let start: &[u8] = b"CONFLICT (file/directory): directory in the way of ";
        let text = &[start, path, b" from ", label, b"; moving it to ", &new, b" instead."];
        self.say(Kind::FileDirectory, &[&new, path], text);
        new
    }

    fn resolve_file<O: Objects>(
        &mut self,
        path: Path,
        mut info: Info,
        moved_from: Option<usize>,
        result: &mut Tree,
        contents: &mut Contents<'_, '_, O>,
    ) -> Result<(), O::Error> {
        let is_in_place = !info.has_folder_in_the_way && !info.is_misplaced;
        let [base, ours, theirs] = info.stages;
        let (entry, is_clean) = match (info.files, ours, theirs) {
            _ if info.alike != 0 => {
                let entry = if info.alike == 5 || info.alike == 6 { ours } else { theirs };
                (entry, is_in_place || entry.is_none() && info.alike != 6)
            }
            (6 | 7, Some(ours), Some(theirs)) if kind_of(ours.mode) != kind_of(theirs.mode) => {
                self.tell_apart(&path, &info, [ours, theirs], result);
                return Ok(());
            }
            (6 | 7, Some(ours), Some(theirs)) => {
                let names = &info.names;
                let sources = Sources { path: &path, base, ours, theirs, names, longer_markers: 0 };
                let merged = self.combine(contents, &sources)?;
                if let Some(side) = moved_from.filter(|_| merged.is_clean) {
                    info.files = bit(side);
                    info.stages[side] = Some(merged.entry);
                }
                if !merged.is_clean {
                    self.say_conflict(&path, info.files, merged.entry);
                }
                (Some(merged.entry), merged.is_clean && is_in_place)
            }
            (3 | 5, _, _) => {
                let side = if info.files == 5 { THEIRS } else { OURS };
                let entry = info.stages[side];
                // The rename already reported that the other side deleted the file.
                if !info.is_misplaced || base.map(|base| base.id) != entry.map(|entry| entry.id) {
                    self.say_deleted_and_modified(&path, side);
                }
                (entry, false)
            }
            (2, entry, _) | (4, _, entry) => (entry, is_in_place),
            _ => (None, !info.is_misplaced),
        };
        if !is_clean {
            result.add_conflict(&path, &info);
        }
        if let Some(entry) = entry {
            self.record(result, &path, entry);
        }
        Ok(())
    }

    fn say_conflict(&mut self, path: &[u8], files: u8, merged: Entry) {
        let reason: &[u8] = match files {
            _ if merged.mode == SUBMODULE => b"submodule",
            6 => b"add/add",
            _ => b"content",
        };
        self.say(Kind::Contents, &[path], &[b"CONFLICT (", reason, b"): Merge conflict in ", path]);
    }

    fn say_deleted_and_modified(&mut self, path: &[u8], side: usize) {
        let (modified, deleted) = (self.label(side), self.label(OURS + THEIRS - side));
        let text: &[&[u8]] = &[
            b"CONFLICT (modify/delete): ",
            path,
            b" deleted in ",
            deleted,
            b" and modified in ",
            modified,
            b".  Version ",
            modified,
            b" of ",
            path,
            b" left in tree.",
        ];
        self.say(Kind::ModifyDelete, &[path], text);
    }
}

impl Info {
    /// Drops the folders, and keeps the files.
    fn leave_files(&mut self) {
        self.alike &= !self.folders;
        self.folders = 0;
        for tree in BASE..=THEIRS {
            if self.files & bit(tree) == 0 {
                self.stages[tree] = None;
            }
        }
    }
}

impl Tree {
    /// Marks the folder of a path as not empty.
    pub(super) fn fill(&mut self, path: &Path) {
        self.filled.insert(path.folder());
    }

    pub(super) fn add_conflict(&mut self, path: &[u8], info: &Info) {
        let stages = [BASE, OURS, THEIRS].map(|tree| info.stages[tree].filter(|_| info.files & bit(tree) != 0));
        self.conflicts.insert(path.as_bstr().to_owned(), stages);
    }
}

/// Compares paths as if each ended with a slash, so a folder precedes its contents.
fn folder_order(a: &[u8], b: &[u8]) -> Ordering {
    a.iter().chain(b"/").cmp(b.iter().chain(b"/"))
}
