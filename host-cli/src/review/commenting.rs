//! The keys that say something about the push.

use gate::Fault;
use gate::comment::{Comment, Place, Weight};
use gate::review::Side;
use host::review::Change;

use super::effect::Effect;
use super::keys::Act;
use super::overview::Tone;
use super::popup::Purpose;
use super::rows::Row;
use super::screen::{Screen, nothing};
use super::tree::Node;

impl Screen<'_> {
    /// The comment on the row where the person is.
    fn comment_at(&self) -> Option<&Comment> {
        match self.row() {
            Some(Row::Said { comment, .. }) => self.model.comments.get(*comment),
            _ => None,
        }
    }

    pub fn comment_here(&mut self) {
        if let Some(comment) = self.comment_at() {
            let rows = vec![(Tone::Title, format!("Answer to {}", host::screen::line(&comment.by)))];
            let purpose = Purpose::Answer { comment: comment.id.clone() };
            return self.ask(purpose, rows);
        }
        let place = if self.is_in_files() { Ok(self.file_place()) } else { self.lines_place() };
        match place {
            Ok(place) => self.write_comment(place),
            Err(fault) => self.fail(format!("{}: {}", fault.message, fault.hint)),
        }
    }

    pub fn write_comment(&mut self, place: Option<Place>) {
        let Some(place) = place else { return self.say("There is nothing here to comment on.") };
        let rows = vec![(Tone::Title, format!("Comment on {}", place.line()))];
        self.ask(Purpose::Comment { place, weight: Weight::Must }, rows);
    }

    /// The file that is shown or selected, or the whole push.
    pub fn file_place(&self) -> Option<Place> {
        let file = match (self.is_in_files(), self.nodes.get(self.node)) {
            (true, Some(Node::File { file, .. })) => Some(*file),
            (true, Some(Node::Folder { .. })) => return None,
            (true, _) => None,
            (false, _) => self.file,
        };
        Some(match file {
            Some(file) => Place::File { path: self.model.scope().files[file].listed.as_ref()?.path.to_string() },
            None => Place::Push,
        })
    }

    /// The lines from the selected row to this one, or this line. Where there is none, the file.
    fn lines_place(&self) -> Result<Option<Place>, Fault> {
        let files = &self.model.scope().files;
        if let Some(Row::File { file, .. }) = self.row() {
            let listed = self.model.whole().files[*file].listed.as_ref();
            return Ok(listed.map(|listed| Place::File { path: listed.path.to_string() }));
        }
        let Some(file) = self.file else { return Ok(Some(Place::Push)) };
        let (Some(listed), Some(place)) = (files[file].listed.as_ref(), self.places.get(self.cursor)) else {
            return Ok(None);
        };
        let here = place.row;
        let (from, to) = self.selected.map_or((here, here), |from| (from.min(here), from.max(here)));
        let mut numbers: Vec<(Side, u32)> = Vec::new();
        for row in self.rows.rows.get(from..=to).unwrap_or_default() {
            let (unit, at) = match row {
                Row::Line { unit, line, .. } => (*unit, Some(*line)),
                Row::Pair { unit, old, new, .. } => (*unit, new.or(*old)),
                _ => continue,
            };
            let lines = self.rows.lines(unit);
            let Some(line) = at.and_then(|at| lines.get(at)) else { continue };
            numbers.extend(line.new.map(|number| (Side::New, number)).or(line.old.map(|number| (Side::Old, number))));
        }
        // Lines of both texts are no one place: those that will be there count for more.
        let side = if numbers.iter().any(|(side, _)| *side == Side::New) { Side::New } else { Side::Old };
        let on: Vec<u32> = numbers.into_iter().filter(|(one, _)| *one == side).map(|(_, number)| number).collect();
        match (on.iter().min(), on.iter().max()) {
            (Some(first), Some(last)) => Place::of_lines(listed, side, *first, *last).map(Some),
            _ => Ok(Some(Place::File { path: listed.path.to_string() })),
        }
    }

    pub fn settle(&mut self) -> Vec<Effect> {
        let Some(comment) = self.comment_at() else {
            self.say(nothing(Act::Settle));
            return Vec::new();
        };
        let (id, is_open) = (comment.id.clone(), comment.is_open());
        vec![Effect::Change(id, if is_open { Change::Settle } else { Change::Reopen })]
    }

    pub fn ask_changes(&mut self) {
        let open = self.model.open().count();
        let what = match open {
            0 => "Ask for changes? No comment is open, so say here what is to change.".to_owned(),
            1 => "Ask for changes? The agent gets 1 comment, and what you say here, which may be empty.".to_owned(),
            many => {
                format!("Ask for changes? The agent gets {many} comments, and what you say here, which may be empty.")
            }
        };
        self.ask(Purpose::AskChanges, vec![(Tone::Title, what)]);
    }
}
