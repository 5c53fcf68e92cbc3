//! The objects that a push to a server builds on.
//!
//! The host has supplied most of them itself and finds them in the sandbox's attachments. It reads
//! from the server what is lacking, and nothing else.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use bstr::ByteSlice;
use bytes::Bytes;
use gate::Fault;
use gate::objects::Objects;
use gate::pack::{self, Origin, PackLimits, VerifiedPack};
use gix_hash::{ObjectId, oid};
use gix_object::{CommitRefIter, Kind, TreeRefIter};

use crate::attachment::AttachmentId;
use crate::error::{ErrorKind, HostError, Result};
use crate::store::Store;

/// What the host has verified and given to the sandbox, and what it has read since for itself.
#[derive(Clone)]
pub(crate) struct Known(Rc<Inner>);

struct Inner {
    packs: RefCell<Vec<VerifiedPack>>,
    /// The kinds of objects that others name.
    kinds: RefCell<HashMap<ObjectId, Kind>>,
    /// What was looked for in vain.
    lacking: RefCell<BTreeSet<ObjectId>>,
    /// Whether looking in vain counts.
    is_watched: Cell<bool>,
}

impl Known {
    /// What is in those attachments.
    pub(crate) fn read(store: &Store, attachments: &[AttachmentId]) -> Result<Self> {
        let mut packs = Vec::new();
        for id in attachments {
            let mut content = Vec::new();
            let read = store.attachments.read(id, 1 << 20, |_, part| {
                content.extend_from_slice(part);
                Ok(())
            });
            match read {
                // The sandbox is open, so it does not need this one.
                Err(error) if error.kind == ErrorKind::Damaged => continue,
                read => read?,
            }
            if content.starts_with(b"PACK") {
                packs.push(verified(content.into())?);
            }
        }
        let inner = Inner {
            packs: RefCell::new(packs),
            kinds: RefCell::default(),
            lacking: RefCell::default(),
            is_watched: Cell::new(false),
        };
        Ok(Known(Rc::new(inner)))
    }

    /// Adds what was fetched for the sandbox in this call.
    pub(crate) fn add(&self, pack: VerifiedPack) {
        self.0.packs.borrow_mut().push(pack);
    }

    /// Adds what was read for the host itself.
    pub(crate) fn add_read(&self, pack: Bytes) -> Result<()> {
        self.add(verified(pack)?);
        Ok(())
    }

    /// Calls `function`, and returns what it looked for in vain as far as the kind is known.
    pub(crate) fn watching<T>(&self, function: impl FnOnce() -> T) -> (T, Vec<(ObjectId, Kind)>) {
        self.0.lacking.borrow_mut().clear();
        self.0.is_watched.set(true);
        let value = function();
        self.0.is_watched.set(false);
        let kinds = self.0.kinds.borrow();
        let lacking = self.0.lacking.borrow();
        let found = lacking.iter().filter_map(|id| Some((*id, *kinds.get(id)?))).collect();
        (value, found)
    }

    /// Names the kind of an object that the server is known to have.
    pub(crate) fn expect(&self, id: ObjectId, kind: Kind) {
        self.0.kinds.borrow_mut().insert(id, kind);
    }

    /// Looks for a commit, and for the folders that lead to a path in it.
    pub(crate) fn follow(&self, commit: &oid, path: &[u8]) -> Result<(), Fault> {
        let mut content = Vec::new();
        if self.find(commit, &mut content)? != Some(Kind::Commit) {
            return Ok(());
        }
        let mut folder = CommitRefIter::from_bytes(&content, gix_hash::Kind::Sha1).tree_id().ok();
        for name in path.split_str("/") {
            let Some(tree) = folder.take() else { break };
            if self.find(&tree, &mut content)? == Some(Kind::Tree) {
                let entries = TreeRefIter::from_bytes(&content, gix_hash::Kind::Sha1).filter_map(Result::ok);
                let mut folders = entries.filter(|entry| entry.mode.is_tree());
                folder = folders.find(|entry| entry.filename == name).map(|entry| entry.oid.to_owned());
            }
        }
        Ok(())
    }

    /// What of it `tips` reach: the server has all of that.
    pub(crate) fn reached(&self, tips: impl IntoIterator<Item = ObjectId>) -> Result<Rc<dyn Objects>> {
        let (mut open, mut ids, mut content) = (Vec::from_iter(tips), HashSet::new(), Vec::new());
        while let Some(id) = open.pop() {
            if ids.contains(&id) {
                continue;
            }
            if let Some(kind) = self.find(&id, &mut content)? {
                ids.insert(id);
                open.extend(named(kind, &content).into_iter().map(|(id, _)| id));
            }
        }
        Ok(Rc::new(Reached { known: self.clone(), ids }))
    }
}

impl Objects for Known {
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        for pack in &*self.0.packs.borrow() {
            if let Some(kind) = pack.find(id, out)? {
                self.0.kinds.borrow_mut().extend(named(kind, out));
                return Ok(Some(kind));
            }
        }
        if self.0.is_watched.get() {
            self.0.lacking.borrow_mut().insert(id.to_owned());
        }
        Ok(None)
    }
}

/// Some of it.
struct Reached {
    known: Known,
    ids: HashSet<ObjectId>,
}

impl Objects for Reached {
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        if self.ids.contains(id) { self.known.find(id, out) } else { Ok(None) }
    }
}

/// The objects that an object names, with their kinds. One that cannot be read names none: the gate
/// says so when it needs it.
fn named(kind: Kind, content: &[u8]) -> Vec<(ObjectId, Kind)> {
    match kind {
        Kind::Commit => {
            let mut commit = CommitRefIter::from_bytes(content, gix_hash::Kind::Sha1);
            let tree = commit.tree_id().ok().map(|tree| (tree, Kind::Tree));
            let parents =
                CommitRefIter::from_bytes(content, gix_hash::Kind::Sha1).parent_ids().map(|id| (id, Kind::Commit));
            tree.into_iter().chain(parents).collect()
        }
        Kind::Tree => TreeRefIter::from_bytes(content, gix_hash::Kind::Sha1)
            .filter_map(Result::ok)
            .filter(|entry| !entry.mode.is_commit())
            .map(|entry| (entry.oid.to_owned(), if entry.mode.is_tree() { Kind::Tree } else { Kind::Blob }))
            .collect(),
        Kind::Blob | Kind::Tag => Vec::new(),
    }
}

fn verified(pack: Bytes) -> Result<VerifiedPack> {
    pack::verify(pack, &PackLimits::import(), Origin::Supplied).map_err(HostError::from)
}
