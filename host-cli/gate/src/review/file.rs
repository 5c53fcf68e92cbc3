//! One changed file as a person sees it.

use bstr::{BString, ByteSlice};
use gix_hash::ObjectId;
use gix_object::Kind;
use serde::Serialize;

use super::{
    diff::Delta,
    leaks::Leaks,
    manifest,
    manifest::Run,
    marks,
    shown::{Shown, Unreadable},
    words,
};
use crate::{
    error::Fault,
    format::tree::Mode,
    objects::Objects,
    reading::{Encoding, Reading},
    text::{self, Trace, Unified},
};

/// The kind of a change. A rename is the deletion of one path and the addition of another; the review pairs them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Status {
    /// The path is new.
    #[serde(rename = "A")]
    Added,
    /// Content or executable bit changed.
    #[serde(rename = "M")]
    Modified,
    /// Deleted.
    #[serde(rename = "D")]
    Deleted,
    /// A file became a symlink, a symlink a submodule, and so on.
    #[serde(rename = "T")]
    TypeChanged,
}

impl Status {
    /// Git's letter for it.
    pub fn letter(self) -> char {
        match self {
            Status::Added => 'A',
            Status::Modified => 'M',
            Status::Deleted => 'D',
            Status::TypeChanged => 'T',
        }
    }
}

/// One side of a changed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Version {
    /// Git's mode, such as `0o100644`; printed as six octal digits.
    #[serde(serialize_with = "words::octal")]
    pub mode: u32,
    /// The blob, or a submodule's commit.
    #[serde(serialize_with = "words::hex")]
    pub id: ObjectId,
    /// Bytes; `None` for submodules and for blobs that the target does not hold.
    pub size: Option<u64>,
}

/// One changed file.
#[derive(Debug, Clone, Serialize)]
pub struct FileChange {
    /// What happened.
    pub status: Status,
    /// The path from the top of the repository; printed in git's C-style quotes where it needs them.
    #[serde(serialize_with = "words::path")]
    pub path: BString,
    /// Before.
    pub old: Option<Version>,
    /// After.
    pub new: Option<Version>,
    /// Lines added; 0 if binary.
    pub added: u64,
    /// Lines deleted; 0 if binary.
    pub deleted: u64,
    /// Git takes the content for binary, and the patch shows only its readable parts.
    pub binary: bool,
    /// Git takes the content for binary because of NUL bytes, but by name or looks it must be text: the patch shows all of it.
    pub disguised: bool,
    /// The encoding of a text that git takes for binary. The patch shows it in UTF-8.
    pub encoding: Option<&'static str>,
    /// The target of a new or changed symlink.
    #[serde(serialize_with = "words::optional_text")]
    pub link: Option<BString>,
    /// Added lines have characters that screens hide or reorder, or line ends within the line.
    pub hidden_characters: bool,
    /// The new content has the markers of an unfinished merge, and the old one has not.
    pub conflict_markers: bool,
    /// What a manifest newly runs.
    pub runs: Vec<Run>,
    /// The new content is only a pointer to content in Git LFS.
    pub lfs_pointer: bool,
    /// Content that git does not show although a person expects to read it.
    #[serde(skip)]
    pub(super) unreadable: Option<Unreadable>,
    /// The misleading parts of the added lines.
    #[serde(skip)]
    pub(super) found: text::Found,
    /// The patch, escaped for a terminal.
    #[serde(skip)]
    pub(super) patch: String,
    /// What each hunk of the patch is.
    #[serde(skip)]
    pub(super) traces: Vec<Trace>,
    /// The new content, if hunks can be shown with more of it around them.
    #[serde(skip)]
    pub(super) content: Option<Box<[u8]>>,
}

impl FileChange {
    /// The size that matters to a person: that of the new version, or else of the old one.
    pub fn size(&self) -> Option<u64> {
        self.new.as_ref().or(self.old.as_ref()).and_then(|version| version.size)
    }

    /// The patch, escaped for a terminal: the text before its hunks, and the hunks with their headers. A change that cannot be split has no
    /// hunks; the first part holds all of it.
    pub fn parts(&self) -> (&str, Vec<&str>) {
        match self.is_text() && self.old.is_some() && self.new.is_some() {
            true => in_hunks(&self.patch),
            false => (&self.patch, Vec::new()),
        }
    }

    /// Whether both sides, as far as they are there, are files that git itself shows as text.
    pub(super) fn is_text(&self) -> bool {
        let is_file = |version: &Version| version.mode & 0o170_000 == 0o100_000;
        let is_shown = !self.binary && !self.disguised && self.encoding.is_none();
        is_shown && [&self.old, &self.new].into_iter().flatten().all(is_file)
    }

    /// The path for a review screen.
    pub fn shown_path(&self) -> String {
        text::path(&self.path)
    }
}

/// A patch before its hunks, and its hunks with their headers.
pub(super) fn in_hunks(patch: &str) -> (&str, Vec<&str>) {
    // Every content line has a sign before it.
    let mut starts: Vec<usize> = patch.match_indices("\n@@ ").map(|(at, _)| at + 1).collect();
    let head = starts.first().copied().unwrap_or(patch.len());
    starts.push(patch.len());
    (&patch[..head], starts.windows(2).map(|ends| &patch[ends[0]..ends[1]]).collect())
}

