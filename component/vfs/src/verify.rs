//! Checks all invariants of a tree.

use std::{collections::BTreeMap, fmt};

use crate::{
    inode::{Ino, Kind},
    tree::Root,
};

/// A violated invariant of [`Root`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inconsistency {
    /// The inode concerned.
    pub ino: Ino,
    /// The violation.
    pub what: &'static str,
}

impl fmt::Display for Inconsistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "inode {}: {}", self.ino.0, self.what)
    }
}

impl std::error::Error for Inconsistency {}

impl Root {
    /// Checks every invariant of the tree, in time linear in its size.
    pub fn verify(&self) -> Result<(), Inconsistency> {
        let wrong = |ino, what| Err(Inconsistency { ino, what });
        match self.get(Self::INO) {
            Some(root) if root.kind() == Kind::Directory && root.parent == Self::INO => {}
            _ => return wrong(Self::INO, "the root is not a directory"),
        }
        let mut links = BTreeMap::from([(Self::INO, 1_u32)]);
        let mut pending = vec![Self::INO];
        while let Some(dir) = pending.pop() {
            let entries = self.get(dir).and_then(|inode| inode.entries());
            for (_, &ino) in entries.into_iter().flatten() {
                let Some(inode) = self.get(ino) else {
                    return wrong(ino, "is named but does not exist");
                };
                let links = links.entry(ino).or_default();
                *links += 1;
                if inode.kind() == Kind::Directory {
                    if *links > 1 || inode.parent != dir {
                        return wrong(ino, "is a directory with two names or a wrong name");
                    }
                    pending.push(ino);
                }
            }
        }
        let mut bytes = 0_u64;
        for (ino, inode) in self.inodes() {
            if links.get(&ino) != Some(&inode.nlink) {
                return wrong(ino, "has a link count that differs from its number of names");
            }
            if inode.executable && inode.kind() != Kind::File {
                return wrong(ino, "is executable but not a file");
            }
            if ino.0 >= self.next_ino || inode.parent.0 >= self.next_ino {
                return wrong(ino, "has a number that was never assigned");
            }
            bytes = bytes.saturating_add(inode.size());
        }
        if bytes != self.bytes {
            return wrong(Self::INO, "the tree's byte count is wrong");
        }
        Ok(())
    }
}
