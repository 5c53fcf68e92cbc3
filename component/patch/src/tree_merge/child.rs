//! One name in a folder of the three trees.

use super::Entry;
use super::trees::{BASE, Folder, OURS, THEIRS, bit};
use crate::sort::sort_by;

/// The entry of a tree at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Node {
    Nothing,
    File(Entry),
    Folder,
}

/// A name in a folder.
pub(super) struct Child<'a> {
    pub name: &'a [u8],
    /// The entry of each tree.
    pub nodes: [Node; 3],
    /// The contents, if it is a folder.
    pub folder: Folder,
    /// The changes to the path itself.
    pub changed: [Option<usize>; 3],
}

impl Child<'_> {
    /// The trees that have a file here.
    pub(super) fn files(&self) -> u8 {
        self.mask(|node| matches!(node, Node::File(_)))
    }

    /// The trees that have a folder here.
    pub(super) fn folders(&self) -> u8 {
        self.mask(|node| matches!(node, Node::Folder))
    }

    fn mask(&self, is: impl Fn(&Node) -> bool) -> u8 {
        (BASE..=THEIRS).filter(|&tree| is(&self.nodes[tree])).map(bit).sum()
    }

    pub(super) fn file(&self, tree: usize) -> Option<Entry> {
        match self.nodes[tree] {
            Node::File(entry) => Some(entry),
            Node::Nothing | Node::Folder => None,
        }
    }

    /// Whether a side has the same here as the base.
    pub(super) fn is_untouched(&self, side: usize) -> bool {
        self.nodes[BASE] != Node::Nothing
            && self.nodes[side] == self.nodes[BASE]
            && (self.nodes[BASE] != Node::Folder || self.folder.0[side].is_empty())
    }
}

/// Reorders children from name order to git's order. A tree sorts a folder as if its name ended in a slash. git takes the least name that
/// comes next in any tree, together with the other trees' entries of that name, wherever they stand.
pub(super) fn in_order(children: Vec<Child<'_>>) -> Vec<Child<'_>> {
    let mut lists = [BASE, OURS, THEIRS].map(|tree| {
        let mut list: Vec<usize> =
            (0..children.len()).filter(|&at| children[at].nodes[tree] != Node::Nothing).collect();
        let key = |at: usize| {
            let end: &[u8] = if children[at].nodes[tree] == Node::Folder { b"/" } else { b"" };
            (children[at].name, end)
        };
        sort_by(&mut list, |&a, &b| {
            let ((a, a_end), (b, b_end)) = (key(a), key(b));
            a.iter().chain(a_end).cmp(b.iter().chain(b_end))
        });
        list.into_iter().peekable()
    });
    let mut children: Vec<Option<Child<'_>>> = children.into_iter().map(Some).collect();
    let mut ordered = Vec::with_capacity(children.len());
    loop {
        for list in &mut lists {
            while list.next_if(|&at| children[at].is_none()).is_some() {}
        }
        // The children are sorted by name, so the least name has the least place.
        let Some(next) = lists.iter_mut().filter_map(|list| list.peek().copied()).min() else {
            return ordered;
        };
        ordered.extend(children[next].take());
    }
}
