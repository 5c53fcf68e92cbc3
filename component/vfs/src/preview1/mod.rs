//! The 45 functions of `wasi_snapshot_preview1`, defined in this module.
//!
//! wasi-libc, and `std::fs` on top of it, would import them. Defining their symbols puts the
//! process's kernel in their place. This is the only unsafe code of the crate. It turns the
//! caller's addresses into slices (`memory`), writes results in preview1's layout (`layout`), and
//! leaves the rest to [`Kernel`]. Every safety contract is that of the interface: the caller's
//! addresses are valid for the lengths it gives.
//!
//! wasi-libc declares pointers as `i32`, and so do these functions. Results are error numbers, 0
//! for success.

mod environment;
mod fd;
mod fd_io;
mod layout;
mod memory;
mod path;
#[cfg(feature = "stdio")]
mod real;
mod sockets;

use crate::{errno::Errno, kernel::Kernel, process};

/// Runs a call on the kernel and turns its result into an error number.
fn call(f: impl FnOnce(&mut Kernel) -> Result<(), Errno>) -> i32 {
    code(process::with(f))
}

fn code(result: Result<(), Errno>) -> i32 {
    match result {
        Ok(()) => 0,
        Err(errno) => i32::from(errno.raw()),
    }
}
