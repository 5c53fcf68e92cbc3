//! Computes line numbers of places.

/// Counts lines. Places in nearly ascending order take one pass together.
pub(super) struct Lines {
    /// A place and its line.
    counted: (usize, usize),
    /// The number of bytes read.
    pub again: usize,
}

impl Lines {
    pub fn new() -> Self {
        Lines { counted: (0, 1), again: 0 }
    }

    /// The line of a place in `text`, counted from 1.
    pub fn of(&mut self, text: &[u8], place: usize) -> usize {
        let (from, line) = self.counted;
        let ends = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
        let line = if place >= from { line + ends(&text[from..place]) } else { line - ends(&text[place..from]) };
        self.again += place.abs_diff(from);
        self.counted = (place, line);
        line
    }
}
