//! Walks through the three trees. It decides the paths that one side alone touched, and collects added and deleted paths for rename
//! detection.

use super::Entry;
use super::child::Child;
use super::state::{Deferred, Fate, Info, Pair, Path, State, Status};
use super::trees::{BASE, Folder, OURS, THEIRS, Trees, bit};
use crate::deadline::{Deadline, Interrupted, Ticker};
use crate::rename::guide::{Need, Wanted};

/// The mask of a folder where every deletion matters.
pub(super) const ALL_MATTERS: u8 = 7;

/// A folder on the walk.
struct Frame<'t> {
    path: Path,
    mask: u8,
    children: std::vec::IntoIter<Child<'t>>,
}

impl State<'_> {
    /// Walks through all folders that the merge needs to enter.
    ///
    /// Each has a mask: 0, or the bit of the side that still has the folder if the other side deleted it, or [`ALL_MATTERS`] if that side
    /// also added something to it or to a folder above. In that case the destinations of its files tell where the folder went.
    pub(super) fn walk(&mut self, trees: &Trees<'_>, deadline: Deadline<'_>) -> Result<(), Interrupted> {
        let mut ticker = deadline.ticker();
        self.enter(trees, Path::from(b"".as_slice()), &trees.top(), 0, &mut ticker)?;
        self.settle_deferred(trees, &mut ticker)
    }

    /// Walks through a folder and the folders below it.
    pub(super) fn enter(
        &mut self,
        trees: &Trees<'_>,
        path: Path,
        folder: &Folder,
        mask: u8,
        ticker: &mut Ticker<'_>,
    ) -> Result<(), Interrupted> {
        let mut frames = vec![Frame::new(trees, path, folder, mask)];
        while let Some(frame) = frames.last_mut() {
            let Some(child) = frame.children.next() else {
                frames.pop();
                continue;
            };
            ticker.tick()?;
            let (folder, mask) = (frame.path.clone(), frame.mask);
            let path = folder.child(child.name, trees.sample(&child));
            if let Some(mask) = self.visit(&child, &folder, &path, mask) {
                frames.push(Frame::new(trees, path, &child.folder, mask));
            }
        }
        Ok(())
    }

    /// Visits a path. Returns the mask for entering it, if the walk must enter it.
    fn visit(&mut self, child: &Child<'_>, folder: &Path, path: &Path, mask: u8) -> Option<u8> {
        let (files, folders) = (child.files(), child.folders());
        let untouched = [child.is_untouched(OURS), child.is_untouched(THEIRS)];
        let is_same = child.file(OURS).is_some() && child.file(OURS) == child.file(THEIRS);
        let alike = match untouched {
            [true, true] => 7,
            [true, false] => 3,
            [false, true] => 5,
            [false, false] if is_same => 6,
            [false, false] => 0,
        };
        let fate = match (alike, child.file(THEIRS)) {
            (7, _) => Fate::Kept,
            (5 | 6, _) if files == 7 => Fate::Kept,
            (3, Some(theirs)) if files == 7 => Fate::Taken(theirs),
            _ => Fate::Open,
        };
        if let (Fate::Open | Fate::Taken(_), Some(ours)) = (fate, child.file(OURS)) {
            self.standing.insert(path.clone(), ours);
        }
        if fate != Fate::Open {
            self.paths.insert(path.clone(), Info::settled(path, fate));
            return None;
        }
        let mask = self.collect(child, folder, path, alike, mask);
        let mut info = Info { files, folders, alike, ..Info::settled(path, fate) };
        info.stages = [BASE, OURS, THEIRS].map(|tree| child.file(tree));
        info.has_folder_in_the_way = files != 0 && folders != 0;
        if folders == 0 {
            self.paths.insert(path.clone(), info);
            return None;
        }
        // The only side that may have something in this folder that matters, if there is one.
        let mut side = match untouched {
            [true, _] => Some(THEIRS),
            [_, true] => Some(OURS),
            [false, false] => None,
        };
        if files == 0 && (folders == bit(OURS) || folders == bit(THEIRS)) {
            info.alike = 7 - folders;
            side = Some(if folders == bit(OURS) { OURS } else { THEIRS });
        }
        if let Some(side) = side.map(|side| self.side(side)).filter(|_| mask != ALL_MATTERS)
            && !side.enters_all
            && !side.targets.contains(path)
        {
            side.deferred.insert(path.clone(), Deferred { mask, folder: child.folder.clone() });
            self.paths.insert(path.clone(), info);
            return None;
        }
        info.alike &= files;
        self.paths.insert(path.clone(), info);
        Some(mask)
    }

    /// Notes what rename detection needs to know about a path. Returns the mask for the paths below it.
    fn collect(&mut self, child: &Child<'_>, folder: &Path, path: &Path, alike: u8, mask: u8) -> u8 {
        let (files, folders) = (child.files(), child.folders());
        let is_gone = |side| folders & bit(BASE) != 0 && folders & bit(side) == 0;
        let mut mask = mask;
        if mask != ALL_MATTERS && (is_gone(OURS) != is_gone(THEIRS)) {
            mask = folders & !bit(BASE);
        }
        for side in OURS..=THEIRS {
            if is_gone(side) {
                let need = if mask == ALL_MATTERS { Need::ForFolderAbove } else { Need::No };
                self.side(side).gone.insert(path.clone(), need);
            }
        }
        for side in OURS..=THEIRS {
            // One side added something to the folder, so the merge asks where the other side moved the folder.
            if mask == ALL_MATTERS && files == bit(side) {
                self.side(OURS + THEIRS - side).gone.insert(folder.clone(), Need::ForItself);
            }
        }
        for side in OURS..=THEIRS {
            match (child.file(BASE), child.file(side)) {
                (Some(old), None) => {
                    let is_touched = alike & files == 0;
                    self.add_deleted(path, old, side, is_touched, mask);
                }
                (None, Some(new)) if !self.side(side).known_new.contains(path) => {
                    self.add_pair(path, new, side, Status::Added);
                }
                _ => {}
            }
        }
        mask
    }

    fn add_deleted(&mut self, path: &Path, old: Entry, side: usize, is_touched: bool, mask: u8) {
        let state = self.side(side);
        if is_touched {
            state.known_unwanted.remove(path);
            state.wanted.insert(path.clone(), Wanted::ForItself);
        } else if mask == ALL_MATTERS {
            state.wanted.insert(path.clone(), Wanted::ForItsFolder);
        }
        if state.known.get(path).is_none() && !state.known_unwanted.contains(path) {
            self.add_pair(path, old, side, Status::Deleted);
        }
    }

    fn add_pair(&mut self, path: &Path, entry: Entry, side: usize, status: Status) {
        self.side(side).pairs.push(Pair { old: path.clone(), new: path.clone(), status, entry: Some(entry) });
    }
}

impl<'t> Frame<'t> {
    fn new(trees: &'t Trees<'_>, path: Path, folder: &Folder, mask: u8) -> Self {
        let children = trees.children(folder, if path.is_empty() { 0 } else { path.len() + 1 });
        let is_new = |child: &Child<'_>| mask != 0 && child.files() == mask;
        let mask = if children.iter().any(is_new) { ALL_MATTERS } else { mask };
        Self { path, mask, children: children.into_iter() }
    }
}
