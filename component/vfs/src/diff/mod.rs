//! The difference of two trees, in time proportional to what differs.

mod paths;
mod touched;

use imbl::ordmap::DiffItem;

pub use paths::{ChangedPaths, changed_paths};

use crate::{
    content::Content,
    inode::{Entries, Ino, Inode, Name, Node},
    tree::Root,
};

/// An inode that differs between two trees.
#[derive(Clone, Copy, Debug)]
pub struct InodeChange<'a> {
    /// Its number.
    pub ino: Ino,
    /// The old inode; `None` if it is new.
    pub old: Option<&'a Inode>,
    /// The new inode; `None` if it was removed.
    pub new: Option<&'a Inode>,
}

/// A directory entry that differs between two directories.
#[derive(Clone, Copy, Debug)]
pub struct EntryChange<'a> {
    /// The name.
    pub name: &'a Name,
    /// The old target.
    pub old: Option<Ino>,
    /// The new target.
    pub new: Option<Ino>,
}

/// What happened to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// It is new.
    Added,
    /// Its content, target, executable bit or kind changed.
    Modified,
    /// It was removed.
    Deleted,
}

/// The inodes that two trees do not share, by number.
pub fn changed_inodes<'a>(old: &'a Root, new: &'a Root) -> impl Iterator<Item = InodeChange<'a>> {
    old.inodes.diff(&new.inodes).map(|item| match item {
        DiffItem::Add(&ino, inode) => InodeChange { ino, old: None, new: Some(&inode.0) },
        DiffItem::Remove(&ino, inode) => InodeChange { ino, old: Some(&inode.0), new: None },
        DiffItem::Update { old: (&ino, old), new: (_, new) } => {
            InodeChange { ino, old: Some(&old.0), new: Some(&new.0) }
        }
    })
}

/// The entries that two directories do not share, by name.
pub fn changed_entries<'a>(old: &'a Entries, new: &'a Entries) -> impl Iterator<Item = EntryChange<'a>> {
    old.diff(new).map(|item| match item {
        DiffItem::Add(name, &ino) => EntryChange { name, old: None, new: Some(ino) },
        DiffItem::Remove(name, &ino) => EntryChange { name, old: Some(ino), new: None },
        DiffItem::Update { old: (name, &old), new: (_, &new) } => EntryChange { name, old: Some(old), new: Some(new) },
    })
}

/// Bytes that only `old` holds, and `new` does not: the cost of keeping `old` beside `new`, with an
/// allowance for each changed inode.
pub(crate) fn unshared_bytes(old: &Root, new: &Root) -> u64 {
    const INODE: u64 = 256;
    let cost = |change: InodeChange<'_>| {
        let kept = change.new.and_then(Inode::content);
        let held = change.old.and_then(Inode::content).filter(|held| !kept.is_some_and(|kept| kept.ptr_eq(held)));
        INODE + held.map_or(0, Content::len)
    };
    changed_inodes(old, new).map(cost).sum()
}

/// Whether a user would call both the same: times and link counts do not count.
fn same(old: &Inode, new: &Inode) -> bool {
    match (&old.node, &new.node) {
        (Node::File(a), Node::File(b)) => old.executable == new.executable && a.is_same(b),
        (Node::Directory(_), Node::Directory(_)) => true,
        (Node::Symlink(a), Node::Symlink(b)) => a == b,
        _ => false,
    }
}
