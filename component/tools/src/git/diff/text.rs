//! A queue of changes as text.

use std::cell::RefCell;

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use patch::stat::FileStat;
use patch::{Content, LineCounts, Side};

use super::report::File;
use super::select::Queue;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::abbrev::Abbrev;
use crate::git::attributes::DiffKind;
use crate::git::changes::{Change, Version};
use crate::git::content::{Contents, SUBMODULE};
use crate::git::shown;
use crate::output::TRUNCATION_MARKER;

/// What is shown of a change.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// The path.
    Names,
    /// How many lines, and the patch with so many lines of context, if a number is given.
    Stat(Option<u32>),
    /// The patch, with so many lines of context.
    Patch(u32),
}

impl Form {
    /// Lines of context unless a call asks for others.
    pub const CONTEXT: u32 = 3;

    fn context(self) -> Option<u32> {
        match self {
            Form::Names | Form::Stat(None) => None,
            Form::Stat(Some(context)) | Form::Patch(context) => Some(context),
        }
    }
}

/// Writes queues, and stops collecting text when there is more than a caller wants.
pub struct Writer<'a> {
    contents: &'a Contents<'a>,
    abbrev: Abbrev<'a>,
    form: Form,
    max_bytes: usize,
    deadline: &'a Deadline,
    out: Vec<u8>,
    /// Each patch, and the length that the text has with it once control characters are visible.
    ends: Vec<(String, usize)>,
    shown: usize,
}

/// The contents of both sides of a change.
struct Loaded {
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
    kind: DiffKind,
}

impl<'a> Writer<'a> {
    /// A writer without any text yet.
    pub fn new(
        contents: &'a Contents<'a>,
        form: Form,
        max_bytes: usize,
        deadline: &'a Deadline,
    ) -> Result<Writer<'a>, ToolError> {
        Ok(Writer {
            contents,
            abbrev: Abbrev::of(contents.repo)?,
            form,
            max_bytes,
            deadline,
            out: Vec::new(),
            ends: Vec::new(),
            shown: 0,
        })
    }

    /// The text, and the paths whose patches are not whole if it has to be cut.
    pub fn finish(self) -> (Vec<u8>, Vec<String>) {
        let room = match self.shown > self.max_bytes {
            true => self.max_bytes.saturating_sub(TRUNCATION_MARKER.len()),
            false => self.max_bytes,
        };
        let omitted = self.ends.into_iter().filter(|(_, end)| *end > room);
        (self.out, omitted.map(|(path, _)| path).collect())
    }

    /// A line between two queues.
    pub fn header(&mut self, text: &str) {
        if !self.out.is_empty() {
            self.append(b"\n");
        }
        self.append(text.as_bytes());
    }

    /// Writes `queue` and what git would say about it.
    pub fn queue(&mut self, queue: &Queue) -> Result<Vec<File>, ToolError> {
        let mut files = Vec::with_capacity(queue.changes.len());
        let mut stats = Vec::new();
        let mut patches: Vec<(String, Vec<u8>)> = Vec::new();
        let mut pending = 0;
        for change in &queue.changes {
            self.deadline.poll().map_err(|_| self.timeout(&[]))?;
            let path = shown::absolute(change.path.as_bstr());
            let mut file = describe(change);
            if let Form::Names = self.form {
                let nothing = Loaded { old: None, new: None, kind: DiffKind::Auto };
                let mut line = Vec::new();
                patch::name_only(&pair(change, &nothing, false), &mut line);
                self.patch(path, &line);
                files.push(file);
                continue;
            }
            let mut text = Vec::new();
            let (counts, stat) = self.render(change, &mut text)?;
            file.added = Some(counts.added);
            file.deleted = Some(counts.deleted);
            file.binary = Some(counts.binary);
            files.push(file);
            stats.push(stat);
            match self.form {
                Form::Stat(_) if pending <= self.max_bytes => {
                    pending += text.len();
                    patches.push((path, text));
                }
                Form::Stat(_) => patches.push((path, Vec::new())),
                _ => self.patch(path, &text),
            }
        }
        if let Form::Stat(context) = self.form {
            let mut summary = Vec::new();
            patch::stat::stat(&stats, patch::stat::DEFAULT_WIDTH, &mut summary);
            if context.is_some() && !stats.is_empty() {
                summary.push(b'\n');
            }
            self.append(&summary);
            for (path, text) in patches {
                self.patch(path, &text);
            }
        }
        if !queue.warning.is_empty() {
            let stderr = format!("\n\n[stderr]\n{}", queue.warning);
            self.append(stderr.as_bytes());
        }
        Ok(files)
    }

    /// Appends the patch of `change` to `out`, where the form has patches.
    pub fn render(&self, change: &Change, out: &mut Vec<u8>) -> Result<(LineCounts, FileStat), ToolError> {
        let loaded = self.load(change)?;
        let real = pair(change, &loaded, false);
        let printed = pair(change, &loaded, loaded.kind == DiffKind::Binary);
        let poll = || self.deadline.flow(1024);
        let failure = RefCell::new(None);
        let length_of = |id: &ObjectId| {
            self.abbrev.length_of(id).unwrap_or_else(|error| {
                failure.borrow_mut().get_or_insert(error);
                id.kind().len_in_hex()
            })
        };
        let options = patch::Options {
            context: self.form.context().unwrap_or(Form::CONTEXT),
            abbrev: patch::Abbrev::Unique(&length_of),
            text: loaded.kind == DiffKind::Text,
            deadline: patch::Deadline::new(&poll),
            ..Default::default()
        };
        let mut counts = LineCounts::default();
        if self.form.context().is_some() || options.text {
            let length = out.len();
            counts = patch::unified(&printed, &options, out).map_err(|_| self.timeout(out))?;
            if self.form.context().is_none() {
                out.truncate(length);
            }
        }
        if !options.text {
            counts = patch::count(&printed, &options).map_err(|_| self.timeout(out))?;
        }
        if let Some(failure) = failure.into_inner() {
            return Err(failure);
        }
        // Where nothing changed but the name or the mode, there was nothing to find binary.
        counts.binary |= is_same(change) && loaded.kind == DiffKind::Binary;
        Ok((counts, FileStat::new(&real, counts)))
    }

    /// The error to end with when time is over, with the text so far.
    fn timeout(&self, latest: &[u8]) -> ToolError {
        let text = [self.out.as_slice(), latest].concat();
        let safe = patch::escape::escape(&text).into_owned();
        self.deadline.timeout(crate::output::truncate(safe, self.max_bytes).0)
    }

    fn load(&self, change: &Change) -> Result<Loaded, ToolError> {
        let mut loaded = Loaded { old: None, new: None, kind: DiffKind::Auto };
        // The patch of what is the same has no content, but a summary says what is binary.
        if is_same(change) && !matches!(self.form, Form::Stat(_)) {
            return Ok(loaded);
        }
        let old_path = change.from.as_ref().map_or(&change.path, |from| &from.path);
        let mut kinds = Vec::new();
        for (version, path, content) in
            [(&change.old, old_path, &mut loaded.old), (&change.new, &change.path, &mut loaded.new)]
        {
            let Some(version) = version else { continue };
            *content = self.contents.read(path.as_bstr(), version)?;
            // Attributes are those of files: a link is text, whatever its name.
            let kind = match version.mode & 0o170_000 {
                0o100_000 => self.contents.attributes.diff_kind(path.as_bstr())?,
                _ => DiffKind::Auto,
            };
            let looks_binary = content.as_deref().is_some_and(patch::binary::is_binary);
            kinds.push((kind, looks_binary));
        }
        loaded.kind = if kinds.iter().any(|(kind, _)| *kind == DiffKind::Binary) {
            DiffKind::Binary
        } else if kinds.iter().any(|(_, binary)| *binary)
            && kinds.iter().all(|(kind, binary)| !binary || *kind == DiffKind::Text)
        {
            DiffKind::Text
        } else {
            DiffKind::Auto
        };
        Ok(loaded)
    }

    fn patch(&mut self, path: String, text: &[u8]) {
        self.append(text);
        self.ends.push((path, self.shown));
    }

    fn append(&mut self, text: &[u8]) {
        self.shown += patch::escape::escape(text).len();
        // What comes after the cut is never shown.
        if self.out.len() <= self.max_bytes {
            self.out.extend_from_slice(text);
        }
    }
}

