//! Merges files, links and submodules that both sides changed.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};
use gix_hash::ObjectId;

use super::message::Kind;
use super::state::{Path, State};
use super::{Driver, DriverKind, Entry, Objects, Options};
use crate::binary::is_binary;
use crate::change::is_regular;
use crate::deadline::Interrupted;
use crate::merge::{self, Engine, Labels};

pub(super) const SUBMODULE: u32 = 0o160_000;

/// The contents that a merge reads, and a note of the absent ones.
pub(super) struct Contents<'o, 'a, O> {
    objects: &'o mut O,
    options: &'o Options<'a>,
    /// Absent blobs, each with one of its paths.
    absent: BTreeMap<ObjectId, BString>,
    /// Merged contents that another merge will read.
    merged: BTreeMap<ObjectId, Vec<u8>>,
}

/// The versions to merge. Both sides are of the same kind.
pub(super) struct Sources<'s> {
    /// The path whose attributes apply.
    pub path: &'s Path,
    /// Base, ours and theirs.
    pub base: Option<Entry>,
    pub ours: Entry,
    pub theirs: Entry,
    /// The paths of the three versions.
    pub names: &'s [Path; 3],
    /// How much longer the markers are than usual, because another merge will read the result.
    pub longer_markers: usize,
}

/// The result.
#[derive(Debug, Clone, Copy)]
pub(super) struct Combined {
    pub entry: Entry,
    pub is_clean: bool,
}

/// The merge of three texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedText {
    /// The text, with markers around conflicts.
    pub content: Vec<u8>,
    /// Whether nothing conflicts.
    pub is_clean: bool,
}

/// Merges three versions of a file as its attributes say. `None` if it is binary, or counts as
/// binary.
///
/// # Errors
/// [`Interrupted`], if the deadline of the options says so.
pub fn texts(
    base: &[u8],
    ours: &[u8],
    theirs: &[u8],
    driver: Driver,
    options: &Options<'_>,
) -> Result<Option<MergedText>, Interrupted> {
    if driver.kind == DriverKind::Binary || [base, ours, theirs].into_iter().any(is_binary) {
        return Ok(None);
    }
    let options = merge::Options {
        engine: Engine::Ort,
        style: options.style,
        labels: options.labels,
        marker_size: driver.marker_size,
        deadline: options.deadline,
    };
    Ok(Some(match driver.kind {
        DriverKind::Union => MergedText { content: merge::union(base, ours, theirs, &options)?, is_clean: true },
        _ => {
            let merged = merge::merge(base, ours, theirs, &options)?;
            MergedText { content: merged.content, is_clean: merged.conflicts == 0 }
        }
    }))
}

/// The merge of two texts, stored as an object.
enum Text {
    Clean(ObjectId),
    Conflict(ObjectId),
    /// They are binary, so ours stays.
    Binary,
    /// A version is absent.
    Unknown,
}

impl<'o, 'a, O: Objects> Contents<'o, 'a, O> {
    pub(super) fn new(objects: &'o mut O, options: &'o Options<'a>) -> Self {
        Self { objects, options, absent: BTreeMap::new(), merged: BTreeMap::new() }
    }

    pub(super) fn options(&self) -> &'o Options<'a> {
        self.options
    }

    /// The absent blobs, if any.
    pub(super) fn absent(&mut self) -> Option<Vec<(BString, ObjectId)>> {
        let absent: BTreeSet<_> = std::mem::take(&mut self.absent).into_iter().map(|(id, path)| (path, id)).collect();
        (!absent.is_empty()).then(|| absent.into_iter().collect())
    }

    pub(super) fn blob(&mut self, path: &BStr, id: &ObjectId) -> Result<Option<Vec<u8>>, O::Error> {
        if let Some(merged) = self.merged.get(id) {
            return Ok(Some(merged.clone()));
        }
        let blob = self.objects.blob(path, id)?;
        if blob.is_none() {
            self.absent.entry(*id).or_insert_with(|| path.to_owned());
        }
        Ok(blob)
    }

