//! Blobs that a pack holds as they are, not as what changes of another object.
//!
//! Such a blob is a zlib stream (git's gitformat-pack, "Pack file entry"). In a sandbox, where packs are attachments, a file of the working
//! folder can be that stream: it is read when somebody wants it, and neither memory nor the journal holds it twice.

use std::path::Path;

use gix::{ObjectId, hash};
use gix_pack::data::entry::Header;
use gix_pack::{data, index};

use crate::platform::{self, Attached, Inflated};

/// The packs of a repository that are attachments. The host has verified them: what their indexes say is so.
pub struct Packs(Vec<Pack>);

struct Pack {
    index: index::File,
    /// Where its entries begin, ascending: each ends where the next one begins.
    offsets: Vec<u64>,
    pack: Attached,
}

impl Packs {
    /// The packs of the repository whose own files are in `git_dir`. One that cannot be read is left out: that is told where an object of it
    /// has to be read.
    pub fn of(git_dir: &Path) -> Packs {
        let folder = git_dir.join("objects/pack");
        let entries = platform::list(&folder).unwrap_or_default();
        let paths = entries.iter().map(|entry| platform::join(&folder, &entry.name));
        let packs = paths.filter(|path| path.extension().is_some_and(|extension| extension == "pack"));
        Packs(packs.filter_map(|path| Pack::open(&path)).collect())
    }

    /// The content of the blob `id`, if a pack has it as it is.
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
