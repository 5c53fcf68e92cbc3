//! Trees, one by one and from a listing of everything below one.

use patch::sort::sort_by;
use std::collections::HashMap;

use bstr::ByteSlice;
use gix_hash::ObjectId;
use gix_object::Kind;

use super::{inexact, is};
use crate::{
    format::tree::{Mode, order},
    github::{Fault, answer::TreeEntry, fault},
};

/// An entry: mode as it is written, name, id.
type Entry<'a> = (&'a str, Mode, &'a str, ObjectId);

/// A tree below another one.
pub(in crate::github) struct Folder<'a> {
    pub id: ObjectId,
    entries: Vec<Entry<'a>>,
}

/// The bytes of the tree `id`, whose entries the server has listed.
pub(in crate::github) fn tree(id: ObjectId, listed: &[TreeEntry]) -> Result<Vec<u8>, Fault> {
    let entries = listed.iter().map(|entry| read(entry, &entry.path)).collect::<Result<_, _>>()?;
    Folder { id, entries }.written()
}

impl Folder<'_> {
    /// The tree's bytes.
    pub fn written(&self) -> Result<Vec<u8>, Fault> {
        let as_listed = written(&self.entries);
        if is(self.id, Kind::Tree, &as_listed) {
            return Ok(as_listed);
        }
        let mut sorted = self.entries.clone();
        sort_by(&mut sorted, |a, b| order((a.2.as_bytes().as_bstr(), a.1), (b.2.as_bytes().as_bstr(), b.1)));
        let sorted = written(&sorted);
        if is(self.id, Kind::Tree, &sorted) { Ok(sorted) } else { Err(inexact(self.id, Kind::Tree)) }
    }
}

/// The tree `root` and all trees below it, of a listing that is not truncated.
pub(in crate::github) fn folders(root: ObjectId, listed: &[TreeEntry]) -> Result<Vec<Folder<'_>>, Fault> {
    let mut places = HashMap::from([("", 0)]);
    let mut folders = vec![Folder { id: root, entries: Vec::new() }];
    for entry in listed {
        if mode(&entry.mode)?.1 == Mode::Tree {
            places.insert(&entry.path, folders.len());
            folders.push(Folder { id: entry.sha.0, entries: Vec::new() });
        }
    }
    for entry in listed {
        let (folder, name) = entry.path.rsplit_once('/').unwrap_or(("", &entry.path));
        let place = places.get(folder).ok_or_else(|| fault::malformed("a tree lists a path without its folder"))?;
        folders[*place].entries.push(read(entry, name)?);
    }
    Ok(folders)
}

fn read<'a>(entry: &'a TreeEntry, name: &'a str) -> Result<Entry<'a>, Fault> {
    let (digits, mode) = mode(&entry.mode)?;
    Ok((digits, mode, name, entry.sha.0))
}

/// The mode as a tree has it, which is without the leading zero that people expect.
fn mode(digits: &str) -> Result<(&str, Mode), Fault> {
    let digits = digits.trim_start_matches('0');
    let mode = Mode::lenient(digits.as_bytes()).ok_or_else(|| fault::malformed("a tree lists an unknown mode"))?;
    Ok((digits, mode))
}

fn written(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(entries.len() * 48);
    for (digits, _, name, id) in entries {
        out.extend_from_slice(digits.as_bytes());
        out.push(b' ');
        out.extend_from_slice(name.as_bytes());
        out.push(0);
        out.extend_from_slice(id.as_slice());
    }
    out
}
