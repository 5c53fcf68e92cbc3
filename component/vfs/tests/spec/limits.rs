//! Every limit has its error, and a failed call changes nothing.

use vfs::{Bytes, Content, Errno, Kernel, Limits, ROOT_FD, Root};

use crate::{
    support::{APPEND, EDIT, READ, Shorthand, WRITE},
    tree_dump::deep,
};

fn limited(limits: Limits) -> Kernel {
    let mut kernel = Kernel::new(Root::new(), limits);
    kernel.make("/f", b"12345");
    kernel
}

/// The call fails with this error, and the tree stays the same, including the clock.
fn refused<T: std::fmt::Debug>(kernel: &mut Kernel, errno: Errno, call: impl FnOnce(&mut Kernel) -> Result<T, Errno>) {
    let before = deep(&kernel.root());
    assert_eq!(call(kernel).map(|_| ()), Err(errno));
    assert_eq!(deep(&kernel.root()), before);
}

fn content(length: usize) -> Content {
    Content::new(Bytes::from(vec![b'x'; length]))
}

#[test]
fn a_full_filesystem_is_enospc() {
    let mut kernel = limited(Limits { bytes: 10, ..Limits::default() });
    let fd = kernel.open_at("/f", APPEND).expect("it is there");
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.write(fd, b"123456"));
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.set_size(fd, 11));
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.allocate(fd, 0, 11));
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.put_file(ROOT_FD, b"/g", content(6), false));
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.put_file(ROOT_FD, b"/f", content(11), false));
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.symlink(b"target", ROOT_FD, b"/link"));
    assert_eq!(kernel.write(fd, b"67890"), Ok(5), "to the last byte");
    kernel.put_file(ROOT_FD, b"/f", content(10), false).expect("the former content makes room");
}

#[test]
fn what_is_open_without_a_name_takes_room() {
    let mut kernel = limited(Limits { bytes: 10, ..Limits::default() });
    let fd = kernel.open_at("/f", READ).expect("it is there");
    kernel.unlink(ROOT_FD, b"/f").expect("it is there");
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.put_file(ROOT_FD, b"/g", content(6), false));
    kernel.close(fd).expect("it is open");
    kernel.put_file(ROOT_FD, b"/g", content(10), false).expect("there is room again");
}

#[test]
fn too_many_files_are_enospc() {
    let mut kernel = limited(Limits { files: 2, ..Limits::default() });
    kernel.dir("/d");
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.mkdir(ROOT_FD, b"/e"));
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.open_at("/g", WRITE));
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.symlink(b"f", ROOT_FD, b"/link"));
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.put_file(ROOT_FD, b"/g", content(0), false));
    kernel.rmdir(ROOT_FD, b"/d").expect("it is empty");
    kernel.make("/g", b"");
}

#[test]
fn a_file_too_large_is_efbig() {
    let mut kernel = limited(Limits { file_bytes: 8, ..Limits::default() });
    let fd = kernel.open_at("/f", EDIT).expect("it is there");
    refused(&mut kernel, Errno::Fbig, |kernel| kernel.pwrite(fd, b"1234", 5));
    refused(&mut kernel, Errno::Fbig, |kernel| kernel.pwrite(fd, b"1", u64::MAX / 2 - 1));
    refused(&mut kernel, Errno::Fbig, |kernel| kernel.set_size(fd, 9));
    refused(&mut kernel, Errno::Fbig, |kernel| kernel.put_file(ROOT_FD, b"/g", content(9), false));
    assert_eq!(kernel.pwrite(fd, b"123", 5), Ok(3));
}

#[test]
fn an_attachment_is_as_large_as_it_is_and_takes_its_room() {
    let mut kernel = limited(Limits { file_bytes: 8, bytes: 15, ..Limits::default() });
    let attached = |length: usize| Content::from_attachment([7; 32], 0, Bytes::from(vec![b'x'; length]));
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.put_file(ROOT_FD, b"/g", attached(11), false));
    kernel.put_file(ROOT_FD, b"/g", attached(10), false).expect("there is room");
    let fd = kernel.open_at("/g", EDIT).expect("it is there");
    refused(&mut kernel, Errno::Fbig, |kernel| kernel.pwrite(fd, b"1", 9));
}

#[test]
fn where_the_limits_of_size_are_lifted_a_full_tree_grows_and_is_full_again_afterwards() {
    let limits = Limits { bytes: 5, files: 1, file_bytes: 8, ..Limits::default() };
    let mut kernel = limited(limits.clone());
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.mkdir(ROOT_FD, b"/d"));
    kernel.set_limits(limits.clone().of_size_lifted());
    assert_eq!(kernel.limits().path_bytes, limits.path_bytes);
    kernel.dir("/d");
    kernel.make("/d/new", b"more than there was room for");
    let fd = kernel.open_at("/f", EDIT).expect("it is there");
    // More than any memory can hold. With short addresses, the length alone decides that.
    let beyond = if usize::BITS < u64::BITS { Errno::Fbig } else { Errno::Nospc };
    refused(&mut kernel, beyond, |kernel| kernel.pwrite(fd, b"1", u64::MAX / 2 - 1));
    assert_eq!(kernel.pwrite(fd, b"123456", 5), Ok(6));
    kernel.close(fd).expect("it is open");
    kernel.set_limits(limits);
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.mkdir(ROOT_FD, b"/e"));
    refused(&mut kernel, Errno::Nospc, |kernel| kernel.put_file(ROOT_FD, b"/f", content(8), false));
    kernel.unlink(ROOT_FD, b"/d/new").expect("it is there");
}

#[test]
fn too_many_open_files_are_emfile() {
    let mut kernel = limited(Limits { open_files: 6, ..Limits::default() });
    let first = kernel.open_at("/f", READ).expect("two are free");
    kernel.open_at("/f", READ).expect("one is free");
    refused(&mut kernel, Errno::Mfile, |kernel| kernel.open_at("/new", WRITE));
    kernel.close(first).expect("it is open");
    assert_eq!(kernel.open_at("/f", READ), Ok(first));
}

#[test]
fn a_long_path_or_name_is_enametoolong() {
    let mut kernel = limited(Limits { path_bytes: 600, ..Limits::default() });
    let long_name = format!("/{}", "n".repeat(256));
    let long_path = "/d".repeat(301);
    for path in [long_name.as_bytes(), long_path.as_bytes()] {
        refused(&mut kernel, Errno::Nametoolong, |kernel| kernel.mkdir(ROOT_FD, path));
        refused(&mut kernel, Errno::Nametoolong, |kernel| kernel.stat(ROOT_FD, path, true));
        refused(&mut kernel, Errno::Nametoolong, |kernel| kernel.open(ROOT_FD, path, WRITE));
        refused(&mut kernel, Errno::Nametoolong, |kernel| kernel.rename(ROOT_FD, b"/f", ROOT_FD, path));
    }
    refused(&mut kernel, Errno::Nametoolong, |kernel| kernel.symlink(long_path.as_bytes(), ROOT_FD, b"/link"));
    kernel.make(&format!("/{}", "n".repeat(255)), b"");
}

#[test]
fn a_path_with_nul_is_einval() {
    let mut kernel = limited(Limits::default());
    refused(&mut kernel, Errno::Inval, |kernel| kernel.mkdir(ROOT_FD, b"/a\0b"));
    refused(&mut kernel, Errno::Inval, |kernel| kernel.symlink(b"a\0b", ROOT_FD, b"/link"));
}
