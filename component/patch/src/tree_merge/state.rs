//! What all the steps of a merge work on.

use std::collections::{BTreeMap, BTreeSet};

use bstr::BString;

use super::Entry;
use super::message::{Kind, Messages};
use super::trees::{BASE, Folder, OURS, THEIRS, bit};
use crate::hash_order::HashOrder;
use crate::merge::Labels;
use crate::rename::guide::{Moves, Need, Wanted};

pub(super) use crate::path::Path;

/// What is known to become of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Not known yet.
    Open,
    /// Nothing will be there.
    Gone,
    /// What our side has there, or what was taken of theirs with a whole folder.
    Kept,
    /// This will be there.
    Taken(Entry),
}

/// A path that was come to.
#[derive(Debug, Clone)]
pub(super) struct Info {
    pub fate: Fate,
    /// The files of the three trees.
    pub stages: [Option<Entry>; 3],
    /// At which path each of them was.
    pub names: [Path; 3],
    /// Which trees have a file here; what counts of the stages.
    pub files: u8,
    /// Which trees have a folder here.
    pub folders: u8,
    /// Which trees have the same here.
    pub alike: u8,
    /// There is a file here, and a folder.
    pub has_folder_in_the_way: bool,
    /// Where it is is in conflict.
    pub is_misplaced: bool,
    /// The sides whose file came here with its folder.
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

    /// Takes away what was here, but for what came with its folder from one of `sides`.
    ///
    /// git takes that away, too, and loses it or fails.
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

/// What rename detection made of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Added,
    Deleted,
    Renamed,
}

/// A path that is new on a side, or gone, or both under two names.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub old: Path,
    pub new: Path,
    pub status: Status,
    /// What is there, or was; not known of a rename that was found before.
    pub entry: Option<Entry>,
}

/// A folder that was not entered.
#[derive(Debug, Clone)]
pub(super) struct Deferred {
    /// See [`State::walk`].
    pub mask: u8,
    pub folder: Folder,
}

/// One side, as far as renames go.
#[derive(Debug, Default)]
pub(super) struct SideState {
    pub pairs: Vec<Pair>,
    /// The deleted paths whose renames matter.
    pub wanted: BTreeMap<Path, Wanted>,
    /// The folders that are gone.
    pub gone: BTreeMap<Path, Need>,
    pub moves: Moves,
    /// Where each folder went.
    pub folders: BTreeMap<Path, Path>,
    pub deferred: HashOrder<Deferred>,
    /// All deferred folders were entered, and so are more of them.
    pub enters_all: bool,
    /// Folders that known renames lead to.
    pub targets: BTreeSet<Path>,
    /// Renames that were found before a restart, and deletions (`None`).
    pub known: HashOrder<Option<Path>>,
    /// Where they lead.
    pub known_new: BTreeSet<Path>,
    /// Deleted paths that turned out not to matter.
    pub known_unwanted: BTreeSet<Path>,
}

/// Whether to begin anew once the renames are known, so as to enter fewer folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Restart {
    No,
    Worthwhile,
    Done,
}

pub(super) struct State<'a> {
    pub labels: Labels<'a>,
    pub paths: BTreeMap<Path, Info>,
    /// What our side has at paths where something else may come.
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

    /// What a side is called.
    pub(super) fn label(&self, side: usize) -> &'a [u8] {
        if side == OURS { self.labels.ours } else { self.labels.theirs }
    }

    /// Whether there is anything that could be a rename that matters.
    pub(super) fn may_have_renames(&self) -> bool {
        self.sides.iter().any(|side| side.may_have_renames() || !side.known.entries().is_empty())
    }

    /// Says something about the first of `paths`.
    pub(super) fn say(&mut self, kind: Kind, paths: &[&[u8]], text: &[&[u8]]) {
        self.messages.add(kind, paths, text);
    }

    /// The open path at which something is.
    pub(super) fn open(&mut self, path: &[u8]) -> Option<&mut Info> {
        self.paths.get_mut(path).filter(|info| info.is_open())
    }

    /// A name for a path that has to make room: one that nothing has.
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
