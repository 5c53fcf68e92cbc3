//! Converts trees to the merge's input and back.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};
use patch::tree_merge::{Change, Driver, Entry, Files, Objects, Outcome};
use patch::{Interrupted, ObjectId};

use crate::git;
use crate::merge_tree::Answer;
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
    /// The ids of absent blobs.
    pub absent: BTreeSet<ObjectId>,
    /// Drivers by the last part of the path.
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

/// The files as the base of a merge.
pub struct Sorted<'a>(Vec<(&'a BStr, Entry)>);

impl<'a> Sorted<'a> {
    pub fn of(files: &'a Listed) -> Self {
        Self(files.iter().map(|(path, entry)| (path.as_bstr(), *entry)).collect())
    }
}

impl Files for Sorted<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, at: usize) -> (&BStr, Entry) {
        self.0[at]
    }
}

impl Blobs {
    /// The files of a tree. Their contents become known to the store.
    pub fn add(&mut self, tree: &Tree) -> Listed {
        let entries = tree.iter().map(|(path, (mode, content))| {
            let id = if *mode == SUBMODULE { git::id(content) } else { self.write(content).expect("it never fails") };
            (BString::from(path.clone()), Entry { mode: *mode, id })
        });
        entries.collect()
    }
}

/// The changes of a side.
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

/// Our side with the changes of the merge.
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

/// An outcome in git's form.
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
