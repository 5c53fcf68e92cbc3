//! Paths.

use super::{call, fd::mtime_change, layout, memory};
use crate::{errno::Errno, kernel::OpenOptions};

/// `lookupflags::symlink_follow`.
const FOLLOW: i32 = 1;
/// `oflags`.
const CREAT: i32 = 1;
const DIRECTORY: i32 = 2;
const EXCL: i32 = 4;
const TRUNC: i32 = 8;

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_open")]
unsafe extern "C" fn path_open(
    dir: i32,
    lookup: i32,
    path: i32,
    length: i32,
    oflags: i32,
    rights: i64,
    _inheriting: i64,
    fdflags: i32,
    result: i32,
) -> i32 {
    let how = OpenOptions {
        read: rights as u64 & layout::RIGHT_READ != 0,
        write: rights as u64 & layout::RIGHT_WRITE != 0,
        append: fdflags as u16 & layout::FDFLAG_APPEND != 0,
        create: oflags & CREAT != 0,
        exclusive: oflags & EXCL != 0,
        truncate: oflags & TRUNC != 0,
        directory: oflags & DIRECTORY != 0,
        no_follow: lookup & FOLLOW == 0,
    };
    call(|kernel| {
        // SAFETY: the caller gives a path of its own.
        let path = unsafe { memory::slice(path, length) }?;
        let fd = kernel.open(dir as u32, path, how)?;
        // SAFETY: the caller gives the address of an `fd`.
        unsafe { memory::store(result, &fd.to_le_bytes()) }
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_filestat_get")]
unsafe extern "C" fn path_filestat_get(dir: i32, lookup: i32, path: i32, length: i32, result: i32) -> i32 {
    call(|kernel| {
        // SAFETY: the caller gives a path of its own.
        let path = unsafe { memory::slice(path, length) }?;
        let stat = kernel.stat(dir as u32, path, lookup & FOLLOW != 0)?;
        // SAFETY: the caller gives the address of a `filestat`.
        unsafe { memory::store(result, &layout::filestat(Some(stat))) }
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_filestat_set_times")]
unsafe extern "C" fn path_filestat_set_times(
    dir: i32,
    lookup: i32,
    path: i32,
    length: i32,
    _atime: i64,
    mtime: i64,
    flags: i32,
) -> i32 {
    call(|kernel| {
        // SAFETY: the caller gives a path of its own.
        let path = unsafe { memory::slice(path, length) }?;
        let follow = lookup & FOLLOW != 0;
        match mtime_change(mtime, flags)? {
            Some(change) => kernel.set_mtime(dir as u32, path, follow, change),
            None => kernel.stat(dir as u32, path, follow).map(|_| ()),
        }
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_create_directory")]
unsafe extern "C" fn path_create_directory(dir: i32, path: i32, length: i32) -> i32 {
    // SAFETY: the caller gives a path of its own.
    call(|kernel| kernel.mkdir(dir as u32, unsafe { memory::slice(path, length) }?))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_remove_directory")]
unsafe extern "C" fn path_remove_directory(dir: i32, path: i32, length: i32) -> i32 {
    // SAFETY: the caller gives a path of its own.
    call(|kernel| kernel.rmdir(dir as u32, unsafe { memory::slice(path, length) }?))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_unlink_file")]
unsafe extern "C" fn path_unlink_file(dir: i32, path: i32, length: i32) -> i32 {
    // SAFETY: the caller gives a path of its own.
    call(|kernel| kernel.unlink(dir as u32, unsafe { memory::slice(path, length) }?))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_link")]
unsafe extern "C" fn path_link(
    old: i32,
    lookup: i32,
    old_path: i32,
    old_length: i32,
    new: i32,
    new_path: i32,
    new_length: i32,
) -> i32 {
    call(|kernel| {
        // SAFETY: the caller gives paths of its own.
        let (from, to) = unsafe { (memory::slice(old_path, old_length)?, memory::slice(new_path, new_length)?) };
        kernel.link(old as u32, from, lookup & FOLLOW != 0, new as u32, to)
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_rename")]
unsafe extern "C" fn path_rename(
    old: i32,
    old_path: i32,
    old_length: i32,
    new: i32,
    new_path: i32,
    new_length: i32,
) -> i32 {
    call(|kernel| {
        // SAFETY: the caller gives paths of its own.
        let (from, to) = unsafe { (memory::slice(old_path, old_length)?, memory::slice(new_path, new_length)?) };
        kernel.rename(old as u32, from, new as u32, to)
    })
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_symlink")]
unsafe extern "C" fn path_symlink(target: i32, target_length: i32, dir: i32, path: i32, length: i32) -> i32 {
    call(|kernel| {
        // SAFETY: the caller gives paths of its own.
        let (target, path) = unsafe { (memory::slice(target, target_length)?, memory::slice(path, length)?) };
        kernel.symlink(target, dir as u32, path)
    })
}

/// A target longer than the buffer is cut off.
#[unsafe(export_name = "__imported_wasi_snapshot_preview1_path_readlink")]
unsafe extern "C" fn path_readlink(dir: i32, path: i32, length: i32, buffer: i32, room: i32, result: i32) -> i32 {
    call(|kernel| {
        // SAFETY: the caller gives a path and a buffer of its own.
        let (path, buffer) = unsafe { (memory::slice(path, length)?, memory::slice_mut(buffer, room)?) };
        let target = kernel.readlink(dir as u32, path)?;
        let used = target.len().min(buffer.len());
        buffer[..used].copy_from_slice(&target[..used]);
        let used = u32::try_from(used).map_err(|_| Errno::Overflow)?;
        // SAFETY: the caller gives the address of a `size`.
        unsafe { memory::store(result, &used.to_le_bytes()) }
    })
}
