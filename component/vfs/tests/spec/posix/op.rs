//! The calls, and random sequences of them.

use std::io::SeekFrom;

use proptest::{collection::vec, prelude::*, sample::select};
use vfs::OpenOptions;

#[derive(Clone, Debug)]
pub enum Op {
    Open(usize, String, OpenOptions),
    Close(usize),
    Read(usize, usize),
    Pread(usize, usize, u64),
    Write(usize, usize),
    Pwrite(usize, usize, u64),
    Seek(usize, SeekFrom),
    Truncate(usize, u64),
    Allocate(usize, u64, u64),
    Readdir(usize),
    StatFd(usize),
    Mkdir(usize, String),
    Rmdir(usize, String),
    Unlink(usize, String),
    Link(usize, String, bool, usize, String),
    Symlink(String, usize, String),
    Readlink(usize, String),
    Rename(usize, String, usize, String),
    Stat(usize, String, bool),
    Chmod(usize, String, bool),
    /// Does nothing on a real filesystem. Here it takes a value of the tree between two calls.
    Root,
}

fn path() -> impl Strategy<Value = String> {
    let name = prop_oneof![12 => select(vec!["a", "b", "c"]), 1 => Just("."), 2 => Just("..")];
    let ordinary = (vec(name, 1..4), select(vec!["", "", "", "", "", "/"]));
    let ordinary = ordinary.prop_map(|(names, end)| names.join("/") + end);
    let odd = select(vec![String::new(), "a".repeat(255), "a".repeat(256), "a//b".to_owned(), "a/./b".to_owned()]);
    prop_oneof![30 => ordinary, 1 => odd]
}

fn options() -> impl Strategy<Value = OpenOptions> {
    let access = select(vec![(true, false), (false, true), (true, true)]);
    let flag = |one_in: u32| prop::bool::weighted(1.0 / f64::from(one_in));
    (access, flag(4), flag(2), flag(5), flag(5), flag(5), flag(6)).prop_map(
        |((read, write), append, create, exclusive, truncate, directory, no_follow)| {
            let directory = directory && !create;
            OpenOptions { read, write, append, create, exclusive, truncate, directory, no_follow }
        },
    )
}

pub fn op() -> impl Strategy<Value = Op> {
    let slot = || 0_usize..5;
    let at = || prop_oneof![3 => Just(0_usize), 1 => 1_usize..5];
    let offset = || prop_oneof![8 => 0_u64..40, 1 => 4000_u64..9000, 1 => Just(u64::MAX / 2 + 1)];
    let seek = prop_oneof![
        (0_u64..60).prop_map(SeekFrom::Start),
        (-20_i64..20).prop_map(SeekFrom::Current),
        (-20_i64..20).prop_map(SeekFrom::End),
    ];
    prop_oneof![
        8 => (at(), path(), options()).prop_map(|(at, path, how)| Op::Open(at, path, how)),
        2 => slot().prop_map(Op::Close),
        3 => (slot(), 0_usize..50).prop_map(|(slot, length)| Op::Read(slot, length)),
        2 => (slot(), 0_usize..50, offset()).prop_map(|(slot, length, offset)| Op::Pread(slot, length, offset)),
        6 => (slot(), 0_usize..50).prop_map(|(slot, length)| Op::Write(slot, length)),
        2 => (slot(), 0_usize..50, offset()).prop_map(|(slot, length, offset)| Op::Pwrite(slot, length, offset)),
        2 => (slot(), seek).prop_map(|(slot, to)| Op::Seek(slot, to)),
        2 => (slot(), 0_u64..60).prop_map(|(slot, size)| Op::Truncate(slot, size)),
        1 => (slot(), 0_u64..60, 0_u64..60).prop_map(|(slot, offset, length)| Op::Allocate(slot, offset, length)),
        2 => slot().prop_map(Op::Readdir),
        2 => slot().prop_map(Op::StatFd),
        5 => (at(), path()).prop_map(|(at, path)| Op::Mkdir(at, path)),
        2 => (at(), path()).prop_map(|(at, path)| Op::Rmdir(at, path)),
        3 => (at(), path()).prop_map(|(at, path)| Op::Unlink(at, path)),
        4 => (at(), path(), any::<bool>(), at(), path())
            .prop_map(|(old, from, follow, new, to)| Op::Link(old, from, follow, new, to)),
        4 => (path(), at(), path()).prop_map(|(target, at, path)| Op::Symlink(target, at, path)),
        1 => (at(), path()).prop_map(|(at, path)| Op::Readlink(at, path)),
        6 => (at(), path(), at(), path()).prop_map(|(old, from, new, to)| Op::Rename(old, from, new, to)),
        3 => (at(), path(), any::<bool>()).prop_map(|(at, path, follow)| Op::Stat(at, path, follow)),
        2 => (at(), path(), any::<bool>()).prop_map(|(at, path, executable)| Op::Chmod(at, path, executable)),
        1 => Just(Op::Root),
    ]
}
