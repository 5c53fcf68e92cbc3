//! `memmap2` for a filesystem that is in memory already.
//!
//! On WASI a mapping references the kernel's immutable buffer of the file, without a copy. As with a private mapping, later writes to the
//! file do not show. On every other system this crate is the real `memmap2`.

#[cfg(not(target_os = "wasi"))]
pub use real::*;

#[cfg(target_os = "wasi")]
mod kernel;
#[cfg(target_os = "wasi")]
pub use kernel::{Mmap, MmapOptions};
