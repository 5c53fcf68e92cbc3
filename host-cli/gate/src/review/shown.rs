//! How the review shows a change, depending on how its two sides read.

use bstr::{BStr, ByteSlice};
use gix_hash::ObjectId;
use patch::{Change, Content, Side};

use super::{diff::Delta, file::Status};
use crate::{
    format::tree::Mode,
    reading::{self, Named, Reading, has_inner_ends, named},
    text::{self, Unified},
};

/// Why content that git takes for binary is a risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// The path held text before.
    WasText,
    /// The name says that it is text.
    Named,
    /// The name does not say what it is, or says something else.
    Unknown,
    /// Different programs read different texts in it.
    Double,
}

/// Where a file was before, and how much of it is the same, in per cent.
#[derive(Clone, Copy)]
pub(super) struct Moved<'a> {
    pub from: &'a BStr,
    pub similarity: u8,
}

/// A change with the readings of its sides.
pub(super) struct Shown<'a> {
    delta: &'a Delta,
    moved: Option<Moved<'a>>,
    contents: [Option<&'a [u8]>; 2],
    /// Only files are read. A link or a submodule has no reading.
    readings: [Option<Reading<'a>>; 2],
    was_text: bool,
    named: Named,
}

impl<'a> Shown<'a> {
    pub fn of(delta: &'a Delta, contents: [Option<&'a [u8]>; 2]) -> Self {
        let named = named(delta.path.as_bstr());
        let is_file = |mode: &Mode| matches!(mode, Mode::File | Mode::Executable);
        let side = |side: Option<(Mode, ObjectId)>, content| side.map(|(mode, _)| mode).filter(is_file).zip(content);
        let [old, new] = [side(delta.old, contents[0]), side(delta.new, contents[1])];
        let was_text = old.is_some_and(|(_, old)| !text::is_binary(old));
        let is_expected = was_text || matches!(named, Named::Prose | Named::Source);
        let readings = [old, new].map(|side| side.map(|(mode, content)| Reading::of(content, mode, is_expected)));
        Shown { delta, moved: None, contents, readings, was_text, named }
    }

    /// A file that moved. `delta` is named after its new path.
    pub fn moved(delta: &'a Delta, moved: Moved<'a>, contents: [Option<&'a [u8]>; 2]) -> Self {
        Shown { moved: Some(moved), ..Shown::of(delta, contents) }
    }

    /// Whether its content must be text.
    pub fn is_text_expected(&self) -> bool {
        self.was_text || matches!(self.named, Named::Prose | Named::Source)
    }

    /// Whether both sides are files that git itself shows as text.
    pub fn is_plain_text(&self) -> bool {
        let plain = |reading: &Option<Reading<'_>>| reading.as_ref().is_some_and(|reading| !reading.is_hidden_by_git());
        self.readings.iter().all(plain) && !self.contents.iter().flatten().any(|content| text::is_binary(content))
    }

    pub fn status(&self) -> Status {
        match self.change(self.contents) {
            Change::Add(_) => Status::Added,
            Change::Delete(_) => Status::Deleted,
            change if change.is_type_change() => Status::TypeChanged,
            _ => Status::Modified,
        }
    }

    pub fn readings(&self) -> impl Iterator<Item = &Reading<'a>> {
        self.readings.iter().flatten()
    }

    /// Whether lines of the new side contain line ends. Nobody writes programs on an old Macintosh any more.
    pub fn has_inner_ends(&self) -> bool {
        let is_program = self.named == Named::Source;
        self.readings[1].as_ref().is_some_and(|new| has_inner_ends(new.text(), is_program))
    }

    /// The patch, with notes on the readings in its header; `None` if it has more than `most` bytes.
    pub fn patch(&self, most: u64) -> Option<Unified> {
        let as_git_shows = || text::unified(&self.change(self.contents), false, most);
        if !self.readings().any(Reading::is_hidden_by_git) {
            return as_git_shows();
        }
        let read = |at: usize| self.readings[at].as_ref().map_or(self.contents[at], |reading| Some(reading.text()));
        let mut shown = text::unified(&self.change([read(0), read(1)]), true, most)?;
        // Nothing in it is readable, or the readable text did not change.
        let Some(first) = shown.patch.find("\n@@ ") else { return as_git_shows() };
        let mut notes: Vec<String> = self.readings().filter_map(Reading::note).collect();
        notes.dedup();
        let notes: String = notes.into_iter().map(|note| format!("{note}\n")).collect();
        shown.patch.insert_str(first + 1, &notes);
        Some(shown)
    }

    /// Why a person must examine content that git does not show. If the old content read in the same way, most reasons fall away.
    pub fn unreadable(&self) -> Option<Unreadable> {
        let [old, new] = &self.readings;
        let new = new.as_ref().filter(|new| new.is_hidden_by_git())?;
        if self.was_text {
            return Some(Unreadable::WasText);
        }
        let is_known = old.as_ref().is_some_and(|old| std::mem::discriminant(old) == std::mem::discriminant(new));
        let starts_plainly = || self.contents[1].is_some_and(reading::starts_plainly);
        match self.named {
            _ if new.is_double() => Some(Unreadable::Double),
            Named::Prose | Named::Source if !is_known || new.is_partial() => Some(Unreadable::Named),
            Named::Unknown if !is_known => Some(Unreadable::Unknown),
            Named::Binary if !is_known && (!new.is_partial() || starts_plainly()) => Some(Unreadable::Unknown),
            _ => None,
        }
    }

    fn change<'b>(&'b self, [old, new]: [Option<&'b [u8]>; 2]) -> Change<'b> {
        let path = self.delta.path.as_bstr();
        let from = self.moved.map_or(path, |moved| moved.from);
        let old = self.delta.old.map(|side| patch_side(from, side, old));
        let new = self.delta.new.map(|side| patch_side(path, side, new));
        match (old, new) {
            (None, Some(new)) => Change::Add(new),
            (Some(old), None) => Change::Delete(old),
            (Some(old), Some(new)) => match self.moved {
                Some(Moved { similarity, .. }) => Change::Rename { old, new, similarity },
                None => Change::Modify { old, new },
            },
            (None, None) => unreachable!("a delta has at least one side"),
        }
    }
}

fn patch_side<'a>(path: &'a BStr, (mode, id): (Mode, ObjectId), blob: Option<&'a [u8]>) -> Side<'a> {
    let content = match (mode, blob) {
        (Mode::Submodule, _) => Content::Submodule,
        (_, Some(bytes)) => Content::Bytes(bytes),
        (_, None) => Content::Absent,
    };
    Side { path, mode: mode.value(), id, content }
}
