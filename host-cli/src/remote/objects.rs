//! The target's objects, for the gate.

use gate::objects::Objects;
use gate::{Fault, FaultKind};
use gix::hash::oid;
use gix::objs::Find;

/// A separate handle on a target's object database: loose objects, packs and alternates.
///
/// Most lookups miss, because a push brings new objects. A miss therefore never rescans the pack
/// folder: the handle sees the packs that existed when it was created.
pub struct TargetObjects {
    repo: gix::Repository,
}

impl TargetObjects {
    pub(super) fn new(mut repo: gix::Repository) -> Self {
        repo.objects.refresh_never();
        repo.object_cache_size(4 * 1024 * 1024);
        TargetObjects { repo }
    }
}

impl Objects for TargetObjects {
    fn find(&self, id: &oid, buf: &mut Vec<u8>) -> Result<Option<gix::objs::Kind>, Fault> {
        match self.repo.objects.try_find(id, buf) {
            Ok(Some(data)) => {
                let (kind, len) = (data.kind, data.data.len());
                buf.truncate(len);
                Ok(Some(kind))
            }
            Ok(None) => Ok(None),
            Err(error) => Err(unreadable(id, &error)),
        }
    }

    fn header(&self, id: &oid) -> Result<Option<(gix::objs::Kind, u64)>, Fault> {
        let header =
            gix::objs::FindHeader::try_header(&self.repo.objects, id).map_err(|error| unreadable(id, &error))?;
        Ok(header.map(|header| (header.kind, header.size)))
    }

    fn contains(&self, id: &oid) -> Result<bool, Fault> {
        Ok(self.repo.objects.exists_without_refresh(id))
    }
}

fn unreadable(id: &oid, error: &gix::Error) -> Fault {
    Fault::new(FaultKind::Host, format!("cannot read the target's object {id}: {error}"))
        .with_hint("run `git fsck` in the target")
}
