//! What is shown, and where the person is.

use std::collections::{HashMap, HashSet};

use super::cells;
use super::effect::{Done, Effect};
use super::highlight::{self, Coloured};
use super::keys::{self, Act};
use super::model::Model;
use super::overview::Tone;
use super::popup::{self, Popup};
use super::rows::{self, How, Row, Rows};
use super::theme::Theme;
use super::tree::{self, Node};
use crate::terminal::Key;

/// The narrowest screen with files and changes beside each other.
const BESIDE: usize = 110;
/// The narrowest screen with old and new beside each other, where nobody has said so.
const SPLIT: usize = 160;

/// Which half the keys are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    Files,
    Changes,
}

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
            has_chosen: false,
            folds: HashMap::new(),
            popup: None,
            message: None,
            search: String::new(),
            selected: None,
            done: Vec::new(),
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
        self.size = (size.0.max(20), size.1.max(6));
        if !self.has_chosen {
            self.how.split = self.size.0 >= SPLIT;
        }
        self.rebuild();
    }

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

    /// Digits of the numbers of lines.
    pub fn digits(&self) -> usize {
        let most = self.rows.hunks.last().map_or(0, |hunk| {
            let lines = gate::review::hunk_lines(hunk);
            lines.iter().filter_map(|line| line.old.max(line.new)).max().unwrap_or(0)
        });
        most.to_string().len().max(3)
    }

    /// Columns for the code of a line, where it stands alone, and where two stand beside each other.
    pub fn code_columns(&self) -> (usize, usize) {
        let digits = self.digits();
        let alone = self.columns().saturating_sub(2 * digits + 5);
        let half = (self.columns().saturating_sub(2) / 2).saturating_sub(digits + 3);
        (alone.max(8), half.max(8))
    }

    /// Makes the tree anew.
    pub fn plant(&mut self) {
        self.nodes = tree::nodes(&self.model.scope().files, &self.closed, &self.filter, self.model.is_push());
        self.node = self.node.min(self.nodes.len().saturating_sub(1));
    }

    /// Makes the rows of what is shown anew. The person stays on the row where they are, as far as it is there.
    pub fn rebuild(&mut self) {
        let here = self.places.get(self.cursor).map(|place| self.rows.rows[place.row].clone());
        self.rows = match self.file {
            None => rows::of_overview(&self.model),
            Some(file) => {
                let folds = |unit: usize| self.is_folded(file, unit);
                rows::of_file(&self.model, file, &self.how, folds)
            }
        };
        self.place();
        if let Some(row) = here.and_then(|here| self.rows.rows.iter().position(|row| *row == here)) {
            self.cursor = self.places.iter().position(|place| place.row == row).unwrap_or(0);
        }
        self.keep_in_view();
    }

    /// Whether a part is shown by its header alone: what was seen is, unless the person says otherwise.
    pub fn is_folded(&self, file: usize, unit: usize) -> bool {
        let seen = || {
            let looked = self.model.scope().looked.get(file).and_then(|looked| looked.get(unit));
            looked.is_some_and(|looked| looked.by.is_some())
        };
        self.folds.get(&(self.model.at, file, unit)).copied().unwrap_or_else(seen)
    }

    /// Wraps the rows.
    fn place(&mut self) {
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

    /// The row where the person is.
    pub fn row(&self) -> Option<&Row> {
        self.places.get(self.cursor).map(|place| &self.rows.rows[place.row])
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
            self.say("That key is for a push that waits for a decision.");
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
                Row::Pair { unit, old, new } => (unit, [old, new]),
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

/// Columns for a text of ours among so many: what goes on of a warning is indented.
pub fn text_columns(tone: Tone, columns: usize) -> usize {
    match tone {
        Tone::Warning(_) => columns.saturating_sub(INDENT).max(8),
        _ => columns,
    }
}

/// Columns before what goes on of a warning.
pub const INDENT: usize = 10;

/// What is said where an act has nothing to act on.
pub fn nothing(act: Act) -> &'static str {
    match act {
        Act::Settle => "There is no comment on this row.",
        Act::Out => "Only a part of the push can be left out, and nothing of a commit by itself.",
        Act::Seen => "Only a part of the whole push can be marked as seen.",
        _ => "There is nothing here for that.",
    }
}
