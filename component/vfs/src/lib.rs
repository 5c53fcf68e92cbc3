//! The filesystem that gitgate's sandbox lives in.
//!
//! A whole tree is one value, [`Root`]: a persistent map, cheap to clone, whose clones share what
//! they have in common. A [`Kernel`] is a tree in use, with open files and the system calls of POSIX.
//! [`process`] is the kernel that `std::fs` stands on when this crate is compiled for
//! `wasm32-wasip1`: it then defines the symbols of `wasi_snapshot_preview1` itself.
//! A [`timeline::Timeline`] is what a tree went through: undo, and the [`journal`] that keeps it.
//!
//! Nothing here does I/O, reads a clock, or knows of git.

#![deny(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]
#![cfg_attr(not(target_os = "wasi"), forbid(unsafe_code))]

pub mod content;
mod deflated;
pub mod delta;
pub mod diff;
mod errno;
mod graft;
pub mod inode;
pub mod journal;
pub mod kernel;
mod limits;
#[cfg(target_os = "wasi")]
mod memcmp;
#[cfg(target_os = "wasi")]
mod preview1;
pub mod process;
mod resolve;
pub mod timeline;
mod tree;
mod varint;
mod verify;

pub use bytes::Bytes;
pub use content::{AttachmentId, Content};
pub use errno::Errno;
pub use inode::{Ino, Kind, Name, Stat};
pub use kernel::{Fd, Kernel, OpenOptions, ROOT_FD};
pub use limits::Limits;
pub use resolve::SYMLINK_MAX;
pub use tree::{EPOCH, Root};
pub use verify::Inconsistency;
