//! How much of the screen there is for what, and where each row stands.

use super::cells;
use super::overview::Tone;
use super::rows::{Row, Rows};
use super::screen::{Place, Screen};

/// The narrowest screen with files and changes beside each other.
const BESIDE: usize = 110;

impl Screen<'_> {
    /// Columns for the files; none if they have a screen of their own.
    pub fn tree_columns(&self) -> usize {
        if self.size.0 < BESIDE { 0 } else { (self.size.0 / 4).clamp(28, 48) }
    }

    /// Columns for the changes.
    pub fn columns(&self) -> usize {
        match self.tree_columns() {
            0 => self.size.0,
            tree => self.size.0 - tree - 1,
        }
    }

    /// Rows for either.
    pub fn height(&self) -> usize {
        self.size.1 - 2
    }

    /// Columns for the code of a line, where it stands alone, and where two stand beside each other.
    pub fn code_columns(&self) -> (usize, usize) {
        let digits = self.digits;
        let alone = self.columns().saturating_sub(2 * digits + 5);
        let half = (self.columns().saturating_sub(2) / 2).saturating_sub(digits + 3);
        (alone.max(8), half.max(8))
    }

    /// Whether a part is shown by its header alone: what was seen is, unless the person says otherwise.
    pub fn is_folded(&self, file: usize, unit: usize) -> bool {
        let seen = || {
            let looked = self.model.scope().looked.get(file).and_then(|looked| looked.get(unit));
            let is_seen = looked.is_some_and(|looked| looked.by.is_some());
            // What is said about it is not hidden with it.
            is_seen && !self.model.scope().is_commented(file, unit, &self.model.comments)
        };
        self.folds.get(&(self.model.at, file, unit)).copied().unwrap_or_else(seen)
    }

    /// Wraps the rows.
    pub fn place(&mut self) {
        let (alone, half) = self.code_columns();
        let columns = self.columns().saturating_sub(2).max(8);
        let mut places = Vec::with_capacity(self.rows.rows.len());
        let mut lines = (usize::MAX, Vec::new());
        for (at, row) in self.rows.rows.iter().enumerate() {
            if let Some(unit) = row.unit().filter(|unit| *unit != lines.0) {
                lines = (unit, self.rows.lines(unit));
            }
            let of = |line: &usize| lines.1.get(*line).map_or("", |line| line.text);
            let parts = match row {
                Row::Gap => 1,
                Row::Text(tone, text) => cells::in_words(text, text_columns(*tone, columns)).len(),
                Row::File { .. } => 1,
                Row::Said { text, .. } => cells::in_words(text, columns.saturating_sub(4)).len(),
                Row::Head(text) => cells::count(text, columns),
                Row::Part { .. } => 1,
                Row::Since { text, .. } => cells::count(text, columns.saturating_sub(6)),
                Row::Line { line, .. } => cells::count(of(line), alone),
                Row::Pair { old, new, .. } => {
                    let count = |line: &Option<usize>| line.as_ref().map_or(1, |line| cells::count(of(line), half));
                    count(old).max(count(new))
                }
            };
            places.extend((0..parts).map(|part| Place { row: at, part }));
        }
        self.places = places;
    }

    /// Moves what is shown so that the person is on it.
    pub fn keep_in_view(&mut self) {
        self.cursor = self.cursor.min(self.places.len().saturating_sub(1));
        let height = self.height().max(1);
        // Two rows more, so that it is seen what comes.
        let margin = 2.min(height.saturating_sub(1) / 2);
        self.top = self.top.min(self.cursor.saturating_sub(margin));
        self.top = self.top.max((self.cursor + margin + 1).saturating_sub(height));
        self.top = self.top.min(self.places.len().saturating_sub(height));
    }
}

/// The digits of the greatest number of a line.
pub fn digits(rows: &Rows) -> usize {
    let most = rows.hunks.last().map_or(0, |hunk| {
        let lines = gate::review::hunk_lines(hunk);
        lines.iter().filter_map(|line| line.old.max(line.new)).max().unwrap_or(0)
    });
    most.to_string().len().max(3)
}

/// Columns for a text of ours among so many: what goes on of a warning is indented.
pub fn text_columns(tone: Tone, columns: usize) -> usize {
    match tone {
        Tone::Warning(_) => columns.saturating_sub(INDENT).max(8),
        _ => columns,
    }
}

/// Columns before what goes on of a warning.
pub const INDENT: usize = 10;