    fn texts(&mut self, sources: &Sources<'_>, labels: Labels<'_>) -> Result<Text, O::Error> {
        let driver = self.objects.driver(sources.path.as_bstr())?;
        if driver.kind == DriverKind::Binary {
            return Ok(Text::Binary);
        }
        let mut read = |tree: usize, entry: Entry| self.blob(sources.names[tree].as_bstr(), &entry.id);
        let base = match sources.base.filter(|base| is_regular(base.mode)) {
            Some(base) => read(0, base)?,
            None => Some(Vec::new()),
        };
        let (ours, theirs) = (read(1, sources.ours)?, read(2, sources.theirs)?);
        let (Some(base), Some(ours), Some(theirs)) = (base, ours, theirs) else {
            return Ok(Text::Unknown);
        };
        let driver = Driver { marker_size: driver.marker_size.saturating_add(sources.longer_markers), ..driver };
        let options = Options { labels, ..*self.options };
        let Some(MergedText { content, is_clean }) = texts(&base, &ours, &theirs, driver, &options)? else {
            return Ok(Text::Binary);
        };
        let id = self.objects.write(&content)?;
        if sources.longer_markers > 0 {
            self.merged.insert(id, content);
        }
        Ok(if is_clean { Text::Clean(id) } else { Text::Conflict(id) })
    }
}

impl State<'_> {
    /// Merges three versions, and reports conflicts.
    pub(super) fn combine<O: Objects>(
        &mut self,
        contents: &mut Contents<'_, '_, O>,
        sources: &Sources<'_>,
    ) -> Result<Combined, O::Error> {
        contents.options.deadline.check()?;
        let &Sources { path, base, ours, theirs, names, .. } = sources;
        let (base_mode, base_id) = (base.map(|base| base.mode), base.map(|base| base.id));
        let (mode, is_mode_clean) = if ours.mode == theirs.mode || Some(ours.mode) == base_mode {
            (theirs.mode, true)
        } else {
            (ours.mode, Some(theirs.mode) == base_mode)
        };
        let combined = |id, is_clean| Combined { entry: Entry { mode, id }, is_clean };
        if ours.id == theirs.id || Some(ours.id) == base_id {
            return Ok(combined(theirs.id, is_mode_clean));
        }
        if Some(theirs.id) == base_id {
            return Ok(combined(ours.id, is_mode_clean));
        }
        if !is_regular(ours.mode) {
            if ours.mode == SUBMODULE {
                let name = &names[0];
                let text: &[&[u8]] = &[b"Failed to merge submodule ", name, b" (not checked out)"];
                self.say(Kind::SubmoduleNotInitialized, &[name], text);
            }
            return Ok(combined(ours.id, false));
        }
        let is_moved = names[0] != names[1] || names[1] != names[2];
        let label = |label: &[u8], name: &[u8]| match is_moved {
            true => [label, b":", name].concat(),
            false => label.to_vec(),
        };
        let Labels { ours: our_label, base: base_label, theirs: their_label } = self.labels;
        let (base_label, our_label, their_label) =
            (label(base_label, &names[0]), label(our_label, &names[1]), label(their_label, &names[2]));
        let labels = Labels { ours: &our_label, base: &base_label, theirs: &their_label };
        let (id, is_clean) = match contents.texts(sources, labels)? {
            Text::Clean(id) => (id, is_mode_clean),
            Text::Conflict(id) => (id, false),
            Text::Unknown => (ours.id, false),
            Text::Binary => {
                let start: &[u8] = b"warning: Cannot merge binary files: ";
                let text = &[start, path, b" (", &our_label, b" vs. ", &their_label, b")"];
                self.say(Kind::Binary, &[path], text);
                (ours.id, false)
            }
        };
        self.say(Kind::AutoMerging, &[path], &[b"Auto-merging ", path]);
        Ok(combined(id, is_clean))
    }
}
