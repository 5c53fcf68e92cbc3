//! Goes to what is searched for.

use super::rows::Row;
use super::screen::{Focus, Screen};

impl Screen<'_> {
    /// Goes to the next row with what is searched for, in this file and then in the others.
    pub fn find(&mut self, is_down: bool) {
        let wanted = self.search.to_lowercase();
        let order = self.order();
        let here = self.file.and_then(|file| order.iter().position(|one| *one == file));
        self.focus = Focus::Changes;
        if self.found_here(&wanted, is_down) {
            return;
        }
        let files = &self.model.scope().files;
        let has = |file: &usize| {
            let file = &files[*file];
            file.hunks.iter().any(|hunk| hunk.to_lowercase().contains(&wanted))
                || file.head.to_lowercase().contains(&wanted)
        };
        let start = here.map_or(0, |at| at + 1);
        let mut others: Vec<usize> = order.iter().cycle().skip(start).take(order.len()).copied().collect();
        if !is_down {
            others =
                order.iter().rev().cycle().skip(order.len() - here.unwrap_or(0)).take(order.len()).copied().collect();
        }
        match others.into_iter().find(has) {
            Some(file) => {
                // What is folded may have it.
                for unit in 0..self.model.scope().files[file].units() {
                    if self.model.scope().files[file].unit(unit).to_lowercase().contains(&wanted) {
                        self.folds.insert((self.model.at, file, unit), false);
                    }
                }
                self.show(Some(file));
                self.cursor = if is_down { 0 } else { self.places.len() };
                if !self.found_here(&wanted, is_down) {
                    self.say(format!("only the header of {} has it", self.model.scope().files[file].path));
                }
            }
            None => self.fail(format!("not found: {}", self.search)),
        }
    }

    fn found_here(&mut self, wanted: &str, is_down: bool) -> bool {
        let mut lines = (usize::MAX, Vec::new());
        let mut hits = Vec::new();
        for (at, place) in self.places.iter().enumerate().filter(|(_, place)| place.part == 0) {
            let row = &self.rows.rows[place.row];
            if let Some(unit) = row.unit().filter(|unit| *unit != lines.0) {
                lines = (unit, self.rows.lines(unit));
            }
            let has = |text: &str| text.to_lowercase().contains(wanted);
            let line = |line: &usize| lines.1.get(*line).is_some_and(|line| has(line.text));
            let is_hit = match row {
                Row::Text(_, text)
                | Row::File { text, .. }
                | Row::Head(text)
                | Row::Said { text, .. }
                | Row::Since { text, .. } => has(text),
                Row::Part { text, .. } => has(text),
                Row::Line { line: one, .. } => line(one),
                Row::Pair { old, new, .. } => old.iter().chain(new).any(line),
                Row::Gap => false,
            };
            if is_hit {
                hits.push(at);
            }
        }
        let cursor = self.cursor;
        let found = match is_down {
            true => hits.iter().find(|at| **at > cursor || cursor == 0 && **at == 0),
            false => hits.iter().rev().find(|at| **at < cursor),
        };
        if let Some(at) = found {
            self.cursor = *at;
            self.keep_in_view();
        }
        found.is_some()
    }
}
