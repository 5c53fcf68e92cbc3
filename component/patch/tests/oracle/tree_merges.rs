//! Random trees merged by `git merge-tree` and here.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};
use fastrand::Rng;
use patch::merge::{Labels, Style};
use patch::tree_merge::{self, Change, Driver, DriverKind, Entry, Files, Merged, Objects, Options, Outcome};
use patch::{Interrupted, ObjectId};

use crate::difference::{listed_in, show};
use crate::git::{self, Repo};
use crate::merge_tree::{Answer, At, merge_trees};
use crate::three_trees::{Shape, Three, three_trees};
use crate::tree::{SUBMODULE, Tree};

/// The id of an object.
pub fn hashed(kind: &str, content: &[u8]) -> ObjectId {
    let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
    hasher.update(format!("{kind} {}\0", content.len()).as_bytes());
    hasher.update(content);
    hasher.try_finalize().expect("nothing collides")
}

/// Blobs by their ids.
#[derive(Default)]
pub struct Blobs {
    pub known: BTreeMap<ObjectId, Vec<u8>>,
    pub read: Vec<(BString, ObjectId)>,
    /// Those that are not here.
    pub absent: BTreeSet<ObjectId>,
    /// By the last part of the path.
    pub drivers: BTreeMap<BString, Driver>,
}

impl Objects for Blobs {
    type Error = Interrupted;

    fn blob(&mut self, path: &BStr, id: &ObjectId) -> Result<Option<Vec<u8>>, Interrupted> {
        if self.absent.contains(id) {
            return Ok(None);
        }
        self.read.push((path.to_owned(), *id));
        Ok(Some(self.known.get(id).unwrap_or_else(|| panic!("{path} is read, which has no content")).clone()))
    }

    fn write(&mut self, content: &[u8]) -> Result<ObjectId, Interrupted> {
        let id = hashed("blob", content);
        self.known.insert(id, content.to_vec());
        Ok(id)
    }

    fn driver(&mut self, path: &BStr) -> Result<Driver, Interrupted> {
        let name = path.rsplit_str("/").next().expect("there is at least one part").as_bstr();
        Ok(self.drivers.get(name).copied().unwrap_or_default())
    }
}

/// Files by their paths.
pub type Listed = BTreeMap<BString, Entry>;

pub struct Sorted<'a>(pub Vec<(&'a BStr, Entry)>);

impl Files for Sorted<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, at: usize) -> (&BStr, Entry) {
        self.0[at]
    }
}

impl Blobs {
    fn add(&mut self, tree: &Tree) -> Listed {
        let entries = tree.iter().map(|(path, (mode, content))| {
            let id = if *mode == SUBMODULE { git::id(content) } else { self.write(content).expect("it never fails") };
            (BString::from(path.clone()), Entry { mode: *mode, id })
        });
        entries.collect()
    }
}

pub fn changes(base: &Listed, side: &Listed) -> Vec<Change> {
    let paths: BTreeSet<&BString> = base.keys().chain(side.keys()).collect();
    let change =
        |path: &BString| Change { path: path.clone(), old: base.get(path).copied(), new: side.get(path).copied() };
    paths.into_iter().map(change).filter(|change| change.old != change.new).collect()
}

/// The id of the tree with these files.
pub fn tree_id(files: &Listed) -> ObjectId {
    let files: Vec<(&[u8], Entry)> = files.iter().map(|(path, entry)| (path.as_bytes(), *entry)).collect();
    let mut content = Vec::new();
    write_tree(&files, &mut content)
}

