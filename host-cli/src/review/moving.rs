//! The keys that move, fold and search: nothing of the push changes by them.

use std::collections::HashSet;

use super::keys::Act;
use super::rows::Row;
use super::screen::{Focus, Screen};
use super::tree::{self, Node};

impl Screen<'_> {
    /// Moves, if the act does that.
    pub fn moves(&mut self, act: Act) -> bool {
        let page = self.height().saturating_sub(2).max(1);
        match act {
            Act::Down => self.step(1),
            Act::Up => self.step(-1),
            Act::PageDown => self.step(page.cast_signed()),
            Act::PageUp => self.step(-page.cast_signed()),
            Act::HalfDown => self.step((page / 2).max(1).cast_signed()),
            Act::HalfUp => self.step(-(page / 2).max(1).cast_signed()),
            Act::Top => self.step(isize::MIN),
            Act::End => self.step(isize::MAX),
            Act::NextPart => self.part(true),
            Act::PreviousPart => self.part(false),
            Act::NextFile => self.neighbour(true),
            Act::PreviousFile => self.neighbour(false),
            Act::Next => self.next(true),
            Act::Previous => self.next(false),
            Act::NextWarning => self.warning(),
            Act::NextComment => self.comment(true),
            Act::PreviousComment => self.comment(false),
            Act::Focus => {
                self.focus = if self.is_in_files() { Focus::Changes } else { Focus::Files };
            }
            Act::Open => self.open(),
            Act::Close => self.close(),
            Act::Overview => {
                self.enter_scope(0);
                self.show(None);
                self.focus = if self.model.is_push() { Focus::Changes } else { self.focus };
            }
            Act::NextCommit => self.commit(true),
            Act::PreviousCommit => self.commit(false),
            Act::Split => {
                self.choose_split(!self.how.split);
                self.rebuild();
            }
            Act::Fold => self.fold(),
            Act::More | Act::Less => {
                let more = if act == Act::More { self.how.more + MORE } else { self.how.more.saturating_sub(MORE) };
                self.how.more = more.min(MOST);
                self.forget_colours();
                self.rebuild();
                self.say(format!("{} more lines around the changes", self.how.more));
            }
            Act::Blanks => {
                self.how.blanks_off = !self.how.blanks_off;
                self.rebuild();
                let off = self.how.blanks_off;
                self.say(if off {
                    "Changes of blanks alone are shown as unchanged; w shows them"
                } else {
                    "All changes are shown"
                });
            }
            Act::Since => {
                self.how.since = !self.how.since;
                self.rebuild();
            }
            _ => return false,
        }
        true
    }

    fn step(&mut self, rows: isize) {
        if self.is_in_files() {
            let last = self.nodes.len().saturating_sub(1);
            self.node = self.node.saturating_add_signed(rows.max(-(last.cast_signed()))).min(last);
            if rows == isize::MIN {
                self.node = 0;
            }
            self.reveal_node();
            self.follow();
            return;
        }
        self.selected_moves();
        self.cursor = match rows {
            isize::MIN => 0,
            isize::MAX => self.places.len().saturating_sub(1),
            rows => self.cursor.saturating_add_signed(rows),
        };
        self.keep_in_view();
    }

    /// Shows what is selected in the tree, where there is room beside it.
    fn follow(&mut self) {
        if self.tree_columns() == 0 {
            return;
        }
        match self.nodes.get(self.node) {
            Some(Node::Overview) => self.show_keeping_node(None),
            Some(Node::File { file, .. }) => self.show_keeping_node(Some(*file)),
            _ => {}
        }
    }

    fn show_keeping_node(&mut self, file: Option<usize>) {
        let node = self.node;
        self.show(file);
        self.node = node;
        self.reveal_node();
    }

    fn part(&mut self, is_down: bool) {
        self.focus = Focus::Changes;
        let is_part =
            |at: &usize| matches!(self.rows.rows[self.places[*at].row], Row::Part { .. }) && self.places[*at].part == 0;
        let found = match is_down {
            true => (self.cursor + 1..self.places.len()).find(is_part),
            false => (0..self.cursor.min(self.places.len())).rev().find(is_part),
        };
        match found {
            Some(at) => {
                self.cursor = at;
                self.show_from_here();
            }
            None => {
                self.neighbour(is_down);
                if !is_down && self.file.is_some() {
                    let last = (0..self.places.len())
                        .rev()
                        .find(|at| matches!(self.rows.rows[self.places[*at].row], Row::Part { .. }));
                    self.cursor = last.unwrap_or(self.cursor);
                    self.keep_in_view();
                }
            }
        }
    }

    /// Puts the row where the person is near the top, so that what follows it is seen.
    pub fn show_from_here(&mut self) {
        self.top = self.cursor.saturating_sub(1);
        self.keep_in_view();
    }

    /// All files in the order of the tree, whatever it shows of them.
    pub fn order(&self) -> Vec<usize> {
        let nodes = tree::nodes(&self.model.scope().files, &HashSet::new(), "", false);
        nodes.iter().filter_map(|node| if let Node::File { file, .. } = node { Some(*file) } else { None }).collect()
    }

    /// Those that it shows.
    fn shown_order(&self) -> Vec<usize> {
        self.nodes
            .iter()
            .filter_map(|node| if let Node::File { file, .. } = node { Some(*file) } else { None })
            .collect()
    }

    fn neighbour(&mut self, is_down: bool) {
        let order = self.shown_order();
        let here = self.file.and_then(|file| order.iter().position(|one| *one == file));
        let next = match (here, is_down) {
            (None, true) => order.first(),
            (Some(at), true) => order.get(at + 1),
            (Some(at), false) => at.checked_sub(1).and_then(|at| order.get(at)),
            (None, false) => None,
        };
        match next.copied() {
            Some(file) => self.show(Some(file)),
            None if is_down => self.say("That was the last file."),
            None if self.model.is_push() => self.show(None),
            None => {}
        }
    }

    /// The next hit of the search, or without one the next part that is not seen.
    fn next(&mut self, is_down: bool) {
        if self.search.is_empty() {
            return if is_down { self.unseen() } else { self.part(false) };
        }
        self.find(is_down, false);
    }

    /// Goes to the next part that is not seen, from here on and then from the top.
    pub fn unseen(&mut self) {
        if !self.model.is_push() {
            return self.part(true);
        }
        let order = self.order();
        let here = self.file.and_then(|file| order.iter().position(|one| *one == file)).unwrap_or(0);
        let unit = self.row().and_then(Row::unit).unwrap_or(0);
        let looked = &self.model.scope().looked;
        let is_new = |file: usize, unit: usize| looked[file][unit].by.is_none();
        let rest = (0..looked.get(order.get(here).copied().unwrap_or(0)).map_or(0, Vec::len))
            .filter(|one| *one > unit || self.file.is_none());
        let mut found =
            order.get(here).and_then(|file| rest.map(|unit| (*file, unit)).find(|(file, unit)| is_new(*file, *unit)));
        for step in 1..=order.len() {
            if found.is_some() {
                break;
            }
            let file = order[(here + step) % order.len()];
            found = (0..looked[file].len()).map(|unit| (file, unit)).find(|(file, unit)| is_new(*file, *unit));
        }
        match found {
            Some((file, unit)) => self.go(file, unit),
            None => self.say("Everything is seen: a approves."),
        }
    }

    /// Goes to a part of a file.
    pub fn go(&mut self, file: usize, unit: usize) {
        self.focus = Focus::Changes;
        if self.file != Some(file) {
            self.show(Some(file));
        }
        let is_it = |row: &Row| matches!(row, Row::Part { unit: one, .. } if *one == unit);
        if let Some(at) = self.places.iter().position(|place| is_it(&self.rows.rows[place.row])) {
            self.cursor = at;
            self.show_from_here();
        }
    }

    fn open(&mut self) {
        if !self.is_in_files() {
            match self.row() {
                Some(Row::File { file, .. }) => {
                    let file = *file;
                    self.show(Some(file));
                }
                Some(Row::Part { .. }) => self.fold(),
                _ => {}
            }
            return;
        }
        match self.nodes.get(self.node).cloned() {
            Some(Node::Folder { path, .. }) => self.toggle_folder(&path),
            Some(Node::File { file, .. }) => {
                self.show(Some(file));
                self.focus = Focus::Changes;
            }
            Some(Node::Overview) => {
                self.show(None);
                self.focus = Focus::Changes;
            }
            None => {}
        }
    }

    fn close(&mut self) {
        if !self.is_in_files() {
            self.focus = Focus::Files;
            return;
        }
        let Some(node) = self.nodes.get(self.node) else { return };
        let path = match node {
            Node::Folder { path, is_closed: false, .. } => Some(path.clone()),
            Node::File { file, .. } => {
                let inside = |node: &&Node| matches!(node, Node::Folder { files, .. } if files.contains(file));
                self.nodes[..self.node].iter().rev().find(inside).and_then(|node| match node {
                    Node::Folder { path, .. } => Some(path.clone()),
                    _ => None,
                })
            }
            _ => None,
        };
        if let Some(path) = path {
            self.toggle_folder(&path);
        }
    }

    fn toggle_folder(&mut self, path: &str) {
        if !self.closed.remove(path) {
            self.closed.insert(path.to_owned());
        }
        self.plant();
        let is_it = |node: &Node| matches!(node, Node::Folder { path: one, .. } if one == path);
        self.node = self.nodes.iter().position(is_it).unwrap_or(self.node);
        self.reveal_node();
    }

    fn fold(&mut self) {
        if self.is_in_files() {
            return self.open();
        }
        let (Some(file), Some(unit)) = (self.file, self.row().and_then(Row::unit)) else { return };
        let folded = !self.is_folded(file, unit);
        self.folds.insert((self.model.at, file, unit), folded);
        self.rebuild();
        if folded {
            self.go(file, unit);
        }
    }

    /// Shows the whole push or one of its commits. What was shown of another one is not shown any more.
    pub fn enter_scope(&mut self, scope: usize) {
        if self.model.at == scope {
            return;
        }
        self.model.show(scope);
        (self.file, self.selected) = (None, None);
        self.forget_colours();
        self.plant();
        self.show(None);
    }

    fn commit(&mut self, is_down: bool) {
        let count = self.model.overview.commits.len();
        let at = match (self.model.at, is_down) {
            (at, true) if at == count => return self.say("That was the last commit."),
            (0, false) => return self.say("This is the whole push; > shows its first commit."),
            (at, true) => at + 1,
            (at, false) => at - 1,
        };
        self.enter_scope(at);
        let first = (at > 0 && !self.model.scope().files.is_empty()).then_some(0);
        self.show(first);
        self.focus = if first.is_some() { Focus::Changes } else { self.focus };
        let said = match self.model.commit() {
            Some((_, line)) => format!("Commit {at} of {count}: {line}"),
            None => "The whole push".to_owned(),
        };
        self.say(said);
    }

    pub fn wheel(&mut self, is_down: bool, column: usize) {
        let before = self.focus;
        self.focus =
            if column < self.tree_columns() || self.shows_only_files() { Focus::Files } else { Focus::Changes };
        match self.focus {
            Focus::Files => {
                let last = self.nodes.len().saturating_sub(self.height());
                self.node_top =
                    if is_down { (self.node_top + NOTCH).min(last) } else { self.node_top.saturating_sub(NOTCH) };
            }
            Focus::Changes => {
                let last = self.places.len().saturating_sub(self.height());
                self.top = if is_down { (self.top + NOTCH).min(last) } else { self.top.saturating_sub(NOTCH) };
                self.cursor = self.cursor.clamp(self.top, (self.top + self.height()).saturating_sub(1));
                self.cursor = self.cursor.min(self.places.len().saturating_sub(1));
            }
        }
        self.focus = before;
    }
}

/// Rows of a notch of the wheel.
const NOTCH: usize = 3;
/// Lines that `+` adds around a change, and the most of them.
const MORE: usize = 5;
const MOST: usize = 200;
