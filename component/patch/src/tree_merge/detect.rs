//! Finds the renames of each side that matter.

use std::borrow::Cow;

use bstr::ByteSlice;
use gix_hash::{Kind, ObjectId};

use super::Objects;
use super::content::Contents;
use super::state::{Pair, Path, Restart, SideState, State, Status};
use super::trees::{OURS, THEIRS};
use crate::rename::guide::{Guide, Wanted};
use crate::rename::{self, File};

impl State<'_> {
    /// Finds the renames of both sides. Returns whether there was anything to search.
    pub(super) fn detect<O: Objects>(&mut self, contents: &mut Contents<'_, '_, O>) -> Result<bool, O::Error> {
        let mut was_run = false;
        for side in OURS..=THEIRS {
            let state = self.side(side);
            state.forget_known();
            if !state.may_have_renames() {
                continue;
            }
            was_run = true;
            let needed_limit = state.detect(contents)?;
            self.needed_limit = self.needed_limit.max(needed_limit);
        }
        Ok(was_run)
    }

    /// Whether a restart with the known renames pays off.
    pub(super) fn is_worth_a_restart(&self, was_run: bool) -> bool {
        self.restart == Restart::Worthwhile && was_run && self.needed_limit.is_none()
    }

    /// Starts over, but keeps the known renames.
    pub(super) fn restart(&mut self) {
        for side in &mut self.sides {
            side.restart();
        }
        self.paths.clear();
        self.standing.clear();
        self.edits.clear();
        self.restart = Restart::Done;
    }
}

impl SideState {
    /// Drops the paths whose renames are known.
    fn forget_known(&mut self) {
        let Self { wanted, known, known_unwanted, .. } = self;
        wanted.retain(|path, _| known.get(path).is_none() && !known_unwanted.contains(path));
    }

    fn detect<O: Objects>(&mut self, contents: &mut Contents<'_, '_, O>) -> Result<Option<usize>, O::Error> {
        let empty = ObjectId::empty_blob(Kind::Sha1);
        let with = |status: Status| -> (Vec<usize>, Vec<File<'_>>) {
            let listed = self.pairs.iter().enumerate().filter(|(_, pair)| pair.status == status);
            let files = listed.filter_map(|(at, pair)| {
                let entry = pair.entry.filter(|entry| entry.id != empty)?;
                Some((at, File { path: pair.new.as_bstr(), mode: entry.mode, id: entry.id }))
            });
            files.unzip()
        };
        let (deleted_at, deleted) = with(Status::Deleted);
        let (added_at, added) = with(Status::Added);
        let known: Vec<(Path, Path)> =
            self.known.in_order().filter_map(|(old, new)| Some((old.clone(), new.clone()?))).collect();
        let mut guide = Guide::new(&mut self.wanted, &mut self.gone, &known);
        let options = rename::Options {
            limit: contents.options().rename_limit,
            deadline: contents.options().deadline,
            ..rename::Options::default()
        };
        let found = rename::detect_guided(&deleted, &added, &options, &mut guide, |file| {
            contents.blob(file.path, &file.id).map(|blob| blob.map(Cow::Owned))
        })?;
        self.moves = guide.into_moves();
        let mut is_used = vec![false; self.pairs.len()];
        for rename in &found.renames {
            let (old, new) = (deleted_at[rename.deleted], added_at[rename.added]);
            is_used[old] = true;
            self.pairs[new].old = self.pairs[old].old.clone();
            self.pairs[new].status = Status::Renamed;
        }
        let mut is_used = is_used.into_iter();
        self.pairs.retain(|_| is_used.next() == Some(false));
        Ok(found.needed_limit)
    }

    /// Remembers the renames found, and drops the other pairs.
    fn restart(&mut self) {
        for Pair { old, new, status, .. } in &self.pairs {
            match (self.wanted.get(old), status) {
                (None, _) => {}
                (Some(Wanted::NoMore), _) => drop(self.known_unwanted.insert(old.clone())),
                (Some(_), Status::Deleted) => self.known.insert(old.clone(), None),
                (Some(_), _) => {
                    self.known.insert(old.clone(), Some(new.clone()));
                    self.known_new.insert(new.clone());
                }
            }
        }
        let Self { moves, deferred, known, known_new, known_unwanted, .. } = std::mem::take(self);
        *self = Self { moves, deferred: deferred.emptied(), known, known_new, known_unwanted, ..Self::default() };
    }

    /// Adds the renames known from before to those just found.
    pub(super) fn add_known(&mut self) {
        for (old, new) in self.known.in_order() {
            let status = if new.is_some() { Status::Renamed } else { Status::Deleted };
            let new = new.as_ref().unwrap_or(old).clone();
            self.pairs.push(Pair { old: old.clone(), new, status, entry: None });
        }
    }
}
