//! The filesystem of gitgate's sandbox.
//!
//! A whole tree is one value, [`Root`]: a persistent map that is cheap to clone, and clones share
//! their common parts. A [`Kernel`] is a tree in use, with open files and the system calls of
//! POSIX. [`process`] is the kernel below `std::fs` when this crate is compiled for
//! `wasm32-wasip1`: there it defines the symbols of `wasi_snapshot_preview1` itself. A
//! [`timeline::Timeline`] is the history of a tree: undo, and the [`journal`] that stores it.
//!
//! This crate does no I/O, reads no clock, and does not know git.

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
pub use kernel::{Fd, Kernel, MtimeChange, OpenOptions, ROOT_FD};
pub use limits::Limits;
pub use resolve::SYMLINK_MAX;
pub use tree::{EPOCH, Root};
pub use verify::Inconsistency;
