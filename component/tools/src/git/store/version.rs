//! What stands at a path: its mode and the id of its content.

use gix::ObjectId;

/// The mode of a submodule.
pub const SUBMODULE: u32 = 0o160_000;
/// The mode of a link.
pub const LINK: u32 = 0o120_000;

/// Whether `mode` is a regular file's.
pub fn is_file(mode: u32) -> bool {
    mode & 0o170_000 == 0o100_000
}

/// Where the content of a version is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Place {
    /// In the object database.
    Objects,
    /// In the working tree: it may be nowhere else.
    Worktree,
}

/// What stands, or stood, at a path.
#[derive(Clone, Copy, Debug)]
pub struct Version {
    /// git's mode, such as `0o100644`.
    pub mode: u32,
    /// The id of the content as git would store it.
    pub id: ObjectId,
    /// Where the content is.
    pub place: Place,
}

impl Version {
    /// A version that is in a tree or in the index.
    pub fn object(mode: u32, id: ObjectId) -> Version {
        Version { mode, id, place: Place::Objects }
    }

    /// A version that is in the working tree.
    pub fn worktree(mode: u32, id: ObjectId) -> Version {
        Version { mode, id, place: Place::Worktree }
    }

    /// What it is, without its permissions.
    pub fn kind(&self) -> u32 {
        self.mode & 0o170_000
    }
}

/// Two versions are equal if they are the same to git, wherever they are.
impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool {
        self.mode == other.mode && self.id == other.id
    }
}

impl Eq for Version {}
