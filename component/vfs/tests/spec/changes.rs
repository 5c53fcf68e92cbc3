//! What changed between two trees, as paths.

use proptest::{collection::vec, prelude::*};
use vfs::{
    Kernel, ROOT_FD,
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
    changed_paths(&before, &kernel.root()).into_iter().map(text).collect()
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
        // Link counts are not a change of a path.
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
        let found: Vec<_> = changed_paths(&old, &new)
            .into_iter()
            .map(|(path, change)| (path.escape_ascii().to_string(), change))
            .collect();
        prop_assert_eq!(found, expected);
    }
}
