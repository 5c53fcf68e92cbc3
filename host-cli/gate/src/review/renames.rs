//! Finds the files that moved, by git's own rule, so that a person reads what changed in them.
//!
//! A rename only decides how a deletion and an addition are shown. Risks, path rules and edits of the push know the two alone.

use std::borrow::Cow;
use std::collections::HashSet;

use bstr::{BString, ByteSlice};
use gix_hash::ObjectId;
use gix_object::Kind;
use patch::rename::{self, Options};
use serde::Serialize;

use super::{
    FileChange, Review,
    diff::Delta,
    file::{HELD, Reader},
    risks,
    shown::{Moved, Shown},
    words,
};
use crate::{error::Fault, format::tree::Mode, objects::Objects, reading::Reading, text::Trace};

/// The most bytes that the comparison keeps for a byte of content: for a file of empty lines, which are a piece each, in a buffer that
/// doubles.
const KEPT: u64 = 32;
/// The most pieces of one content that the comparison tells apart.
const PIECES: u64 = 1 << 17;
/// Steps for comparing all pairs, a step for each piece. Files for which there are more are only compared if they kept their base name.
const STEPS: u64 = 1 << 31;

/// A file that moved: a deleted path and a new one with the same or similar content.
#[derive(Debug, Clone, Serialize)]
pub struct Rename {
    /// The deleted path.
    #[serde(serialize_with = "words::path")]
    pub from: BString,
    /// The new path.
    #[serde(serialize_with = "words::path")]
    pub to: BString,
    /// How similar the contents are, in per cent.
    pub similarity: u8,
    /// Lines added within; 0 if binary.
    pub added: u64,
    /// Lines deleted within; 0 if binary.
    pub deleted: u64,
    /// Git takes the content for binary.
    pub binary: bool,
    /// The places of both paths among the files.
    #[serde(skip)]
    at: [usize; 2],
    /// The patch of what changed, escaped for a terminal; `None` if the new file is a risk at its place, so that all of it must be read.
    #[serde(skip)]
    pub(super) patch: Option<String>,
    /// What each hunk of the patch is.
    #[serde(skip)]
    pub(super) traces: Vec<Trace>,
}

/// A row of the list of files.
pub(super) enum Row<'a> {
    File(&'a FileChange),
    Renamed { rename: &'a Rename, from: &'a FileChange, to: &'a FileChange },
}

impl<'a> Row<'a> {
    /// Lines added and deleted.
    pub fn counts(&self) -> [u64; 2] {
        match self {
            Row::File(file) => [file.added, file.deleted],
            Row::Renamed { rename, .. } => [rename.added, rename.deleted],
        }
    }

    /// Its part of the patch, in pieces.
    pub fn patch(self) -> impl Iterator<Item = &'a str> {
        let pieces: [&'a str; 2] = match self {
            Row::File(file) => [&file.patch, ""],
            Row::Renamed { rename: Rename { patch: Some(patch), .. }, .. } => [patch, ""],
            Row::Renamed { from, to, .. } => [&from.patch, &to.patch],
        };
        pieces.into_iter()
    }
}

impl Review {
    /// The files by path, each rename at its new path.
    pub(super) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let mut rows: Vec<Option<Row<'_>>> = self.files.iter().map(|file| Some(Row::File(file))).collect();
        for rename in &self.renames {
            let [from, to] = rename.at;
            rows[from] = None;
            rows[to] = Some(Row::Renamed { rename, from: &self.files[from], to: &self.files[to] });
        }
        rows.into_iter().flatten()
    }
}