/// Reads contents, and counts what it reads, or what that becomes if it is more, against the limit of a review.
pub(super) struct Reader<'a> {
    pub objects: &'a dyn Objects,
    /// Bytes left to read and hold.
    pub left: u64,
    /// Searches everything read for secrets. The time is in proportion to the bytes read, which count.
    pub leaks: Leaks<'a>,
    /// Bytes of contents left to keep, so that a person can see more of them than a patch shows.
    pub kept: u64,
}

/// The most bytes of contents that a review keeps.
pub(super) const KEPT: u64 = 32 << 20;

/// How often a text is held: in the review, and in its printed form.
pub(super) const HELD: u64 = 2;
/// The most bytes that one byte is shown as: `\x1b`.
const SHOWN: u64 = 4;

fn too_large() -> Fault {
    Fault::too_large("the files and messages are larger than a review may show")
}

impl Reader<'_> {
    /// The content of a blob; `None` if it does not exist.
    pub fn blob(&mut self, id: &ObjectId) -> Result<Option<Vec<u8>>, Fault> {
        let Some((Kind::Blob, size)) = self.objects.header(id)? else {
            return Ok(None);
        };
        self.take(size)?;
        let mut data = Vec::new();
        Ok(self.objects.find(id, &mut data)?.map(|_| data))
    }

    /// Counts bytes that the review reads or holds.
    pub fn take(&mut self, bytes: u64) -> Result<(), Fault> {
        self.left = self.left.checked_sub(bytes).ok_or_else(too_large)?;
        Ok(())
    }

    /// Compares the two sides of `delta`, and searches them for secrets. `commit` is the commit that adds it, if it is not part of the
    /// push's final diff.
    pub fn change(&mut self, delta: &Delta, commit: Option<ObjectId>) -> Result<FileChange, Fault> {
        let blobs = self.blobs(delta)?;
        let [old, new] = &blobs;
        let is_text = Shown::of(delta, [old.as_deref(), new.as_deref()]).is_text_expected();
        self.leaks.file(delta, commit, [old.as_deref(), new.as_deref()], is_text);
        self.compared(delta, blobs)
    }

    /// The same of what was searched before.
    pub fn change_again(&mut self, delta: &Delta) -> Result<FileChange, Fault> {
        let blobs = self.blobs(delta)?;
        self.compared(delta, blobs)
    }

    fn blobs(&mut self, delta: &Delta) -> Result<[Option<Vec<u8>>; 2], Fault> {
        let mut blobs = [None, None];
        for (blob, side) in blobs.iter_mut().zip([&delta.old, &delta.new]) {
            if let Some((mode, id)) = side
                && *mode != Mode::Submodule
            {
                *blob = self.blob(id)?;
            }
        }
        Ok(blobs)
    }

    fn compared(&mut self, delta: &Delta, blobs: [Option<Vec<u8>>; 2]) -> Result<FileChange, Fault> {
        let [old, new] = &blobs;
        let shown = Shown::of(delta, [old.as_deref(), new.as_deref()]);
        let read = [old, new].into_iter().flatten().map(|blob| blob.len() as u64).sum();
        let Unified { patch, counts, found, traces } = shown.patch((self.left + read) / HELD).ok_or_else(too_large)?;
        let mode = delta.new.map(|(mode, _)| mode);
        let link = (mode == Some(Mode::Symlink)).then(|| BString::from(new.clone().unwrap_or_default()));
        let bytes = patch.len() as u64 + SHOWN * link.as_ref().map_or(0, |link| link.len() as u64);
        self.take((HELD * bytes).saturating_sub(read))?;
        let marked = |content: &Option<Vec<u8>>| content.as_ref().is_some_and(|content| text::is_conflict(content));
        let version = |side: Option<(Mode, ObjectId)>, blob: &Option<Vec<u8>>| {
            side.map(|(mode, id)| Version { mode: mode.value(), id, size: blob.as_ref().map(|blob| blob.len() as u64) })
        };
        let binary = counts.binary || shown.readings().any(Reading::is_partial);
        let is_kept = shown.is_plain_text() && read <= self.kept;
        self.kept -= if is_kept { read } else { 0 };
        let change = FileChange {
            status: shown.status(),
            path: delta.path.clone(),
            old: version(delta.old, old),
            new: version(delta.new, new),
            added: if binary { 0 } else { counts.added },
            deleted: if binary { 0 } else { counts.deleted },
            binary,
            disguised: shown.readings().any(|reading| matches!(reading, Reading::Disguised(_))),
            encoding: shown.readings().find_map(Reading::encoding).map(Encoding::name),
            hidden_characters: !binary && (found.hidden.is_some() || shown.has_inner_ends()),
            conflict_markers: !binary && marked(new) && !marked(old),
            runs: manifest::changes(delta.path.as_bstr(), old.as_deref(), new.as_deref()),
            lfs_pointer: new.as_ref().is_some_and(|content| marks::lfs_pointer(content)),
            unreadable: shown.unreadable(),
            link,
            found,
            patch,
            traces,
            content: None,
        };
        let content = match (is_kept, blobs) {
            (true, [Some(_), Some(new)]) => Some(new.into_boxed_slice()),
            _ => None,
        };
        Ok(FileChange { content, ..change })
    }
}
