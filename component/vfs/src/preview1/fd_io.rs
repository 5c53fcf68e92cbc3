//! Reading and writing.

use std::io::SeekFrom;

use super::{call, memory};
use crate::{errno::Errno, kernel::Kernel, process};

/// Reads into the buffers in turn, until one is not filled.
///
/// # Safety
///
/// The list and its buffers must be the caller's, and `result` the address of a `size`.
unsafe fn read_all(
    kernel: &mut Kernel,
    (list, count, result): (i32, i32, i32),
    mut read: impl FnMut(&mut Kernel, &mut [u8], u64) -> Result<usize, Errno>,
) -> Result<(), Errno> {
    let mut total = 0_u64;
    // SAFETY: the caller of this function promises it.
    for (address, length) in unsafe { memory::vectors(list, count) }? {
        // SAFETY: the caller of this function promises it.
        let buffer = unsafe { memory::slice_mut(address, length) }?;
        let read = match read(kernel, buffer, total) {
            Ok(read) => read,
            Err(_) if total > 0 => break,
            Err(errno) => return Err(errno),
        };
        total += read as u64;
        if read < buffer.len() {
            break;
        }
    }
    // SAFETY: the caller of this function promises it.
    unsafe { memory::store(result, &(total as u32).to_le_bytes()) }
}

/// Writes the buffers in turn, until one cannot be written.
///
/// # Safety
///
/// As for [`read_all`].
unsafe fn write_all(
    kernel: &mut Kernel,
    (list, count, result): (i32, i32, i32),
    mut write: impl FnMut(&mut Kernel, &[u8], u64) -> Result<usize, Errno>,
) -> Result<(), Errno> {
    let mut total = 0_u64;
    // SAFETY: the caller of this function promises it.
    for (address, length) in unsafe { memory::vectors(list, count) }? {
        // SAFETY: the caller of this function promises it.
        let buffer = unsafe { memory::slice(address, length) }?;
        match write(kernel, buffer, total) {
            Ok(written) => total += written as u64,
            Err(_) if total > 0 => break,
            Err(errno) => return Err(errno),
        }
    }
    // SAFETY: the caller of this function promises it.
    unsafe { memory::store(result, &(total as u32).to_le_bytes()) }
}

fn at(offset: i64, done: u64) -> Result<u64, Errno> {
    u64::try_from(offset).ok().and_then(|offset| offset.checked_add(done)).ok_or(Errno::Inval)
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_read")]
unsafe extern "C" fn fd_read(fd: i32, list: i32, count: i32, result: i32) -> i32 {
    call(|kernel| {
        // SAFETY: the caller gives a list of its buffers and the address of a `size`.
        unsafe { read_all(kernel, (list, count, result), |kernel, buffer, _| kernel.read(fd as u32, buffer)) }
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_pread")]
unsafe extern "C" fn fd_pread(fd: i32, list: i32, count: i32, offset: i64, result: i32) -> i32 {
    call(|kernel| {
        let read = |kernel: &mut Kernel, buffer: &mut [u8], done| kernel.pread(fd as u32, buffer, at(offset, done)?);
        // SAFETY: the caller gives a list of its buffers and the address of a `size`.
        unsafe { read_all(kernel, (list, count, result), read) }
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_write")]
unsafe extern "C" fn fd_write(fd: i32, list: i32, count: i32, result: i32) -> i32 {
    #[cfg(feature = "stdio")]
    if fd == 1 || fd == 2 {
        // SAFETY: the host takes the same arguments.
        return unsafe { super::real::fd_write(fd, list, count, result) };
    }
    call(|kernel| {
        // SAFETY: the caller gives a list of its buffers and the address of a `size`.
        unsafe { write_all(kernel, (list, count, result), |kernel, buffer, _| kernel.write(fd as u32, buffer)) }
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_pwrite")]
unsafe extern "C" fn fd_pwrite(fd: i32, list: i32, count: i32, offset: i64, result: i32) -> i32 {
    call(|kernel| {
        let write = |kernel: &mut Kernel, buffer: &[u8], done| kernel.pwrite(fd as u32, buffer, at(offset, done)?);
        // SAFETY: the caller gives a list of its buffers and the address of a `size`.
        unsafe { write_all(kernel, (list, count, result), write) }
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_seek")]
unsafe extern "C" fn fd_seek(fd: i32, offset: i64, whence: i32, result: i32) -> i32 {
    call(|kernel| {
        let to = match whence {
            0 => SeekFrom::Start(u64::try_from(offset).map_err(|_| Errno::Inval)?),
            1 => SeekFrom::Current(offset),
            2 => SeekFrom::End(offset),
            _ => return Err(Errno::Inval),
        };
        let position = kernel.seek(fd as u32, to)?;
        // SAFETY: the caller gives the address of a `filesize`.
        unsafe { memory::store(result, &position.to_le_bytes()) }
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_tell")]
unsafe extern "C" fn fd_tell(fd: i32, result: i32) -> i32 {
    call(|kernel| {
        let position = kernel.seek(fd as u32, SeekFrom::Current(0))?;
        // SAFETY: the caller gives the address of a `filesize`.
        unsafe { memory::store(result, &position.to_le_bytes()) }
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_random_get")]
unsafe extern "C" fn random_get(buffer: i32, length: i32) -> i32 {
    // SAFETY: the caller gives a buffer of its own.
    super::code(
        unsafe { memory::slice_mut(buffer, length) }.map(|buffer| process::with(|kernel| kernel.random(buffer))),
    )
}

/// `random_get` for an adapter module: std imports this function directly, not through wasi-libc.
#[unsafe(no_mangle)]
unsafe extern "C" fn vfs_random_get(buffer: i32, length: i32) -> i32 {
    // SAFETY: the adapter passes on its own arguments.
    unsafe { random_get(buffer, length) }
}
