//! Finds blobs that a pack stores without a delta, and packs that are wanted as they are.
//!
//! Such a blob is a zlib stream (git's gitformat-pack, "Pack file entry"). Packs in a sandbox are attachments, so a file of the working
//! folder can be that stream. It is inflated on read, and neither memory nor the journal holds it twice.

use std::path::Path;

use gix::objs::Kind;
use gix::{ObjectId, hash};
use gix_pack::data::entry::Header;
use gix_pack::{data, index};

use crate::platform::{self, Attached, Inflated};

/// The packs of a repository that are attachments. The host has verified them, so their indexes are right.
pub struct Packs(Vec<Pack>);

struct Pack {
    index: index::File,
    /// The starts of its entries, ascending. Each entry ends at the next start.
    offsets: Vec<u64>,
    pack: Attached,
}

impl Packs {
    /// The packs of the repository at `git_dir`. This skips an unreadable pack: reading one of its objects reports the error.
    pub fn of(git_dir: &Path) -> Packs {
        let folder = git_dir.join("objects/pack");
        let entries = platform::list(&folder).unwrap_or_default();
        let paths = entries.iter().map(|entry| platform::join(&folder, &entry.name));
        let packs = paths.filter(|path| path.extension().is_some_and(|extension| extension == "pack"));
        Packs(packs.filter_map(|path| Pack::open(&path)).collect())
    }

    /// The bytes of a pack that has these objects and no other.
    pub fn exactly(&self, objects: &[(ObjectId, Kind)]) -> Option<&[u8]> {
        let has_all = |pack: &&Pack| {
            pack.offsets.len() == objects.len() && objects.iter().all(|(id, _)| pack.index.lookup(id).is_some())
        };
        self.0.iter().find(has_all).map(|pack| pack.pack.bytes())
    }

    /// The content of the blob `id`, if a pack stores it without a delta.
    pub fn blob(&self, id: ObjectId) -> Option<Inflated> {
        self.0.iter().find_map(|pack| pack.blob(id))
    }
}

impl Pack {
    fn open(path: &Path) -> Option<Pack> {
        let pack = Attached::open(path).ok()??;
        let index = index::File::at(path.with_extension("idx"), hash::Kind::Sha1).ok()?;
        Some(Pack { offsets: index.sorted_offsets(), index, pack })
    }

    fn blob(&self, id: ObjectId) -> Option<Inflated> {
        let offset = self.index.pack_offset_at_index(self.index.lookup(id)?);
        let next = self.offsets.get(self.offsets.partition_point(|begin| *begin <= offset));
        let trailer = || self.pack.bytes().len().checked_sub(hash::Kind::Sha1.len_in_bytes());
        let end = next.map_or_else(trailer, |next| usize::try_from(*next).ok())?;
        let bytes = self.pack.bytes().get(usize::try_from(offset).ok()?..end)?;
        let entry = data::Entry::from_bytes(bytes, offset, hash::Kind::Sha1).ok()?;
        if !matches!(entry.header, Header::Blob) {
            return None;
        }
        let begin = usize::try_from(entry.data_offset).ok()?;
        self.pack.inflated(begin..end, entry.decompressed_size)
    }
}
