//! The screen in cells.

use std::collections::HashMap;
use std::ops::Range;

use gate::review::{HunkLine, Severity};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::cells::{self, Pen};
use super::highlight::Piece;
use super::keys::KEYS;
use super::overview::Tone;
use super::popup::{self, Popup, Purpose, Sure};
use super::rows::Row;
use super::screen::{Focus, INDENT, Screen, text_columns};
use super::tree::Node;
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
    /// The rows of the screen for a terminal.
    pub fn rows(&self) -> Vec<String> {
        cells::rows(&self.draw())
    }

    /// The screen.
    pub fn draw(&self) -> Buffer {
        let number = |value: usize| u16::try_from(value).unwrap_or(u16::MAX);
        let (columns, rows) = (number(self.size.0), number(self.size.1));
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
        self.draw_head(&mut buffer);
        let tree = number(self.tree_columns());
        if tree > 0 {
            self.draw_tree(&mut buffer, tree);
            for y in 1..rows - 1 {
                let end = tree + 1;
                Pen { buffer: &mut buffer, x: tree, y, end }.put("|", self.theme.faint());
            }
            self.draw_changes(&mut buffer, tree + 1);
        } else if self.focus == Focus::Files {
            self.draw_tree(&mut buffer, columns);
        } else {
            self.draw_changes(&mut buffer, 0);
        }
        self.draw_foot(&mut buffer);
        if let Some(popup) = &self.popup {
            self.draw_popup(&mut buffer, popup);
        }
        buffer
    }

    fn draw_head(&self, buffer: &mut Buffer) {
        let bar = self.theme.bar();
        let end = buffer.area.width;
        let mut right = Vec::new();
        let overview = &self.model.overview;
        if self.model.is_push() {
            let (seen, all) = self.model.progress();
            right.push(format!("{seen}/{all} seen"));
            match self.model.open().count() {
                0 => {}
                1 => right.push("1 comment".to_owned()),
                many => right.push(format!("{many} comments")),
            }
            if self.model.left_out() > 0 {
                right.push(format!("{} left out", self.model.left_out()));
            }
            if !overview.warnings.is_empty() {
                right.push(overview.warnings.clone());
            }
        }
        let right = right.join("  ");
        let title = match self.model.commit() {
            Some((_, line)) => format!("{}/{} {line}", self.model.at, overview.commits.len()),
            None => overview.title.clone(),
        };
        let place = match self.file {
            Some(file) => format!("{title}: {}", self.model.scope().files[file].name()),
            None => title,
        };
        let room = end.saturating_sub(u16::try_from(cells::width(&right)).unwrap_or(end) + 3);
        let mut pen = Pen { buffer, x: 0, y: 0, end: room };
        pen.put(" ", bar);
        pen.cut(&place, bar.add_modifier(Modifier::BOLD));
        pen.fill(bar);
        pen.end = end;
        pen.put("  ", bar);
        pen.put(&right, bar);
        pen.fill(bar);
    }

    fn draw_foot(&self, buffer: &mut Buffer) {
        let (y, end) = (buffer.area.height - 1, buffer.area.width);
        let bar = self.theme.bar();
        let mut pen = Pen { buffer, x: 0, y, end };
        pen.put(" ", bar);
        if let Some((text, is_error)) = &self.message {
            let style = if *is_error { bar.add_modifier(Modifier::BOLD) } else { bar };
            pen.cut(if *is_error { "error: " } else { "" }, style);
            pen.cut(text, style);
        } else {
            let named = KEYS.iter().filter(|bound| !bound.short.is_empty() && popup::is_of_use(bound.of_use, &self.model));
            for bound in named {
                let needed = cells::width(bound.named) + cells::width(bound.short) + 3;
                if usize::from(pen.x) + needed > usize::from(end) {
                    break;
                }
                pen.put(bound.named, bar.patch(self.theme.key()));
                pen.put(&format!(" {}  ", bound.short), bar);
            }
        }
        pen.fill(bar);
    }

    fn draw_tree(&self, buffer: &mut Buffer, end: u16) {
        let scope = self.model.scope();
        for (row, node) in self.nodes.iter().enumerate().skip(self.node_top).take(self.height()) {
            let y = u16::try_from(row - self.node_top + 1).unwrap_or(u16::MAX);
            let is_here = row == self.node && self.focus == Focus::Files;
            let is_shown = matches!((node, self.file), (Node::Overview, None))
                || matches!((node, self.file), (Node::File { file, .. }, Some(shown)) if *file == shown);
            let back = if is_here { self.theme.cursor() } else { Style::new() };
            let mut pen = Pen { buffer, x: 0, y, end };
            pen.put(if is_here { ">" } else { " " }, back.patch(self.theme.key()));
            match node {
                Node::Overview => {
                    pen.put("Overview", back.patch(self.theme.title()));
                    let warnings = &self.model.overview.warnings;
                    if !warnings.is_empty() {
                        let severity = if self.model.overview.high.is_empty() { Severity::Medium } else { Severity::High };
                        pen.cut(&format!("  {warnings}"), back.patch(self.theme.warning(severity)));
                    }
                }
                Node::Folder { depth, name, is_closed, files, .. } => {
                    let all_seen = files.iter().all(|file| scope.is_seen(*file)) && self.model.is_push();
                    let style = if all_seen { self.theme.faint() } else { Style::new() };
                    pen.put(&" ".repeat(2 * depth), back);
                    pen.put(if *is_closed { "+ " } else { "- " }, back.patch(self.theme.faint()));
                    pen.cut(&format!("{name}/"), back.patch(style));
                    if *is_closed {
                        pen.cut(&format!(" ({})", files.len()), back.patch(self.theme.faint()));
                    }
                }
                Node::File { depth, name, file } => self.draw_file(&mut pen, *depth, name, *file, back, is_shown),
            }
            pen.fill(back);
        }
    }

    fn draw_file(&self, pen: &mut Pen<'_>, depth: usize, name: &str, at: usize, back: Style, is_shown: bool) {
        let scope = self.model.scope();
        let file = &scope.files[at];
        let seen = scope.looked[at].iter().filter(|looked| looked.by.is_some()).count();
        let is_seen = seen == file.units() && self.model.is_push();
        pen.put(&" ".repeat(2 * depth), back);
        // What is marked is told by a sign, as there may be no colours.
        let (sign, style) = match () {
            () if scope.out[at].len() == file.units() => ('x', self.theme.out()),
            () if is_seen => ('v', self.theme.done()),
            () if seen > 0 => ('~', self.theme.done()),
            () if scope.looked[at].iter().any(|looked| looked.before.is_some()) => ('*', self.theme.comment()),
            () => (' ', Style::new()),
        };
        pen.put(&sign.to_string(), back.patch(style));
        let severity = file.warnings.first().map(|(severity, _)| *severity).filter(|severity| *severity > Severity::Low);
        match severity {
            Some(severity) => pen.put("!", back.patch(self.theme.warning(severity))),
            None => pen.put(" ", back),
        }
        let letter = match file.letter {
            'A' => self.theme.sign('+'),
            'D' => self.theme.sign('-'),
            _ => Style::new(),
        };
        // The tree has no lines of its own to stand on.
        let letter = Style { bg: None, ..letter };
        pen.put(&format!("{} ", file.letter), back.patch(letter));
        let style = match () {
            () if scope.out[at].len() == file.units() => self.theme.out(),
            () if is_shown => self.theme.title(),
            () if is_seen => self.theme.faint(),
            () => Style::new(),
        };
        let counts = match file.said.contains("binary") {
            true => " bin".to_owned(),
            false => format!(" +{} -{}", file.counts[0], file.counts[1]),
        };
        let counts = match &file.commit {
            Some(commit) if self.model.at == 0 => format!("{counts} in {commit}"),
            _ => counts,
        };
        let comments = scope.spots.iter().flatten().filter(|spot| spot.file == at).count();
        let comments = comments + scope.comments_on(at, &self.model.comments).count();
        let said = if comments > 0 { format!(" ({comments})") } else { String::new() };
        let room = pen.end;
        pen.end = room.saturating_sub(u16::try_from(counts.len() + said.len()).unwrap_or(0));
        pen.cut(name, back.patch(style));
        pen.end = room;
        pen.put(&said, back.patch(self.theme.comment()));
        pen.put(&counts, back.patch(self.theme.faint()));
    }

    fn draw_changes(&self, buffer: &mut Buffer, x: u16) {
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
        let mark = if is_here { ">" } else if is_selected { ":" } else { " " };
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
            Row::Said { lead, text, .. } => {
                let part = cells::in_words(text, columns.saturating_sub(4)).into_iter().nth(place.part).unwrap_or_default();
                let style = back.patch(self.theme.comment());
                pen.put("  | ", style);
                pen.put(&part, if *lead { style.add_modifier(Modifier::BOLD) } else { style });
            }
            Row::Line { unit, line, quiet } => self.draw_line(pen, (*unit, *line, *quiet), place.part, back, hunks),
            Row::Pair { unit, old, new } => self.draw_pair(pen, *unit, [*old, *new], place.part, back, hunks),
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
        let classes = self.coloured.get(&(self.model.at, file, unit)).map(|coloured| coloured.line(at)).unwrap_or_default();
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
        let digits = self.digits();
        let faint = back.patch(self.theme.faint());
        let number = |number: Option<u32>| number.filter(|_| part == 0).map_or_else(String::new, |number| number.to_string());
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
            if let Some((_, class)) = code.classes.iter().find(|(range, _)| range.contains(&from)) {
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
        unit: usize,
        [old, new]: [Option<usize>; 2],
        part: usize,
        back: Style,
        hunks: &Hunks<'_>,
    ) {
        let (digits, columns) = (self.digits(), self.code_columns().1);
        let end = pen.end;
        let half = pen.x + u16::try_from(digits + 2 + columns).unwrap_or(0);
        for (side, at) in [old, new].into_iter().enumerate() {
            pen.end = if side == 0 { half.min(end) } else { end };
            let line = at.and_then(|at| hunks.lines.get(&unit)?.get(at));
            let number = line.filter(|_| part == 0).and_then(|line| if side == 0 { line.old } else { line.new });
            let number = number.map_or_else(String::new, |number| number.to_string());
            pen.put(&format!("{number:>digits$} "), back.patch(self.theme.faint()));
            if let Some(code) = at.and_then(|at| self.code(unit, at, hunks)) {
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

    fn tone(&self, tone: Tone) -> Style {
        match tone {
            Tone::Title => self.theme.title(),
            Tone::Plain => Style::new(),
            Tone::Faint => self.theme.faint(),
            Tone::Warning(severity) => self.theme.warning(severity),
        }
    }

    fn draw_popup(&self, buffer: &mut Buffer, popup: &Popup) {
        let columns = self.size.0.saturating_sub(4).clamp(16, 84);
        let inner = columns - 4;
        let mut lines: Vec<Vec<(String, Style)>> = Vec::new();
        let mut cursor = None;
        let keys = match popup {
            Popup::Help(_) => "any key goes back, j and k move".to_owned(),
            Popup::Sure { what, .. } => match what {
                Sure::Leave => "y leave   n stay".to_owned(),
                Sure::Approve | Sure::Remember => "y approve   n not".to_owned(),
                Sure::Revise | Sure::Upto(_) => "y go on   n not".to_owned(),
            },
            Popup::Text { purpose, .. } => match purpose {
                Purpose::Comment { weight, .. } => {
                    format!("Enter keep   Tab {}   Alt-Enter new line   Ctrl-E editor   Esc not", weight.name())
                }
                purpose if purpose.is_long() => "Enter go on   Alt-Enter new line   Ctrl-E editor   Esc not".to_owned(),
                _ => "Enter go on   Esc not".to_owned(),
            },
        };
        match popup {
            Popup::Help(_) => {
                for (named, help) in popup::help(&self.model) {
                    for (at, part) in cells::in_words(help, inner.saturating_sub(10)).into_iter().enumerate() {
                        let named = if at == 0 { named } else { "" };
                        lines.push(vec![(format!("{named:<10}"), self.theme.key()), (part, Style::new())]);
                    }
                }
            }
            Popup::Sure { rows, .. } => lines.extend(self.popup_rows(rows, inner)),
            Popup::Text { rows, input, purpose } => {
                lines.extend(self.popup_rows(rows, inner));
                let (before, behind) = input.halves();
                let lead = match purpose {
                    Purpose::Search => "/",
                    Purpose::Filter => "files: ",
                    _ => "",
                };
                let whole = format!("{lead}{before}");
                let (row, column) = (whole.matches('\n').count(), whole.rsplit('\n').next().unwrap_or_default());
                let text = host::screen::block(&format!("{whole}{behind}"));
                let from = lines.len();
                for (at, line) in text.split('\n').enumerate() {
                    let line = cells::plain(line);
                    for part in cells::wrapped(&line, inner) {
                        lines.push(vec![(line[part].to_owned(), Style::new())]);
                    }
                    if at < row {
                        continue;
                    }
                    if cursor.is_none() {
                        let width = cells::width(&cells::plain(&host::screen::block(column)));
                        let first = lines.len() - cells::wrapped(&line, inner).len();
                        cursor = Some((first + width / inner, width % inner));
                    }
                }
                let _ = from;
            }
        }
        let most = self.size.1.saturating_sub(4).max(1);
        let top = match popup {
            Popup::Help(top) => (*top).min(lines.len().saturating_sub(most)),
            // What is typed, and what is gravest, stands at the end.
            _ => lines.len().saturating_sub(most),
        };
        let count = lines.len().min(most);
        let number = |value: usize| u16::try_from(value).unwrap_or(u16::MAX);
        let (width, height) = (number(columns), number(count + 3));
        let x = number(self.size.0.saturating_sub(columns) / 2);
        let y = number((self.size.1.saturating_sub(count + 3)) / 2);
        let bar = self.theme.bar();
        for row in 0..height {
            let mut pen = Pen { buffer, x, y: y + row, end: x + width };
            if row == 0 || row == height - 1 {
                pen.fill(bar);
                continue;
            }
            pen.put(" ", bar);
            pen.end = x + width - 1;
            pen.put(" ", Style::new());
            match lines.get(top + usize::from(row) - 1).filter(|_| usize::from(row) <= count) {
                Some(line) => line.iter().for_each(|(text, style)| pen.put(text, *style)),
                None => pen.cut(&keys, self.theme.faint()),
            }
            pen.fill(Style::new());
            pen.end = x + width;
            pen.put(" ", bar);
        }
        if let Some((row, column)) = cursor.filter(|(row, _)| *row >= top && *row < top + count) {
            let at = (x + 2 + number(column), y + 1 + number(row - top));
            if let Some(cell) = buffer.cell_mut(at) {
                cell.set_style(Style::new().add_modifier(Modifier::REVERSED));
            }
        }
    }

    fn popup_rows(&self, rows: &[(Tone, String)], columns: usize) -> Vec<Vec<(String, Style)>> {
        let of = |(tone, text): &(Tone, String)| {
            let style = self.tone(*tone);
            cells::in_words(text, columns).into_iter().map(move |part| vec![(part, style)])
        };
        rows.iter().flat_map(of).collect()
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
