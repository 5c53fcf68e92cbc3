//! What a shell stands on: a tree, a clock, and programs that are not the shell's own.

use std::io;

use bstr::{BStr, BString};
use bytes::Bytes;

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
}

/// The metadata of an entry.
#[derive(Clone, Debug)]
pub struct Stat {
    /// What it is.
    pub kind: Kind,
    /// Bytes of a file, or of a link's target.
    pub size: u64,
    /// Whether a file can be executed.
    pub executable: bool,
    /// Whether it can be changed.
    pub writable: bool,
    /// When it was changed, in nanoseconds since the Unix epoch.
    pub modified: i128,
    /// What tells it from every other entry.
    pub inode: u64,
}

/// Wall clock time. The world's stands still while a script runs, so that the same script gives the same bytes.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// Nanoseconds since the Unix epoch.
    pub nanos: i128,
    /// The time zone, in seconds east of UTC.
    pub utc_offset: i32,
}

/// What a program of the world has come to.
#[derive(Debug, Default)]
pub struct Ran {
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it said about errors.
    pub stderr: Vec<u8>,
    /// Its exit code.
    pub status: i32,
}

/// Why a whole script ends, whatever it would do about it. Nothing of what it did may stay.
#[derive(Debug)]
pub enum Halt {
    /// The time is over.
    Timeout,
    /// It holds more bytes in memory than it may, or nests too deeply; in words.
    TooLarge(String),
    /// The world needs something from outside, or failed. The world knows what.
    World(Box<dyn std::any::Any>),
}

/// A call of a program that is not the shell's own.
#[derive(Debug)]
pub struct Called {
    /// Its name.
    pub name: String,
    /// Its arguments.
    pub args: Vec<BString>,
    /// Where it was called, as an absolute path.
    pub folder: BString,
    /// What it can read.
    pub stdin: Bytes,
    /// The exported variables.
    pub env: Vec<(String, BString)>,
}

/// A tree and what is around it. Paths are absolute, and have neither `.` nor `..`.
pub trait World {
    /// The metadata of `path`: of what a link leads to, if `follow`.
    fn stat(&self, path: &BStr, follow: bool) -> io::Result<Stat>;
    /// The entries of a folder, sorted by name, with their own metadata.
    fn list(&self, path: &BStr) -> io::Result<Vec<(BString, Stat)>>;
    /// The content of a file.
    fn read(&self, path: &BStr) -> io::Result<Bytes>;
    /// Writes a whole file. A new one is not executable, and one that exists stays as it is.
    fn write(&self, path: &BStr, content: Vec<u8>) -> io::Result<()>;
    /// Makes a folder, whose parent exists.
    fn make_folder(&self, path: &BStr) -> io::Result<()>;
    /// Removes a file or a link.
    fn remove_file(&self, path: &BStr) -> io::Result<()>;
    /// Removes an empty folder.
    fn remove_folder(&self, path: &BStr) -> io::Result<()>;
    /// Renames an entry, and replaces a file or an empty folder of the new name.
    fn rename(&self, from: &BStr, to: &BStr) -> io::Result<()>;
    /// Makes a symbolic link to `target`.
    fn link(&self, target: &BStr, path: &BStr) -> io::Result<()>;
    /// Where a link leads.
    fn read_link(&self, path: &BStr) -> io::Result<BString>;
    /// The path without links. It must exist.
    fn real_path(&self, path: &BStr) -> io::Result<BString>;
    /// Makes a file executable, or takes that back.
    fn set_executable(&self, path: &BStr, executable: bool) -> io::Result<()>;
    /// Sets when an entry was changed, in nanoseconds since the Unix epoch.
    fn set_modified(&self, path: &BStr, nanos: i128) -> io::Result<()>;
    /// The time.
    fn now(&self) -> Now;
    /// A number that no result should depend on.
    fn random(&self) -> u64;
    /// Counts units of work, of about a microsecond or less, and says whether the time is over.
    fn passed(&self, units: u32) -> bool;
    /// Whether there is a program of this name that is not the shell's own. Whoever runs the script serves it.
    fn has_program(&self, name: &str) -> bool;
}
