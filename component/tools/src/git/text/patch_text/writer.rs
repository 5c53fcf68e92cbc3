//! Prints queues of changes.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use patch::stat::FileStat;
use patch::{LineCounts, Placed};

use super::file::{File, hunk};
use super::form::Form;
use super::pages::{Added, Cut, Pages};
use super::sides::Sides;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::abbrev::Abbrev;
use crate::git::text::patch_text::queue::Queue;
use crate::git::text::workspace_path;
use crate::git::worktree::changes::Change;
use crate::git::worktree::content::Contents;

/// The outcome of printing a change.
pub struct Rendered {
    pub counts: LineCounts,
    pub stat: FileStat,
    /// Empty for a change of type, which prints two patches.
    pub hunks: Vec<Placed>,
}

/// Prints queues. It stops collecting text beyond the caller's limit.
pub struct Writer<'a> {
    pub(super) contents: &'a Contents<'a>,
    pub(super) abbrev: Abbrev<'a>,
    pub(super) form: Form,
    max_bytes: usize,
    pub(super) deadline: &'a Deadline,
    out: Vec<u8>,
    pages: Pages,
    /// The length of the text after control characters are escaped.
    shown: usize,
    /// The staged commit that is being printed.
    commit: Option<String>,
    /// The number of the first hunk to print in each patch, counted from one.
    first_hunk: usize,
}

impl<'a> Writer<'a> {
    /// Starts without text.
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
            pages: Pages::new(max_bytes),
            shown: 0,
            commit: None,
            first_hunk: 1,
        })
    }

    /// Starts each patch at the hunk `first`, counted from one.
    pub fn starting_at(self, first: usize) -> Writer<'a> {
        Writer { first_hunk: first, ..self }
    }

    /// Takes the text collected so far.
    pub fn take(&mut self) -> Vec<u8> {
        (self.pages, self.shown) = (Pages::new(self.max_bytes), 0);
        std::mem::take(&mut self.out)
    }

    /// Returns the text, and the part that a cut removes.
    pub fn finish(self) -> (Vec<u8>, Cut) {
        (self.out, self.pages.cut(self.shown))
    }

    /// Returns the text, and each patch with the length of the text including it.
    pub fn into_parts(self) -> (Vec<u8>, Vec<(String, usize)>) {
        (self.out, self.pages.into_ends())
    }

    /// Starts the staged commit `id`, with `text` as its header.
    pub fn staged(&mut self, id: &ObjectId, text: &str) {
        if !self.out.is_empty() {
            self.append(b"\n");
        }
        self.append(text.as_bytes());
        self.commit = Some(id.to_string());
    }

    /// Prints `queue` and git's warnings about it.
    pub fn queue(&mut self, queue: &Queue) -> Result<Vec<File>, ToolError> {
        let mut files = Vec::with_capacity(queue.combined.len() + queue.changes.len());
        let mut stats = Vec::new();
        let mut patches: Vec<(String, Vec<u8>, Vec<Placed>)> = Vec::new();
        let mut pending = 0;
        let mut summary = Vec::new();
        // git prints combined diffs while it still compares, so they come first.
        for change in &queue.combined {
            self.deadline.poll().map_err(|_| self.timeout(&[]))?;
            let mut text = Vec::new();
            self.combined(change, &mut text)?;
            self.patch(workspace_path::absolute(change.path.as_bstr()), &text);
            files.push(File::of(change));
        }
        for change in &queue.changes {
            self.deadline.poll().map_err(|_| self.timeout(&[]))?;
            let path = workspace_path::absolute(change.path.as_bstr());
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
            let Rendered { counts, stat, mut hunks } = self.render(change, &mut text)?;
            file.hunks = hunks.iter().map(hunk).collect();
            self.skip_hunks(&path, &mut text, &mut hunks)?;
            file.added = Some(counts.added);
            file.deleted = Some(counts.deleted);
            file.binary = Some(counts.binary);
            files.push(file);
            stats.push(stat);
            match self.form {
                Form::Stat(_) if pending <= self.max_bytes => {
                    pending += text.len();
                    patches.push((path, text, hunks));
                }
                Form::Stat(_) => patches.push((path, Vec::new(), Vec::new())),
                Form::Summary | Form::StatAndSummary => patch::summary(&Sides::unread().pair(change), &mut summary),
                _ => self.patch_in_hunks(path, &text, &hunks),
            }
        }
        if let Form::Stat(context) = self.form {
            let mut summary = Vec::new();
            patch::stat::stat(&stats, patch::stat::DEFAULT_WIDTH, &mut summary);
            if context.is_some() && !stats.is_empty() {
                summary.push(b'\n');
            }
            self.append(&summary);
            for (path, text, hunks) in patches {
                self.patch_in_hunks(path, &text, &hunks);
            }
        }
        if let Form::Summary | Form::StatAndSummary = self.form {
            let mut lines = Vec::new();
            match self.form {
                Form::Summary => patch::stat::shortstat(&stats, &mut lines),
                _ => patch::stat::stat(&stats, patch::stat::DEFAULT_WIDTH, &mut lines),
            }
            self.append(&lines);
            self.append(&summary);
        }
        let warning = queue.warning();
        if !warning.is_empty() {
            let stderr = format!("\n\n[stderr]\n{warning}");
            self.append(stderr.as_bytes());
        }
        Ok(files)
    }

    /// The timeout error, with the text so far.
    pub fn timeout(&self, latest: &[u8]) -> ToolError {
        let text = [self.out.as_slice(), latest].concat();
        let safe = patch::escape::into_escaped(patch::escape::beginning(text, self.max_bytes));
        self.deadline.timeout(crate::output::truncate(safe, self.max_bytes).0)
    }

    /// Removes the skipped hunks from a patch and keeps its header.
    fn skip_hunks(&self, path: &str, text: &mut Vec<u8>, hunks: &mut Vec<Placed>) -> Result<(), ToolError> {
        let skipped = self.first_hunk - 1;
        if skipped == 0 {
            return Ok(());
        }
        let Some(first) = hunks.get(skipped).map(|hunk| hunk.at) else {
            let message =
                format!("start_hunk is {}, but the patch of {path} has {} hunks", self.first_hunk, hunks.len());
            return Err(ToolError::bad_args(message).hint("Count hunks from 1, and keep unified the same."));
        };
        let start = hunks[0].at;
        text.drain(start..first);
        hunks.drain(..skipped);
        hunks.iter_mut().for_each(|hunk| hunk.at -= first - start);
        Ok(())
    }

    /// Appends the patch of `path`.
    pub fn patch(&mut self, path: String, text: &[u8]) {
        self.patch_in_hunks(path, text, &[]);
    }

    fn patch_in_hunks(&mut self, path: String, text: &[u8], hunks: &[Placed]) {
        let before = self.shown;
        self.append(text);
        let added = Added { path, commit: self.commit.clone(), text, hunks, first: self.first_hunk };
        self.pages.add(added, before, self.shown);
    }

    fn append(&mut self, text: &[u8]) {
        self.shown = self.shown.saturating_add(patch::escape::escaped_len(text, self.max_bytes));
        // Text after the cut is never shown.
        if self.out.len() <= self.max_bytes {
            self.out.extend_from_slice(text);
        }
    }
}
