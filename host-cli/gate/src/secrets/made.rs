//! Texts that are made out of another, by decoding or joining, and where in that one stands what is found in them.

use std::ops::Range;

use patch::sort::sort_by_key;

use super::{Finding, lines::Lines, scan};

/// What is put between texts that have nothing to do with each other: no expression goes over it.
const BETWEEN: &[u8] = b"\n\0\n";
/// So much is searched at once, if not one text alone is longer.
const MOST_BYTES: usize = 1 << 20;
const MOST_PARTS: usize = 1 << 12;
/// Of so many places it is remembered that a secret was found there.
const MOST_KNOWN: usize = 1 << 16;

/// Where something was found.
#[derive(Default)]
pub(super) struct Known(Vec<Range<usize>>);

impl Known {
    pub fn add(&mut self, place: Range<usize>) {
        if self.0.len() < MOST_KNOWN {
            self.0.push(place);
        }
    }

    /// Makes them ready to be asked.
    pub fn sort(&mut self) {
        sort_by_key(&mut self.0, |place| place.start);
    }

    fn touches(&self, place: &Range<usize>) -> bool {
        let from = self.0.partition_point(|known| known.end <= place.start);
        self.0.get(from).is_some_and(|known| known.start < place.end)
    }
}

/// What a part of the made text was made of.
struct Part {
    /// Where it starts in the made text.
    at: usize,
    place: Range<usize>,
    /// It goes on what was before it.
    joined: bool,
}

/// Texts that were made out of one, and what is found in them.
pub(super) struct Made<'a> {
    text: &'a [u8],
    known: &'a Known,
    found: &'a mut dyn FnMut(Finding),
    bytes: Vec<u8>,
    parts: Vec<Part>,
    lines: Lines,
    /// Bytes that were looked at again.
    again: usize,
}

impl<'a> Made<'a> {
    pub fn new(text: &'a [u8], known: &'a Known, found: &'a mut dyn FnMut(Finding)) -> Self {
        Made { text, known, found, bytes: Vec::new(), parts: Vec::new(), lines: Lines::new(), again: 0 }
    }

    /// Adds a text that what stands at `place` says.
    pub fn alone(&mut self, bytes: &[u8], place: Range<usize>) {
        self.add(bytes, place, false);
        self.settle();
    }

    /// Adds what stands at several places as one text.
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

    /// Counts bytes that were looked at again to find what a text is made of.
    pub fn looked(&mut self, bytes: usize) {
        self.again += bytes;
    }

    /// Ends the search. Gives how many bytes were looked at again.
    pub fn finish(mut self) -> usize {
        self.search();
        self.again + self.lines.again
    }

    /// Says what is in the texts that were added, by forms that are known by themselves.
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
                // It stands in the text itself as it is.
                continue;
            }
            self.found(finding, parts[first].place.start..parts[last].place.end);
        }
    }

    /// Says that something was found at `place`, unless something was found there before.
    pub fn found(&mut self, finding: Finding, place: Range<usize>) {
        if !self.known.touches(&place) {
            let line = self.lines.of(self.text, place.start);
            (self.found)(Finding { line, place, ..finding });
        }
    }
}
