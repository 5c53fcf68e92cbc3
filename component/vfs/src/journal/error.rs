//! What can be wrong with a journal.

use std::fmt;

/// The kind of a [`JournalError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalErrorKind {
    /// These bytes are no journal, or not even its header is whole.
    NotAJournal,
    /// It was written by another version.
    Version,
    /// It belongs to another sandbox.
    Foreign,
    /// A record is damaged, and valid ones follow.
    Damaged,
    /// A record is doubled, missing, or in the wrong place.
    Order,
    /// A record is whole but says what cannot be.
    Malformed,
    /// A record refers to an attachment that was not given.
    MissingAttachment,
}

/// What is wrong with a journal, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalError {
    /// The kind.
    pub kind: JournalErrorKind,
    /// Where the record, or the header, begins: bytes into the journal.
    pub offset: u64,
    /// What is wrong, in words.
    pub message: String,
}

impl JournalError {
    pub(crate) fn new(kind: JournalErrorKind, offset: u64, message: impl Into<String>) -> Self {
        Self { kind, offset, message: message.into() }
    }

    /// What to do about it.
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
