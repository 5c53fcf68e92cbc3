//! Descriptors: their state, their metadata, and directories.

use super::{call, layout, memory};
use crate::{
    errno::Errno,
    kernel::{Kernel, MtimeChange, ROOT_FD},
};

/// `fstflags`: which times to set, and how.
const SET_MTIME: i32 = 4;
const SET_MTIME_NOW: i32 = 8;

/// The new time that `fstflags` and a time in nanoseconds ask for. The kernel keeps no access
/// times.
pub(super) fn mtime_change(nanoseconds: i64, flags: i32) -> Result<Option<MtimeChange>, Errno> {
    match (flags & SET_MTIME != 0, flags & SET_MTIME_NOW != 0) {
        (true, true) => Err(Errno::Inval),
        (true, false) => Ok(Some(MtimeChange::At(nanoseconds as u64 / 1_000_000_000))),
        (false, true) => Ok(Some(MtimeChange::Now)),
        (false, false) => Ok(None),
    }
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_close")]
unsafe extern "C" fn fd_close(fd: i32) -> i32 {
    call(|kernel| kernel.close(fd as u32))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_renumber")]
unsafe extern "C" fn fd_renumber(fd: i32, to: i32) -> i32 {
    call(|kernel| kernel.renumber(fd as u32, to as u32))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_fdstat_get")]
unsafe extern "C" fn fd_fdstat_get(fd: i32, result: i32) -> i32 {
    call(|kernel| {
        let stat = layout::fdstat(kernel.fd_stat(fd as u32)?);
        // SAFETY: the caller gives the address of an `fdstat`.
        unsafe { memory::store(result, &stat) }
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_fdstat_set_flags")]
unsafe extern "C" fn fd_fdstat_set_flags(fd: i32, flags: i32) -> i32 {
    let append = flags as u16 & layout::FDFLAG_APPEND != 0;
    call(|kernel| kernel.set_append(fd as u32, append))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_fdstat_set_rights")]
unsafe extern "C" fn fd_fdstat_set_rights(fd: i32, _base: i64, _inheriting: i64) -> i32 {
    call(|kernel| kernel.sync(fd as u32))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_filestat_get")]
unsafe extern "C" fn fd_filestat_get(fd: i32, result: i32) -> i32 {
    call(|kernel| {
        let stat = layout::filestat(kernel.stat_fd(fd as u32)?);
        // SAFETY: the caller gives the address of a `filestat`.
        unsafe { memory::store(result, &stat) }
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_filestat_set_size")]
unsafe extern "C" fn fd_filestat_set_size(fd: i32, size: i64) -> i32 {
    call(|kernel| kernel.set_size(fd as u32, size as u64))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_filestat_set_times")]
unsafe extern "C" fn fd_filestat_set_times(fd: i32, _atime: i64, mtime: i64, flags: i32) -> i32 {
    call(|kernel| match mtime_change(mtime, flags)? {
        Some(change) => kernel.set_mtime_fd(fd as u32, change),
        None => kernel.sync(fd as u32),
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_advise")]
unsafe extern "C" fn fd_advise(fd: i32, _offset: i64, _length: i64, advice: i32) -> i32 {
    call(|kernel| if (0..6).contains(&advice) { kernel.sync(fd as u32) } else { Err(Errno::Inval) })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_allocate")]
unsafe extern "C" fn fd_allocate(fd: i32, offset: i64, length: i64) -> i32 {
    call(|kernel| kernel.allocate(fd as u32, offset as u64, length as u64))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_sync")]
unsafe extern "C" fn fd_sync(fd: i32) -> i32 {
    call(|kernel| kernel.sync(fd as u32))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_datasync")]
unsafe extern "C" fn fd_datasync(fd: i32) -> i32 {
    call(|kernel| kernel.sync(fd as u32))
}

/// Only the root directory is preopened, under the name `/`.
#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_prestat_get")]
unsafe extern "C" fn fd_prestat_get(fd: i32, result: i32) -> i32 {
    call(|kernel| {
        preopened(kernel, fd)?;
        // SAFETY: the caller gives the address of a `prestat`: a tag, 0 for a directory, and the
        // length of its name.
        unsafe { memory::store(result, &[0, 0, 0, 0, 1, 0, 0, 0]) }
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_prestat_dir_name")]
unsafe extern "C" fn fd_prestat_dir_name(fd: i32, path: i32, length: i32) -> i32 {
    call(|kernel| {
        preopened(kernel, fd)?;
        if length < 1 {
            return Err(Errno::Nametoolong);
        }
        // SAFETY: the caller gives an address with room for at least one byte.
        unsafe { memory::store(path, b"/") }
    })
}

fn preopened(kernel: &mut Kernel, fd: i32) -> Result<(), Errno> {
    if fd as u32 == ROOT_FD { kernel.sync(ROOT_FD) } else { Err(Errno::Badf) }
}

/// An entry is cut off at the end of the buffer: a full buffer tells the caller that there are
/// more.
#[unsafe(export_name = "__imported_wasi_snapshot_preview1_fd_readdir")]
unsafe extern "C" fn fd_readdir(fd: i32, buffer: i32, length: i32, cookie: i64, result: i32) -> i32 {
    call(|kernel| {
        // SAFETY: the caller gives a buffer of its own.
        let buffer = unsafe { memory::slice_mut(buffer, length) }?;
        let mut used = 0;
        kernel.readdir(fd as u32, cookie as u64, |entry| {
            let head = layout::dirent(entry.next, entry.ino.0, entry.name.len(), entry.kind);
            for part in [&head[..], entry.name] {
                let fits = part.len().min(buffer.len() - used);
                buffer[used..used + fits].copy_from_slice(&part[..fits]);
                used += fits;
            }
            used < buffer.len()
        })?;
        // SAFETY: the caller gives the address of a `size`.
        unsafe { memory::store(result, &(used as u32).to_le_bytes()) }
    })
}
