//! A queue of changes as text.

use std::cell::RefCell;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use patch::stat::FileStat;
use patch::{DiffAttribute, LineCounts};

use super::report::File;
use super::select::Queue;
use super::sides::Sides;
use super::unmerged::Unmerged;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::abbrev::Abbrev;
use crate::git::attributes::DiffKind;
use crate::git::changes::Change;
use crate::git::content::Contents;
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

    /// Lines of context, where there are patches.
    pub fn context(self) -> Option<u32> {
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

    /// The text, and each patch with the length that the text has with it.
    pub fn into_parts(self) -> (Vec<u8>, Vec<(String, usize)>) {
        (self.out, self.ends)
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
        let mut files = Vec::with_capacity(queue.combined.len() + queue.changes.len());
        let mut stats = Vec::new();
        let mut patches: Vec<(String, Vec<u8>)> = Vec::new();
        let mut pending = 0;
        // git prints these while it still compares, so they come before all else.
        for change in &queue.combined {
            self.deadline.poll()?;
            let mut text = Vec::new();
            self.combined(change, &mut text)?;
            self.patch(shown::absolute(change.path.as_bstr()), &text);
            files.push(File::of(change));
        }
        for change in &queue.changes {
            self.deadline.poll().map_err(|_| self.timeout(&[]))?;
            let path = shown::absolute(change.path.as_bstr());
            let mut file = File::of(change);
            if let Form::Names = self.form {
                let mut line = Vec::new();
                let printed = Change { from: None, ..change.clone() };
                patch::name_only(&Sides::unread().pair(&printed), &mut line);
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
        let warning = queue.warning();
        if !warning.is_empty() {
            let stderr = format!("\n\n[stderr]\n{warning}");
            self.append(stderr.as_bytes());
        }
        Ok(files)
    }

    /// Appends the patch of `change` to `out`, where the form has patches.
    pub fn render(&self, change: &Change, out: &mut Vec<u8>) -> Result<(LineCounts, FileStat), ToolError> {
        let sides = Sides::load(self.contents, change, matches!(self.form, Form::Stat(_)))?;
        let printed = sides.pair(change);
        self.with_options(|options| {
            let attribute = match sides.kind {
                DiffKind::Binary => DiffAttribute::Unset,
                _ => DiffAttribute::Unspecified,
            };
            let text = sides.kind == DiffKind::Text;
            let options = patch::Options { text, attribute, driver: sides.driver, ..options };
            let mut counts = LineCounts::default();
            if self.form.context().is_some() || options.text {
                let length = out.len();
                counts = patch::unified(&printed, &options, out).map_err(|_| self.timeout(out))?;
                if self.form.context().is_none() {
                    out.truncate(length);
                }
            }
            // What a patch shows is what a summary would count, but of a file that became a link, or of what only looks binary.
            let is_counted = matches!(self.form, Form::Patch(_)) && !printed.is_type_change();
            if !options.text && !is_counted {
                counts = patch::count(&printed, &options).map_err(|_| self.timeout(out))?;
            }
            Ok((counts, FileStat::new(&sides.in_summary(change), counts)))
        })
    }

    /// Appends the combined diff of `change`.
    fn combined(&self, change: &Change, out: &mut Vec<u8>) -> Result<(), ToolError> {
        let unmerged = Unmerged::load(self.contents, change)?;
        self.with_options(|options| {
            let options = patch::Options { attribute: unmerged.attribute, ..options };
            unmerged.print(&options, out).map_err(|_| self.timeout(out))
        })
    }

    /// Runs `print` with the options that are the same for every path.
    pub fn with_options<T>(
        &self,
        print: impl FnOnce(patch::Options<'_>) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let poll = || self.deadline.flow(1024);
        let failure = RefCell::new(None);
        let length_of = |id: &ObjectId| {
            self.abbrev.length_of(id).unwrap_or_else(|error| {
                failure.borrow_mut().get_or_insert(error);
                id.kind().len_in_hex()
            })
        };
        let printed = print(patch::Options {
            context: self.form.context().unwrap_or(Form::CONTEXT),
            abbrev: patch::Abbrev::Unique(&length_of),
            deadline: patch::Deadline::new(&poll),
            ..Default::default()
        })?;
        match failure.into_inner() {
            Some(failure) => Err(failure),
            None => Ok(printed),
        }
    }

    /// The error to end with when time is over, with the text so far.
    pub fn timeout(&self, latest: &[u8]) -> ToolError {
        let text = [self.out.as_slice(), latest].concat();
        let safe = patch::escape::escape(&text).into_owned();
        self.deadline.timeout(crate::output::truncate(safe, self.max_bytes).0)
    }

    /// Appends the patch of `path`.
    pub fn patch(&mut self, path: String, text: &[u8]) {
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
