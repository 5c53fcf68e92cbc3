//! Finds names in one folder that a person or a filesystem may confuse.

use std::collections::HashMap;

use bstr::{BStr, BString, ByteSlice};
use gix_hash::ObjectId;

use super::{
    diff::{self, Bounds},
    flags::Flag,
};
use crate::{error::Fault, format::tree::Mode, look::look, objects::Objects, text};

/// Checks every added path for names beside it, or beside its folders, that look the same. Returns
/// one flag per name, however many twins it has. `added` is sorted, so each folder is entered once.
pub(super) fn find<'a>(
    objects: &dyn Objects,
    tree: ObjectId,
    added: impl Iterator<Item = &'a BStr>,
    bounds: &mut Bounds,
) -> Result<Vec<Flag>, Fault> {
    let mut folders = Folders { objects, read: HashMap::new() };
    let mut flags = Vec::new();
    // The ends of the folder names in the last path, and the trees of these folders.
    let (mut open, mut last): (Vec<(usize, ObjectId)>, &[u8]) = (Vec::new(), b"");
    for path in added {
        let shared = path.iter().zip(last).take_while(|(a, b)| a == b).count();
        open.truncate(open.partition_point(|(end, _)| *end < shared));
        let (mut start, mut folder) = open.last().map_or((0, tree), |(end, folder)| (end + 1, *folder));
        loop {
            let end = path[start..].find_byte(b'/').map_or(path.len(), |at| start + at);
            let name = path[start..end].as_bstr();
            let listing = folders.read(folder, bounds)?;
            let twins = listing.by_look.get(&look(name)).map_or(&[][..], Vec::as_slice);
            // A folder has each name once, so only the first can be the name itself.
            if let Some(twin) = twins.iter().take(2).find(|twin| *twin != name) {
                let twin = text::path(&[&path[..start], twin.as_bytes()].concat());
                flags.push(Flag::LookAlike { path: text::path(&path[..end]), twin, others: twins.len() - 2 });
            }
            match listing.folders.get(name) {
                Some(below) if end < path.len() => {
                    open.push((end, *below));
                    (start, folder) = (end + 1, *below);
                }
                _ => break,
            }
        }
        last = path;
    }
    Ok(flags)
}

struct Listing {
    by_look: HashMap<String, Vec<BString>>,
    folders: HashMap<BString, ObjectId>,
}

struct Folders<'a> {
    objects: &'a dyn Objects,
    read: HashMap<ObjectId, Listing>,
}

impl Folders<'_> {
    fn read(&mut self, id: ObjectId, bounds: &mut Bounds) -> Result<&Listing, Fault> {
        if !self.read.contains_key(&id) {
            let mut listing = Listing { by_look: HashMap::new(), folders: HashMap::new() };
            for (name, mode, id) in diff::entries(self.objects, Some(id), bounds)? {
                listing.by_look.entry(look(&name)).or_default().push(name.clone());
                if mode == Mode::Tree {
                    listing.folders.insert(name, id);
                }
            }
            self.read.insert(id, listing);
        }
        Ok(&self.read[&id])
    }
}
