//! What is shown, and where the person is.

use std::collections::{HashMap, HashSet};

use super::effect::{Done, Effect};
use super::highlight::{self, Coloured};
use super::keys::{self, Act, For};
use super::model::Model;
use super::placing;
use super::popup::{self, Popup};
use super::rows::{self, How, Row, Rows};
use super::theme::Theme;
use super::tree::{self, Node};
use crate::terminal::Key;

/// The narrowest screen with old and new beside each other, where nobody has said so.
const SPLIT: usize = 160;

/// Which half the keys are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    Files,
    Changes,
}

/// The smallest screen that anything can be drawn on.
pub const SMALLEST: (usize, usize) = (20, 6);

/// A row of the screen: a row of the file, and which of its parts if it is wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub row: usize,
    pub part: usize,
}

/// The screen.
pub struct Screen<'a> {
    pub model: Model<'a>,
    pub theme: Theme,
    /// Who looks, for what they look at.
    pub who: String,
    pub size: (usize, usize),
    /// The size of the terminal, which may be too small.
    pub terminal: (usize, usize),
    pub focus: Focus,
    pub nodes: Vec<Node>,
    /// The selected row of the tree, and the one on top.
    pub node: usize,
    pub node_top: usize,
    pub closed: HashSet<String>,
    pub filter: String,
    /// The file that is shown; the overview if there is none.
    pub file: Option<usize>,
    pub rows: Rows,
    pub places: Vec<Place>,
    pub cursor: usize,
    pub top: usize,
    pub how: How,
    /// Digits of the numbers of lines.
    pub digits: usize,
    /// Whether a person has said how old and new stand.
    has_chosen: bool,
    /// Parts that the person has folded or not, whatever was seen.
    pub folds: HashMap<(usize, usize, usize), bool>,
    pub popup: Option<Popup>,
    /// What there is to say below, and whether it is an error.
    pub message: Option<(String, bool)>,
    pub search: String,
    /// The row where lines to comment on begin.
    pub selected: Option<usize>,
    pub done: Vec<Done>,
    /// Whether what is changed next is what `u` takes back.
    pub is_undoing: bool,
    /// What was typed and given up, by what it was for.
    pub typed: HashMap<String, String>,
    pub coloured: HashMap<(usize, usize, usize), Coloured>,
    /// The message for the last commit, if the person has changed it.
    pub edited: Option<String>,
}

impl<'a> Screen<'a> {
    pub fn new(model: Model<'a>, theme: Theme, who: String, size: (usize, usize)) -> Self {
        let how = How { split: false, more: 0, blanks_off: false, since: true };
        let mut screen = Screen {
            model,
            theme,
            who,
            size,
            terminal: size,
            focus: Focus::Files,
            nodes: Vec::new(),
            node: 0,
            node_top: 0,
            closed: HashSet::new(),
            filter: String::new(),
            file: None,
            rows: Rows::default(),
            places: Vec::new(),
            cursor: 0,
            top: 0,
            how,
            digits: 3,
            has_chosen: false,
            folds: HashMap::new(),
            popup: None,
            message: None,
            search: String::new(),
            selected: None,
            done: Vec::new(),
            is_undoing: false,
            typed: HashMap::new(),
            coloured: HashMap::new(),
            edited: None,
        };
        screen.plant();
        if !screen.model.is_push() && !screen.model.scope().files.is_empty() {
            screen.file = Some(0);
        }
        screen.focus = Focus::Changes;
        screen.resize(size);
        screen.reveal_node();
        screen
    }

    /// Fits a screen of that size. The row on which the person is stays.
    pub fn resize(&mut self, size: (usize, usize)) {
        self.terminal = size;
        self.size = (size.0.max(SMALLEST.0), size.1.max(SMALLEST.1));
        if !self.has_chosen {
            self.how.split = self.size.0 >= SPLIT;
        }
        self.rebuild();
    }

    /// Makes the tree anew.
    pub fn plant(&mut self) {
        self.nodes = tree::nodes(&self.model.scope().files, &self.closed, &self.filter, self.model.is_push());
        self.node = self.node.min(self.nodes.len().saturating_sub(1));
    }

    /// Makes the rows of what is shown anew. The person stays on the row where they are, as far as it is there.
    pub fn rebuild(&mut self) {
        // It names a row, and rows move.
        self.selected = None;
        let here = self.places.get(self.cursor).map(|place| self.rows.rows[place.row].clone());
        self.rows = match self.file {
            None => rows::of_overview(&self.model),
            Some(file) => {
                let folds = |unit: usize| self.is_folded(file, unit);
                rows::of_file(&self.model, file, &self.how, folds)
            }
        };
        self.digits = placing::digits(&self.rows);
        self.place();
        if let Some(row) = here.and_then(|here| self.rows.rows.iter().position(|row| *row == here)) {
            self.cursor = self.places.iter().position(|place| place.row == row).unwrap_or(0);
        }
        self.keep_in_view();
    }

