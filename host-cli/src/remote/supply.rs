//! Packs everything that a repository's refs reach, verified, to create a sandbox from it.

use std::collections::HashSet;
use std::path::PathBuf;

use bytes::Bytes;
use gix::ObjectId;
use gix::objs::Kind;
use host::target::supply::verify;

pub use host::target::supply::{Supplied, refused};

use super::{Progress, Remotes, Target, TargetError, TargetErrorKind, error, generate};

impl Target {
    /// Packs everything reachable from branches, remote-tracking refs, tags and HEAD, and verifies
    /// it.
    ///
    /// If one pack file of the repository holds exactly these objects, as after a clone or `git
    /// gc`, uses its bytes unchanged. Otherwise builds a pack and copies packed entries. Keeps a
    /// shallow boundary.
    pub fn supply(&self, progress: &dyn Progress) -> Result<Supplied, TargetError> {
        let listing = self.refs(Remotes::With)?;
        let repo = self.fresh()?;
        let mut tips: Vec<(String, ObjectId)> =
            listing.refs.iter().map(|entry| (entry.name.clone(), entry.id)).collect();
        tips.extend(listing.detached.map(|id| ("HEAD".to_owned(), id)));

        let seeds = Seeds::of(&repo, &tips)?;
        let counts = generate::count(&repo, seeds.ids, progress)?;
        let pack = match existing_pack(&repo, &counts)? {
            Some(pack) => pack,
            None => generate::pack(&repo, counts, progress)?,
        };
        let boundary: Vec<ObjectId> = match repo.shallow_commits() {
            Ok(shallow) => {
                shallow.iter().flat_map(|ids| ids.iter()).copied().filter(|id| seeds.commits.contains(id)).collect()
            }
            Err(error) => {
                return Err(TargetError::damaged("cannot read the shallow boundary", error));
            }
        };
        let supply = verify(pack, &tips, &boundary, progress)?;
        Ok(Supplied { listing, supply })
    }
}

/// The start of counting: all commits, tags with their targets, and whatever else a ref holds.
struct Seeds {
    ids: Vec<ObjectId>,
    commits: HashSet<ObjectId>,
}

impl Seeds {
    /// Walks the history from the tips. Decodes every commit and tag, so that an error can name a
    /// damaged one.
    fn of(repo: &gix::Repository, tips: &[(String, ObjectId)]) -> Result<Self, TargetError> {
        let mut ids = Vec::new();
        let mut starts = Vec::new();
        for (name, id) in tips {
            let mut id = *id;
            loop {
                let object = find(repo, id, &format!("the ref `{name}`"))?;
                match object.kind {
                    Kind::Commit => {
                        starts.push(id);
                        break;
                    }
                    Kind::Tree | Kind::Blob => {
                        ids.push(id);
                        break;
                    }
                    Kind::Tag => {
                        ids.push(id);
                        id = gix::objs::TagRefIter::from_bytes(&object.data, gix::hash::Kind::Sha1)
                            .target_id()
                            .map_err(|error| TargetError::damaged(format!("the tag {id} is damaged"), error))?;
                    }
                }
            }
        }
        starts.sort_unstable();
        starts.dedup();
        let broken = |error: gix::Error| TargetError::damaged(format!("cannot walk the history: {error}"), error);
        let mut commits = HashSet::new();
        for commit in repo.rev_walk(starts).all().map_err(broken)? {
            let commit = commit.map_err(broken)?.id;
            let object = find(repo, commit, "the history")?;
            gix::objs::CommitRefIter::from_bytes(&object.data, gix::hash::Kind::Sha1)
                .tree_id()
                .map_err(|error| TargetError::damaged(format!("the commit {commit} is damaged"), error))?;
            commits.insert(commit);
            ids.push(commit);
        }
        Ok(Seeds { ids, commits })
    }
}

fn find<'r>(repo: &'r gix::Repository, id: ObjectId, wanted_by: &str) -> Result<gix::Object<'r>, TargetError> {
    match repo.try_find_object(id) {
        Ok(Some(object)) => Ok(object),
        Ok(None) => Err(TargetError::new(
            TargetErrorKind::MissingObject,
            format!("the object {id}, which {wanted_by} needs, is missing"),
        )
        .hint("run `git fsck` in that repository, and fetch the missing objects")),
        Err(error) => Err(TargetError::damaged(format!("the object {id}, which {wanted_by} needs, is damaged"), error)),
    }
}

/// The bytes of a pack file that holds exactly the counted objects, if one exists.
fn existing_pack(repo: &gix::Repository, counts: &[generate::Count]) -> Result<Option<Bytes>, TargetError> {
    let folder = repo.objects.store_ref().path().join("pack");
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error::io("list", &folder, error)),
    };
    let mut indices: Vec<PathBuf> = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| error::io("list", &folder, error))?.path();
        if path.extension().is_some_and(|extension| extension == "idx") {
            indices.push(path);
        }
    }
    indices.sort();
    for path in indices {
        // Skip an unreadable index. If its objects were needed, counting has already failed.
        let Ok(index) = gix_pack::index::File::at(&path, gix::hash::Kind::Sha1) else {
            continue;
        };
        if index.num_objects() as usize == counts.len() && counts.iter().all(|count| index.lookup(count.id).is_some()) {
            let pack = path.with_extension("pack");
            return std::fs::read(&pack).map(|bytes| Some(bytes.into())).map_err(|e| error::io("read", &pack, e));
        }
    }
    Ok(None)
}
