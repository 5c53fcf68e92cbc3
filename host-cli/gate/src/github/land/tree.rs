//! Trees in GitHub's terms, whole or as changes, in pieces that the server takes.

use patch::sort::sort_by;
use std::{borrow::Cow, collections::HashMap};

use bstr::BStr;
use gix_hash::ObjectId;
use gix_object::Kind;
use serde::Serialize;

use super::plan::{unsendable, utf8};
use crate::{
    format::tree::{Entry, Mode, entries},
    github::Fault,
};

/// Bytes of JSON in one request. GitHub stops working on larger ones.
const PIECE: usize = 2 << 20;

/// Bytes of JSON from which on changes are sent instead of the whole, if that is less.
const LARGE: usize = 64 << 10;

/// Bytes that an entry takes besides its name.
const AROUND: usize = 100;

/// The body of `POST …/git/trees`.
#[derive(Debug, Serialize)]
pub(super) struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    base_tree: Option<String>,
    tree: Vec<Change<'a>>,
}

#[derive(Debug, Serialize)]
struct Change<'a> {
    path: Cow<'a, str>,
    mode: &'static str,
    r#type: &'static str,
    /// `None` removes the entry.
    sha: Option<String>,
}

/// A tree to send, in pieces of which each builds on the one before.
pub(super) struct Pieces<'a> {
    base: Option<ObjectId>,
    pieces: Vec<Vec<Change<'a>>>,
}

/// The entries of a tree.
pub(super) fn read(id: ObjectId, content: &[u8]) -> Result<Vec<Entry<'_>>, Fault> {
    Ok(entries(content).collect::<Result<_, _>>().map_err(|broken| broken.of(Kind::Tree, &id))?)
}

/// The entries of a tree that GitHub can be given exactly.
pub(super) fn sendable(id: ObjectId, content: &[u8]) -> Result<Vec<Entry<'_>>, Fault> {
    let entries = read(id, content)?;
    for entry in &entries {
        utf8(id, Kind::Tree, entry.name, "a name in it")?;
    }
    let mut sorted = entries.clone();
    sort_by(&mut sorted, |a, b| crate::format::tree::order((a.name, a.mode), (b.name, b.mode)));
    if written(&sorted) != content {
        return Err(unsendable(id, Kind::Tree, "it has modes or an order that git no longer writes"));
    }
    Ok(entries)
}

/// The bytes of a tree with these entries.
fn written(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    for entry in entries {
        out.extend_from_slice(format!("{:o} ", entry.mode.value()).as_bytes());
        out.extend_from_slice(entry.name);
        out.push(0);
        out.extend_from_slice(entry.id.as_bytes());
    }
    out
}

impl<'a> Pieces<'a> {
    /// The tree `content`, which is [`sendable`], whole or as changes to `before`.
    pub fn of(id: ObjectId, content: &'a [u8], before: Option<(ObjectId, &'a [u8])>) -> Result<Self, Fault> {
        let whole: Vec<_> = read(id, content)?.iter().map(put).collect();
        if let Some((base, old)) = before
            && size(&whole) > LARGE
            && let Some(changes) = changes(read(base, old)?, read(id, content)?)
            && size(&changes) < size(&whole) / 2
        {
            return Ok(Pieces { base: Some(base), pieces: cut(changes) });
        }
        Ok(Pieces { base: None, pieces: cut(whole) })
    }

    /// The bodies. Each is made with the id of the tree that the one before it made.
    pub fn bodies(self) -> impl Iterator<Item = impl FnOnce(Option<ObjectId>) -> Body<'a>> {
        let base = self.base;
        self.pieces.into_iter().map(move |tree| {
            move |made: Option<ObjectId>| Body { base_tree: made.or(base).map(|id| id.to_string()), tree }
        })
    }
}

fn put<'a>(entry: &Entry<'a>) -> Change<'a> {
    let (mode, kind) = words(entry.mode);
    Change { path: String::from_utf8_lossy(entry.name), mode, r#type: kind, sha: Some(entry.id.to_string()) }
}

fn words(mode: Mode) -> (&'static str, &'static str) {
    match mode {
        Mode::File => ("100644", "blob"),
        Mode::Executable => ("100755", "blob"),
        Mode::Symlink => ("120000", "blob"),
        Mode::Tree => ("040000", "tree"),
        Mode::Submodule => ("160000", "commit"),
    }
}

/// What turns `old` into `new`; `None` if `old` has a name that JSON cannot hold.
fn changes<'a>(old: Vec<Entry<'a>>, new: Vec<Entry<'a>>) -> Option<Vec<Change<'a>>> {
    let mut gone: HashMap<&BStr, Entry<'a>> = old.into_iter().map(|entry| (entry.name, entry)).collect();
    let mut changes = Vec::new();
    for entry in &new {
        match gone.remove(entry.name) {
            Some(old) if (old.mode, old.id) == (entry.mode, entry.id) => {}
            _ => changes.push(put(entry)),
        }
    }
    for entry in gone.into_values() {
        str::from_utf8(entry.name).ok()?;
        changes.push(Change { sha: None, ..put(&entry) });
    }
    // The same push always sends the same.
    sort_by(&mut changes, |a, b| a.path.cmp(&b.path));
    Some(changes)
}

fn size(changes: &[Change<'_>]) -> usize {
    changes.iter().map(length).sum()
}

fn length(change: &Change<'_>) -> usize {
    // In JSON a control character takes six bytes.
    change.path.len() + AROUND + change.path.chars().filter(|char| char.is_ascii_control()).count() * 5
}

fn cut(changes: Vec<Change<'_>>) -> Vec<Vec<Change<'_>>> {
    let (mut pieces, mut bytes) = (vec![Vec::new()], 0);
    for change in changes {
        bytes += length(&change);
        if bytes > PIECE && pieces.last().is_some_and(|piece| !piece.is_empty()) {
            bytes = length(&change);
            pieces.push(Vec::new());
        }
        pieces.last_mut().expect("there is always a piece").push(change);
    }
    pieces
}