    /// The row where the person is.
    pub fn row(&self) -> Option<&Row> {
        self.places.get(self.cursor).map(|place| &self.rows.rows[place.row])
    }

    /// Shows a file, or the overview, from its top.
    pub fn show(&mut self, file: Option<usize>) {
        self.file = file;
        self.selected = None;
        (self.cursor, self.top) = (0, 0);
        self.places.clear();
        self.rebuild();
        if file.is_some() {
            // The first change is what a person wants to see.
            let first = self.places.iter().position(|place| matches!(self.rows.rows[place.row], Row::Part { .. }));
            self.cursor = first.unwrap_or(0);
            self.keep_in_view();
        }
        // What is shown has a row, whatever is closed or filtered.
        let has = |nodes: &[Node], file: usize| {
            nodes.iter().any(|node| matches!(node, Node::File { file: one, .. } if *one == file))
        };
        if let Some(file) = file.filter(|file| !has(&self.nodes, *file)) {
            let path = self.model.scope().files[file].path.clone();
            self.closed.retain(|folder| !path.starts_with(&format!("{folder}/")));
            self.filter.clear();
            self.plant();
        }
        let is_it = |node: &Node| match (node, file) {
            (Node::Overview, None) => true,
            (Node::File { file: one, .. }, Some(file)) => *one == file,
            _ => false,
        };
        if let Some(node) = self.nodes.iter().position(is_it) {
            self.node = node;
        }
        self.reveal_node();
    }

    pub fn reveal_node(&mut self) {
        let height = self.height().max(1);
        self.node_top = self.node_top.min(self.node);
        self.node_top = self.node_top.max((self.node + 1).saturating_sub(height));
    }

    /// Says something below.
    pub fn say(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), false));
    }

    /// Says what has gone wrong.
    pub fn fail(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), true));
    }

    /// Takes a key, and says what is to be done.
    pub fn press(&mut self, key: Key) -> Vec<Effect> {
        self.message = None;
        if self.popup.is_some() {
            return self.press_popup(key);
        }
        match key {
            Key::Click(x, y) => return self.click(x.into(), y.into()),
            Key::Wheel { down, at } => {
                self.wheel(down, at.0.into());
                return Vec::new();
            }
            _ => {}
        }
        let Some((act, of_use)) = keys::act(key) else { return Vec::new() };
        if !popup::is_of_use(of_use, &self.model) {
            self.say(match of_use {
                For::Commits => "The push has one commit, or too many to go through one by one.",
                For::Offer => "No rule can be remembered for this: a person decides about it every time.",
                For::All | For::Push => "That key is for a push that waits for a decision.",
            });
            return Vec::new();
        }
        match self.moves(act) {
            true => Vec::new(),
            false => self.acts(act),
        }
    }

    /// Colours a little more of what is on the screen. Says whether it is to be drawn again.
    pub fn colour(&mut self) -> bool {
        if !self.theme.has_syntax() || !highlight::is_ready() {
            return false;
        }
        let Some(file) = self.file else { return false };
        let mut wanted: Vec<(usize, usize, usize)> = Vec::new();
        for place in self.places.iter().skip(self.top).take(self.height()) {
            let (unit, lines) = match self.rows.rows[place.row] {
                Row::Line { unit, line, .. } => (unit, [Some(line), None]),
                Row::Pair { unit, old, new, .. } => (unit, [old, new]),
                _ => continue,
            };
            for line in lines.into_iter().flatten() {
                match wanted.last_mut() {
                    Some((last, from, to)) if *last == unit => (*from, *to) = ((*from).min(line), (*to).max(line + 1)),
                    _ => wanted.push((unit, line, line + 1)),
                }
            }
        }
        let path = self.model.scope().files[file].path.clone();
        let mut has_changed = false;
        for (unit, from, to) in wanted {
            let lines = self.rows.lines(unit);
            let coloured = self.coloured.entry((self.model.at, file, unit)).or_default();
            has_changed |= coloured.colour(&path, &lines, from..to);
        }
        has_changed
    }

    /// Forgets colours of lines whose places have changed.
    pub fn forget_colours(&mut self) {
        self.coloured.clear();
    }

    /// Whether the person has chosen how old and new stand.
    pub fn choose_split(&mut self, split: bool) {
        self.has_chosen = true;
        self.how.split = split;
    }

    /// Whether an act is about what stands on the left.
    pub fn is_in_files(&self) -> bool {
        self.focus == Focus::Files
    }

    /// Whether the files have the whole screen now.
    pub fn shows_only_files(&self) -> bool {
        self.tree_columns() == 0 && self.focus == Focus::Files
    }
}

/// What is said where an act has nothing to act on.
pub fn nothing(act: Act) -> &'static str {
    match act {
        Act::Settle => "There is no comment on this row.",
        Act::Out => "Only a part of the push can be left out, and nothing of a commit by itself.",
        Act::Seen => "Only a part of the whole push can be marked as seen.",
        _ => "There is nothing here for that.",
    }
}
