//! Runs the same merges natively and in WebAssembly: the results must be equal.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use bstr::{BStr, BString};
use fastrand::Rng;
use gix_hash::{Kind, ObjectId, hasher};

use super::{Change, Driver, Entry, Files, Objects, Options, merge};
use crate::deadline::Interrupted;
use crate::merge::Labels;

type Tree = BTreeMap<BString, Entry>;

#[derive(Default)]
struct Store(BTreeMap<ObjectId, Vec<u8>>);

impl Objects for Store {
    type Error = Interrupted;

    fn blob(&mut self, _: &BStr, id: &ObjectId) -> Result<Option<Vec<u8>>, Interrupted> {
        Ok(Some(self.0[id].clone()))
    }

    fn write(&mut self, content: &[u8]) -> Result<ObjectId, Interrupted> {
        let id = hashed(content);
        self.0.insert(id, content.to_vec());
        Ok(id)
    }

    fn driver(&mut self, _: &BStr) -> Result<Driver, Interrupted> {
        Ok(Driver::default())
    }
}

struct Base(Vec<(BString, Entry)>);

impl Files for Base {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, at: usize) -> (&BStr, Entry) {
        (self.0[at].0.as_ref(), self.0[at].1)
    }
}

fn hashed(content: &[u8]) -> ObjectId {
    let mut hasher = hasher(Kind::Sha1);
    hasher.update(content);
    hasher.try_finalize().expect("nothing collides")
}

/// A random number below `end`. The generator's `usize` values depend on the platform.
fn below(random: &mut Rng, end: u32) -> u32 {
    random.u32(..end)
}

fn path(random: &mut Rng) -> BString {
    let folder = ["", "x/", "y/", "x/y/", "z/x/"][below(random, 5) as usize];
    format!("{folder}{}", below(random, 4)).into()
}

fn file(random: &mut Rng, store: &mut Store) -> Entry {
    let first = below(random, 5);
    let text: String = (0..12).map(|line| format!("{first} {line} {}\n", below(random, 12) / 11)).collect();
    let id = store.write(text.as_bytes()).expect("it never fails");
    Entry { mode: [0o100_644, 0o100_644, 0o100_755][below(random, 3) as usize], id }
}

fn side(base: &Tree, random: &mut Rng, store: &mut Store) -> Tree {
    let mut side = base.clone();
    for _ in 0..below(random, 12) {
        let at = path(random);
        let Some(entry) = side.remove(&at) else {
            side.insert(at, file(random, store));
            continue;
        };
        match below(random, 4) {
            0 => {}
            1 => drop(side.insert(at, file(random, store))),
            _ => drop(side.insert(path(random), entry)),
        }
    }
    side
}

fn changes(base: &Tree, side: &Tree) -> Vec<Change> {
    let paths: BTreeSet<&BString> = base.keys().chain(side.keys()).collect();
    let change = |path: &BString| {
        let (old, new) = (base.get(path).copied(), side.get(path).copied());
        Change { path: path.clone(), old, new }
    };
    paths.into_iter().map(change).filter(|change| change.old != change.new).collect()
}

#[test]
fn what_comes_out_depends_on_nothing_but_what_goes_in() {
    let mut random = Rng::with_seed(11);
    let mut said = String::new();
    for _ in 0..400 {
        let mut store = Store::default();
        let base: Tree =
            (0..below(&mut random, 20)).map(|_| (path(&mut random), file(&mut random, &mut store))).collect();
        let [ours, theirs] = [(); 2].map(|()| side(&base, &mut random, &mut store));
        let labels = Labels { ours: b"ours", base: b"base", theirs: b"theirs" };
        let options = Options { labels, ..Options::default() };
        let files = Base(base.iter().map(|(path, entry)| (path.clone(), *entry)).collect());
        let merged = merge(&files, &changes(&base, &ours), &changes(&base, &theirs), &mut store, &options);
        writeln!(said, "{merged:?}").expect("a string takes all");
    }
    let messages = said.matches("kind: ").count();
    assert!(messages > 500, "{messages}");
    assert_eq!(hashed(said.as_bytes()).to_string(), "8763294e0caff4ecea2d9661cc068004b609d10c");
}