/// Pairs the deleted and the new files among `files`, which are those of `deltas`. What the review has no room left to compare or to show
/// stays a deletion and an addition.
pub(super) fn find(reader: &mut Reader<'_>, deltas: &[Delta], files: &[FileChange]) -> Result<Vec<Rename>, Fault> {
    let at = |is_meant: fn(&Delta) -> bool| -> Vec<usize> {
        (0..deltas.len()).filter(|at| is_meant(&deltas[*at])).collect()
    };
    let (deleted, added) = (at(|delta| delta.new.is_none()), at(|delta| delta.old.is_none()));
    if deleted.is_empty() || added.is_empty() {
        return Ok(Vec::new());
    }
    let [old, new] = [&deleted, &added].map(|at| at.iter().map(|at| half(&deltas[*at])).collect::<Vec<_>>());
    let mut options = Options::default();
    if steps([&deleted, &added], files) > STEPS {
        options.limit = 1;
    }
    let room = reader.left / KEPT;
    let (mut left, mut fault) = (room, None);
    let detected = rename::detect(&old, &new, &options, |id| match content(reader.objects, id, &mut left) {
        Ok(content) => content.map(Cow::Owned),
        Err(error) => {
            fault.get_or_insert(error);
            None
        }
    });
    if let Some(fault) = fault {
        return Err(fault);
    }
    reader.take(room - left)?;
    let mut renames = Vec::new();
    for found in detected.expect("only a deadline interrupts, and none is set").renames {
        let at = [deleted[found.deleted], added[found.added]];
        renames.extend(renamed(reader, deltas, files, at, found.similarity())?);
    }
    Ok(renames)
}

/// The side of a path that is only on one.
fn half(delta: &Delta) -> rename::File<'_> {
    let (mode, id) = delta.new.or(delta.old).expect("a delta has at least one side");
    rename::File { path: delta.path.as_bstr(), mode: mode.value(), id }
}

/// The most steps that comparing all pairs can take. Equal contents are paired without a comparison.
fn steps(sides: [&[usize]; 2], files: &[FileChange]) -> u64 {
    let version = |at: &usize| files[*at].new.as_ref().or(files[*at].old.as_ref());
    let ids = sides.map(|side| side.iter().filter_map(version).map(|version| version.id).collect::<HashSet<_>>());
    let [old, new] = [0, 1].map(|side| {
        let differs = sides[side].iter().filter_map(version).filter(|version| !ids[1 - side].contains(&version.id));
        let pieces = differs.map(|version| version.size.unwrap_or_default().min(PIECES));
        pieces.fold((0_u64, 0_u64), |(files, all), pieces| (files + 1, all + pieces))
    });
    old.0.saturating_mul(new.1).saturating_add(new.0.saturating_mul(old.1))
}

/// The content of a blob, if there is one and it has at most `left` bytes, which it then takes.
fn content(objects: &dyn Objects, id: &ObjectId, left: &mut u64) -> Result<Option<Vec<u8>>, Fault> {
    let Some((Kind::Blob, size)) = objects.header(id)? else { return Ok(None) };
    let Some(rest) = left.checked_sub(size) else { return Ok(None) };
    *left = rest;
    let mut data = Vec::new();
    Ok(objects.find(id, &mut data)?.map(|_| data))
}

/// The rename between the files at two places; `None` if the review has no room left for it.
fn renamed(
    reader: &mut Reader<'_>,
    deltas: &[Delta],
    files: &[FileChange],
    at: [usize; 2],
    similarity: u8,
) -> Result<Option<Rename>, Fault> {
    let [from, to] = at.map(|at| &files[at]);
    let delta = Delta { path: to.path.clone(), old: deltas[at[0]].old, new: deltas[at[1]].new };
    let is_same = delta.old.map(|(_, id)| id) == delta.new.map(|(_, id)| id);
    let before = reader.left;
    let mut read = |side: Option<(Mode, ObjectId)>| match side {
        Some((_, id)) if !is_same => content(reader.objects, &id, &mut reader.left),
        _ => Ok(None),
    };
    let (old, new) = (read(delta.old)?, read(delta.new)?);
    // Only contents that are there can be similar, so a missing one has found no room.
    if !is_same && (old.is_none() || new.is_none()) {
        reader.left = before;
        return Ok(None);
    }
    let moved = Moved { from: from.path.as_bstr(), similarity };
    let shown = Shown::moved(&delta, moved, [old.as_deref(), new.as_deref()]);
    let Some(unified) = shown.patch(before / HELD) else {
        reader.left = before;
        return Ok(None);
    };
    let binary = if is_same { to.binary } else { unified.counts.binary || shown.readings().any(Reading::is_partial) };
    let [added, deleted] = if binary { [0, 0] } else { [unified.counts.added, unified.counts.deleted] };
    let patch = (!risks::has_any(to)).then_some(unified.patch);
    reader.left = reader.left.min(before - HELD * patch.as_ref().map_or(0, |patch| patch.len() as u64));
    let [from, to] = [from, to].map(|file| file.path.clone());
    Ok(Some(Rename { from, to, similarity, added, deleted, binary, at, patch, traces: unified.traces }))
}