fn write_tree(files: &[(&[u8], Entry)], content: &mut Vec<u8>) -> ObjectId {
    let start = content.len();
    let mut at = 0;
    while at < files.len() {
        let (path, entry) = files[at];
        let (name, mode, id, next) = match path.find_byte(b'/') {
            None => (path, entry.mode, entry.id, at + 1),
            Some(end) => {
                let name = &path[..=end];
                let count = files[at..].iter().take_while(|(path, _)| path.starts_with(name)).count();
                let below: Vec<_> =
                    files[at..at + count].iter().map(|(path, entry)| (&path[name.len()..], *entry)).collect();
                (&path[..end], 0o40_000, write_tree(&below, content), at + count)
            }
        };
        content.extend_from_slice(format!("{mode:o} ").as_bytes());
        content.extend_from_slice(name);
        content.push(0);
        content.extend_from_slice(id.as_bytes());
        at = next;
    }
    let id = hashed("tree", &content[start..]);
    content.truncate(start);
    id
}

/// Our side with what the merge changes.
pub fn edited(ours: &Listed, outcome: &Outcome) -> Listed {
    let mut merged = ours.clone();
    for (path, entry) in &outcome.edits {
        let before = match entry {
            Some(entry) => merged.insert(path.clone(), *entry),
            None => merged.remove(path),
        };
        assert_ne!(before, *entry, "an edit changes something: {path}");
    }
    merged
}

/// An outcome as git would tell it.
pub fn as_answer(outcome: &Outcome, ours: &Listed) -> Answer {
    let messages = outcome.messages.iter();
    Answer {
        is_clean: outcome.is_clean,
        tree: tree_id(&edited(ours, outcome)),
        conflicts: outcome.conflicts.iter().map(|(path, stages)| (path.clone(), *stages)).collect(),
        messages: messages
            .map(|message| (message.kind.name().to_owned(), message.paths.clone(), message.text.clone()))
            .collect(),
    }
}

/// What a side has that is new is in the tree, or among the stages, or was merged.
fn check_kept(three: [&Listed; 3], outcome: &Outcome, tree: &Listed, seed: u64) {
    let old: BTreeSet<ObjectId> = three[0].values().map(|entry| entry.id).collect();
    let stages = outcome.conflicts.values().flatten().flatten();
    let kept: BTreeSet<ObjectId> = tree.values().chain(stages).map(|entry| entry.id).collect();
    let merged = outcome.messages.iter().filter(|m| m.kind.name() == "Auto-merging").count();
    let lost: Vec<_> = three[1..]
        .iter()
        .flat_map(|side| side.iter())
        .filter(|(_, entry)| !old.contains(&entry.id) && !kept.contains(&entry.id))
        .collect();
    if lost.len() > 2 * merged {
        println!("lost? seed {seed}: {lost:?} merged {merged}");
    }
}

/// No path is both a file and a folder.
fn assert_is_tree(tree: &Listed, seed: u64) {
    for path in tree.keys() {
        for at in path.find_iter("/") {
            assert!(!tree.contains_key(&path[..at].as_bstr().to_owned()), "seed {seed}: {path} is in a file");
        }
    }
}

const STYLES: [(Style, &str); 3] = [(Style::Merge, "merge"), (Style::Diff3, "diff3"), (Style::Zdiff3, "zdiff3")];

fn names(seed: u64) -> [String; 3] {
    [format!("base{seed}"), format!("o/{seed}"), format!("t/{seed}")]
}

