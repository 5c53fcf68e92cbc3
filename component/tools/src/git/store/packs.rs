//! The repository's packs, and where their entries begin and end (git's gitformat-pack, "Pack file entry").
//!
//! A pack that the host has brought is an attachment, so a file of the working folder can be the zlib stream of a blob that it stores
//! without a delta. It is inflated on read, and neither memory nor the journal holds it twice.

use std::cmp::Reverse;
use std::ops::Range;
use std::path::Path;

use gix::objs::Kind;
use gix::{ObjectId, hash};
use gix_pack::data::entry::Header;
use gix_pack::{data, index};
use patch::sort::sort_by_key;

use crate::platform::{self, Attached, Inflated};

/// The packs of a repository, the largest first. In a sandbox the host has verified each, so their indexes are right.
pub struct Packs(Vec<Pack>);

struct Pack {
    index: index::File,
    /// The starts of its entries, ascending. Each entry ends at the next start.
    offsets: Vec<u64>,
    data: data::File,
    /// `None` if the pack is an ordinary file.
    attached: Option<Attached>,
}

/// Where an entry begins: in which pack, and at which of its bytes.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Place {
    pub pack: usize,
    pub offset: u64,
}

/// Bytes of a pack.
pub struct Slice<'a> {
    pub bytes: &'a [u8],
    /// The attachment that the pack is, and where these bytes begin in it.
    pub origin: Option<([u8; 32], u64)>,
}

impl Packs {
    /// The packs of the repository at `git_dir`. This skips an unreadable pack: reading one of its objects reports the error.
    pub fn of(git_dir: &Path) -> Packs {
        let folder = git_dir.join("objects/pack");
        let entries = platform::list(&folder).unwrap_or_default();
        let paths = entries.iter().map(|entry| platform::join(&folder, &entry.name));
        let packs = paths.filter(|path| path.extension().is_some_and(|extension| extension == "pack"));
        let mut packs: Vec<Pack> = packs.filter_map(|path| Pack::open(&path)).collect();
        // Most objects are in the largest. Each pull and each push bring a small one.
        sort_by_key(&mut packs, |pack| Reverse(pack.offsets.len()));
        Packs(packs)
    }

    /// The content of the blob `id`, if a pack that is an attachment stores it without a delta.
    pub fn blob(&self, id: ObjectId) -> Option<Inflated> {
        self.0.iter().find_map(|pack| pack.blob(id))
    }

    /// Where the entry of the object is. `None` if it is in no pack.
    pub fn place(&self, id: &ObjectId) -> Option<Place> {
        self.0.iter().enumerate().find_map(|(pack, it)| Some(Place { pack, offset: it.offset(id)? }))
    }

    /// The entry that begins there, and its bytes.
    pub fn entry(&self, place: Place) -> Option<(data::Entry, Slice<'_>)> {
        let pack = self.0.get(place.pack)?;
        let range = pack.range(place.offset)?;
        let entry =
            data::Entry::from_bytes(pack.data.entry_slice(range.clone())?, place.offset, hash::Kind::Sha1).ok()?;
        Some((entry, pack.slice(range)?))
    }

    /// All of a pack but its checksum, if it has these objects and no other.
    pub fn exactly(&self, objects: &[(ObjectId, Kind)]) -> Option<Slice<'_>> {
        let has_all = |pack: &&Pack| {
            pack.offsets.len() == objects.len() && objects.iter().all(|(id, _)| pack.index.lookup(id).is_some())
        };
        let pack = self.0.iter().find(has_all)?;
        pack.slice(0..pack.data.pack_end() as u64)
    }
}

impl Slice<'_> {
    /// All but the first bytes.
    pub fn after(&self, bytes: usize) -> Self {
        Slice { bytes: &self.bytes[bytes..], origin: self.origin.map(|(id, from)| (id, from + bytes as u64)) }
    }
}

impl Pack {
    fn open(path: &Path) -> Option<Pack> {
        let index = index::File::at(path.with_extension("idx"), hash::Kind::Sha1).ok()?;
        let data = data::File::at(path, hash::Kind::Sha1).ok()?;
        Some(Pack { offsets: index.sorted_offsets(), index, data, attached: Attached::open(path).ok()? })
    }

    fn offset(&self, id: &ObjectId) -> Option<u64> {
        Some(self.index.pack_offset_at_index(self.index.lookup(id)?))
    }

    /// The bytes of the entry that begins there.
    fn range(&self, offset: u64) -> Option<Range<u64>> {
        let next = self.offsets.get(self.offsets.partition_point(|begin| *begin <= offset));
        Some(offset..next.copied().unwrap_or(self.data.pack_end() as u64))
    }

    fn slice(&self, range: Range<u64>) -> Option<Slice<'_>> {
        let origin = self.attached.as_ref().map(|attached| (attached.id(), range.start));
        Some(Slice { bytes: self.data.entry_slice(range)?, origin })
    }

    fn blob(&self, id: ObjectId) -> Option<Inflated> {
        let attached = self.attached.as_ref()?;
        let range = self.range(self.offset(&id)?)?;
        let bytes = self.data.entry_slice(range.clone())?;
        let entry = data::Entry::from_bytes(bytes, range.start, hash::Kind::Sha1).ok()?;
        if !matches!(entry.header, Header::Blob) {
            return None;
        }
        let [begin, end] = [entry.data_offset, range.end].map(usize::try_from);
        attached.inflated(begin.ok()?..end.ok()?, entry.decompressed_size)
    }
}
