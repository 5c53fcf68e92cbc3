//! What differs between the tree in memory and a real directory.
//!
//! In the component (`kernel`) the filesystem keeps the executable bit itself, hands out contents without copying them, makes files of what is
//! compressed in an attachment, and lists a folder with everything known about its entries at once. Natively (`unix`) the same comes from the
//! system, without the attachments, and what a call changes is noted, as nothing else could take it back.

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
    set_executable, symlink,
};
#[cfg(unix)]
pub use unix::{Attached, Contents, Inflated, file_bytes, join, leaves, list, path_bytes, read, room, stat, undo};
#[cfg(unix)]
pub use unix::{
    create_dir, create_dir_all, editing, put_file, put_inflated, remove_dir, remove_dir_all, remove_file, rename,
    set_executable, symlink,
};

/// What an entry of a folder is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A pipe, socket or device: only on a real directory.
    Other,
}

/// How much a tree in memory may hold.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Bytes of all files.
    pub bytes: u64,
    /// Files, folders and links.
    pub files: u64,
}

/// What is known of a path without reading it, links not followed.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    /// What it is.
    pub kind: Kind,
    /// Whether a file can be executed.
    pub executable: bool,
    /// Bytes in a file or a link's target.
    pub size: u64,
    /// The same as git's index keeps it.
    pub index: entry::Stat,
}

/// An entry of a folder.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name, which need not be UTF-8.
    pub name: Vec<u8>,
    /// What is known of it.
    pub stat: Stat,
}
