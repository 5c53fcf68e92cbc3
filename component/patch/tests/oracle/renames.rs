//! Rename detection at its limits: many equal files, too many pairs, absent contents.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;

use bstr::ByteSlice as _;
use patch::rename::{self, File, detect};
use patch::{Deadline, Interrupted, ObjectId, Options};

use crate::check::{Ask, Form, Trees, check};
use crate::git::Repo;
use crate::tree::{FILE, Tree};

fn tree(entries: impl Iterator<Item = (String, String)>) -> Tree {
    entries.map(|(path, content)| (path.into_bytes(), (FILE, content.into_bytes()))).collect()
}

fn compare(before: &Tree, after: &Tree) -> usize {
    let repo = Repo::with_trees(before, after);
    let ask = Ask {
        args: &["--stat=200", "-M"],
        form: Form::Stat(200),
        options: Options::default(),
        renames: Some(rename::Options::default()),
    };
    let trees = Trees { before, after };
    check(&repo, &trees, &["before", "after"], &ask, "renames")
}

#[test]
fn of_many_equal_files_only_the_first_hundred_are_looked_at() {
    let same = || "the same\n".to_owned();
    let before = tree((0..150).map(|number| (format!("old/{number:03}"), same())));
    let after = tree((0..120).map(|number| (format!("new/{:03}", 149 - number), same())));
    assert_eq!(compare(&before, &after), 150);
}

#[test]
fn too_many_pairs_are_left_alone() {
    let content = |number: usize| format!("{}\n", number.to_string().repeat(12));
    let before = tree((0..1001).map(|number| (format!("old/{number}.a"), content(number))));
    let after = tree((0..1000).map(|number| (format!("new/{number}.b"), content(number) + "x\n")));
    assert_eq!(compare(&before, &after), 2001);
}

/// Ids without objects.
fn id(digit: u8) -> ObjectId {
    ObjectId::from_hex(&[digit; 40]).expect("forty hex digits")
}

fn file(path: &str, digit: u8) -> File<'_> {
    File { path: path.into(), mode: FILE, id: id(digit) }
}

#[test]
fn an_absent_blob_takes_part_by_its_id_only() {
    let deleted = [file("a", b'1'), file("b", b'2')];
    let added = [file("x", b'2'), file("y", b'3')];
    let found =
        detect(&deleted, &added, &rename::Options::default(), |_| None::<Cow<'_, [u8]>>).expect("no deadline is set");
    let paired: Vec<_> =
        found.renames.iter().map(|rename| (rename.deleted, rename.added, rename.similarity())).collect();
    assert_eq!(paired, [(1, 0, 100)]);
}

#[test]
fn the_limit_that_was_needed_is_told() {
    let deleted = [file("a", b'1'), file("b", b'2'), file("c", b'3')];
    let added = [file("x", b'4'), file("y", b'5')];
    let options = rename::Options { limit: 2, ..rename::Options::default() };
    let found = detect(&deleted, &added, &options, |_| None::<Cow<'_, [u8]>>).expect("no deadline is set");
    assert_eq!(found.needed_limit, Some(3));
}

#[test]
fn each_content_is_read_once() {
    let deleted = [file("a", b'1'), file("b", b'2'), file("c", b'3')];
    let added = [file("x", b'4'), file("y", b'5'), file("d/a", b'6')];
    let mut read = Vec::new();
    detect(&deleted, &added, &rename::Options::default(), |id| {
        read.push(*id);
        Some(Cow::Owned(id.as_bytes().to_vec()))
    })
    .expect("no deadline is set");
    read.sort();
    assert_eq!(read, [b'1', b'2', b'3', b'4', b'5', b'6'].map(id));
}

#[test]
fn a_deadline_stops_the_search() {
    let deleted = [file("a", b'1')];
    let added = [file("x", b'2')];
    let content = "line\n".repeat(10_000).into_bytes();
    for allowed in 0.. {
        let asked = Cell::new(0);
        let poll = || {
            asked.set(asked.get() + 1);
            match asked.get() > allowed {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let options = rename::Options { deadline: Deadline::new(&poll), ..rename::Options::default() };
        match detect(&deleted, &added, &options, |_| Some(content.as_bstr().as_bytes().into())) {
            Err(Interrupted) => assert_eq!(asked.get(), allowed + 1),
            Ok(found) => {
                assert_eq!(found.renames.len(), 1);
                assert!(allowed > 5, "asked only {allowed} times");
                break;
            }
        }
    }
}
