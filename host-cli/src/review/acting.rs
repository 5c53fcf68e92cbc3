//! The keys that change or decide something.

use std::collections::BTreeSet;

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
                let what = match self.model.open().count() {
                    0 => "Reject the push? The agent reads your reason, which may be empty.".to_owned(),
                    1 => "Reject the push? The agent reads your reason, which may be empty, and 1 comment.".to_owned(),
                    many => format!(
                        "Reject the push? The agent reads your reason, which may be empty, and {many} comments."
                    ),
                };
                self.ask(Purpose::Reject, vec![(Tone::Title, what)]);
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
        match (self.file, self.unit_here()) {
            (Some(file), Some(unit)) => vec![(file, unit)],
            (Some(file), None) => all(file).collect(),
            (None, _) => Vec::new(),
        }
    }

    /// The part that the person is in: a row between two parts belongs to the one above it.
    fn unit_here(&self) -> Option<usize> {
        let row = self.places.get(self.cursor)?.row;
        self.rows.rows[..=row].iter().rev().find_map(Row::unit)
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
                self.enter_scope(scope);
                let who = self.who.clone();
                let looks = self.model.scope_mut().look(&parts, seen, &who);
                self.rebuild();
                if let Some((file, unit)) = parts.first() {
                    self.go(*file, *unit);
                }
                self.say(if seen { "Marked as seen again." } else { "Not seen any more." });
                vec![Effect::Look(looks)]
            }
            Done::Out(before) => {
                self.enter_scope(0);
                let scope = self.model.scope_mut();
                before.into_iter().for_each(|(file, out)| scope.out[file] = out);
                self.say("As it was before.");
                Vec::new()
            }
            Done::Made(id) => {
                // What it said is there again where it is made anew.
                if let Some(comment) = self.model.comments.iter().find(|comment| comment.id == id) {
                    self.typed.insert(comment.place.line(), comment.text.clone());
                }
                self.is_undoing = true;
                self.say("The comment is withdrawn.");
                vec![Effect::Change(id, Change::Withdraw)]
            }
            Done::Changed(id, change) => {
                self.is_undoing = true;
                self.say("The comment is as it was.");
                vec![Effect::Change(id, change)]
            }
            Done::Said => {
                self.done.push(Done::Said);
                self.say("An answer cannot be taken back.");
                Vec::new()
            }
        }
    }

    /// Whether another push is wanted than the one that is shown.
    fn is_edited(&self) -> bool {
        self.model.left_out() > 0 || self.edited.is_some()
    }

    fn approve(&mut self) {
        if self.is_edited() {
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
            self.popup = Some(Popup::sure(Sure::Revise, rows));
            return;
        }
        let rows = popup::last_look(&self.model);
        match self.model.overview.protected {
            // Whoever has to name the branch reads first what does not fit above its name.
            Some(_) if self.popup_rows(&rows).len() + 2 > self.popup_height() => {
                self.popup = Some(Popup::sure(Sure::Name, rows));
            }
            Some(_) => self.ask_name(rows),
            None => self.popup = Some(Popup::sure(Sure::Approve, rows)),
        }
    }

    /// Asks for the name of the protected branch.
    pub fn ask_name(&mut self, mut rows: Vec<(Tone, String)>) {
        let Some(branch) = &self.model.overview.protected else { return };
        let branch = gate::review::quoted(&gate::review::one_row(branch, 200));
        rows.push((Tone::Plain, format!("{branch} is a protected branch. Type its name to push to it:")));
        self.popup = Some(Popup::Text { purpose: Purpose::Branch, rows, input: Input::default() });
    }

    fn approve_upto(&mut self) {
        let Some((id, line)) = self.model.commit().cloned() else {
            return self.say("> shows the commits one by one; p pushes those up to the one that is shown.");
        };
        if self.is_edited() {
            return self.say("Something is left out, or the message is changed: push that first, or undo it.");
        }
        let rows = vec![
            (Tone::Title, "Push only the commits up to this one?".to_owned()),
            (Tone::Plain, line),
            (Tone::Plain, "The others stay proposed in the sandbox. You are asked again about these.".to_owned()),
        ];
        self.popup = Some(Popup::sure(Sure::Upto(id), rows));
    }

    fn remember(&mut self) {
        if self.is_edited() {
            return self.approve();
        }
        let Some((rule, place)) = self.model.overview.offer.clone() else { return };
        let mut rows = popup::last_look(&self.model);
        rows.push((Tone::Plain, format!("and add this rule to {place}:")));
        rows.extend(rule.lines().map(|line| (Tone::Faint, format!("    {line}"))));
        self.popup = Some(Popup::sure(Sure::Remember, rows));
    }

    fn leave(&mut self) -> Vec<Effect> {
        if self.selected.take().is_some() {
            return Vec::new();
        }
        if !self.search.is_empty() {
            self.search.clear();
            return Vec::new();
        }
        if self.is_edited() || !self.typed.is_empty() {
            let rows = vec![
                (Tone::Title, "Leave?".to_owned()),
                (
                    Tone::Plain,
                    "What is left out, and what you typed and did not finish, is forgotten. Marks and comments are kept."
                        .to_owned(),
                ),
            ];
            self.popup = Some(Popup::sure(Sure::Leave, rows));
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
