//! `memmap2`, where the filesystem is already in memory.
//!
//! On WASI a mapping is a reference to the kernel's immutable buffer of the file: nothing is copied, and, as with a private
//! mapping, later writes to the file do not show. On every other system this crate is the real `memmap2`.

#[cfg(not(target_os = "wasi"))]
pub use real::*;

#[cfg(target_os = "wasi")]
mod kernel;
#[cfg(target_os = "wasi")]
pub use kernel::{Mmap, MmapOptions};
