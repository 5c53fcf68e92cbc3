//! The objects that a push to a server builds on.
//!
//! The host has supplied most of them itself and finds them in the sandbox's attachments. It reads
//! from the server what is lacking, and nothing else.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use bstr::ByteSlice;
use bytes::Bytes;
use gate::Fault;
use gate::objects::Objects;
use gate::pack::{self, IndexedPack, Origin, PackLimits, VerifiedPack};
use gix_hash::{ObjectId, oid};
use gix_object::{CommitRefIter, Kind, TreeRefIter};

use crate::attachment::AttachmentId;
use crate::error::{ErrorKind, HostError, Result};
use crate::sandbox::Sandbox;
use crate::store::Store;

/// The content of a commit that the host has given to the sandbox. `None` if it has given no such commit.
///
/// # Errors
/// The sandbox's attachments cannot be read.
pub fn given_commit(id: &oid, sandbox: &mut Sandbox) -> Result<Option<Vec<u8>>> {
    let (given, mut content) = (given(sandbox)?, Vec::new());
    let kind = given.find(id, &mut content).map_err(HostError::from)?;
    Ok((kind == Some(Kind::Commit)).then_some(content))
}

/// What the host has given to the sandbox, wherever it came from.
pub(crate) fn given(sandbox: &mut Sandbox) -> Result<Known> {
    let held = sandbox.lock()?.attachments()?;
    Known::read(&sandbox.store, &held, &[])
}

/// What the host has verified and given to the sandbox, and what it has read since for itself.
#[derive(Clone)]
pub(crate) struct Known(Rc<Inner>);

struct Inner {
    packs: RefCell<Vec<Box<dyn Objects>>>,
    /// What this sandbox has pushed there. It may not have it any more, so nothing that is given to it may build on
    /// that.
    pushed: Vec<VerifiedPack>,
    /// The kinds of objects that others name.
    kinds: RefCell<HashMap<ObjectId, Kind>>,
    /// What was looked for in vain.
    lacking: RefCell<BTreeSet<ObjectId>>,
    /// Whether looking in vain counts.
    is_watched: Cell<bool>,
}

impl Known {
    /// What is in the attachments `held` by the sandbox, and in those that it has `pushed`.
    pub(crate) fn read(store: &Store, held: &[AttachmentId], pushed: &[AttachmentId]) -> Result<Self> {
        let (mut packs, mut indexes) = (Vec::new(), HashMap::new());
        for id in held {
            match store.attachments.whole(id) {
                // The sandbox is open, so it does not need this one.
                Err(error) if error.kind == ErrorKind::Damaged => {}
                read => match read? {
                    pack if pack.starts_with(b"PACK") => packs.push(pack),
                    index => drop(pack::checksum(&index).map(|checksum| indexes.insert(checksum, index))),
                },
            }
        }
        let whole = |pack: Bytes| -> Result<Box<dyn Objects>> {
            Ok(match pack::checksum(&pack).and_then(|checksum| indexes.remove(&checksum)) {
                Some(index) => Box::new(IndexedPack::new(pack, index)?),
                None => Box::new(verified(pack)?),
            })
        };
        // What the sandbox has given is read from the server again if it is not here any more.
        let kept = pushed.iter().filter_map(|id| store.attachments.whole(id).and_then(verified).ok()).collect();
        let inner = Inner {
            packs: RefCell::new(packs.into_iter().map(whole).collect::<Result<_>>()?),
            pushed: kept,
            kinds: RefCell::default(),
            lacking: RefCell::default(),
            is_watched: Cell::new(false),
        };
        Ok(Known(Rc::new(inner)))
    }

    /// Adds what was fetched for the sandbox in this call.
    pub(crate) fn add(&self, pack: VerifiedPack) {
        self.0.packs.borrow_mut().push(Box::new(pack));
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

    /// The same, with what was pushed: what a push builds on.
    pub(crate) fn there(&self) -> There {
        There(self.clone())
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

    /// What of it, and of what was pushed, `tips` reach: the server has all of that.
    pub(crate) fn reached(&self, tips: impl IntoIterator<Item = ObjectId>) -> Rc<dyn Objects> {
        Rc::new(Reached { there: self.there(), tips: Vec::from_iter(tips), ids: OnceCell::new() })
    }

    fn found(&self, kind: Kind, content: &[u8]) -> Option<Kind> {
        self.0.kinds.borrow_mut().extend(named(kind, content));
        Some(kind)
    }

    fn lack(&self, id: &oid) -> Option<Kind> {
        if self.0.is_watched.get() {
            self.0.lacking.borrow_mut().insert(id.to_owned());
        }
        None
    }

    fn given(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        for pack in &*self.0.packs.borrow() {
            if let Some(kind) = pack.find(id, out)? {
                return Ok(self.found(kind, out));
            }
        }
        Ok(None)
    }
}

impl Objects for Known {
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        Ok(self.given(id, out)?.or_else(|| self.lack(id)))
    }
}

/// What the host has verified of what the server has, whether the sandbox still has it or not.
pub(crate) struct There(Known);

impl Objects for There {
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        let There(known) = self;
        if let Some(kind) = known.given(id, out)? {
            return Ok(Some(kind));
        }
        for pack in &known.0.pushed {
            if let Some(kind) = pack.find(id, out)? {
                return Ok(known.found(kind, out));
            }
        }
        Ok(known.lack(id))
    }
}

/// What some commits reach. To find that out, all of it is read, so it waits until somebody asks: a git server needs none
/// of it.
struct Reached {
    there: There,
    tips: Vec<ObjectId>,
    ids: OnceCell<HashSet<ObjectId>>,
}

impl Reached {
    fn ids(&self) -> Result<&HashSet<ObjectId>, Fault> {
        if let Some(ids) = self.ids.get() {
            return Ok(ids);
        }
        let (mut open, mut ids, mut content) = (self.tips.clone(), HashSet::new(), Vec::new());
        while let Some(id) = open.pop() {
            if ids.contains(&id) {
                continue;
            }
            if let Some(kind) = self.there.find(&id, &mut content)? {
                ids.insert(id);
                open.extend(named(kind, &content).into_iter().map(|(id, _)| id));
            }
        }
        Ok(self.ids.get_or_init(|| ids))
    }
}

impl Objects for Reached {
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        if self.ids()?.contains(id) { self.there.find(id, out) } else { Ok(None) }
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
