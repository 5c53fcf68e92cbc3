//! How much a tool that gives back a list may give back.

use serde::Serialize;

use crate::output::{Output, TRUNCATION_MARKER};

/// Collects entries, each a line of the text and an object of the structured form, as long as there is room for both.
pub struct Budget<T> {
    entries: Vec<T>,
    text: Vec<u8>,
    /// Entries that are wanted.
    limit: usize,
    /// Bytes that each form may have.
    max_bytes: usize,
    text_bytes: usize,
    structured_bytes: usize,
}

/// Entries that fit in.
pub struct Collected<T> {
    /// For programs.
    pub entries: Vec<T>,
    /// For a model.
    pub text: Vec<u8>,
}

impl<T: Serialize> Budget<T> {
    /// Room for `limit` entries in `max_bytes` bytes.
    pub fn new(limit: usize, max_bytes: usize) -> Budget<T> {
        Budget {
            entries: Vec::new(),
            text: Vec::new(),
            limit,
            max_bytes,
            text_bytes: TRUNCATION_MARKER.len(),
            structured_bytes: 0,
        }
    }

    /// Adds an entry, or says that there is no room for it.
    pub fn add(&mut self, line: &[u8], entry: T) -> bool {
        let text_bytes = self.text_bytes + patch::escape::escape(line).len() + 1;
        let structured_bytes =
            self.structured_bytes + serde_json::to_vec(&entry).expect("entries have string keys").len() + 1;
        if self.entries.len() == self.limit || text_bytes.max(structured_bytes) > self.max_bytes {
            return false;
        }
        (self.text_bytes, self.structured_bytes) = (text_bytes, structured_bytes);
        self.text.extend_from_slice(line);
        self.text.push(b'\n');
        self.entries.push(entry);
        true
    }

    /// What fitted in.
    pub fn done(self) -> Collected<T> {
        Collected { entries: self.entries, text: self.text }
    }
}

/// `output`, marked where it is not all.
pub fn mark(mut output: Output, truncated: bool) -> Output {
    if truncated {
        output.text.extend_from_slice(TRUNCATION_MARKER.as_bytes());
        output.truncated = true;
    }
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_as_many_entries_as_are_wanted() {
        let mut budget = Budget::new(2, 1000);
        assert!(budget.add(b"a", "a"));
        assert!(budget.add(b"b", "b"));
        assert!(!budget.add(b"c", "c"));
        let collected = budget.done();
        assert_eq!((collected.entries, collected.text), (vec!["a", "b"], b"a\nb\n".to_vec()));
    }

    #[test]
    fn neither_form_grows_beyond_its_bytes() {
        let room = TRUNCATION_MARKER.len() + 5;
        assert!(Budget::new(9, room).add(b"abcd", 0));
        assert!(!Budget::new(9, room).add(b"abcde", 0));
        // Shown as \x01.
        assert!(!Budget::new(9, room).add(b"a\x01", 0));
        assert!(!Budget::new(9, room).add(b"a", "x".repeat(room)));
    }
}
