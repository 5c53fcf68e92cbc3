//! Fetches what a sandbox lacks of a repository: commits with their trees, or single blobs, as one
//! verified pack.
//!
//! Gives out only what the repository's branches, tags and HEAD reach, so that what its owner has
//! deleted stays private.

use std::collections::HashSet;

use bytes::Bytes;
use gate::Fault;
use gate::import::{Supply, SupplyRequest, check_supply};
use gate::objects::{Nothing, Objects};
use gate::pack::PackLimits;
use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::hash::oid;
use gix::objs::Kind;

use super::history::History;
use super::lacking::Lacking;
use super::supply::refused;
use super::{
    BlobAt, CommitsWanted, Fetched, Progress, Remotes, Stage, Target, TargetError, TargetErrorKind, TargetObjects,
    generate,
};

impl Target {
    /// Fetches a commit and the history that the sandbox lacks, with all their trees.
    pub fn fetch_commits(&self, wanted: &CommitsWanted, progress: &dyn Progress) -> Result<Fetched, TargetError> {
        let repo = self.fresh()?;
        self.ensure_reached(&repo, &HashSet::from([wanted.want]))?;
        let history = History::of(&repo, wanted)?;
        let lacking = Lacking::of(&repo, &history, wanted.blobs, progress)?;
        let pack = generate::pack(&repo, lacking.counts, progress)?;
        let had = Had { ids: lacking.had, objects: TargetObjects::new(repo) };
        verify(pack, &history.shallow, !wanted.blobs, &had, progress)
    }

    /// Fetches blobs.
    pub fn fetch_blobs(&self, wanted: &[BlobAt], progress: &dyn Progress) -> Result<Fetched, TargetError> {
        let repo = self.fresh()?;
        self.ensure_reached(&repo, &wanted.iter().map(|blob| blob.commit).collect())?;
        let mut ids: Vec<ObjectId> = Vec::with_capacity(wanted.len());
        for blob in wanted {
            if !stands_at(&repo, blob)? {
                return Err(TargetError::new(
                    TargetErrorKind::Refused,
                    format!("the commit {} has no blob {} at '{}'", blob.commit, blob.id, blob.path.escape_ascii()),
                )
                .hint("pull again"));
            }
            ids.push(blob.id);
        }
        ids.sort_unstable();
        ids.dedup();
        progress.at(Stage::Counting, ids.len() as u64, Some(ids.len() as u64));
        let pack = generate::pack(&repo, ids.into_iter().map(generate::unplaced).collect(), progress)?;
        verify(pack, &[], false, &Nothing, progress)
    }

    /// Fails unless branches, tags or HEAD reach all these commits.
    fn ensure_reached(&self, repo: &gix::Repository, commits: &HashSet<ObjectId>) -> Result<(), TargetError> {
        let listing = self.refs(Remotes::Without)?;
        let tips = listing.refs.iter().map(|entry| entry.peeled.unwrap_or(entry.id)).chain(listing.detached);
        let tips: Vec<ObjectId> = tips.collect();
        let mut missing = commits.clone();
        missing.retain(|commit| !tips.contains(commit));
        if missing.is_empty() {
            return Ok(());
        }
        let broken = |error: gix::Error| TargetError::damaged(format!("cannot walk the history: {error}"), error);
        let is_commit = |id: &ObjectId| repo.find_header(*id).is_ok_and(|header| header.kind() == Kind::Commit);
        for commit in repo.rev_walk(tips.into_iter().filter(is_commit)).all().map_err(broken)? {
            missing.remove(&commit.map_err(broken)?.id);
            if missing.is_empty() {
                return Ok(());
            }
        }
        let first = missing.into_iter().min().expect("some are missing");
        Err(TargetError::new(
            TargetErrorKind::MissingObject,
            format!("no branch or tag of {} reaches the commit {first}", self.canonical()),
        )
        .hint("pull again: its branch may have moved"))
    }
}

fn stands_at(repo: &gix::Repository, blob: &BlobAt) -> Result<bool, TargetError> {
    let damaged = |error: gix::Error| TargetError::damaged(format!("cannot read a tree: {error}"), error);
    let tree = repo.find_commit(blob.commit).map_err(damaged)?.tree().map_err(damaged)?;
    let entry = tree.lookup_entry(blob.path.split_str("/")).map_err(damaged)?;
    Ok(entry.is_some_and(|entry| entry.mode().is_blob_or_symlink() && entry.object_id() == blob.id))
}

/// The sandbox's objects: only these objects of the repository.
struct Had {
    ids: HashSet<ObjectId>,
    objects: TargetObjects,
}

impl Objects for Had {
    fn find(&self, id: &oid, out: &mut Vec<u8>) -> Result<Option<Kind>, Fault> {
        if self.ids.contains(id) { self.objects.find(id, out) } else { Ok(None) }
    }

    fn header(&self, id: &oid) -> Result<Option<(Kind, u64)>, Fault> {
        if self.ids.contains(id) { self.objects.header(id) } else { Ok(None) }
    }
}

fn verify(
    pack: Bytes,
    shallow: &[ObjectId],
    absent_blobs: bool,
    have: &dyn Objects,
    progress: &dyn Progress,
) -> Result<Fetched, TargetError> {
    let bytes = pack.len() as u64;
    let watch = |done| progress.at(Stage::Verifying, done, Some(bytes));
    let request = SupplyRequest { pack, tips: &[], shallow, absent_blobs, have, watch: &watch };
    let supply = check_supply(request, &PackLimits::import()).map_err(refused)?;
    let Supply { verified, shallow, .. } = supply;
    let index = verified.index().map_err(refused)?.into();
    progress.at(Stage::Verifying, bytes, Some(bytes));
    Ok(Fetched { pack: verified.bytes().clone(), index, shallow })
}
