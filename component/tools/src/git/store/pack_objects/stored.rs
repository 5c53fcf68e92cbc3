//! Packs made of what the sandbox's packs have already, compressed and as deltas.

use gix::ObjectId;
use gix::objs::Kind;
use gix_pack::data;
use gix_pack::data::entry::Header;

use super::ensure_here;
use super::parts::Parts;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::packs::{Packs, Place};
use crate::git::store::repo::{Repo, damaged};

/// Makes a pack of these objects, none of them twice. A delta stays one if its base is among them. Asks for objects that a sparse sandbox
/// lacks.
pub fn make_as_stored(repo: &Repo, objects: &[(ObjectId, Kind)], deadline: &Deadline) -> Result<Parts, ToolError> {
    ensure_here(repo, objects)?;
    let mut parts = Parts::default();
    // What was imported and is cloned as it came.
    if let Some(pack) = repo.packs().exactly(objects) {
        parts.copy(&pack);
        return Ok(parts);
    }
    let number = u32::try_from(objects.len()).map_err(|_| ToolError::failed("Too many objects for one pack"))?;
    parts.make(&data::header::encode(data::Version::V2, number));
    let (mut placed, mut others) = (Vec::with_capacity(objects.len()), Vec::new());
    for (id, _) in objects {
        deadline.poll()?;
        match repo.packs().place(id) {
            Some(place) => placed.push((place, *id)),
            None => others.push(*id),
        }
    }
    // A base comes before its deltas, as it does in their pack.
    patch::sort::sort_by_key(&mut placed, |(place, _)| *place);
    let mut copying = Copying { packs: repo.packs(), placed: &placed, begins: Vec::with_capacity(placed.len()), parts };
    for (place, id) in &placed {
        deadline.poll_units(1)?;
        copying.begins.push(copying.parts.len());
        if !copying.entry(*place) {
            whole(repo, *id, &mut copying.parts)?;
        }
    }
    let mut parts = copying.parts;
    for id in others {
        deadline.poll_units(16)?;
        whole(repo, id, &mut parts)?;
    }
    Ok(parts)
}

/// Copies entries of packs.
struct Copying<'a> {
    packs: &'a Packs,
    /// What is copied, in this order.
    placed: &'a [(Place, ObjectId)],
    /// Where each begins in the new pack, up to the one that is being copied.
    begins: Vec<u64>,
    parts: Parts,
}

impl Copying<'_> {
    /// Copies the entry there. Returns whether it could: a delta without its base means nothing.
    fn entry(&mut self, place: Place) -> bool {
        let Some((entry, stored)) = self.packs.entry(place) else { return false };
        match entry.header {
            Header::OfsDelta { base_distance } => {
                let Some(base) = self.begin_of(place, base_distance) else { return false };
                let distance = self.parts.len() - base;
                if distance == base_distance {
                    self.parts.copy(&stored);
                    return true;
                }
                let header = head(Header::OfsDelta { base_distance: distance }, entry.decompressed_size);
                self.parts.make(&header);
                self.parts.copy(&stored.after(entry.header_size()));
            }
            Header::RefDelta { base_id } => {
                let base = self.packs.place(&base_id);
                if base.is_none_or(|base| self.placed.binary_search_by_key(&base, |(place, _)| *place).is_err()) {
                    return false;
                }
                self.parts.copy(&stored);
            }
            Header::Commit | Header::Tree | Header::Blob | Header::Tag => self.parts.copy(&stored),
        }
        true
    }

    /// Where the base begins now of a delta that names it by the distance.
    fn begin_of(&self, delta: Place, distance: u64) -> Option<u64> {
        let base = Place { pack: delta.pack, offset: delta.offset.checked_sub(distance)? };
        let at = self.placed.binary_search_by_key(&base, |(place, _)| *place).ok()?;
        self.begins.get(at).copied()
    }
}

fn head(header: Header, size: u64) -> Vec<u8> {
    let mut head = Vec::new();
    header.write_to(size, &mut head).expect("writing to memory does not fail");
    head
}

/// Adds an object without a delta.
fn whole(repo: &Repo, id: ObjectId, parts: &mut Parts) -> Result<(), ToolError> {
    use gix_pack::data::output::{Count, Entry, count::PackLocation};
    let object = repo.gix.find_object(id).map_err(|error| damaged(&error))?;
    let count = Count { id, entry_pack_location: PackLocation::NotLookedUp };
    let data = gix::objs::Data::new(&object.data, object.kind, gix::hash::Kind::Sha1);
    let entry = Entry::from_data(&count, &data, gix_zlib::Compression::BEST_SPEED).map_err(|error| damaged(&error))?;
    let header = match object.kind {
        Kind::Commit => Header::Commit,
        Kind::Tree => Header::Tree,
        Kind::Blob => Header::Blob,
        Kind::Tag => Header::Tag,
    };
    parts.make(&head(header, entry.decompressed_size as u64));
    parts.make(&entry.compressed_data);
    Ok(())
}
