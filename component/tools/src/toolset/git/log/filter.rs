//! Filters commits by author and message.

use gix::bstr::ByteSlice;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::history::graph::Commit;
use crate::git::text::notes;
use crate::git::text::pretty::Printer;
use crate::git::words::basic_regex::{self, Origin, Pattern};

/// A filter on author and message. Both must match if both are given.
pub struct Filter {
    author: Option<Pattern>,
    message: Option<Pattern>,
    /// Whether notes count as part of the message.
    notes: bool,
}

impl Filter {
    /// Compiles the patterns, in the syntax of git's `--author` and `--grep`. Of several lines, one must match.
    pub fn of(author: Option<&str>, grep: Option<&str>, ignores_case: bool, notes: bool) -> Result<Filter, ToolError> {
        let author = author.map(|patterns| basic_regex::compile(patterns, Origin::Header, ignores_case)).transpose()?;
        let message =
            grep.map(|patterns| basic_regex::compile(patterns, Origin::CommandLine, ignores_case)).transpose()?;
        Ok(Filter { author, message, notes })
    }

    /// Whether the filter accepts every commit.
    pub fn takes_all(&self) -> bool {
        self.author.is_none() && self.message.is_none()
    }

    /// Whether the filter accepts `commit`.
    pub fn takes(&self, commit: &Commit, printer: &Printer<'_>, deadline: &Deadline) -> Result<bool, ToolError> {
        Ok(self.takes_author(commit, printer, deadline)? && self.takes_message(commit, printer, deadline)?)
    }

    fn takes_author(&self, commit: &Commit, printer: &Printer<'_>, deadline: &Deadline) -> Result<bool, ToolError> {
        let Some(pattern) = &self.author else {
            return Ok(true);
        };
        let line = commit.author_line();
        let shown = match commit.author() {
            Some(ident) => {
                let (name, mail) = printer.mailmap().map(ident.name, ident.mail);
                [name.as_bytes(), b" <", mail.as_bytes(), b">"].concat()
            }
            None => line.to_vec(),
        };
        pattern.is_in(&shown, deadline)
    }

    fn takes_message(&self, commit: &Commit, printer: &Printer<'_>, deadline: &Deadline) -> Result<bool, ToolError> {
        let Some(pattern) = &self.message else {
            return Ok(true);
        };
        // git also searches the empty line between header and message.
        if pattern.is_in(b"", deadline)? {
            return Ok(true);
        }
        let mut message = commit.message().to_vec();
        if self.notes
            && let Some(note) = printer.note(&commit.id)?
        {
            notes::append(&note, "", &mut message);
        }
        for line in message.lines_with_terminator() {
            deadline.poll()?;
            if pattern.is_in(line.strip_suffix(b"\n").unwrap_or(line), deadline)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
