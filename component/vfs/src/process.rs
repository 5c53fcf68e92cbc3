//! The kernel of the process, on which `std::fs` runs in wasm.
//!
//! In a native build every thread has its own kernel, and `std::fs` does not use it.

use std::cell::RefCell;

use bytes::Bytes;

use crate::{
    content::Content,
    errno::Errno,
    inode::{Name, Stat},
    kernel::{Fd, Kernel, ROOT_FD},
    limits::Limits,
    tree::Root,
};

thread_local! {
    static KERNEL: RefCell<Option<Kernel>> = const { RefCell::new(None) };
}

/// Runs `f` on the kernel of the process. The first use creates one with an empty tree and default limits.
///
/// # Panics
///
/// If `f` calls this function again, directly or through `std::fs` in wasm: the kernel is one state machine and serves one call at a time.
pub fn with<R>(f: impl FnOnce(&mut Kernel) -> R) -> R {
    KERNEL.with(|cell| {
        let mut kernel = cell.try_borrow_mut().expect("the kernel was entered from within a kernel call");
        f(kernel.get_or_insert_with(|| Kernel::new(Root::new(), Limits::default())))
    })
}

/// Sets the executable bit of a file. Links are followed. Anything but a file is `EINVAL`.
pub fn set_executable(path: &[u8], executable: bool) -> Result<(), Errno> {
    with(|kernel| kernel.set_executable(ROOT_FD, path, executable))
}

/// Whether a file is executable. Links are followed.
pub fn is_executable(path: &[u8]) -> Result<bool, Errno> {
    with(|kernel| kernel.is_executable(ROOT_FD, path))
}

/// The whole content of a file open for reading, as the shared buffer.
pub fn map_fd(fd: Fd) -> Result<Bytes, Errno> {
    with(|kernel| kernel.map(fd))
}

/// [`map_fd`] for the replacement of `memmap2`, which links to this symbol and declares the same signature.
#[cfg(target_os = "wasi")]
#[unsafe(no_mangle)]
extern "Rust" fn vfs_map_fd(fd: Fd) -> Result<Bytes, i32> {
    map_fd(fd).map_err(|errno| i32::from(errno.raw()))
}

/// The whole content of a file, as the shared buffer. Links are followed.
pub fn map_path(path: &[u8]) -> Result<Bytes, Errno> {
    Ok(content(path)?.bytes()?.clone())
}

/// The content of a file, which may be part of an attachment. Links are followed.
pub fn content(path: &[u8]) -> Result<Content, Errno> {
    with(|kernel| kernel.read_path(ROOT_FD, path))
}

/// Creates or replaces a file with a shared buffer, without a copy. Links are followed. The parent directory must exist.
pub fn put_file(path: &[u8], bytes: Bytes, executable: bool) -> Result<(), Errno> {
    put_content(path, Content::new(bytes), executable)
}

/// [`put_file`] for a content that may be a slice of an attachment.
pub fn put_content(path: &[u8], content: Content, executable: bool) -> Result<(), Errno> {
    with(|kernel| kernel.put_file(ROOT_FD, path, content, executable))
}

/// The `stat` of the entry at a path.
pub fn stat_path(path: &[u8], follow: bool) -> Result<Stat, Errno> {
    with(|kernel| kernel.stat(ROOT_FD, path, follow))
}

/// All entries of a directory with the `stat` of each (links not followed), in the byte order of their names.
pub fn list(path: &[u8]) -> Result<Vec<(Name, Stat)>, Errno> {
    with(|kernel| kernel.list(ROOT_FD, path))
}

/// A number that grows with every change in the tree, and goes back only when the tree does.
pub fn change_count() -> u64 {
    with(|kernel| kernel.change_count())
}
