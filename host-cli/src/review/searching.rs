//! Goes to what is searched for, warned of or said.

use gate::review::Severity;

use super::rows::Row;
use super::screen::{Focus, Screen};

impl Screen<'_> {
    /// Goes to the next row with what is searched for, in this file and then in the others.
    pub fn find(&mut self, is_down: bool, is_new: bool) {
        let wanted = self.search.to_lowercase();
        let order = self.order();
        let here = self.file.and_then(|file| order.iter().position(|one| *one == file));
        self.focus = Focus::Changes;
        // What is searched for anew may be right here.
        let from = if is_new { self.cursor.checked_sub(1) } else { Some(self.cursor) };
        if self.found_here(&wanted, is_down, from) {
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
                let end = (!is_down).then_some(self.places.len());
                if !self.found_here(&wanted, is_down, end) {
                    self.say(format!("only the header of {} has it", self.model.scope().files[file].path));
                }
            }
            None => self.fail(format!("not found: {}", self.search)),
        }
    }

    /// Goes to the next hit in this file behind, or before, the row `from`; to the first one if there is no such row.
    fn found_here(&mut self, wanted: &str, is_down: bool, from: Option<usize>) -> bool {
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
        let found = match is_down {
            true => hits.iter().find(|at| from.is_none_or(|from| **at > from)),
            false => hits.iter().rev().find(|at| from.is_none_or(|from| **at < from)),
        };
        if let Some(at) = found {
            self.cursor = *at;
            self.keep_in_view();
        }
        found.is_some()
    }

    /// Goes to the next file with a warning.
    pub fn warning(&mut self) {
        let order = self.order();
        let here = self.file.and_then(|file| order.iter().position(|one| *one == file)).map_or(0, |at| at + 1);
        let files = &self.model.scope().files;
        let has = |file: &usize| files[*file].warnings.iter().any(|(severity, _)| *severity > Severity::Low);
        let found = order.iter().cycle().skip(here).take(order.len()).find(|file| has(file)).copied();
        match found {
            Some(file) => {
                self.focus = Focus::Changes;
                self.show(Some(file));
                (self.cursor, self.top) = (0, 0);
            }
            None if self.model.overview.warnings.is_empty() => self.say("There are no warnings."),
            None => {
                self.show(None);
                self.focus = Focus::Changes;
            }
        }
    }

    /// Goes to the next comment, or to the one before.
    pub fn comment(&mut self, is_down: bool) {
        let lead = |at: usize| matches!(self.rows.rows[self.places[at].row], Row::Said { lead: true, .. });
        let here = match is_down {
            true => (self.cursor + 1..self.places.len()).find(|at| lead(*at)),
            false => (0..self.cursor.min(self.places.len())).rev().find(|at| lead(*at)),
        };
        if let Some(at) = here {
            self.focus = Focus::Changes;
            self.cursor = at;
            return self.keep_in_view();
        }
        let order: Vec<Option<usize>> = [None].into_iter().chain(self.order().into_iter().map(Some)).collect();
        let at = order.iter().position(|file| *file == self.file).unwrap_or(0);
        let count = order.len();
        let others =
            (1..count).map(|step| order[if is_down { (at + step) % count } else { (at + count - step) % count }]);
        let scope = self.model.scope();
        let has = |file: &Option<usize>| match file {
            None => scope.comments_elsewhere(&self.model.comments).next().is_some(),
            Some(file) => {
                scope.comments_on(*file, &self.model.comments).next().is_some()
                    || scope.spots.iter().flatten().any(|spot| spot.file == *file)
            }
        };
        match others.into_iter().find(has) {
            Some(file) => {
                self.focus = Focus::Changes;
                self.show(file);
                let found =
                    (0..self.places.len()).find(|at| matches!(self.rows.rows[self.places[*at].row], Row::Said { .. }));
                self.cursor = found.unwrap_or(0);
                self.keep_in_view();
            }
            None => self.say("There is no other comment."),
        }
    }
}
