//! Grafting subtrees of one tree on another.

use vfs::{Kernel, ROOT_FD, Root};

use crate::{
    support::{Shorthand, kernel, kernel_on},
    tree_dump::visible,
};

/// A tree before and after its changes.
fn before_and_after(change: impl FnOnce(&mut Kernel)) -> (Root, Root) {
    let mut kernel = kernel();
    kernel.dir("/git");
    kernel.dir("/git/refs");
    kernel.make("/git/refs/main", b"old");
    kernel.make("/file", b"old");
    let before = kernel.root();
    change(&mut kernel);
    (before, kernel.root())
}

/// The verified graft, and its visible contents.
fn graft(onto: &Root, from: &Root, paths: &[&[u8]]) -> (Root, Vec<(String, String)>) {
    let grafted = onto.graft(from, paths);
    assert_eq!(grafted.verify(), Ok(()));
    let seen = visible(&grafted).into_iter().filter(|(_, text)| text != "directory").collect();
    (grafted, seen)
}

fn file(path: &str, content: &str) -> (String, String) {
    (path.to_owned(), format!("file b\"{content}\" x1 -x"))
}

#[test]
fn undo_can_keep_a_subtree() {
    let (before, after) = before_and_after(|kernel| {
        kernel.make("/git/refs/main", b"new");
        kernel.make("/git/refs/added", b"new");
        kernel.make("/file", b"new");
    });
    let (_, seen) = graft(&before, &after, &[b"/git/refs"]);
    assert_eq!(seen, [file("/file", "old"), file("/git/refs/added", "new"), file("/git/refs/main", "new")]);
}

#[test]
fn a_single_file_is_taken_over_with_its_inode() {
    let (before, after) = before_and_after(|kernel| kernel.make("/git/refs/main", b"new"));
    let (grafted, seen) = graft(&before, &after, &[b"git/refs/main"]);
    assert_eq!(seen, [file("/file", "old"), file("/git/refs/main", "new")]);
    let shared = |root: &Root| root.find(b"/git/refs/main").map(|(ino, inode)| (ino, inode as *const _));
    assert_eq!(shared(&grafted), shared(&after));
}

#[test]
fn what_is_absent_there_is_removed() {
    let (before, after) = before_and_after(|kernel| kernel.unlink(ROOT_FD, b"/git/refs/main").expect("it is there"));
    let (_, seen) = graft(&before, &after, &[b"/git/refs/main", b"/nowhere/at/all"]);
    assert_eq!(seen, [file("/file", "old")]);
}

#[test]
fn parents_are_made_also_in_place_of_a_file() {
    let (before, after) = before_and_after(|kernel| {
        kernel.unlink(ROOT_FD, b"/file").expect("it is there");
        kernel.dir("/file");
        kernel.dir("/file/deep");
        kernel.make("/file/deep/new", b"new");
    });
    let (_, seen) = graft(&before, &after, &[b"/file/deep/new"]);
    assert_eq!(seen, [file("/file/deep/new", "new"), file("/git/refs/main", "old")]);
}

#[test]
fn paths_may_lie_in_each_other() {
    let (before, after) = before_and_after(|kernel| {
        kernel.make("/git/refs/main", b"new");
        kernel.make("/git/config", b"new");
    });
    let (_, seen) = graft(&before, &after, &[b"/git/refs/main", b"/git"]);
    assert_eq!(seen, [file("/file", "old"), file("/git/config", "new"), file("/git/refs/main", "new")]);
}

#[test]
fn the_root_can_be_grafted_whole() {
    let (before, after) = before_and_after(|kernel| kernel.make("/new", b"new"));
    let (grafted, _) = graft(&before, &after, &[b"/"]);
    assert_eq!(visible(&grafted), visible(&after));
}

#[test]
fn a_number_used_on_both_sides_is_given_anew() {
    let (before, _) = before_and_after(|_| ());
    let mut one = kernel_on(&before);
    one.make("/one", b"one");
    let mut other = kernel_on(&before);
    other.make("/other", b"other");
    let (one, other) = (one.root(), other.root());
    assert_eq!(one.find(b"/one").map(|found| found.0), other.find(b"/other").map(|found| found.0));
    let (_, seen) = graft(&one, &other, &[b"/other"]);
    assert_eq!(seen[2..], [file("/one", "one"), file("/other", "other")]);
}

#[test]
fn hard_links_hold_inside_and_end_at_the_border() {
    let (before, after) = before_and_after(|kernel| {
        kernel.link(ROOT_FD, b"/git/refs/main", false, ROOT_FD, b"/git/refs/also").expect("it is there");
        kernel.link(ROOT_FD, b"/git/refs/main", false, ROOT_FD, b"/outside").expect("it is there");
    });
    let (grafted, _) = graft(&before, &after, &[b"/git"]);
    let nlink = |path: &[u8]| grafted.stat(path).map(|stat| stat.nlink);
    assert_eq!((nlink(b"/git/refs/main"), nlink(b"/git/refs/also"), nlink(b"/outside")), (Some(2), Some(2), None));
    let (grafted, _) = graft(&after, &before, &[b"/git"]);
    let nlink = |path: &[u8]| grafted.stat(path).map(|stat| stat.nlink);
    assert_eq!((nlink(b"/git/refs/main"), nlink(b"/git/refs/also"), nlink(b"/outside")), (Some(1), None, Some(1)));
}

#[test]
fn a_very_deep_tree_is_taken_over() {
    let mut kernel = kernel();
    let mut dir = ROOT_FD;
    for _ in 0..20_000 {
        kernel.mkdir(dir, b"d").expect("there is room");
        let next = kernel.open(dir, b"d", crate::support::READ).expect("it was made");
        if dir != ROOT_FD {
            kernel.close(dir).expect("it is open");
        }
        dir = next;
    }
    let deep = kernel.root();
    let grafted = Root::new().graft(&deep, &[b"/d"]);
    assert_eq!((grafted.files(), grafted.verify()), (20_000, Ok(())));
    assert_eq!(grafted.graft(&Root::new(), &[b"/d"]).files(), 0);
}
