//! The input of a diff: a path before and after.

use std::borrow::Cow;

use bstr::BStr;
use gix_hash::ObjectId;

/// The bits of a mode that say what kind of object it is: file, symlink or submodule.
const KIND_BITS: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;

/// What one side of a change has at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content<'a> {
    /// The bytes of a blob; for a symlink its target.
    Bytes(&'a [u8]),
    /// A commit in another repository. Its text, `Subproject commit <id>`, comes from the side's id.
    Submodule,
    /// A blob that this repository does not hold. It counts as binary, so a patch never claims to
    /// know its lines: it prints `Binary files a/x and b/x differ`. If both ids are equal, nothing
    /// is missing, and a rename or a change of mode prints in full.
    Absent,
}

/// One side of a changed path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Side<'a> {
    /// The path from the top of the repository, `/` between components, any bytes but NUL.
    pub path: &'a BStr,
    /// git's mode: `0o100644`, `0o100755`, `0o120000` or `0o160000`.
    pub mode: u32,
    /// The id of the blob, or of the submodule's commit.
    pub id: ObjectId,
    /// What the side has at the path.
    pub content: Content<'a>,
}

impl<'a> Side<'a> {
    /// The kind of object, without its permission bits.
    pub(crate) fn kind(&self) -> u32 {
        self.mode & KIND_BITS
    }

    /// The text that a line diff sees; `None` where the blob is absent.
    pub(crate) fn text(&self) -> Option<Cow<'a, [u8]>> {
        match self.content {
            Content::Bytes(bytes) => Some(Cow::Borrowed(bytes)),
            Content::Submodule => Some(Cow::Owned(format!("Subproject commit {}\n", self.id).into_bytes())),
            Content::Absent => None,
        }
    }
}

/// The kind of object that `mode` describes, without permission bits.
pub(crate) fn kind_of(mode: u32) -> u32 {
    mode & KIND_BITS
}

/// Whether `mode` is a regular file's, executable or not.
pub(crate) fn is_regular(mode: u32) -> bool {
    mode & KIND_BITS == REGULAR
}

/// One changed path, as git's diff queue holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change<'a> {
    /// A path that is new.
    Add(Side<'a>),
    /// A path that is gone.
    Delete(Side<'a>),
    /// A path whose content, mode or kind changed. git prints a change of kind (file, symlink,
    /// submodule) as a deletion and an addition, and so does [`unified`](crate::unified).
    Modify {
        /// Before.
        old: Side<'a>,
        /// After.
        new: Side<'a>,
    },
    /// A path that took the content of one that is gone.
    Rename {
        /// Before.
        old: Side<'a>,
        /// After.
        new: Side<'a>,
        /// In per cent, 0 to 100.
        similarity: u8,
    },
    /// A path that took the content of one that stays.
    Copy {
        /// The path copied from.
        old: Side<'a>,
        /// The new path.
        new: Side<'a>,
        /// In per cent, 0 to 100.
        similarity: u8,
    },
    /// A path with unresolved merge stages in the index.
    Unmerged {
        /// The path from the top of the repository.
        path: &'a BStr,
    },
}

impl<'a> Change<'a> {
    /// The side before, if the path was there.
    pub fn old_side(&self) -> Option<&Side<'a>> {
        match self {
            Self::Delete(old) | Self::Modify { old, .. } | Self::Rename { old, .. } | Self::Copy { old, .. } => {
                Some(old)
            }
            Self::Add(_) | Self::Unmerged { .. } => None,
        }
    }

    /// The side after, if the path is there.
    pub fn new_side(&self) -> Option<&Side<'a>> {
        match self {
            Self::Add(new) | Self::Modify { new, .. } | Self::Rename { new, .. } | Self::Copy { new, .. } => Some(new),
            Self::Delete(_) | Self::Unmerged { .. } => None,
        }
    }

    /// The path after the change, or the one that is gone.
    pub fn path(&self) -> &'a BStr {
        match self {
            Self::Unmerged { path } => path,
            Self::Delete(side) => side.path,
            Self::Add(new) | Self::Modify { new, .. } | Self::Rename { new, .. } | Self::Copy { new, .. } => new.path,
        }
    }

    /// Whether a file became a symlink, a submodule a file, and so on.
    pub fn is_type_change(&self) -> bool {
        matches!(self, Self::Modify { old, new } if old.kind() != new.kind())
    }
}
