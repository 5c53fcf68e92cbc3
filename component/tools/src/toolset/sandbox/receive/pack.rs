//! Takes the pack of a push. The host has verified the bytes of each object; whether the objects fit to those that are here is known
//! only here.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::objs::tree::EntryKind;
use gix::objs::{Kind, TreeRefIter};

use crate::attachment;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};
use crate::git::worktree::sparse::Sparse;
use crate::platform;
use crate::session::Context;

/// Where the ids begin in an index of version 2, behind its head and the counts (gitformat-pack).
const IDS: usize = 8 + 256 * 4;

/// Puts the pack where git looks for it.
///
/// # Errors
///
/// If an object names one that is neither in it nor here, or it has one that `new` do not reach.
pub fn take(
    context: &mut Context<'_>,
    pack: Option<&str>,
    index: Option<&str>,
    new: &BTreeSet<ObjectId>,
) -> Result<(), ToolError> {
    let mut brought = BTreeSet::new();
    if let (Some(pack), Some(index)) = (pack, index) {
        let [pack, index] = [attachment::named(pack)?, attachment::named(index)?];
        let index = context.embedding.read_attachment(&index)?;
        brought = ids(&index);
        let base = context.session.pack_place(&pack);
        let pack = context.embedding.read_attachment(&pack)?;
        platform::create_dir_all(base.parent().expect("a pack is in a folder"))
            .and_then(|()| platform::put_file(&base.with_extension("pack"), pack, None))
            .and_then(|()| platform::put_file(&base.with_extension("idx"), index, None))
            .map_err(|error| ToolError::io(".git/objects/pack", &error))?;
        context.session.forget();
    }
    let repo = context.session.repo()?;
    let may_lack = Sparse::load(&repo)?.is_some();
    let mut reached = Reached { repo: &repo, brought, seen: BTreeMap::new(), may_lack, deadline: context.deadline };
    reached.walk(new)?;
    match reached.brought.iter().find(|id| !reached.seen.contains_key(*id)) {
        Some(first) => Err(ToolError::failed(format!("The pack has {first}, which no branch of the push reaches"))
            .hint("Nothing has changed. Push again with git.")),
        None => Ok(()),
    }
}

/// The ids in an index that the host has made.
fn ids(index: &[u8]) -> BTreeSet<ObjectId> {
    let count = index.get(IDS - 4..IDS).map_or(0, |last| u32::from_be_bytes(last.try_into().expect("four bytes")));
    let ids = index.get(IDS..).unwrap_or_default().chunks_exact(20).take(count as usize);
    ids.map(ObjectId::from_bytes_or_panic).collect()
}

/// The objects of the pack that are reached.
struct Reached<'a> {
    repo: &'a Repo,
    brought: BTreeSet<ObjectId>,
    seen: BTreeMap<ObjectId, Kind>,
    /// Whether a blob may be elsewhere: a sandbox of some folders has not all of them.
    may_lack: bool,
    deadline: &'a Deadline,
}

impl Reached<'_> {
    fn walk(&mut self, new: &BTreeSet<ObjectId>) -> Result<(), ToolError> {
        // A ref that is refused may lead to anything. What it brought is reached by it.
        let mut open = Vec::with_capacity(new.len());
        for id in new {
            open.push((*id, self.kind(*id)?.unwrap_or(Kind::Commit)));
        }
        while let Some((id, kind)) = open.pop() {
            self.deadline.poll()?;
            if self.seen.get(&id) == Some(&kind) {
                continue;
            }
            match self.kind(id)? {
                Some(found) if found == kind => {}
                None if kind == Kind::Blob && self.may_lack => continue,
                Some(found) => return Err(ToolError::failed(format!("{id} is a {found}, but is used as a {kind}"))),
                None => {
                    return Err(ToolError::failed(format!("The {kind} {id} is missing"))
                        .hint("Nothing has changed. Push from a clone that has the whole history, with git."));
                }
            }
            // What is here already came with what it names, as far as the sandbox has it.
            if self.brought.contains(&id) {
                self.seen.insert(id, kind);
                self.links(id, kind, &mut open)?;
            }
        }
        Ok(())
    }

    fn kind(&self, id: ObjectId) -> Result<Option<Kind>, ToolError> {
        let header = self.repo.gix.try_find_header(id).map_err(|error| damaged(&error))?;
        Ok(header.map(|header| header.kind()))
    }

    /// The objects that one names.
    fn links(&self, id: ObjectId, kind: Kind, open: &mut Vec<(ObjectId, Kind)>) -> Result<(), ToolError> {
        let object = self.repo.gix.find_object(id).map_err(|error| damaged(&error))?;
        match kind {
            Kind::Commit => {
                let commit = object.into_commit();
                open.push((commit.tree_id().map_err(|error| damaged(&error))?.detach(), Kind::Tree));
                open.extend(commit.parent_ids().map(|parent| (parent.detach(), Kind::Commit)));
            }
            Kind::Tree => {
                for entry in TreeRefIter::from_bytes(&object.data, gix::hash::Kind::Sha1) {
                    let entry = entry.map_err(|error| damaged(&error))?;
                    match entry.mode.kind() {
                        EntryKind::Tree => open.push((entry.oid.to_owned(), Kind::Tree)),
                        EntryKind::Commit => {}
                        EntryKind::Blob | EntryKind::BlobExecutable | EntryKind::Link => {
                            open.push((entry.oid.to_owned(), Kind::Blob));
                        }
                    }
                }
            }
            Kind::Tag => {
                let target = object.into_tag().target_id().map_err(|error| damaged(&error))?.detach();
                open.push((target, self.kind(target)?.unwrap_or(Kind::Commit)));
            }
            Kind::Blob => {}
        }
        Ok(())
    }
}
