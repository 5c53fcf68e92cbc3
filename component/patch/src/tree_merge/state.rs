//! The state that all steps of a merge share.

use std::collections::{BTreeMap, BTreeSet};

use bstr::BString;

use super::Entry;
use super::message::{Kind, Messages};
use super::trees::{BASE, Folder, OURS, THEIRS, bit};
use crate::hash_order::HashOrder;
use crate::merge::Labels;
use crate::rename::guide::{Moves, Need, Wanted};

pub(super) use crate::path::Path;

/// What the merge has decided for a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Nothing yet.
    Open,
    /// The path will be empty.
    Gone,
    /// Our side's entry stays, or theirs came with a whole folder.
    Kept,
    /// This entry goes to the path.
    Taken(Entry),
}

/// A path that the walk visited.
#[derive(Debug, Clone)]
pub(super) struct Info {
    pub fate: Fate,
    /// The entries of the three trees.
    pub stages: [Option<Entry>; 3],
    /// The path of each of them.
    pub names: [Path; 3],
    /// The trees with a file here. Only their stages count.
    pub files: u8,
    /// The trees with a folder here.
    pub folders: u8,
    /// The trees with equal entries here.
    pub alike: u8,
    /// Both a file and a folder claim this path.
    pub has_folder_in_the_way: bool,
    /// The location of the file is in conflict.
    pub is_misplaced: bool,
    /// The sides whose file moved here with its folder.
    pub arrived: u8,
}

impl Info {
    pub(super) fn settled(path: &Path, fate: Fate) -> Self {
        Self {
            fate,
            stages: [None; 3],
            names: [path.clone(), path.clone(), path.clone()],
            files: 0,
            folders: 0,
            alike: 0,
            has_folder_in_the_way: false,
            is_misplaced: false,
            arrived: 0,
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.fate == Fate::Open
    }

    /// Removes the entries here, except those that moved here with their folder on one of `sides`.
    ///
    /// git removes these too, and loses them or fails.
    pub(super) fn vacate(&mut self, sides: u8) {
        let stays = self.arrived & sides;
        if stays == 0 {
            self.fate = Fate::Gone;
            return;
        }
        self.files &= stays;
        self.alike = 0;
        for tree in BASE..=THEIRS {
            self.stages[tree] = self.stages[tree].filter(|_| stays & bit(tree) != 0);
        }
    }
}

/// What rename detection found out about a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Added,
    Deleted,
    Renamed,
}

/// An added path, a deleted path, or a rename of one to the other.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub old: Path,
    pub new: Path,
    pub status: Status,
    /// The entry; unknown for a rename found before a restart.
    pub entry: Option<Entry>,
}

/// A folder that the walk did not enter.
#[derive(Debug, Clone)]
pub(super) struct Deferred {
    /// As in [`State::walk`].
    pub mask: u8,
    pub folder: Folder,
}

/// The rename state of one side.
#[derive(Debug, Default)]
pub(super) struct SideState {
    pub pairs: Vec<Pair>,
    /// The deleted paths whose renames matter.
    pub wanted: BTreeMap<Path, Wanted>,
    /// The deleted folders.
    pub gone: BTreeMap<Path, Need>,
    pub moves: Moves,
    /// The destination of each folder.
    pub folders: BTreeMap<Path, Path>,
    pub deferred: HashOrder<Deferred>,
    /// The walk entered all deferred folders, so it defers no more.
    pub enters_all: bool,
    /// The folders that known renames lead to.
    pub targets: BTreeSet<Path>,
    /// Renames found before a restart; `None` for a deletion.
    pub known: HashOrder<Option<Path>>,
    /// The new paths of these renames.
    pub known_new: BTreeSet<Path>,
    /// Deleted paths that turned out not to matter.
    pub known_unwanted: BTreeSet<Path>,
}

/// Whether to start over with the known renames, to enter fewer folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Restart {
    No,
    Worthwhile,
    Done,
}

pub(super) struct State<'a> {
    pub labels: Labels<'a>,
    pub paths: BTreeMap<Path, Info>,
    /// Our side's entries at the paths that the merge may change.
    pub standing: BTreeMap<Path, Entry>,
    pub edits: BTreeMap<BString, Option<Entry>>,
    pub sides: [SideState; 2],
    pub restart: Restart,
    pub is_clean: bool,
    pub messages: Messages,
    pub needed_limit: Option<usize>,
}

impl<'a> State<'a> {
    pub(super) fn new(labels: Labels<'a>) -> Self {
        Self {
            labels,
            paths: BTreeMap::new(),
            standing: BTreeMap::new(),
            edits: BTreeMap::new(),
            sides: Default::default(),
            restart: Restart::No,
            is_clean: true,
            messages: Messages::default(),
            needed_limit: None,
        }
    }

    pub(super) fn side(&mut self, side: usize) -> &mut SideState {
        &mut self.sides[side - 1]
    }

    /// The label of a side.
    pub(super) fn label(&self, side: usize) -> &'a [u8] {
        if side == OURS { self.labels.ours } else { self.labels.theirs }
    }

    /// Whether a rename that matters is possible.
    pub(super) fn may_have_renames(&self) -> bool {
        self.sides.iter().any(|side| side.may_have_renames() || !side.known.entries().is_empty())
    }

    /// Adds a message, filed under the first of `paths`.
    pub(super) fn say(&mut self, kind: Kind, paths: &[&[u8]], text: &[&[u8]]) {
        self.messages.add(kind, paths, text);
    }

    /// The path's info, if the path is still open.
    pub(super) fn open(&mut self, path: &[u8]) -> Option<&mut Info> {
        self.paths.get_mut(path).filter(|info| info.is_open())
    }

    /// A free name for an entry that has to leave its path.
    pub(super) fn free_name(&self, path: &[u8], label: &[u8]) -> Path {
        let flat: Vec<u8> = label.iter().map(|&byte| if byte == b'/' { b'_' } else { byte }).collect();
        let name = [path, b"~", &flat].concat();
        if !self.paths.contains_key(name.as_slice()) {
            return name.into();
        }
        (0..)
            .map(|number: usize| [&name[..], format!("_{number}").as_bytes()].concat())
            .find(|name| !self.paths.contains_key(name.as_slice()))
            .expect("there are more numbers than paths")
            .into()
    }
}

impl SideState {
    pub(super) fn may_have_renames(&self) -> bool {
        !self.pairs.is_empty() && !self.wanted.is_empty()
    }
}
