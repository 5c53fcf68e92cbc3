//! Collects the entries of a log in one text, with git's separators.

use crate::error::{ErrorKind, Timeout, ToolError};
use crate::git::text::pretty::Format;
use crate::output::{TRUNCATION_MARKER, truncate};

/// A log text with a size limit.
pub struct Entries {
    text: Vec<u8>,
    /// The length of the text after control characters are escaped.
    shown: usize,
    max_bytes: usize,
    /// Whether there has been an entry.
    any: bool,
}

impl Entries {
    /// Starts an empty text with the limit `max_bytes`.
    pub fn new(max_bytes: usize) -> Entries {
        Entries { text: Vec::new(), shown: 0, max_bytes, any: false }
    }

    /// Adds the entry `text`, printed in `format`. The format puts a line feed after each entry or between entries.
    pub fn add(&mut self, format: &Format, text: &[u8]) {
        if self.any && !format.ends() {
            self.append(b"\n");
        }
        self.any = true;
        self.append(text);
        if format.ends() && !format.is_empty() {
            self.append(b"\n");
        }
    }

    /// Appends text that is not an entry of its own.
    pub fn append(&mut self, text: &[u8]) {
        self.shown = self.shown.saturating_add(patch::escape::escaped_len(text, self.max_bytes));
        // Text after the cut is never shown.
        if self.text.len() <= self.max_bytes {
            self.text.extend_from_slice(text);
        }
    }

    /// Marks that something comes before the next entry.
    pub fn begin(&mut self) {
        self.any = true;
    }

    /// Whether something comes before the next entry.
    pub fn has_any(&self) -> bool {
        self.any
    }

    /// Whether the text exceeds the limit.
    pub fn is_full(&self) -> bool {
        self.shown > self.max_bytes
    }

    /// The length of the text after escaping.
    pub fn len(&self) -> usize {
        self.shown
    }

    /// The length of the part that is shown.
    pub fn room(&self) -> usize {
        if self.is_full() { self.max_bytes.saturating_sub(TRUNCATION_MARKER.len()) } else { self.max_bytes }
    }

    /// The limit.
    pub fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// Puts the text so far in front of the unfinished entry in `error`, if that is a timeout.
    pub fn interrupted(&self, error: ToolError) -> ToolError {
        let ErrorKind::Timeout(Timeout { ms, partial }) = &error.kind else {
            return error;
        };
        let safe = patch::escape::into_escaped(patch::escape::beginning(self.text.clone(), self.max_bytes));
        let partial = truncate(safe + partial, self.max_bytes).0;
        ToolError { kind: ErrorKind::Timeout(Timeout { ms: *ms, partial }), ..error }
    }

    /// Returns the text.
    pub fn into_text(self) -> Vec<u8> {
        self.text
    }
}
