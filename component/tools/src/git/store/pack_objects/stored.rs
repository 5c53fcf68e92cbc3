//! Packs made of what the sandbox's packs have already, compressed and as deltas.

use std::collections::BTreeSet;
use std::ops::Range;

use gix::ObjectId;
use gix::hashtable::HashMap;
use gix::objs::Kind;
use gix_pack::Find;
use gix_pack::data::Version;
use gix_pack::data::entry::Location;
use gix_pack::data::output::bytes::FromEntriesIter;
use gix_pack::data::output::count::PackLocation;
use gix_pack::data::output::{Count, Entry};

use super::ensure_here;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};

/// Writes a pack of these objects, none of them twice. A delta stays one if its base is among them. Asks for objects that a sparse sandbox
/// lacks.
pub fn write_as_stored(repo: &Repo, objects: &[(ObjectId, Kind)], deadline: &Deadline) -> Result<Vec<u8>, ToolError> {
    ensure_here(repo, objects)?;
    // What was imported and is cloned as it came.
    if let Some(pack) = repo.packs().exactly(objects) {
        return Ok(pack.to_vec());
    }
    let mut store = repo.gix.objects.clone();
    // A location means something only as long as its pack stays where it is.
    store.prevent_pack_unload();
    let mut places = Places {
        store: &*store,
        is_worth_it: objects.len() > FEW,
        known: HashMap::default(),
        packs: BTreeSet::new(),
        data: Vec::new(),
        deadline,
    };
    let mut counts = Vec::with_capacity(objects.len());
    for (id, _) in objects {
        deadline.poll_units(1)?;
        counts.push(Count { id: *id, entry_pack_location: PackLocation::LookedUp(places.find(id)?) });
    }
    // A base comes before its deltas, as it does in their pack.
    patch::sort::sort_by_key(&mut counts, place);
    let packs = packs(&counts);
    let number = u32::try_from(counts.len()).map_err(|_| ToolError::failed("Too many objects for one pack"))?;
    let entries = counts.iter().map(|count| {
        let stored = place(count).and_then(|(pack, _)| {
            let location = count.entry_pack_location.as_ref()?;
            let range = packs.iter().find(|(known, _)| *known == pack).map(|(_, range)| range.clone())?;
            // The pack is not thin, so no other base is looked up.
            type Nowhere = fn(u32, u64) -> Result<Option<ObjectId>, gix::Error>;
            let bases = &counts[range.clone()];
            let entry = store.entry_by_location(location)?;
            Entry::from_pack_entry(entry, count, bases, range.start, None::<Nowhere>, Version::V2)
        });
        if let Some(entry) = stored {
            return entry.map(|entry| vec![entry]);
        }
        let object = repo.gix.find_object(count.id)?;
        let data = gix::objs::Data::new(&object.data, object.kind, gix::hash::Kind::Sha1);
        Entry::from_data(count, &data, gix_zlib::Compression::BEST_SPEED).map(|entry| vec![entry])
    });
    let length =
        counts.iter().filter_map(|count| count.entry_pack_location.as_ref()).map(|location| location.entry_size).sum();
    let mut writer =
        FromEntriesIter::new(entries, Vec::with_capacity(length), number, Version::V2, gix::hash::Kind::Sha1);
    for written in writer.by_ref() {
        deadline.poll_units(16)?;
        written.map_err(|error| damaged(&error))?;
    }
    Ok(writer.into_write())
}

/// Objects of which each is inflated rather than that a pack's index is read for them.
const FEW: usize = 100;

/// Where objects are in packs. An entry ends where the next one begins, so a pack's index says how long each is: gix would inflate each
/// to know that.
struct Places<'a, S> {
    store: &'a S,
    deadline: &'a Deadline,
    /// Whether there are so many objects that whole indexes are read for them.
    is_worth_it: bool,
    known: HashMap<ObjectId, Location>,
    packs: BTreeSet<u32>,
    data: Vec<u8>,
}

impl<'a, S: Find> Places<'a, S> {
    /// `None` for an object that is in no pack.
    fn find(&mut self, id: &ObjectId) -> Result<Option<Location>, ToolError> {
        if let Some(known) = self.known.get(id) {
            return Ok(Some(known.clone()));
        }
        let found = self.store.location_by_oid(id, &mut self.data).map_err(|error| damaged(&error))?;
        if let Some(Location { pack_id, .. }) = found
            && self.is_worth_it
            && self.packs.insert(pack_id)
        {
            self.learn(pack_id)?;
        }
        Ok(found)
    }

    /// Learns of all entries of a pack but the last, which ends with the pack.
    fn learn(&mut self, pack_id: u32) -> Result<(), ToolError> {
        let entries = self.store.pack_offsets_and_oid(pack_id).map_err(|error| damaged(&error))?;
        let mut entries = entries.unwrap_or_default();
        patch::sort::sort_by_key(&mut entries, |(offset, _)| *offset);
        for pair in entries.windows(2) {
            self.deadline.poll()?;
            let [(pack_offset, id), (next, _)] = pair else { unreachable!("they are two") };
            let entry_size =
                usize::try_from(next - pack_offset).map_err(|_| ToolError::failed("The pack is too large"))?;
            self.known.entry(*id).or_insert(Location { pack_id, pack_offset: *pack_offset, entry_size });
        }
        Ok(())
    }
}

/// The pack that has the object, and where in it. `None` for an object that is in none.
fn place(count: &Count) -> Option<(u32, u64)> {
    count.entry_pack_location.as_ref().map(|location| (location.pack_id, location.pack_offset))
}

/// Which of the sorted objects each pack has.
fn packs(counts: &[Count]) -> Vec<(u32, Range<usize>)> {
    let mut packs: Vec<(u32, Range<usize>)> = Vec::new();
    for (at, count) in counts.iter().enumerate() {
        let Some((pack, _)) = place(count) else { continue };
        match packs.last_mut() {
            Some((last, range)) if *last == pack => range.end = at + 1,
            _ => packs.push((pack, at..at + 1)),
        }
    }
    packs
}
