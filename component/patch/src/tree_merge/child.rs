//! A name in a folder of the three trees.

use super::Entry;
use super::trees::{BASE, Folder, OURS, THEIRS, bit};
use crate::sort::sort_by;

/// What a tree has at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Node {
    Nothing,
    File(Entry),
    Folder,
}

/// A name in a folder.
pub(super) struct Child<'a> {
    pub name: &'a [u8],
    /// What each tree has there.
    pub nodes: [Node; 3],
    /// What is below it, where it is a folder.
    pub folder: Folder,
    /// What is changed at the path itself.
    pub changed: [Option<usize>; 3],
}

impl Child<'_> {
    /// The trees that have a file there.
    pub(super) fn files(&self) -> u8 {
        self.mask(|node| matches!(node, Node::File(_)))
    }

    /// The trees that have a folder there.
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

    /// Whether a side has there what the base has.
    pub(super) fn is_untouched(&self, side: usize) -> bool {
        self.nodes[BASE] != Node::Nothing
            && self.nodes[side] == self.nodes[BASE]
            && (self.nodes[BASE] != Node::Folder || self.folder.0[side].is_empty())
    }
}

/// Puts children that are sorted by name in git's order. In a tree a folder stands where its name would with a slash. git takes the least
/// name of those that come next in the trees, and with it what the other trees have of that name, wherever it stands.
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
        // They are sorted by name, so the least name is the least place.
        let Some(next) = lists.iter_mut().filter_map(|list| list.peek().copied()).min() else {
            return ordered;
        };
        ordered.extend(children[next].take());
    }
}
