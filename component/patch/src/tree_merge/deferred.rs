//! Folders that only one side touched. The walk enters them only if a rename that matters may lead there.

use super::state::{Deferred, Fate, Path, Restart, State};
use super::trees::{OURS, THEIRS, Trees, bit};
use crate::deadline::{Interrupted, Ticker};
use crate::hash_order::HashOrder;

/// If looking for renames made the walk visit this many times as many paths, a restart with the known renames pays off.
const WORTH_A_RESTART: usize = 3;

impl State<'_> {
    /// Enters the deferred folders, or takes them from the side that touched them.
    pub(super) fn settle_deferred(&mut self, trees: &Trees<'_>, ticker: &mut Ticker<'_>) -> Result<(), Interrupted> {
        let before = self.paths.len();
        let mut after = None;
        for side in OURS..=THEIRS {
            let enters_all = self.has_unknown_renames(side);
            self.side(side).enters_all = enters_all;
            let deferred: HashOrder<Deferred> = std::mem::take(&mut self.side(side).deferred);
            for (path, deferred) in deferred.in_order() {
                ticker.tick()?;
                if !enters_all && !self.side(side).targets.contains(path) {
                    self.take_folder(path, deferred, side, trees);
                    continue;
                }
                if let Some(info) = self.paths.get_mut(path) {
                    info.alike &= info.files;
                }
                self.enter(trees, path.clone(), &deferred.folder, deferred.mask, ticker)?;
            }
            let more = self.side(side).deferred.clone();
            for (path, deferred) in more.entries() {
                self.take_folder(path, deferred, side, trees);
            }
            if enters_all || after.is_some() {
                after = Some(self.paths.len());
            }
        }
        match after {
            Some(after) if self.restart == Restart::No && after / before.max(1) >= WORTH_A_RESTART => {
                self.restart = Restart::Worthwhile;
            }
            None if self.restart == Restart::Done => self.restart = Restart::No,
            _ => {}
        }
        Ok(())
    }

    /// Whether the destination of some deleted path that matters is unknown. Notes the folders that the known renames lead to.
    fn has_unknown_renames(&mut self, side: usize) -> bool {
        let mut new_paths: Vec<Path> = Vec::new();
        let state = self.side(side);
        for path in state.wanted.keys().filter(|path| !state.known_unwanted.contains(*path)) {
            match state.known.get(path) {
                None => return true,
                Some(None) => {}
                Some(Some(new)) => new_paths.push(new.clone()),
            }
        }
        for path in new_paths {
            if self.paths.contains_key(&path) {
                continue;
            }
            let mut folder = path.folder();
            while !folder.is_empty() && self.side(side).targets.insert(folder.clone()) {
                folder = folder.folder();
            }
        }
        false
    }

    /// Takes a folder, or its replacement, from one side.
    fn take_folder(&mut self, path: &Path, deferred: &Deferred, side: usize, trees: &Trees<'_>) {
        let info = self.paths.get_mut(path).expect("it was come to");
        info.fate = match (info.stages[side], info.folders & bit(side) != 0) {
            (Some(_), _) if side == OURS => Fate::Kept,
            (Some(file), _) => Fate::Taken(file),
            (None, true) => Fate::Kept,
            (None, false) => Fate::Gone,
        };
        if side == OURS {
            self.standing.remove(path);
            return;
        }
        for change in trees.changes(&deferred.folder, THEIRS) {
            self.edits.insert(change.path.clone(), change.new);
        }
    }
}
