//! Which contents a merge of trees reads, and when it stops.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use bstr::{BStr, BString};
use patch::tree_merge::{Change, Driver, Entry, Files, Kind, Merged, Objects, Options, Outcome, merge};
use patch::{Deadline, Interrupted, ObjectId};

const FILE: u32 = 0o100_644;

/// Why something failed.
#[derive(Debug, PartialEq, Eq)]
enum Failure {
    Interrupted,
    Damaged,
}

impl From<Interrupted> for Failure {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

/// Contents by their ids. Some are absent.
#[derive(Default)]
struct Store {
    contents: BTreeMap<ObjectId, Vec<u8>>,
    absent: BTreeSet<ObjectId>,
    damaged: Option<ObjectId>,
    read: Vec<(String, ObjectId)>,
}

impl Store {
    fn add(&mut self, content: &str) -> Entry {
        // Any id will do.
        let number = format!("{:040x}", self.contents.len() + 1);
        let known = self.contents.iter().find(|(_, known)| *known == content.as_bytes()).map(|(id, _)| *id);
        let id = known.unwrap_or(ObjectId::from_hex(number.as_bytes()).expect("forty hex digits"));
        self.contents.insert(id, content.as_bytes().to_vec());
        Entry { mode: FILE, id }
    }

    fn paths(&self) -> Vec<&str> {
        self.read.iter().map(|(path, _)| path.as_str()).collect()
    }
}

impl Objects for Store {
    type Error = Failure;

    fn blob(&mut self, path: &BStr, id: &ObjectId) -> Result<Option<Vec<u8>>, Failure> {
        self.read.push((path.to_string(), *id));
        match self.damaged == Some(*id) {
            true => Err(Failure::Damaged),
            false if self.absent.contains(id) => Ok(None),
            false => Ok(Some(self.contents[id].clone())),
        }
    }

    fn write(&mut self, content: &[u8]) -> Result<ObjectId, Failure> {
        Ok(self.add(std::str::from_utf8(content).expect("all is text here")).id)
    }

    fn driver(&mut self, _: &BStr) -> Result<Driver, Failure> {
        Ok(Driver::default())
    }
}

type Tree = BTreeMap<BString, Entry>;

struct Base(Vec<(BString, Entry)>);

impl Files for Base {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, at: usize) -> (&BStr, Entry) {
        (self.0[at].0.as_ref(), self.0[at].1)
    }
}

fn tree(store: &mut Store, files: &[(&str, &str)]) -> Tree {
    files.iter().map(|(path, content)| (BString::from(*path), store.add(content))).collect()
}

fn changes(base: &Tree, side: &Tree) -> Vec<Change> {
    let paths: BTreeSet<&BString> = base.keys().chain(side.keys()).collect();
    let change = |path: &BString| {
        let (old, new) = (base.get(path).copied(), side.get(path).copied());
        Change { path: path.clone(), old, new }
    };
    paths.into_iter().map(change).filter(|change| change.old != change.new).collect()
}

fn merged(store: &mut Store, three: [&Tree; 3], options: &Options<'_>) -> Result<Merged, Failure> {
    let [base, ours, theirs] = three;
    let files = Base(base.iter().map(|(path, entry)| (path.clone(), *entry)).collect());
    merge(&files, &changes(base, ours), &changes(base, theirs), store, options)
}

fn done(merged: Result<Merged, Failure>) -> Outcome {
    match merged.expect("nothing fails") {
        Merged::Done(outcome) => outcome,
        Merged::Absent(absent) => panic!("absent: {absent:?}"),
    }
}

/// Twenty lines. The given ones differ from the usual ones.
fn text(name: &str, changed: &[usize]) -> String {
    (0..20).map(|line| format!("{name} {line}{}\n", if changed.contains(&line) { " changed" } else { "" })).collect()
}

#[test]
fn sides_that_touch_different_files_read_nothing() {
    let mut store = Store::default();
    let base = tree(&mut store, &[("a", "1"), ("b", "2"), ("d/c", "3"), ("d/e", "4")]);
    let ours = tree(&mut store, &[("a", "1 ours"), ("b", "2"), ("d/c", "3"), ("new", "n")]);
    let theirs = tree(&mut store, &[("a", "1"), ("b", "2 theirs"), ("d/c", "3 theirs"), ("d/e", "4")]);
    let outcome = done(merged(&mut store, [&base, &ours, &theirs], &Options::default()));
    assert!(outcome.is_clean);
    assert_eq!(outcome.edits.keys().collect::<Vec<_>>(), ["b", "d/c"]);
    assert_eq!(store.paths(), [""; 0]);
}

#[test]
fn a_rename_that_does_not_matter_reads_nothing() {
    let mut store = Store::default();
    let base = tree(&mut store, &[("a", &text("a", &[])), ("b", "2")]);
    let ours = tree(&mut store, &[("moved", &text("a", &[3])), ("b", "2")]);
    let theirs = tree(&mut store, &[("a", &text("a", &[])), ("b", "2 theirs")]);
    let outcome = done(merged(&mut store, [&base, &ours, &theirs], &Options::default()));
    assert!(outcome.is_clean);
    assert_eq!(store.paths(), [""; 0]);
}

#[test]
fn a_rename_that_matters_reads_what_may_be_it() {
    let mut store = Store::default();
    let base = tree(&mut store, &[("a", &text("a", &[])), ("b", "2"), ("gone", "3")]);
    let ours = tree(&mut store, &[("moved", &text("a", &[3])), ("b", "2 ours")]);
    let theirs = tree(&mut store, &[("a", &text("a", &[17])), ("b", "2"), ("gone", "3")]);
    let outcome = done(merged(&mut store, [&base, &ours, &theirs], &Options::default()));
    assert!(outcome.is_clean);
    // The candidates, then the three versions.
    assert_eq!(store.paths(), ["a", "moved", "a", "moved", "a"]);
    let id = outcome.edits[&BString::from("moved")].expect("it is there").id;
    assert_eq!(store.contents[&id], text("a", &[3, 17]).into_bytes());
}

