//! Texts made from another one by decoding or joining, with the places in it of everything found in them.

use std::ops::Range;

use patch::sort::sort_by_key;

use super::{Finding, lines::Lines, scan};

/// Separates unrelated texts: no expression matches across it.
const BETWEEN: &[u8] = b"\n\0\n";
/// Searches at most this many bytes at a time, unless a single text is longer.
const MOST_BYTES: usize = 1 << 20;
const MOST_PARTS: usize = 1 << 12;
/// Remembers at most this many places with a secret.
const MOST_KNOWN: usize = 1 << 16;

/// The places of secrets found before.
#[derive(Default)]
pub(super) struct Known(Vec<Range<usize>>);

impl Known {
    pub fn add(&mut self, place: Range<usize>) {
        if self.0.len() < MOST_KNOWN {
            self.0.push(place);
        }
    }

    /// Sorts them. Queries need the order.
    pub fn sort(&mut self) {
        sort_by_key(&mut self.0, |place| place.start);
    }

    fn touches(&self, place: &Range<usize>) -> bool {
        let from = self.0.partition_point(|known| known.end <= place.start);
        self.0.get(from).is_some_and(|known| known.start < place.end)
    }
}

/// The source of a part of the made text.
struct Part {
    /// The start of the part in the made text.
    at: usize,
    place: Range<usize>,
    /// Whether it continues the part before it.
    joined: bool,
}

/// Texts made from one text, and the search in them.
pub(super) struct Made<'a> {
    text: &'a [u8],
    known: &'a Known,
    found: &'a mut dyn FnMut(Finding),
    bytes: Vec<u8>,
    parts: Vec<Part>,
    lines: Lines,
    /// The number of bytes read again.
    again: usize,
}

impl<'a> Made<'a> {
    pub fn new(text: &'a [u8], known: &'a Known, found: &'a mut dyn FnMut(Finding)) -> Self {
        Made { text, known, found, bytes: Vec::new(), parts: Vec::new(), lines: Lines::new(), again: 0 }
    }

    /// Adds the text that the bytes at `place` encode.
    pub fn alone(&mut self, bytes: &[u8], place: Range<usize>) {
        self.add(bytes, place, false);
        self.settle();
    }

    /// Adds the bytes at several places as one text.
    pub fn joined(&mut self, places: &[Range<usize>]) {
        let text = self.text;
        for (number, place) in places.iter().enumerate() {
            self.add(&text[place.clone()], place.clone(), number > 0);
        }
        self.settle();
    }

    fn add(&mut self, bytes: &[u8], place: Range<usize>, joined: bool) {
        if !joined {
            self.bytes.extend_from_slice(BETWEEN);
        }
        self.parts.push(Part { at: self.bytes.len(), place, joined });
        self.bytes.extend_from_slice(bytes);
    }

    fn settle(&mut self) {
        if self.bytes.len() >= MOST_BYTES || self.parts.len() >= MOST_PARTS {
            self.search();
        }
    }

    /// Counts bytes read again to find the source of a text.
    pub fn looked(&mut self, bytes: usize) {
        self.again += bytes;
    }

    /// Ends the search. Returns the number of bytes read again.
    pub fn finish(mut self) -> usize {
        self.search();
        self.again + self.lines.again
    }

    /// Reports the secrets in the added texts that have a known format.
    fn search(&mut self) {
        if self.parts.is_empty() {
            return;
        }
        let (bytes, parts) = (std::mem::take(&mut self.bytes), std::mem::take(&mut self.parts));
        self.again += bytes.len();
        let mut findings = Vec::new();
        self.again += scan::each(&bytes, scan::Names::Unseen, &mut |finding| findings.push(finding));
        for finding in findings {
            let first = parts.partition_point(|part| part.at <= finding.place.start).saturating_sub(1);
            let last = parts.partition_point(|part| part.at < finding.place.end).saturating_sub(1);
            let is_of_parts = parts.get(first + 1).is_some_and(|next| next.joined) || parts[first].joined;
            if is_of_parts && first == last {
                // The original text contains this secret directly.
                continue;
            }
            self.found(finding, parts[first].place.start..parts[last].place.end);
        }
    }

    /// Reports a finding at `place`, unless one was found there before.
    pub fn found(&mut self, finding: Finding, place: Range<usize>) {
        if !self.known.touches(&place) {
            let line = self.lines.of(self.text, place.start);
            (self.found)(Finding { line, place, ..finding });
        }
    }
}
