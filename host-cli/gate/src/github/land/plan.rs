//! What to send, in which order. Refuses what cannot be said in the server's terms before anything
//! is sent.

use patch::sort::sort_by_key;
use std::collections::{HashMap, HashSet};

use bstr::ByteSlice;
use gix_hash::ObjectId;
use gix_object::Kind;

use super::{commit, tree};
use crate::{
    format::{commit::Commit, tree::Mode},
    github::{Fault, FaultKind},
    objects::{Objects, Overlay},
    pack::VerifiedPack,
};

/// Bytes of a file that GitHub takes.
const MOST_BLOB: u64 = 100 << 20;

/// Everything a push brings.
pub(super) struct Plan {
    pub blobs: Vec<ObjectId>,
    /// Each after the trees that it holds, and after its predecessor.
    pub trees: Vec<Planned>,
    /// Each after its parents.
    pub commits: Vec<ObjectId>,
}

/// A tree to send.
pub(super) struct Planned {
    pub id: ObjectId,
    /// What the first parent has at the same path, if that can be read.
    pub before: Option<ObjectId>,
}

impl Plan {
    /// Plans all objects of `pack`.
    pub fn of(pack: &VerifiedPack, base: &dyn Objects) -> Result<Self, Fault> {
        let mut objects: Vec<_> = pack.objects().iter().collect();
        sort_by_key(&mut objects, |object| object.offset);
        let mut blobs = Vec::new();
        for object in &objects {
            match object.kind {
                Kind::Blob if object.size > MOST_BLOB => {
                    let what = format!("GitHub takes no file of more than {MOST_BLOB} bytes: the blob {}", object.id);
                    return Err(Fault::too_large(what).with_hint("keep the file elsewhere, or in Git LFS"));
                }
                Kind::Blob => blobs.push(object.id),
                Kind::Tag => return Err(unsendable(object.id, Kind::Tag, "only commits are pushed to a branch")),
                Kind::Tree | Kind::Commit => {}
            }
        }
        let commits = objects.iter().filter(|object| object.kind == Kind::Commit).map(|object| object.id).collect();
        let mut planning = Planning { all: Overlay { pack, below: base }, seen: HashSet::new(), trees: Vec::new() };
        let commits = planning.commits(commits)?;
        // What a commit reaches only through a tree that the target has.
        for tree in objects.iter().filter(|object| object.kind == Kind::Tree) {
            planning.below(tree.id, None)?;
        }
        Ok(Plan { blobs, trees: planning.trees, commits })
    }
}

struct Planning<'a> {
    all: Overlay<'a>,
    seen: HashSet<ObjectId>,
    trees: Vec<Planned>,
}

/// A step through what depends on each other, without recursion.
enum Step<T> {
    Enter(T),
    Leave(T),
}

impl Planning<'_> {
    /// Sorts the commits, and plans their trees.
    fn commits(&mut self, ids: Vec<ObjectId>) -> Result<Vec<ObjectId>, Fault> {
        let (mut sorted, mut entered, mut data) = (Vec::with_capacity(ids.len()), HashSet::new(), Vec::new());
        let mut steps: Vec<_> = ids.into_iter().map(Step::Enter).collect();
        let mut trees = HashMap::new();
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(id) => {
                    if !entered.insert(id) || self.all.pack.find(&id, &mut data)?.is_none() {
                        continue;
                    }
                    commit::body(id, &data)?;
                    let Commit { tree, parents, .. } = read(id, &data)?;
                    trees.insert(id, (tree, parents.first().copied()));
                    steps.push(Step::Leave(id));
                    steps.extend(parents.into_iter().map(Step::Enter));
                }
                Step::Leave(id) => {
                    let (tree, parent) = trees[&id];
                    let before = match parent {
                        Some(parent) => self.tree_of(parent)?,
                        None => None,
                    };
                    self.below(tree, before)?;
                    sorted.push(id);
                }
            }
        }
        Ok(sorted)
    }

    fn tree_of(&self, commit: ObjectId) -> Result<Option<ObjectId>, Fault> {
        let mut data = Vec::new();
        match self.all.find(&commit, &mut data)? {
            Some(Kind::Commit) => Ok(Some(read(commit, &data)?.tree)),
            _ => Ok(None),
        }
    }

    /// Plans a tree and those of the push that it holds.
    fn below(&mut self, root: ObjectId, before: Option<ObjectId>) -> Result<(), Fault> {
        let (mut data, mut old) = (Vec::new(), Vec::new());
        let mut steps = vec![Step::Enter((root, before))];
        while let Some(step) = steps.pop() {
            let (id, before) = match step {
                Step::Leave((id, before)) => {
                    self.trees.push(Planned { id, before });
                    continue;
                }
                Step::Enter(folder) => folder,
            };
            if self.seen.contains(&id) || self.all.pack.find(&id, &mut data)?.is_none() {
                continue;
            }
            self.seen.insert(id);
            let before = match before {
                Some(before) if self.all.find(&before, &mut old)? == Some(Kind::Tree) => Some(before),
                _ => None,
            };
            let olds = match before {
                Some(before) => tree::read(before, &old)?.into_iter().map(|entry| (entry.name, entry)).collect(),
                None => HashMap::new(),
            };
            steps.push(Step::Leave((id, before)));
            for entry in tree::sendable(id, &data)? {
                if entry.mode == Mode::Tree {
                    let before = olds.get(entry.name).filter(|old| old.mode == Mode::Tree).map(|old| old.id.to_owned());
                    steps.push(Step::Enter((entry.id.to_owned(), before)));
                }
            }
        }
        Ok(())
    }
}

fn read(id: ObjectId, data: &[u8]) -> Result<Commit<'_>, Fault> {
    Ok(Commit::parse(data).map_err(|broken| broken.of(Kind::Commit, &id))?)
}

/// The fault for an object that GitHub's API cannot be given exactly.
pub(super) fn unsendable(id: ObjectId, kind: Kind, why: &str) -> Fault {
    Fault::new(FaultKind::Unsendable { id }, format!("the {kind} {id} cannot be sent to GitHub's REST API: {why}"))
        .with_hint("push to a clone of the repository, and from there with git")
}

/// Text that JSON can hold.
pub(super) fn utf8<'a>(id: ObjectId, kind: Kind, text: &'a [u8], what: &str) -> Result<&'a str, Fault> {
    text.to_str().map_err(|_| unsendable(id, kind, &format!("{what} is not UTF-8")))
}
