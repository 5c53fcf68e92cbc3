//! The errors of a journal.

use std::fmt;

/// The kind of a [`JournalError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalErrorKind {
    /// These bytes are not a journal, or its header is incomplete.
    NotAJournal,
    /// Another version wrote it.
    Version,
    /// It belongs to another sandbox.
    Foreign,
    /// A record is damaged, and valid ones follow.
    Damaged,
    /// A record is duplicated, missing, or in the wrong place.
    Order,
    /// A record is whole, but its content is impossible.
    Malformed,
    /// A record refers to an attachment that the host did not give.
    MissingAttachment,
}

/// An error in a journal, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalError {
    /// The kind.
    pub kind: JournalErrorKind,
    /// The offset of the record or the header in the journal, in bytes.
    pub offset: u64,
    /// A description of the error.
    pub message: String,
}

impl JournalError {
    pub(crate) fn new(kind: JournalErrorKind, offset: u64, message: impl Into<String>) -> Self {
        Self { kind, offset, message: message.into() }
    }

    /// A hint for the user.
    pub fn hint(&self) -> &'static str {
        match self.kind {
            JournalErrorKind::NotAJournal => "give the journal from its first byte, or begin a new sandbox",
            JournalErrorKind::Version => "open the sandbox with the version of gitgate that wrote it",
            JournalErrorKind::Foreign => "give the journal of this sandbox",
            JournalErrorKind::Damaged | JournalErrorKind::Order | JournalErrorKind::Malformed => {
                "restore the journal from a copy, or cut it at this offset to keep what came before"
            }
            JournalErrorKind::MissingAttachment => "give every attachment of the sandbox before its journal",
        }
    }
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (journal offset {})", self.message, self.offset)
    }
}

impl std::error::Error for JournalError {}
