//! The differences between the tree in memory and a real directory.
//!
//! In the component (`kernel`), the filesystem stores the executable bit, returns contents without a copy, creates files from the
//! compressed data of an attachment, and lists a folder with the metadata of all entries. Natively (`unix`), the system does all this
//! except for attachments. There, a log records each change, because nothing else could roll a call back.

use gix::index::entry;

#[cfg(target_os = "wasi")]
mod kernel;
#[cfg(unix)]
mod unix;

#[cfg(target_os = "wasi")]
pub use kernel::{Attached, Contents, Inflated, file_bytes, join, leaves, list, path_bytes, read, room, stat};
#[cfg(target_os = "wasi")]
pub use kernel::{
    create_dir, create_dir_all, editing, put_file, put_inflated, remove_dir, remove_dir_all, remove_file, rename,
    set_executable, set_modified, symlink,
};
#[cfg(unix)]
pub use unix::{Attached, Contents, Inflated, file_bytes, join, leaves, list, path_bytes, read, room, stat, undo};
#[cfg(unix)]
pub use unix::{
    create_dir, create_dir_all, editing, put_file, put_inflated, remove_dir, remove_dir_all, remove_file, rename,
    set_executable, set_modified, symlink,
};

/// The type of a folder's entry.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A pipe, socket or device. Exists only on a real directory.
    Other,
}

/// The capacity of a tree in memory.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Bytes of all files.
    pub bytes: u64,
    /// Files, folders and links.
    pub files: u64,
}

/// Metadata of a path, without following links.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    /// The type.
    pub kind: Kind,
    /// Whether the file is executable.
    pub executable: bool,
    /// Size in bytes of a file or of a link's target.
    pub size: u64,
    /// The same data as git's index stores it.
    pub index: entry::Stat,
}

/// An entry of a folder.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name, which need not be UTF-8.
    pub name: Vec<u8>,
    /// The metadata.
    pub stat: Stat,
}
