//! A version of a path: its mode and the id of its content.

use gix::ObjectId;

/// The mode of a submodule.
pub const SUBMODULE: u32 = 0o160_000;
/// The mode of a link.
pub const LINK: u32 = 0o120_000;

/// Whether `mode` is that of a regular file.
pub fn is_file(mode: u32) -> bool {
    mode & 0o170_000 == 0o100_000
}

/// The storage of a version's content.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Place {
    /// In the object database.
    Objects,
    /// In the working tree, perhaps only there.
    Worktree,
}

/// A present or former version of a path.
#[derive(Clone, Copy, Debug)]
pub struct Version {
    /// git's mode, such as `0o100644`.
    pub mode: u32,
    /// The id of the content as git would store it.
    pub id: ObjectId,
    /// The storage of the content.
    pub place: Place,
}

impl Version {
    /// A version in a tree or in the index.
    pub fn object(mode: u32, id: ObjectId) -> Version {
        Version { mode, id, place: Place::Objects }
    }

    /// A version in the working tree.
    pub fn worktree(mode: u32, id: ObjectId) -> Version {
        Version { mode, id, place: Place::Worktree }
    }

    /// The mode without permission bits.
    pub fn kind(&self) -> u32 {
        self.mode & 0o170_000
    }
}

/// Versions are equal if they are the same to git, wherever they are stored.
impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool {
        self.mode == other.mode && self.id == other.id
    }
}

impl Eq for Version {}
