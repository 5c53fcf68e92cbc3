//! The keys that change or decide something.

use std::collections::BTreeSet;

use gate::comment::{Comment, Place, Weight};
use gate::review::{Side, hunk_lines};
use host::review::Change;

use super::effect::{Done, Effect, Outcome};
use super::input::Input;
use super::keys::Act;
use super::overview::Tone;
use super::popup::{self, Popup, Purpose, Sure};
use super::rows::Row;
use super::screen::{Focus, Screen, nothing};
use super::tree::Node;

impl Screen<'_> {
    /// Acts, and says what is to be done.
    pub fn acts(&mut self, act: Act) -> Vec<Effect> {
        match act {
            Act::Seen => return self.seen(),
            Act::Out => self.out(),
            Act::Undo => return self.undo(),
            Act::Comment => self.comment_here(),
            Act::CommentOnFile => {
                let place = self.file_place();
                self.write_comment(place);
            }
            Act::Select => {
                let row = self.places.get(self.cursor).map(|place| place.row);
                self.selected = if self.selected.is_some() { None } else { row };
                if self.selected.is_some() {
                    self.say("Move to the last line, then c comments on all of them; v ends this.");
                }
            }
            Act::Settle => return self.settle(),
            Act::Approve => self.approve(),
            Act::ApproveUpto => self.approve_upto(),
            Act::Remember => self.remember(),
            Act::Reject => {
                let rows =
                    vec![(Tone::Title, "Reject the push? The agent reads your reason, which may be empty.".to_owned())];
                self.ask(Purpose::Reject, rows);
            }
            Act::AskChanges => self.ask_changes(),
            Act::Message => match &self.model.overview.message {
                Some(message) => {
                    return vec![Effect::EditMessage(self.edited.clone().unwrap_or_else(|| message.clone()))];
                }
                None => self.say(nothing(act)),
            },
            Act::Search => self.ask(Purpose::Search, Vec::new()),
            Act::Filter => self.ask(Purpose::Filter, Vec::new()),
            Act::Help => self.popup = Some(Popup::Help(0)),
            Act::Leave => return self.leave(),
            _ => {}
        }
        Vec::new()
    }

    /// What is below the cursor: parts of files.
    fn here(&self) -> Vec<(usize, usize)> {
        let all = |file: usize| (0..self.model.scope().files[file].units()).map(move |unit| (file, unit));
        if self.is_in_files() {
            return self.nodes.get(self.node).map(Node::files).unwrap_or_default().into_iter().flat_map(all).collect();
        }
        if let Some(Row::File { file, .. }) = self.row() {
            return all(*file).collect();
        }
        match (self.file, self.row().and_then(Row::unit)) {
            (Some(file), Some(unit)) => vec![(file, unit)],
            (Some(file), None) => all(file).collect(),
            (None, _) => Vec::new(),
        }
    }

    fn seen(&mut self) -> Vec<Effect> {
        let parts = self.here();
        if parts.is_empty() || self.model.at > 0 {
            self.say(nothing(Act::Seen));
            return Vec::new();
        }
        let is_seen = |(file, unit): &(usize, usize)| self.model.scope().looked[*file][*unit].by.is_some();
        let seen = !parts.iter().all(is_seen);
        let changed: Vec<(usize, usize)> = parts.iter().filter(|part| is_seen(part) != seen).copied().collect();
        let who = self.who.clone();
        let looks = self.model.scope_mut().look(&parts, seen, &who);
        self.folds.retain(|(_, file, unit), _| !parts.contains(&(*file, *unit)));
        self.done.push(Done::Look { scope: self.model.at, parts: changed, seen: !seen });
        let was_in_files = self.is_in_files();
        self.rebuild();
        match (seen, was_in_files || self.file.is_none()) {
            (true, false) => {
                // On to what is not seen yet.
                let (file, unit) = parts[0];
                self.go(file, unit);
                self.unseen();
            }
            (true, true) if self.file.is_none() && !was_in_files => {
                self.cursor = (self.cursor + 1).min(self.places.len().saturating_sub(1));
                self.keep_in_view();
            }
            (true, true) => {
                self.node = (self.node + 1).min(self.nodes.len().saturating_sub(1));
                self.reveal_node();
            }
            (false, _) => {}
        }
        vec![Effect::Look(looks)]
    }

    fn out(&mut self) {
        let mut parts = self.here();
        parts.retain(|(file, _)| self.model.scope().files[*file].can_be_left_out());
        if parts.is_empty() || self.model.at > 0 {
            return self.say(nothing(Act::Out));
        }
        // A file whose parts are counted otherwise stays or goes as a whole.
        let whole: BTreeSet<usize> = parts
            .iter()
            .map(|part| part.0)
            .filter(|file| !self.model.scope().files[*file].can_be_taken_apart())
            .collect();
        parts.extend(
            whole.iter().flat_map(|file| (0..self.model.scope().files[*file].units()).map(|unit| (*file, unit))),
        );
        let files: BTreeSet<usize> = parts.iter().map(|part| part.0).collect();
        let scope = self.model.scope_mut();
        let before = files.iter().map(|file| (*file, scope.out[*file].clone())).collect();
        let is_out = parts.iter().all(|(file, unit)| scope.out[*file].contains(unit));
        for (file, unit) in parts {
            match is_out {
                true => drop(scope.out[file].remove(&unit)),
                false => drop(scope.out[file].insert(unit)),
            }
        }
        self.done.push(Done::Out(before));
        match self.model.left_out() {
            0 => self.say("Nothing is left out."),
            1 => self.say("1 part is left out: it stays in the sandbox, uncommitted. a pushes the rest."),
            many => self
                .say(format!("{many} parts are left out: they stay in the sandbox, uncommitted. a pushes the rest.")),
        }
    }

    fn undo(&mut self) -> Vec<Effect> {
        let Some(done) = self.done.pop() else {
            self.say("There is nothing to undo.");
            return Vec::new();
        };
        match done {
            Done::Look { scope, parts, seen } => {
                self.model.show(scope);
                let who = self.who.clone();
                let looks = self.model.scope_mut().look(&parts, seen, &who);
                self.plant();
                self.rebuild();
                if let Some((file, unit)) = parts.first() {
                    self.go(*file, *unit);
                }
                self.say(if seen { "Marked as seen again." } else { "Not seen any more." });
                vec![Effect::Look(looks)]
            }
            Done::Out(before) => {
                let scope = self.model.scope_mut();
                before.into_iter().for_each(|(file, out)| scope.out[file] = out);
                self.say("As it was before.");
                Vec::new()
            }
            Done::Made(id) => {
                self.say("The comment is withdrawn.");
                vec![Effect::Change(id, Change::Withdraw)]
            }
            Done::Changed(id, change) => {
                self.say("The comment is as it was.");
                vec![Effect::Change(id, change)]
            }
        }
    }

    /// The comment on the row where the person is.
    fn comment_at(&self) -> Option<&Comment> {
        match self.row() {
            Some(Row::Said { comment, .. }) => self.model.comments.get(*comment),
            _ => None,
        }
    }

    fn comment_here(&mut self) {
        if let Some(comment) = self.comment_at() {
            let rows = vec![(Tone::Title, format!("Answer to {}", host::screen::line(&comment.by)))];
            let purpose = Purpose::Answer { comment: comment.id.clone() };
            return self.ask(purpose, rows);
        }
        let place = if self.is_in_files() { self.file_place() } else { self.lines_place() };
        self.write_comment(place);
    }

    fn write_comment(&mut self, place: Option<Place>) {
        let Some(place) = place else { return self.say("There is nothing here to comment on.") };
        let rows = vec![(Tone::Title, format!("Comment on {}", place.line()))];
        self.ask(Purpose::Comment { place, weight: Weight::Must }, rows);
    }

    /// The file that is shown or selected, or the whole push.
    fn file_place(&self) -> Option<Place> {
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
    fn lines_place(&self) -> Option<Place> {
        if let Some(Row::File { file, .. }) = self.row() {
            return Some(Place::File { path: self.model.scope().files[*file].listed.as_ref()?.path.to_string() });
        }
        let Some(file) = self.file else { return Some(Place::Push) };
        let listed = self.model.scope().files[file].listed.as_ref()?;
        let here = self.places.get(self.cursor)?.row;
        let (from, to) = self.selected.map_or((here, here), |from| (from.min(here), from.max(here)));
        let mut numbers: Vec<(Side, u32)> = Vec::new();
        for row in self.rows.rows.get(from..=to)? {
            let (unit, at) = match row {
                Row::Line { unit, line, .. } => (*unit, *line),
                Row::Pair { unit, old, new } => (*unit, (*new).or(*old)?),
                _ => continue,
            };
            let line = *hunk_lines(self.rows.hunks.get(unit)?).get(at)?;
            numbers.extend(line.new.map(|number| (Side::New, number)).or(line.old.map(|number| (Side::Old, number))));
        }
        // Lines of both texts are no one place: those that will be there count for more.
        let side = if numbers.iter().any(|(side, _)| *side == Side::New) { Side::New } else { Side::Old };
        let on: Vec<u32> = numbers.into_iter().filter(|(one, _)| *one == side).map(|(_, number)| number).collect();
        match (on.iter().min(), on.iter().max()) {
            (Some(first), Some(last)) => Place::of_lines(listed, side, *first, *last).ok(),
            _ => None,
        }
        .or_else(|| Some(Place::File { path: listed.path.to_string() }))
    }

    fn settle(&mut self) -> Vec<Effect> {
        let Some(comment) = self.comment_at() else {
            self.say(nothing(Act::Settle));
            return Vec::new();
        };
        let (id, is_open) = (comment.id.clone(), comment.is_open());
        let (now, back) = if is_open { (Change::Settle, Change::Reopen) } else { (Change::Reopen, Change::Settle) };
        self.done.push(Done::Changed(id.clone(), back));
        vec![Effect::Change(id, now)]
    }

    fn approve(&mut self) {
        if self.model.left_out() > 0 || self.edited.is_some() {
            if self.model.left_out() == self.model.whole().looked.iter().map(Vec::len).sum::<usize>() {
                return self.say("Nothing would be left to push: r rejects it.");
            }
            let mut rows = vec![(Tone::Title, "Push it otherwise?".to_owned())];
            match self.model.left_out() {
                0 => {}
                1 => rows.push((Tone::Plain, "1 part stays in the sandbox, uncommitted.".to_owned())),
                many => rows.push((Tone::Plain, format!("{many} parts stay in the sandbox, uncommitted."))),
            }
            if self.edited.is_some() {
                rows.push((Tone::Plain, "The last commit gets the message that you wrote.".to_owned()));
            }
            rows.push((Tone::Plain, "You are asked again about what is left.".to_owned()));
            self.popup = Some(Popup::Sure { what: Sure::Revise, rows });
            return;
        }
        let mut rows = popup::last_look(&self.model);
        self.popup = Some(match &self.model.overview.protected {
            Some(branch) => {
                let branch = gate::review::quoted(&gate::review::one_row(branch, 200));
                rows.push((Tone::Plain, format!("{branch} is a protected branch. Type its name to push to it:")));
                Popup::Text { purpose: Purpose::Branch, rows, input: Input::default() }
            }
            None => Popup::Sure { what: Sure::Approve, rows },
        });
    }

    fn approve_upto(&mut self) {
        let Some((id, line)) = self.model.commit().cloned() else {
            return self.say("> shows the commits one by one; p pushes those up to the one that is shown.");
        };
        let rows = vec![
            (Tone::Title, "Push only the commits up to this one?".to_owned()),
            (Tone::Plain, line),
            (Tone::Plain, "The others stay proposed in the sandbox. You are asked again about these.".to_owned()),
        ];
        self.popup = Some(Popup::Sure { what: Sure::Upto(id), rows });
    }

    fn remember(&mut self) {
        let Some((rule, place)) = self.model.overview.offer.clone() else { return };
        let mut rows = popup::last_look(&self.model);
        rows.push((Tone::Plain, format!("and add this rule to {place}:")));
        rows.extend(rule.lines().map(|line| (Tone::Faint, format!("    {line}"))));
        self.popup = Some(Popup::Sure { what: Sure::Remember, rows });
    }

    fn ask_changes(&mut self) {
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

    fn leave(&mut self) -> Vec<Effect> {
        if self.selected.take().is_some() {
            return Vec::new();
        }
        if !self.search.is_empty() {
            self.search.clear();
            return Vec::new();
        }
        if self.model.left_out() > 0 || self.edited.is_some() {
            let rows = vec![
                (Tone::Title, "Leave?".to_owned()),
                (
                    Tone::Plain,
                    "What is left out, and the message that you wrote, are forgotten. Marks and comments are kept."
                        .to_owned(),
                ),
            ];
            self.popup = Some(Popup::Sure { what: Sure::Leave, rows });
            return Vec::new();
        }
        vec![Effect::End(Outcome::Left)]
    }

    pub fn click(&mut self, x: usize, y: usize) -> Vec<Effect> {
        let Some(row) = y.checked_sub(1).filter(|row| *row < self.height()) else { return Vec::new() };
        if x < self.tree_columns() || self.shows_only_files() {
            let node = self.node_top + row;
            if node < self.nodes.len() {
                self.focus = Focus::Files;
                self.node = node;
                self.moves(Act::Open);
            }
        } else if self.top + row < self.places.len() {
            self.focus = Focus::Changes;
            self.cursor = self.top + row;
        }
        Vec::new()
    }

    /// A row of several that are selected has moved on.
    pub fn selected_moves(&mut self) {
        if self.selected.is_some_and(|row| row >= self.rows.rows.len()) {
            self.selected = None;
        }
    }
}
