//! Limits how much a tool that returns a list may return.

use std::num::NonZeroU32;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::output::{Output, TRUNCATION_MARKER, truncate};

/// Collects entries while both forms have room: a line of the text and an object of the structured form for each.
pub struct Budget<T> {
    entries: Vec<T>,
    text: Vec<u8>,
    /// Number of the first wanted entry, counted from one.
    offset: u64,
    /// Entries skipped so far.
    passed: u64,
    /// Maximum number of entries.
    limit: usize,
    /// Maximum size in bytes of each form.
    max_bytes: usize,
    text_bytes: usize,
    structured_bytes: usize,
}

/// The entries that fit.
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
            offset: 1,
            passed: 0,
            limit,
            max_bytes,
            text_bytes: TRUNCATION_MARKER.len(),
            structured_bytes: 0,
        }
    }

    /// Starts at entry number `offset`, counted from one, and skips the entries before it.
    pub fn from(self, offset: Option<NonZeroU32>) -> Budget<T> {
        Budget { offset: offset.map_or(1, |offset| offset.get().into()), ..self }
    }

    /// Whether to skip the next entry because it comes before the first wanted one. The caller need not read it then.
    pub fn passes(&mut self) -> bool {
        let passes = self.passed + 1 < self.offset;
        self.passed += u64::from(passes);
        passes
    }

    /// Whether nothing was added yet.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many entries there is room for at most, with those that are still to be skipped.
    pub fn left(&self) -> usize {
        let skipped = usize::try_from(self.offset - 1 - self.passed).unwrap_or(usize::MAX);
        skipped.saturating_add(self.limit - self.entries.len())
    }

    /// The number of the first entry that did not fit. `None` if no entry fit: continuing there would lead nowhere.
    pub fn next_offset(&self) -> Option<u64> {
        (!self.entries.is_empty()).then(|| self.offset + self.entries.len() as u64)
    }

    /// Adds an entry. Returns false if it does not fit.
    pub fn add(&mut self, line: &[u8], entry: T) -> bool {
        let text_bytes = self.text_bytes + patch::escape::escaped_len(line, self.max_bytes) + 1;
        let structured_bytes = self.structured_bytes + json_bytes(&entry);
        if self.entries.len() == self.limit || text_bytes.max(structured_bytes) > self.max_bytes {
            return false;
        }
        (self.text_bytes, self.structured_bytes) = (text_bytes, structured_bytes);
        self.text.extend_from_slice(line);
        self.text.push(b'\n');
        self.entries.push(entry);
        true
    }

    /// The entries that fit.
    pub fn done(self) -> Collected<T> {
        Collected { entries: self.entries, text: self.text }
    }
}

/// Limits the lists of a structured result whose text is not made from their entries.
#[derive(Debug)]
pub struct Room(usize);

impl Room {
    /// Room for `max_bytes` bytes.
    pub fn new(max_bytes: usize) -> Room {
        Room(max_bytes)
    }

    /// Takes the room for `entry`, or returns false if it does not fit. After that no other entry fits, so a list ends early but has no
    /// holes.
    pub fn take(&mut self, entry: &impl Serialize) -> bool {
        let left = self.0.checked_sub(json_bytes(entry));
        self.0 = left.unwrap_or(0);
        left.is_some()
    }

    /// As [`take`](Self::take), but returns the serialized entry, so it is serialized only once.
    pub fn write(&mut self, entry: &impl Serialize) -> Option<Box<RawValue>> {
        let written = to_raw_value(entry).expect("entries have string keys");
        let left = self.0.checked_sub(written.get().len() + 1);
        self.0 = left.unwrap_or(0);
        left.map(|_| written)
    }

    /// Keeps the first entries of `list` that fit, and returns how many it dropped.
    pub fn cut<T: Serialize>(&mut self, list: &mut Vec<T>) -> usize {
        let fitting = list.iter().take_while(|entry| self.take(entry)).count();
        let omitted = list.len() - fitting;
        list.truncate(fitting);
        omitted
    }
}

/// `text` as part of an entry, cut at a quarter of `max_bytes`: the room is meant for many entries.
pub fn brief(text: &str, max_bytes: usize) -> String {
    let mut room = max_bytes / 4;
    if text.len() <= room / LONGEST_ESCAPE {
        return text.to_owned();
    }
    let end = text.char_indices().find(|(_, character)| match room.checked_sub(escaped_bytes(*character)) {
        Some(left) => {
            room = left;
            false
        }
        None => true,
    });
    end.map_or_else(|| text.to_owned(), |(end, _)| truncate(text.to_owned(), end).0)
}

/// The most bytes of JSON that one byte of a string can take.
const LONGEST_ESCAPE: usize = 6;

/// Bytes of JSON for a character in a string.
fn escaped_bytes(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..' ' => LONGEST_ESCAPE,
        _ => character.len_utf8(),
    }
}

/// Bytes of JSON for `entry` in a list, with its separator.
fn json_bytes(entry: &impl Serialize) -> usize {
    let mut counted = Counter(1);
    serde_json::to_writer(&mut counted, entry).expect("entries have string keys");
    counted.0
}

/// A writer that only counts bytes.
struct Counter(usize);

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.0 += bytes.len();
        Ok(())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Whether to leave out a count because it is zero.
pub fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Marks `output` as truncated if it does not hold everything.
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
    fn a_list_is_cut_where_the_room_ends_and_has_no_holes() {
        let mut room = Room::new(8);
        let mut list = vec!["ab", "abcdef", "a"];
        assert_eq!((room.cut(&mut list), list), (2, vec!["ab"]));
        assert!(!room.take(&"a"));
    }

    #[test]
    fn a_long_text_is_cut_to_a_quarter_of_the_room_whatever_is_in_it() {
        assert_eq!((brief(&"x".repeat(50), 200), brief("", 0)), ("x".repeat(50), String::new()));
        for character in ["x", "é", "\u{1}", "\n", "\"", "\u{7f}"] {
            let cut = brief(&character.repeat(1000), 2000);
            assert!(cut.ends_with(TRUNCATION_MARKER), "{cut}");
            let bytes = json_bytes(&cut);
            assert!((350..=510).contains(&bytes), "{bytes}: {character:?}");
        }
    }

    #[test]
    fn neither_form_grows_beyond_its_bytes() {
        let room = TRUNCATION_MARKER.len() + 5;
        assert!(Budget::new(9, room).add(b"abcd", 0));
        assert!(!Budget::new(9, room).add(b"abcde", 0));
        // Escaped as \x01.
        assert!(!Budget::new(9, room).add(b"a\x01", 0));
        assert!(!Budget::new(9, room).add(b"a", "x".repeat(room)));
    }
}
