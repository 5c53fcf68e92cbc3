//! The changes between two trees, as paths.

use proptest::{collection::vec, prelude::*};
use vfs::{
    Kernel, ROOT_FD, Root,
    diff::{Change, changed_paths},
};

use crate::{
    support::{EDIT, Shorthand, kernel, kernel_on},
    tree_dump::visible,
};

fn changes(prepare: impl FnOnce(&mut Kernel), change: impl FnOnce(&mut Kernel)) -> Vec<(String, Change)> {
    let mut kernel = kernel();
    prepare(&mut kernel);
    let before = kernel.root();
    change(&mut kernel);
    let text = |(path, change): (Vec<u8>, Change)| (path.escape_ascii().to_string(), change);
    changed_paths(&before, &kernel.root(), |_| true).map(text).collect()
}

fn listed(changes: &[(&str, Change)]) -> Vec<(String, Change)> {
    changes.iter().map(|(path, change)| ((*path).to_owned(), *change)).collect()
}

fn some_files(kernel: &mut Kernel) {
    kernel.dir("/d");
    kernel.make("/d/a", b"a");
    kernel.make("/d/b", b"b");
    kernel.make("/c", b"c");
}

#[test]
fn added_modified_and_deleted_files_are_told_apart() {
    let found = changes(some_files, |kernel| {
        kernel.make("/d/new", b"new");
        let fd = kernel.open_at("/d/a", EDIT).expect("it is there");
        kernel.write(fd, b"A").expect("there is room");
        kernel.set_executable(ROOT_FD, b"/d/b", true).expect("it is a file");
        kernel.unlink(ROOT_FD, b"/c").expect("it is there");
    });
    let expected =
        [("/c", Change::Deleted), ("/d/a", Change::Modified), ("/d/b", Change::Modified), ("/d/new", Change::Added)];
    assert_eq!(found, listed(&expected));
}

#[test]
fn a_moved_directory_is_gone_here_and_there_anew() {
    let found = changes(some_files, |kernel| kernel.rename(ROOT_FD, b"/d", ROOT_FD, b"/e").expect("it is there"));
    let (added, deleted) = (Change::Added, Change::Deleted);
    let expected =
        [("/d", deleted), ("/d/a", deleted), ("/d/b", deleted), ("/e", added), ("/e/a", added), ("/e/b", added)];
    assert_eq!(found, listed(&expected));
}

#[test]
fn what_is_replaced_by_the_same_is_no_change() {
    let found = changes(some_files, |kernel| {
        kernel.make("/c.lock", b"c");
        kernel.rename(ROOT_FD, b"/c.lock", ROOT_FD, b"/c").expect("it was made");
    });
    assert_eq!(found, []);
}

#[test]
fn a_change_shows_under_every_name_of_a_file() {
    let prepare = |kernel: &mut Kernel| {
        some_files(kernel);
        kernel.link(ROOT_FD, b"/c", false, ROOT_FD, b"/d/c").expect("it is there");
    };
    let found = changes(prepare, |kernel| kernel.make("/c", b"C"));
    assert_eq!(found, listed(&[("/c", Change::Modified), ("/d/c", Change::Modified)]));
}

#[test]
fn what_is_below_a_directory_that_is_not_entered_is_left_out() {
    let mut kernel = kernel();
    let before = kernel.root();
    some_files(&mut kernel);
    let found: Vec<_> = changed_paths(&before, &kernel.root(), |path| path != b"/d").collect();
    assert_eq!(found, [(b"/c".to_vec(), Change::Added), (b"/d".to_vec(), Change::Added)]);
}

/// The number of visits to find the first `count` changed paths.
fn visited(before: &Root, after: &Root, count: usize) -> u64 {
    let mut paths = changed_paths(before, after, |_| true);
    paths.by_ref().take(count).for_each(drop);
    paths.visited()
}

/// A chain of this many nested directories, with a file in the last.
fn deep(depth: usize) -> Root {
    let mut kernel = kernel();
    (1..=depth).for_each(|depth| kernel.dir(&"/d".repeat(depth)));
    kernel.make(&format!("{}/f", "/d".repeat(depth)), b"content");
    kernel.root()
}

#[test]
fn a_deep_tree_is_walked_once() {
    for depth in [10, 100, 1000, 2000] {
        let empty = kernel().root();
        let tree = deep(depth);
        let mut kernel = kernel_on(&tree);
        kernel.make(&format!("{}/f", "/d".repeat(depth)), b"other");
        let modified = kernel.root();
        kernel.rename(ROOT_FD, b"/d", ROOT_FD, b"/moved").expect("it is there");
        let moved = kernel.root();
        let most = 4 * depth as u64 + 10;
        for (before, after, paths) in [
            (&empty, &tree, depth + 1),
            (&tree, &empty, depth + 1),
            (&tree, &modified, 1),
            (&tree, &moved, 2 * depth + 2),
        ] {
            assert_eq!(changed_paths(before, after, |_| true).count(), paths);
            let visited = visited(before, after, usize::MAX);
            assert!(visited <= most, "{visited} visited at a depth of {depth}");
        }
        let few = visited(&empty, &tree, 20);
        assert!(few <= depth as u64 + 50, "{few} visited for the first twenty paths");
    }
}

#[test]
fn of_a_large_directory_only_what_changed_is_looked_at() {
    let mut kernel = kernel();
    kernel.dir("/d");
    (0..10_000).for_each(|n| kernel.make(&format!("/d/{n}"), b"content"));
    let before = kernel.root();
    kernel.make("/d/new", b"content");
    kernel.unlink(ROOT_FD, b"/d/77").expect("it is there");
    let after = kernel.root();
    assert!(visited(&before, &after, usize::MAX) < 20);
    (0..1000).for_each(|n| kernel.make(&format!("/d/{}", n + 1000), b"other"));
    let rewritten = kernel.root();
    assert_eq!(changed_paths(&after, &rewritten, |_| true).count(), 1000);
    let visited = visited(&after, &rewritten, usize::MAX);
    assert!(visited < 10_000 + 3000, "{visited} visited: the directory is read once");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_changes_are_those_that_comparing_all_paths_finds(
        first in vec(any::<u64>(), 0..30),
        second in vec(any::<u64>(), 0..15),
    ) {
        let mut kernel = kernel();
        first.iter().for_each(|&choice| crate::life::make_change(&mut kernel, choice));
        let old = kernel.root();
        let mut kernel = kernel_on(&old);
        second.iter().for_each(|&choice| crate::life::make_change(&mut kernel, choice));
        let new = kernel.root();
        // A changed link count is not a changed path.
        let plain = |text: &String| text.rsplit_once(" x").map_or(text.clone(), |(text, rest)| {
            format!("{text}{}", rest.trim_start_matches(|c: char| c.is_ascii_digit()))
        });
        let (before, after) = (visible(&old), visible(&new));
        let gone = before.keys().filter(|path| !after.contains_key(*path)).map(|path| (path.clone(), Change::Deleted));
        let come = after.keys().filter(|path| !before.contains_key(*path)).map(|path| (path.clone(), Change::Added));
        let other = after
            .iter()
            .filter(|(path, text)| before.get(*path).is_some_and(|former| plain(former) != plain(text)))
            .map(|(path, _)| (path.clone(), Change::Modified));
        let mut expected: Vec<_> = gone.chain(come).chain(other).collect();
        expected.sort();
        let found: Vec<_> = changed_paths(&old, &new, |_| true)
            .map(|(path, change)| (path.escape_ascii().to_string(), change))
            .collect();
        prop_assert_eq!(found, expected);
    }
}
