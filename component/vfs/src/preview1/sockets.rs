//! Sockets. There are none.

use super::{code, process};
use crate::errno::Errno;

/// No descriptor is a socket: `ENOTSOCK`, or `EBADF` for an invalid descriptor.
fn no_socket(fd: i32) -> i32 {
    code(process::with(|kernel| kernel.sync(fd as u32)).and(Err(Errno::Notsock)))
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_sock_accept")]
unsafe extern "C" fn sock_accept(fd: i32, _flags: i32, _result: i32) -> i32 {
    no_socket(fd)
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_sock_recv")]
unsafe extern "C" fn sock_recv(fd: i32, _list: i32, _count: i32, _flags: i32, _length: i32, _result: i32) -> i32 {
    no_socket(fd)
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_sock_send")]
unsafe extern "C" fn sock_send(fd: i32, _list: i32, _count: i32, _flags: i32, _result: i32) -> i32 {
    no_socket(fd)
}

#[unsafe(export_name = "__imported_wasi_snapshot_preview1_sock_shutdown")]
unsafe extern "C" fn sock_shutdown(fd: i32, _how: i32) -> i32 {
    no_socket(fd)
}
