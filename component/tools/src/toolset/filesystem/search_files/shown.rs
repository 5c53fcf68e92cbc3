//! The lines of a file that a search shows, as grep does: a colon after the number of a line that matches, a dash after one around it.

use super::excerpt::excerpt;
use super::hits::{Hit, bare};

/// How many lines are shown around a match.
#[derive(Clone, Copy, Default)]
pub struct Around {
    /// Before it.
    pub before: usize,
    /// After it.
    pub after: usize,
}

/// The lines of a file. They are split only if lines around a match are shown.
pub struct Shown<'a> {
    content: &'a [u8],
    /// The path, as the text shows it.
    path: &'a [u8],
    around: Around,
    /// Where each line begins.
    starts: Vec<usize>,
    /// The number of the first line that was not shown yet.
    next: usize,
    /// Whether the whole search has shown a line before.
    is_first: bool,
}

impl<'a> Shown<'a> {
    /// Nothing is shown yet of `content`.
    pub fn new(path: &'a [u8], content: &'a [u8], around: Around, is_first: bool) -> Shown<'a> {
        let mut starts = Vec::new();
        if around.before + around.after > 0 {
            starts.push(0);
            starts.extend(content.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1));
            if starts.last() == Some(&content.len()) {
                starts.pop();
            }
        }
        Shown { content, path, around, starts, next: 0, is_first }
    }

    /// The text of a hit, without a line end, and what of it is the hit. `until` is the next hit.
    pub fn hit(&mut self, hit: &Hit, until: Option<&Hit>, only_matching: bool) -> (Vec<u8>, Vec<u8>) {
        if only_matching {
            let matched = excerpt(&self.content[hit.start..hit.end], 0, hit.end - hit.start);
            return (self.line(hit.first, b':', &matched), matched);
        }
        let mut lines: Vec<Vec<u8>> = Vec::new();
        let from = hit.first.saturating_sub(self.around.before).max(self.next);
        if self.around.before + self.around.after > 0 && !self.is_first && (from > self.next || self.next == 0) {
            lines.push(b"--".to_vec());
        }
        for number in from..hit.first {
            lines.push(self.line(number, b'-', &excerpt(self.at(number), 0, 0)));
        }
        let mut matched: Vec<Vec<u8>> = Vec::new();
        let mut at = hit.line;
        for number in hit.first..=hit.last {
            let end = self.content[at..]
                .iter()
                .position(|byte| *byte == b'\n')
                .map_or(self.content.len(), |end| at + end + 1);
            let line = bare(&self.content[at..end]);
            let (start, stop) = match number == hit.first {
                true => (hit.start - at, (hit.end - at).min(line.len())),
                false => (0, 0),
            };
            let shown = excerpt(line, start.min(line.len()), stop);
            lines.push(self.line(number, b':', &shown));
            matched.push(shown);
            at = end;
        }
        let to = (hit.last + 1 + self.around.after).min(self.starts.len());
        let to = until.map_or(to, |until| to.min(until.first));
        for number in hit.last + 1..to {
            lines.push(self.line(number, b'-', &excerpt(self.at(number), 0, 0)));
        }
        self.next = to.max(hit.last + 1);
        self.is_first = false;
        (lines.join(&b'\n'), matched.join(&b'\n'))
    }

    fn at(&self, number: usize) -> &[u8] {
        let end = self.starts.get(number + 1).copied().unwrap_or(self.content.len());
        bare(&self.content[self.starts[number]..end])
    }

    fn line(&self, number: usize, mark: u8, text: &[u8]) -> Vec<u8> {
        let number = (number + 1).to_string();
        [self.path, &[mark], number.as_bytes(), &[mark], text].concat()
    }
}