#[test]
fn an_exact_rename_reads_nothing() {
    let mut store = Store::default();
    let base = tree(&mut store, &[("a", &text("a", &[]))]);
    let ours = tree(&mut store, &[("moved", &text("a", &[]))]);
    let theirs = tree(&mut store, &[("a", &text("a", &[17]))]);
    let outcome = done(merged(&mut store, [&base, &ours, &theirs], &Options::default()));
    assert_eq!(outcome.edits[&BString::from("moved")], theirs.get(&BString::from("a")).copied());
    assert_eq!(store.paths(), [""; 0]);
}

/// A base, ours and theirs that need contents for everything: both kinds of renames, merges, and a merge of a merge result.
fn needy(store: &mut Store) -> [Tree; 3] {
    let base = [("a", text("a", &[])), ("b", text("b", &[])), ("c", text("c", &[])), ("d/e", text("e", &[]))];
    let ours = [("a2", text("a", &[3])), ("b", text("b", &[5])), ("c", text("c", &[2])), ("x/e", text("e", &[1]))];
    let theirs =
        [("a", text("a", &[15])), ("b", text("b", &[5, 6])), ("a2", text("c", &[9])), ("d/e", text("e", &[8]))];
    [base, ours, theirs].map(|files| {
        let files = files.each_ref().map(|(path, content)| (*path, content.as_str()));
        tree(store, &files)
    })
}

#[test]
fn two_rounds_of_fetching_are_enough() {
    let mut store = Store::default();
    let three = needy(&mut store);
    let three = three.each_ref();
    let expected = done(merged(&mut store, three, &Options::default()));
    assert!(expected.messages.iter().any(|message| message.kind == Kind::AutoMerging));
    store.absent = three.iter().flat_map(|tree| tree.values()).map(|entry| entry.id).collect();
    let mut rounds = Vec::new();
    let outcome = loop {
        match merged(&mut store, three, &Options::default()).expect("nothing fails") {
            Merged::Done(outcome) => break outcome,
            Merged::Absent(absent) => {
                let mut sorted = absent.clone();
                sorted.sort();
                sorted.dedup();
                assert_eq!(absent, sorted);
                assert!(absent.iter().all(|(_, id)| store.absent.remove(id)), "asked for twice: {absent:?}");
                let stands = |path: &BString, id| three.iter().any(|tree| tree.get(path).is_some_and(|e| e.id == id));
                assert!(absent.iter().all(|(path, id)| stands(path, *id)));
                rounds.push(absent.len());
            }
        }
    };
    assert_eq!(outcome, expected);
    assert_eq!(rounds.len(), 2, "{rounds:?}");
}

#[test]
fn a_blob_that_cannot_be_read_fails_the_merge() {
    let mut store = Store::default();
    let three = needy(&mut store);
    for entry in three.iter().flat_map(|tree| tree.values()) {
        store.damaged = Some(entry.id);
        assert_eq!(merged(&mut store, three.each_ref(), &Options::default()), Err(Failure::Damaged));
    }
}

#[test]
fn a_deadline_stops_it_anywhere() {
    let mut store = Store::default();
    let three = needy(&mut store);
    let expected = done(merged(&mut store, three.each_ref(), &Options::default()));
    let mut stopped = 0;
    loop {
        let left = Cell::new(stopped);
        let poll = || match left.get() {
            0 => ControlFlow::Break(()),
            more => {
                left.set(more - 1);
                ControlFlow::Continue(())
            }
        };
        let options = Options { deadline: Deadline::new(&poll), ..Options::default() };
        match merged(&mut store, three.each_ref(), &options) {
            Err(failure) => assert_eq!(failure, Failure::Interrupted),
            Ok(merged) => {
                assert_eq!(done(Ok(merged)), expected);
                break;
            }
        }
        stopped += 1;
    }
    assert!(stopped > 20, "{stopped}");
}

/// Two sides each move a folder of many files and add to the other's. Another folder is so deep that a recursive walk would overflow the
/// stack. The merge takes time in proportion, and does not recurse.
#[test]
fn many_files_and_deep_folders_take_their_time_and_no_more() {
    let mut store = Store::default();
    let content = store.add(&text("x", &[]));
    let deep = "d/".repeat(2_000);
    let named = |folder: &str, count: usize| -> Vec<(BString, Entry)> {
        (0..count).map(|number| (BString::from(format!("{folder}/{number:06}")), content)).collect()
    };
    let mut base: Tree = [named("one", 20_000), named("two", 20_000)].concat().into_iter().collect();
    base.insert(BString::from(format!("{deep}f")), content);
    let other = store.add("something else");
    let moved = |from: &str, to: &str, adds: &str| -> Tree {
        let mut side = base.clone();
        side.retain(|path, _| !path.starts_with(from.as_bytes()));
        side.extend(named(to, 20_000));
        side.insert(BString::from(format!("{adds}/new")), other);
        side.insert(BString::from(format!("{deep}{to}")), other);
        side
    };
    let (ours, theirs) = (moved("one/", "uno", "two"), moved("two/", "due", "one"));
    let outcome = done(merged(&mut store, [&base, &ours, &theirs], &Options::default()));
    assert_eq!(outcome.conflicts.keys().collect::<Vec<_>>(), ["due/new", "uno/new"]);
    assert_eq!(outcome.edits.len(), 20_000 * 2 + 4);
}
