//! Entries of a log as one text, with what git puts between them.

use crate::error::{ErrorKind, ToolError};
use crate::git::text::pretty::Format;
use crate::output::{TRUNCATION_MARKER, truncate};

/// Entries, as far as there is room.
pub struct Entries {
    text: Vec<u8>,
    /// How long the text is once control characters are visible.
    shown: usize,
    max_bytes: usize,
    /// Whether there is an entry already.
    any: bool,
}

impl Entries {
    /// Room for `max_bytes` bytes.
    pub fn new(max_bytes: usize) -> Entries {
        Entries { text: Vec::new(), shown: 0, max_bytes, any: false }
    }

    /// Adds the entry `text`, made in `format`: a line feed ends it, or stands between it and the one before.
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

    /// Appends text that belongs to the last entry, or stands for itself.
    pub fn append(&mut self, text: &[u8]) {
        self.shown = self.shown.saturating_add(patch::escape::escaped_len(text, self.max_bytes));
        // What comes after the cut is never shown.
        if self.text.len() <= self.max_bytes {
            self.text.extend_from_slice(text);
        }
    }

    /// From now on there is something before the next entry.
    pub fn begin(&mut self) {
        self.any = true;
    }

    /// Whether something stands here already.
    pub fn has_any(&self) -> bool {
        self.any
    }

    /// Whether there is more text than there is room for.
    pub fn is_full(&self) -> bool {
        self.shown > self.max_bytes
    }

    /// How long the text is, as it will be shown.
    pub fn len(&self) -> usize {
        self.shown
    }

    /// How much of the text is shown.
    pub fn room(&self) -> usize {
        if self.is_full() { self.max_bytes.saturating_sub(TRUNCATION_MARKER.len()) } else { self.max_bytes }
    }

    /// The most that is wanted.
    pub fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// `error`; if the time was over, with the text so far before what it has of the entry that was not finished.
    pub fn interrupted(&self, error: ToolError) -> ToolError {
        let ErrorKind::Timeout { ms, partial } = &error.kind else {
            return error;
        };
        let safe = patch::escape::into_escaped(patch::escape::beginning(self.text.clone(), self.max_bytes));
        let partial = truncate(safe + partial, self.max_bytes).0;
        ToolError { kind: ErrorKind::Timeout { ms: *ms, partial }, ..error }
    }

    /// The text.
    pub fn into_text(self) -> Vec<u8> {
        self.text
    }
}
