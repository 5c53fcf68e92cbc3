//! Finds the destination of moved folders, and moves the other side's new files along.

use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;

use super::Objects;
use super::content::Contents;
use super::message::Kind;
use super::state::{Pair, Path, State, Status};
use super::trees::{OURS, THEIRS, Trees, bit};
use crate::deadline::{Interrupted, Ticker};
use crate::path::split;
use crate::rename::guide::majority;
use crate::sort::sort_by;

/// The files of one side that would go to one path.
#[derive(Default)]
struct Arrival {
    sources: BTreeSet<Path>,
    is_told: bool,
}

/// By their common destination.
type Arrivals = BTreeMap<Path, Arrival>;

/// A rename and the side that made it.
pub(super) struct Renamed {
    pub old: Path,
    pub new: Path,
    pub side: usize,
}

impl State<'_> {
    /// Moves new files with their folders, then merges both versions of each renamed file at one path.
    pub(super) fn settle_renames<O: Objects>(
        &mut self,
        trees: &Trees<'_>,
        contents: &mut Contents<'_, '_, O>,
    ) -> Result<(), O::Error> {
        for side in OURS..=THEIRS {
            self.side(side).add_known();
        }
        for side in OURS..=THEIRS {
            self.find_folders(side);
        }
        let mut ticker = contents.options().deadline.ticker();
        let mut arrivals = [self.arrivals(OURS, &mut ticker)?, self.arrivals(THEIRS, &mut ticker)?];
        let mut renamed = Vec::new();
        for side in OURS..=THEIRS {
            for pair in std::mem::take(&mut self.side(side).pairs) {
                ticker.tick()?;
                renamed.extend(self.follow(pair, side, &mut arrivals, trees));
            }
        }
        sort_by(&mut renamed, |a, b| a.old.cmp(&b.old));
        self.bring_together(&renamed, contents)
    }

    /// Decides where each folder that matters went: to where most of its files did.
    fn find_folders(&mut self, side: usize) {
        for (folder, counts) in std::mem::take(&mut self.side(side).moves) {
            match majority(&counts) {
                None => {}
                Some(Some(to)) => drop(self.side(side).folders.insert(folder, to.clone())),
                Some(None) => {
                    self.is_clean = false;
                    let text: &[&[u8]] = &[
                        b"CONFLICT (directory rename split): Unclear where to rename ",
                        &folder,
                        b" to; it was renamed to multiple other directories, with no destination getting a majority of the files.",
                    ];
                    self.say(Kind::DirRenameSplit, &[&folder], text);
                }
            }
        }
    }

    /// Collects the destinations of a side's files in folders that the other side moved.
    fn arrivals(&self, side: usize, ticker: &mut Ticker<'_>) -> Result<Arrivals, Interrupted> {
        let folders = &self.sides[other(side) - 1].folders;
        let mut arrivals = Arrivals::new();
        for pair in &self.sides[side - 1].pairs {
            ticker.tick()?;
            if pair.status != Status::Deleted
                && let Some((old, new)) = folder_of(&pair.new, folders)
            {
                let path = with_folder(&pair.new, old, new);
                arrivals.entry(path).or_default().sources.insert(pair.new.clone());
            }
        }
        Ok(arrivals)
    }

    /// Moves a new path with its folder, if the other side moved that. Returns the rename still to handle, if any.
    fn follow(&mut self, pair: Pair, side: usize, arrivals: &mut [Arrivals; 2], trees: &Trees<'_>) -> Option<Renamed> {
        if pair.status == Status::Deleted {
            return None;
        }
        let new = self.destination(&pair, side, arrivals, trees);
        let new = new.filter(|new| self.can_move(&pair.new, new));
        if let Some(new) = &new {
            self.move_along(&pair, new, side);
        } else if pair.status == Status::Added {
            return None;
        }
        Some(Renamed { old: pair.old, new: new.unwrap_or(pair.new), side })
    }

    /// The destination of a new path whose folder moved.
    fn destination(
        &mut self,
        pair: &Pair,
        side: usize,
        arrivals: &mut [Arrivals; 2],
        trees: &Trees<'_>,
    ) -> Option<Path> {
        let folders = &self.sides[other(side) - 1].folders;
        if folders.is_empty() || arrivals[other(side) - 1].contains_key(&pair.new) {
            return None;
        }
        let (old, new) = folder_of(&pair.new, folders)?;
        let (old, new) = (old.clone(), new.clone());
        if self.sides[side - 1].folders.contains_key(&new) {
            let text: &[&[u8]] = &[
                b"WARNING: Avoiding applying ",
                &old,
                b" -> ",
                &new,
                b" rename to ",
                &pair.new,
                b", because ",
                &new,
                b" itself was renamed.",
            ];
            self.say(Kind::DirRenameSkipped, &[&old, &pair.new, &new], text);
            return None;
        }
        let path = with_folder(&pair.new, &old, &new);
        let arrival = arrivals[side - 1].get_mut(&path).expect("each path that may go somewhere was noted");
        if arrival.is_told {
            self.is_clean = false;
            return None;
        }
        let is_taken = match self.paths.get(&path) {
            Some(info) => !info.is_open() || bit(side) & (info.files | info.folders) != 0,
            None => self.is_taken_unseen(&path, trees),
        };
        if !is_taken && arrival.sources.len() == 1 {
            return Some(path);
        }
        arrival.is_told = true;
        self.is_clean = false;
        let sources: Vec<&[u8]> = arrival.sources.iter().map(|path| &**path).collect();
        let listed = sources.join(b", ".as_slice());
        let about: Vec<&[u8]> = std::iter::once(&*path).chain(sources).collect();
        let (kind, text): (_, [&[u8]; 5]) = if is_taken {
            let start = b"CONFLICT (implicit dir rename): Existing file/dir at ";
            let middle = b" in the way of implicit directory rename(s) putting the following path(s) there: ";
            (Kind::DirRenameFileInWay, [start, &path, middle, &listed, b"."])
        } else {
            let start = b"CONFLICT (implicit dir rename): Cannot map more than one path to ";
            let middle = b"; implicit directory renames tried to put these paths there: ";
            (Kind::DirRenameCollision, [start, &path, middle, &listed, b""])
        };
        self.messages.add(kind, &about, &text);
        None
    }
}

/// The opposite side.
pub(super) fn other(side: usize) -> usize {
    OURS + THEIRS - side
}

/// The innermost moved folder above a path, and its destination.
fn folder_of<'f>(path: &[u8], folders: &'f BTreeMap<Path, Path>) -> Option<(&'f Path, &'f Path)> {
    let mut folder = split(path).0;
    while !folder.is_empty() {
        if let Some(found) = folders.get_key_value(folder) {
            return Some(found);
        }
        folder = split(folder).0;
    }
    None
}

/// The path with the folder `new` in place of `old`.
fn with_folder(path: &[u8], old: &[u8], new: &[u8]) -> Path {
    let rest = &path[old.len()..];
    let rest = if new.is_empty() { rest.trim_start_with(|byte| byte == '/') } else { rest };
    [new, rest].concat().into()
}