/// Merges the trees of all seeds, with attributes for base names.
fn compare(shape: Shape, seeds: std::ops::Range<u64>, style: usize, drivers: &[(&str, Driver)]) {
    let all: Vec<(u64, Three)> = seeds.map(|seed| (seed, three_trees(&mut Rng::with_seed(seed), shape))).collect();
    let trees = all.iter().flat_map(|(seed, three)| names(*seed).into_iter().zip(three));
    let repo = Repo::with_tags(trees);
    let attributes: Vec<&str> = drivers.iter().map(|(line, _)| *line).collect();
    std::fs::write(repo.folder().join(".git/info/attributes"), attributes.join("\n")).expect("it can be written");
    let merges: Vec<[String; 3]> = all.iter().map(|(seed, _)| names(*seed)).collect();
    let (style, option) = STYLES[style];
    let answers = merge_trees(&At::repo(&repo), &["-c", &format!("merge.conflictStyle={option}")], &merges);
    let (mut wrong, mut failed, mut broken, mut unclean) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for ((seed, three), answer) in all.iter().zip(answers) {
        let named = |line: &str| line.split(' ').next().expect("a name comes first").into();
        let drivers = drivers.iter().map(|(line, driver)| (named(line), *driver)).collect();
        let mut blobs = Blobs { drivers, ..Blobs::default() };
        let [base, ours, theirs] = three.each_ref().map(|tree| blobs.add(tree));
        let files = Sorted(base.iter().map(|(path, entry)| (path.as_bstr(), *entry)).collect());
        let names = names(*seed);
        let [base_label, our_label, their_label] = names.each_ref().map(|name| name.as_bytes());
        let labels = Labels { ours: our_label, base: base_label, theirs: their_label };
        let options = Options { style, labels, ..Options::default() };
        let merged = tree_merge::merge(&files, &changes(&base, &ours), &changes(&base, &theirs), &mut blobs, &options)
            .expect("nothing interrupts it");
        let Merged::Done(outcome) = merged else { panic!("everything is here") };
        let here = as_answer(&outcome, &ours);
        let tree = edited(&ours, &outcome);
        assert_is_tree(&tree, *seed);
        let Some(answer) = answer else {
            failed.push(*seed);
            check_kept([&base, &ours, &theirs], &outcome, &tree, *seed);
            continue;
        };
        unclean += usize::from(!answer.is_clean);
        if here == answer {
            continue;
        }
        let three = [&base, &ours, &theirs];
        if answer.is_broken(&listed_in(&At::repo(&repo), &answer.tree.to_string()), three, &tree) {
            broken.push(*seed);
            check_kept(three, &outcome, &tree, *seed);
            continue;
        }
        wrong.push(*seed);
        if wrong.len() <= 3 {
            println!("\nseed {seed}");
            show(&At::repo(&repo), three, &blobs, (&here, &tree), &answer);
        }
    }
    println!("{} merges, {unclean} unclean, git failed at {failed:?} and loses something at {broken:?}", all.len());
    assert!(wrong.is_empty(), "{} differ: {wrong:?}", wrong.len());
    assert!(unclean * 4 > all.len(), "too few conflicts: {unclean}");
}

#[test]
fn small_trees() {
    let shape = Shape { files: 6, most_steps: 4, odd: 8, texts: 2, most_lines: 12, depth: 2 };
    compare(shape, 0..1000, 0, &[]);
}

#[test]
fn trees_of_folders() {
    let shape = Shape { files: 20, most_steps: 6, odd: 12, texts: 6, most_lines: 20, depth: 3 };
    compare(shape, 1000..2000, 1, &[]);
}

#[test]
fn long_texts() {
    let shape = Shape { files: 12, most_steps: 10, odd: 30, texts: 2, most_lines: 200, depth: 1 };
    compare(shape, 2000..2500, 2, &[]);
}

#[test]
fn big_trees() {
    let shape = Shape { files: 80, most_steps: 12, odd: 12, texts: 20, most_lines: 12, depth: 4 };
    compare(shape, 3000..3500, 0, &[]);
}

#[test]
fn attributes_decide_how_a_path_is_merged() {
    let driver = |kind, marker_size| Driver { kind, marker_size };
    let drivers = [
        ("a merge=union", driver(DriverKind::Union, 7)),
        ("b -merge", driver(DriverKind::Binary, 7)),
        ("c conflict-marker-size=12", driver(DriverKind::Text, 12)),
        ("d merge=binary", driver(DriverKind::Binary, 7)),
        ("e merge conflict-marker-size=3", driver(DriverKind::Text, 3)),
    ];
    let shape = Shape { files: 8, most_steps: 12, odd: 30, texts: 3, most_lines: 40, depth: 1 };
    for style in 0..STYLES.len() {
        let first = 4000 + 200 * style as u64;
        compare(shape, first..first + 200, style, &drivers);
    }
}
