//! The changes of a file, or the overview, in cells.

use std::collections::HashMap;
use std::ops::Range;

use gate::review::HunkLine;
use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

use crate::review::cells::{self, Pen};
use crate::review::highlight::Piece;
use crate::review::overview::Tone;
use crate::review::placing::{INDENT, text_columns};
use crate::review::rows::Row;
use crate::review::screen::{Focus, Screen};
use crate::review::theme::Class;
use crate::screen::paint::{self, Painted};

/// The hunks that are on the screen, read once.
#[derive(Default)]
struct Hunks<'a> {
    lines: HashMap<usize, Vec<HunkLine<'a>>>,
    painted: HashMap<usize, Painted<'a>>,
}

/// What is drawn of a line.
struct Code<'a> {
    text: &'a str,
    sign: char,
    words: Vec<Range<usize>>,
    classes: &'a [Piece],
}

impl Screen<'_> {
    pub(super) fn draw_changes(&self, buffer: &mut Buffer, x: u16) {
        let end = buffer.area.width;
        if self.places.is_empty() {
            let empty = if self.model.is_push() { "Nothing is changed." } else { "There are no changes." };
            return Pen { buffer, x: x + 1, y: 1, end }.cut(empty, self.theme.faint());
        }
        let shown = self.top..(self.top + self.height()).min(self.places.len());
        let mut hunks = Hunks::default();
        for place in &self.places[shown.clone()] {
            if let Some(unit) = self.rows.rows[place.row].unit()
                && let Some(hunk) = self.rows.hunks.get(unit)
            {
                hunks.lines.entry(unit).or_insert_with(|| gate::review::hunk_lines(hunk));
                hunks.painted.entry(unit).or_insert_with(|| Painted::of(hunk));
            }
        }
        for at in shown {
            let y = u16::try_from(at - self.top + 1).unwrap_or(u16::MAX);
            self.draw_row(&mut Pen { buffer, x, y, end }, at, &hunks);
        }
    }

    fn draw_row(&self, pen: &mut Pen<'_>, at: usize, hunks: &Hunks<'_>) {
        let place = self.places[at];
        let row = &self.rows.rows[place.row];
        let is_here = at == self.cursor && self.focus == Focus::Changes;
        let is_selected = self.selected.is_some_and(|from| {
            let here = self.places.get(self.cursor).map_or(0, |place| place.row);
            (from.min(here)..=from.max(here)).contains(&place.row)
        });
        let back = if is_here { self.theme.cursor() } else { Style::new() };
        let mark = if is_here {
            ">"
        } else if is_selected {
            ":"
        } else {
            " "
        };
        pen.put(mark, back.patch(self.theme.key()));
        let columns = self.columns().saturating_sub(2).max(8);
        match row {
            Row::Gap => {}
            Row::Text(tone, text) => {
                let parts = cells::in_words(text, text_columns(*tone, columns));
                let part = parts.into_iter().nth(place.part).unwrap_or_default();
                // It is seen where the next warning begins.
                let is_on = place.part > 0 && matches!(tone, Tone::Warning(_));
                pen.put(&" ".repeat(if is_on { INDENT } else { 0 }), back);
                pen.put(&part, back.patch(self.tone(*tone)));
            }
            Row::File { file, text } => {
                let sign = if self.model.whole().is_seen(*file) { "v " } else { "  " };
                pen.put(sign, back.patch(self.theme.done()));
                let sign = text.chars().next().map_or(' ', |letter| match letter {
                    'A' => '+',
                    'D' => '-',
                    _ => ' ',
                });
                pen.cut(text, back.patch(Style { bg: None, ..self.theme.sign(sign) }));
            }
            Row::Head(text) => pen.put(&part_of(text, columns, place.part), back.patch(self.theme.faint())),
            Row::Part { unit, text } => self.draw_part(pen, *unit, text, back),
            Row::Since { sign, text, .. } => {
                let part = part_of(text, columns.saturating_sub(6), place.part);
                match sign {
                    '@' => pen.put(&format!("  {part}"), back.patch(self.theme.comment())),
                    sign => {
                        pen.put("    ", back);
                        pen.put(&sign.to_string(), back.patch(self.theme.sign(*sign)));
                        pen.put(&part, self.theme.line(*sign).patch(back));
                    }
                }
            }
            Row::Said { lead, agent, text, .. } => {
                let part =
                    cells::in_words(text, columns.saturating_sub(4)).into_iter().nth(place.part).unwrap_or_default();
                let style = back.patch(self.theme.comment());
                // On every row of it, so that the agent's words are no person's.
                pen.put(if *agent { "  > " } else { "  | " }, style);
                pen.put(&part, if *lead { style.add_modifier(Modifier::BOLD) } else { style });
            }
            Row::Line { unit, line, quiet } => self.draw_line(pen, (*unit, *line, *quiet), place.part, back, hunks),
            Row::Pair { unit, old, new, quiet } => {
                self.draw_pair(pen, (*unit, *quiet), [*old, *new], place.part, back, hunks);
            }
        }
        pen.fill(back);
    }

    fn draw_part(&self, pen: &mut Pen<'_>, unit: usize, text: &str, back: Style) {
        let Some(file) = self.file else { return };
        let scope = self.model.scope();
        let looked = &scope.looked[file][unit];
        let mut said = Vec::new();
        if scope.out[file].contains(&unit) {
            said.push(("left out".to_owned(), self.theme.out()));
        }
        if let Some(by) = &looked.by {
            let by = if *by == self.who { "seen".to_owned() } else { format!("seen by {}", host::screen::line(by)) };
            said.push((by, self.theme.done()));
        } else if looked.before.is_some() {
            said.push(("changed since it was seen".to_owned(), self.theme.comment()));
        }
        if self.is_folded(file, unit) {
            let count = scope.files[file].unit(unit).lines().count().saturating_sub(1);
            said.push((format!("{count} lines folded"), self.theme.faint()));
        }
        if !said.is_empty() {
            pen.put("[", back.patch(self.theme.faint()));
            for (at, (text, style)) in said.iter().enumerate() {
                pen.put(if at > 0 { ", " } else { "" }, back.patch(self.theme.faint()));
                pen.put(text, back.patch(*style));
            }
            pen.put("] ", back.patch(self.theme.faint()));
        }
        pen.cut(text, back.patch(self.theme.position()));
    }

    fn code<'b>(&'b self, unit: usize, at: usize, hunks: &'b Hunks<'b>) -> Option<Code<'b>> {
        let line = hunks.lines.get(&unit)?.get(at)?;
        let mut words = Vec::new();
        if let Some(painted) = hunks.painted.get(&unit).filter(|painted| at + 1 < painted.count()) {
            // The first line of a hunk is its header, and the first character of each a sign.
            let mut from = 0;
            for (style, text) in painted.line(at + 1) {
                let to = from + text.len();
                if matches!(style, paint::Style::AddedWord | paint::Style::RemovedWord) {
                    words.push(from.saturating_sub(1)..to.saturating_sub(1));
                }
                from = to;
            }
        }
        let file = self.file?;
        let classes =
            self.coloured.get(&(self.model.at, file, unit)).map(|coloured| coloured.line(at)).unwrap_or_default();
        Some(Code { text: line.text, sign: line.sign, words, classes })
    }

    fn draw_line(
        &self,
        pen: &mut Pen<'_>,
        (unit, at, quiet): (usize, usize, bool),
        part: usize,
        back: Style,
        hunks: &Hunks<'_>,
    ) {
        let Some((code, line)) = self.code(unit, at, hunks).zip(hunks.lines.get(&unit).and_then(|lines| lines.get(at)))
        else {
            return;
        };
        let digits = self.digits;
        let faint = back.patch(self.theme.faint());
        let number =
            |number: Option<u32>| number.filter(|_| part == 0).map_or_else(String::new, |number| number.to_string());
        pen.put(&format!("{:>digits$} {:>digits$} ", number(line.old), number(line.new)), faint);
        let code = if quiet { Code { sign: ' ', words: Vec::new(), ..code } } else { code };
        self.draw_code(pen, &code, part, self.code_columns().0, back);
    }

    fn draw_code(&self, pen: &mut Pen<'_>, code: &Code<'_>, part: usize, columns: usize, back: Style) {
        let base = self.theme.line(code.sign);
        let sign = if part == 0 { code.sign.to_string() } else { "~".to_owned() };
        let sign_style = if part == 0 { self.theme.sign(code.sign) } else { base.patch(self.theme.faint()) };
        pen.put(&sign, sign_style.patch(back_of(back)));
        let Some(range) = cells::wrapped(code.text, columns).into_iter().nth(part) else { return };
        let found = self.found(code.text);
        // Where something begins or ends.
        let mut ends: Vec<usize> = vec![range.start, range.end];
        let inside = |at: &usize| range.contains(at);
        for piece in code.words.iter().chain(&found).chain(code.classes.iter().map(|(range, _)| range)) {
            ends.extend([piece.start, piece.end].iter().filter(|at| inside(at) && code.text.is_char_boundary(**at)));
        }
        ends.sort_unstable();
        ends.dedup();
        for pair in ends.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let has = |ranges: &[Range<usize>]| ranges.iter().any(|range| range.contains(&from));
            let mut style = base;
            // On the ground of a word that differs, what is faint could not be read.
            let class = code.classes.iter().find(|(range, _)| range.contains(&from)).map(|(_, class)| class);
            if let Some(class) = class.filter(|class| **class != Class::Comment || !has(&code.words)) {
                style = style.patch(self.theme.class(*class));
            }
            if has(&code.words) {
                style = style.patch(self.theme.word(code.sign));
            }
            if has(&found) {
                style = style.patch(self.theme.found());
            }
            if code.sign == ' ' {
                style = style.patch(back_of(back));
            }
            pen.put(&code.text[from..to], style);
        }
        // The ground of a line goes to its end.
        let end = pen.end;
        if base.bg.is_some() {
            pen.fill(base);
        }
        pen.end = end;
    }

    fn draw_pair(
        &self,
        pen: &mut Pen<'_>,
        (unit, quiet): (usize, bool),
        [old, new]: [Option<usize>; 2],
        part: usize,
        back: Style,
        hunks: &Hunks<'_>,
    ) {
        let (digits, columns) = (self.digits, self.code_columns().1);
        let end = pen.end;
        let half = pen.x + u16::try_from(digits + 2 + columns).unwrap_or(0);
        for (side, at) in [old, new].into_iter().enumerate() {
            pen.end = if side == 0 { half.min(end) } else { end };
            let line = at.and_then(|at| hunks.lines.get(&unit)?.get(at));
            let number = line.filter(|_| part == 0).and_then(|line| if side == 0 { line.old } else { line.new });
            let number = number.map_or_else(String::new, |number| number.to_string());
            pen.put(&format!("{number:>digits$} "), back.patch(self.theme.faint()));
            if let Some(code) = at.and_then(|at| self.code(unit, at, hunks)) {
                let code = if quiet { Code { sign: ' ', words: Vec::new(), ..code } } else { code };
                self.draw_code(pen, &code, part, columns, back);
            }
            pen.fill(back_of(back));
            if side == 0 {
                pen.end = end;
                pen.put("|", self.theme.faint());
            }
        }
    }

    /// Where a line has what is searched for.
    fn found(&self, text: &str) -> Vec<Range<usize>> {
        if self.search.is_empty() {
            return Vec::new();
        }
        let (wanted, lower) = (self.search.to_lowercase(), text.to_lowercase());
        // Letters whose other case has another length are found, and not shown.
        if lower.len() != text.len() {
            return Vec::new();
        }
        lower.match_indices(&wanted).map(|(at, found)| at..at + found.len()).collect()
    }

    pub(super) fn tone(&self, tone: Tone) -> Style {
        match tone {
            Tone::Title => self.theme.title(),
            Tone::Plain => Style::new(),
            Tone::Faint => self.theme.faint(),
            Tone::Warning(severity) => self.theme.warning(severity),
        }
    }
}

/// Only the ground of a style.
fn back_of(style: Style) -> Style {
    Style { fg: None, ..style }
}

fn part_of(text: &str, columns: usize, part: usize) -> String {
    let line = cells::plain(text);
    cells::wrapped(&line, columns).into_iter().nth(part).map_or_else(String::new, |range| line[range].to_owned())
}
