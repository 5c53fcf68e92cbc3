//! Inodes: files, directories and symbolic links, and their `stat`.

use std::{borrow::Borrow, fmt, ops::Deref, sync::Arc};

use imbl::OrdMap;

use crate::content::Content;

/// The number of an inode. It keeps its meaning across journal replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ino(pub u64);

/// The name of a directory entry: 1 to 255 bytes without `/` and NUL, neither `.` nor `..`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Arc<[u8]>);

/// The longest name of a directory entry, in bytes.
pub const NAME_MAX: usize = 255;

impl Name {
    /// The name; `None` if the bytes cannot be one.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let fits = !bytes.is_empty() && bytes.len() <= NAME_MAX && bytes != b"." && bytes != b"..";
        (fits && !bytes.iter().any(|&byte| byte == b'/' || byte == 0)).then(|| Self(bytes.into()))
    }
}

impl Borrow<[u8]> for Name {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl Deref for Name {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

/// The entries of a directory, ordered by the bytes of their names.
pub type Entries = OrdMap<Name, Ino>;

/// The contents of an inode.
#[derive(Clone, Debug)]
pub enum Node {
    /// A regular file.
    File(Content),
    /// A directory, without `.` and `..`.
    Directory(Entries),
    /// A symbolic link and its target.
    Symlink(Arc<[u8]>),
}

/// An inode with its metadata.
#[derive(Clone, Debug)]
pub struct Inode {
    /// What it is.
    pub node: Node,
    /// Its directory. For a file with several links, some directory that held it at some time.
    pub parent: Ino,
    /// The number of directory entries that name it.
    pub nlink: u32,
    /// Whether the file is executable.
    pub executable: bool,
    /// Logical modification time, in whole seconds since the epoch.
    pub mtime: u64,
}

/// The kind of an inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
}

impl Inode {
    /// The kind.
    pub fn kind(&self) -> Kind {
        match self.node {
            Node::File(_) => Kind::File,
            Node::Directory(_) => Kind::Directory,
            Node::Symlink(_) => Kind::Symlink,
        }
    }

    /// Length in bytes of a file's content or a link's target; 0 for a directory.
    pub fn size(&self) -> u64 {
        match &self.node {
            Node::File(content) => content.len(),
            Node::Directory(_) => 0,
            Node::Symlink(target) => target.len() as u64,
        }
    }

    /// The content of a regular file.
    pub fn content(&self) -> Option<&Content> {
        match &self.node {
            Node::File(content) => Some(content),
            _ => None,
        }
    }

    /// The entries of a directory.
    pub fn entries(&self) -> Option<&Entries> {
        match &self.node {
            Node::Directory(entries) => Some(entries),
            _ => None,
        }
    }

    /// The `stat` of this inode under the number `ino`.
    pub fn stat(&self, ino: Ino) -> Stat {
        Stat {
            ino,
            kind: self.kind(),
            size: self.size(),
            mtime: self.mtime,
            nlink: self.nlink,
            executable: self.executable,
        }
    }
}

/// An inode in a tree. Comparison is by identity, so a diff of two trees skips everything they
/// share.
#[derive(Clone, Debug)]
pub(crate) struct Shared(pub(crate) Arc<Inode>);

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for Shared {
    type Target = Inode;

    fn deref(&self) -> &Inode {
        &self.0
    }
}

/// The result of `stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// The number of the inode.
    pub ino: Ino,
    /// The kind.
    pub kind: Kind,
    /// Length in bytes; 0 for a directory.
    pub size: u64,
    /// Logical modification time, in whole seconds since the epoch.
    pub mtime: u64,
    /// The number of directory entries that name it; always 1 for a directory.
    pub nlink: u32,
    /// Whether the file is executable.
    pub executable: bool,
}
