//! Formats commits in git's pretty formats (git-log, "Pretty Formats").

mod arguments;
mod body;
mod colour;
mod describe;
mod email;
mod expand;
mod format;
mod item;
mod layout;
mod named;
mod pad;
mod parse;
mod person;
mod placeholder;
pub mod subject;
mod tags;
mod text;
pub mod trailers;
mod wrap;

use std::cell::OnceCell;

use gix::ObjectId;
use gix::bstr::BStr;

pub use self::format::Format;
pub use self::layout::Layout;
use crate::call::Moment;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::decorations::Decorations;
use crate::git::history::graph::{Commit, History};
use crate::git::store::abbrev::Abbrev;
use crate::git::store::repo::Repo;
use crate::git::text::mailmap::Mailmap;
use crate::git::text::notes::{self, Notes};
use crate::git::words::dates::{self, Shown, Stamp};

/// Prints commits. Data that only some formats need is read on first use.
pub struct Printer<'a> {
    repo: &'a Repo,
    history: &'a History<'a>,
    abbrev: Abbrev<'a>,
    mailmap: Mailmap,
    now: Moment,
    deadline: &'a Deadline,
    date: Shown,
    /// Whether the refs of a commit stand behind its id (`--decorate`).
    decorates: bool,
    notes: OnceCell<Notes<'a>>,
    decorations: OnceCell<Decorations>,
    tags: tags::Tags,
}

impl<'a> Printer<'a> {
    /// Prints commits of `history`.
    pub fn new(
        repo: &'a Repo,
        history: &'a History<'a>,
        format: &Format,
        now: Moment,
        deadline: &'a Deadline,
    ) -> Result<Printer<'a>, ToolError> {
        Ok(Printer {
            repo,
            history,
            abbrev: Abbrev::of(repo)?,
            mailmap: Mailmap::of(repo)?,
            now,
            deadline,
            date: Shown::Form(format.date()),
            decorates: false,
            notes: OnceCell::new(),
            decorations: OnceCell::new(),
            tags: tags::Tags::default(),
        })
    }

    /// Shows dates as `--date` says, and with `decorates` the refs of each commit behind its id.
    pub fn with(self, date: Option<Shown>, decorates: bool) -> Printer<'a> {
        Printer { date: date.unwrap_or(self.date), decorates, ..self }
    }

    /// A date in the form of this printer.
    fn shown(&self, date: impl Into<Stamp>) -> Result<String, ToolError> {
        match &self.date {
            Shown::Form(form) => dates::show(date, *form, self.now),
            Shown::Format(format) => dates::formatted(date, format),
        }
    }

    /// The mailmap of the working tree.
    pub fn mailmap(&self) -> &Mailmap {
        &self.mailmap
    }

    /// The abbreviated form of an id.
    pub fn short(&self, id: &ObjectId) -> Result<String, ToolError> {
        self.abbrev.short(id)
    }

    /// The note on `commit` from `git notes`, if there is one.
    pub fn note(&self, commit: &ObjectId) -> Result<Option<Vec<u8>>, ToolError> {
        once(&self.notes, || Notes::of(self.repo, self.deadline))?.on(commit)
    }

    /// Appends the tagger of a tag in the style of `format`.
    pub fn tagger(&self, format: &Format, line: &BStr, out: &mut Vec<u8>) -> Result<(), ToolError> {
        match format {
            Format::Short | Format::Named(Layout::Oneline) => Ok(()),
            Format::Named(Layout::Email | Layout::Mboxrd) => email::tagger(self, line, out),
            Format::Named(layout) => self.who(*layout, "Tagger", line, out),
            Format::User { .. } => self.who(Layout::Short, "Tagger", line, out),
        }
    }

    /// Appends the notes on `commit` in the form that follows a message.
    pub fn notes(&self, commit: &Commit, out: &mut Vec<u8>) -> Result<(), ToolError> {
        if let Some(note) = self.note(&commit.id)? {
            out.extend_from_slice(b"\nNotes:\n");
            notes::append(&note, "    ", out);
        }
        Ok(())
    }

    fn decorations(&self) -> Result<&Decorations, ToolError> {
        once(&self.decorations, || Decorations::of(self.repo, self.history, self.deadline))
    }
}

/// The starting point from which a walk reached a commit.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'o> {
    /// The revision in the caller's words (`%S`).
    pub source: &'o str,
    /// Whether it is the left side of `a...b` (`%m`).
    pub is_left: bool,
}

/// The data for placeholders.
struct Subject<'c> {
    commit: &'c Commit,
    origin: Origin<'c>,
}

/// Returns the content of `cell`, which `make` fills on first use.
fn once<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T, ToolError>) -> Result<&T, ToolError> {
    if let Some(known) = cell.get() {
        return Ok(known);
    }
    let made = make()?;
    Ok(cell.get_or_init(|| made))
}

impl Printer<'_> {
    /// Appends `commit` as one entry of `git log`, without separators. The walk reached it from `origin`.
    pub fn entry(
        &self,
        format: &Format,
        commit: &Commit,
        origin: Origin<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        match format {
            Format::Named(layout) => self.named(*layout, commit, out),
            Format::Short => self.short_line(commit, out),
            Format::User { items, .. } => self.user(items, &Subject { commit, origin }, out),
        }
    }
}