/// `change` with its contents; without them, if it is to be shown as binary.
fn pair<'c>(change: &'c Change, loaded: &'c Loaded, binary: bool) -> patch::Change<'c> {
    let old_path = change.from.as_ref().map_or(&change.path, |from| &from.path);
    let old = side(old_path.as_bstr(), &change.old, &loaded.old, binary);
    let new = side(change.path.as_bstr(), &change.new, &loaded.new, binary);
    match (old, new, &change.from) {
        (Some(old), Some(new), Some(from)) => patch::Change::Rename { old, new, similarity: from.similarity },
        (Some(old), Some(new), None) => patch::Change::Modify { old, new },
        (Some(old), None, _) => patch::Change::Delete(old),
        (None, Some(new), _) => patch::Change::Add(new),
        (None, None, _) => patch::Change::Unmerged { path: change.path.as_bstr() },
    }
}

fn side<'c>(path: &'c BStr, version: &Option<Version>, content: &'c Option<Vec<u8>>, binary: bool) -> Option<Side<'c>> {
    let version = version.as_ref()?;
    let content = match content {
        _ if version.mode == SUBMODULE => Content::Submodule,
        Some(bytes) if !binary => Content::Bytes(bytes),
        _ => Content::Absent,
    };
    Some(Side { path, mode: version.mode, id: version.id, content })
}

/// Whether both sides have the same content.
fn is_same(change: &Change) -> bool {
    change.old.map(|old| old.id) == change.new.map(|new| new.id)
}

fn describe(change: &Change) -> File {
    let status = match change.letter() {
        'A' => "added",
        'D' => "deleted",
        'R' => "renamed",
        'T' => "typechange",
        'U' => "unmerged",
        _ => "modified",
    };
    let from = change.from.as_ref();
    File {
        path: shown::absolute(change.path.as_bstr()),
        from: from.map(|from| shown::absolute(from.path.as_bstr())),
        status,
        added: None,
        deleted: None,
        binary: None,
    }
}
