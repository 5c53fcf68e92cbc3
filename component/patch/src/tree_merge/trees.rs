//! The three trees, folder by folder.

use std::collections::BTreeMap;
use std::ops::Range;

use super::child::{Child, Node, in_order};
use super::{Change, Files};

/// The base.
pub(super) const BASE: usize = 0;
/// Our side.
pub(super) const OURS: usize = 1;
/// Their side.
pub(super) const THEIRS: usize = 2;

/// A tree's bit in a mask.
pub(super) const fn bit(tree: usize) -> u8 {
    1 << tree
}

/// A folder: the ranges of its files in the base and of its changes on each side.
#[derive(Debug, Clone)]
pub(super) struct Folder(pub [Range<usize>; 3]);

impl Folder {
    fn first(&self, tree: usize) -> Option<usize> {
        Some(self.0[tree].start).filter(|_| !self.0[tree].is_empty())
    }
}

/// The three trees.
pub(super) struct Trees<'a> {
    base: &'a dyn Files,
    sides: [Side<'a>; 2],
}

struct Side<'a> {
    changes: &'a [Change],
    /// The number of extra files that the side has over the base, before each position.
    grown: Vec<i64>,
}

impl<'a> Trees<'a> {
    pub(super) fn new(base: &'a dyn Files, ours: &'a [Change], theirs: &'a [Change]) -> Self {
        Self { base, sides: [ours, theirs].map(Side::new) }
    }

    pub(super) fn top(&self) -> Folder {
        Folder([0..self.base.len(), 0..self.sides[0].changes.len(), 0..self.sides[1].changes.len()])
    }

    /// The changes of a side in a folder.
    pub(super) fn changes(&self, folder: &Folder, side: usize) -> &'a [Change] {
        &self.sides[side - 1].changes[folder.0[side].clone()]
    }

    /// Whether any tree, before or after, has an entry at a path, below it, or in the place of a folder above it.
    pub(super) fn have(&self, path: &[u8]) -> bool {
        let below = [path, b"/"].concat();
        let top = self.top();
        (BASE..=THEIRS).any(|tree| {
            let first_from = |path: &[u8]| {
                let (mut low, mut high) = (top.0[tree].start, top.0[tree].end);
                while low < high {
                    let middle = low + (high - low) / 2;
                    if self.path(tree, middle) < path { low = middle + 1 } else { high = middle }
                }
                (low < top.0[tree].end).then(|| self.path(tree, low))
            };
            let has = |path: &[u8]| first_from(path) == Some(path);
            let slashes = (0..path.len()).filter(|&at| path[at] == b'/');
            has(path)
                || first_from(&below).is_some_and(|first| first.starts_with(&below))
                || slashes.into_iter().any(|at| has(&path[..at]))
        })
    }

    /// Some path that goes through a child.
    pub(super) fn sample(&self, child: &Child<'_>) -> &[u8] {
        let places = (BASE..=THEIRS).map(|tree| (tree, child.changed[tree].or(child.folder.first(tree))));
        let (tree, at) = places.into_iter().find_map(|(tree, at)| Some((tree, at?))).expect("a child is in some tree");
        self.path(tree, at)
    }

    fn path(&self, tree: usize, at: usize) -> &[u8] {
        match tree {
            BASE => self.base.get(at).0,
            side => &self.sides[side - 1].changes[at].path,
        }
    }

    /// The names in a folder, in git's order. The folder's path with its slash has `prefix` bytes.
    pub(super) fn children(&self, folder: &Folder, prefix: usize) -> Vec<Child<'_>> {
        let mut children: BTreeMap<&[u8], Child<'_>> = BTreeMap::new();
        for (tree, range) in folder.0.iter().enumerate() {
            let mut at = range.start;
            while at < range.end {
                let path = &self.path(tree, at)[prefix..];
                let name_end = path.iter().position(|&byte| byte == b'/');
                let name = &path[..name_end.unwrap_or(path.len())];
                let child = children.entry(name).or_insert_with(|| Child {
                    name,
                    nodes: [Node::Nothing; 3],
                    folder: Folder([0..0, 0..0, 0..0]),
                    changed: [None; 3],
                });
                let start = at;
                match name_end {
                    None => {
                        at += 1;
                        child.changed[tree] = Some(start);
                    }
                    Some(end) => {
                        at = self.first_beyond(tree, start..range.end, prefix, &path[..=end]);
                        child.folder.0[tree] = start..at;
                    }
                }
            }
        }
        let mut children: Vec<Child<'_>> = children.into_values().collect();
        children.iter_mut().for_each(|child| self.set_nodes(child));
        in_order(children)
    }

    /// The first position in `range`, from `prefix` on, whose path is not below `folder`.
    fn first_beyond(&self, tree: usize, range: Range<usize>, prefix: usize, folder: &[u8]) -> usize {
        let (mut low, mut high, mut step) = (range.start, range.end, 1);
        // Most folders are small compared to the rest of the range.
        while low + step < high && self.path(tree, low + step)[prefix..].starts_with(folder) {
            low += step;
            step *= 2;
        }
        high = high.min(low + step);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            match self.path(tree, middle)[prefix..].starts_with(folder) {
                true => low = middle,
                false => high = middle,
            }
        }
        low + 1
    }

    fn set_nodes(&self, child: &mut Child<'_>) {
        let base = match child.changed[BASE] {
            Some(at) => Node::File(self.base.get(at).1),
            None if !child.folder.0[BASE].is_empty() => Node::Folder,
            None => Node::Nothing,
        };
        child.nodes[BASE] = base;
        for side in OURS..=THEIRS {
            let Side { changes, grown } = &self.sides[side - 1];
            let below = &child.folder.0[side];
            let files = i64::try_from(child.folder.0[BASE].len()).expect("no tree has so many files")
                + grown[below.end]
                - grown[below.start];
            let file = match child.changed[side] {
                Some(at) => changes[at].new.map(Node::File),
                None => Some(base).filter(|base| matches!(base, Node::File(_))),
            };
            child.nodes[side] = match file {
                Some(file) => file,
                None if files > 0 => Node::Folder,
                None => Node::Nothing,
            };
        }
    }
}

impl<'a> Side<'a> {
    fn new(changes: &'a [Change]) -> Self {
        let mut grown = Vec::with_capacity(changes.len() + 1);
        let mut sum = 0;
        grown.push(sum);
        for Change { old, new, .. } in changes {
            sum += i64::from(new.is_some()) - i64::from(old.is_some());
            grown.push(sum);
        }
        Self { changes, grown }
    }
}
