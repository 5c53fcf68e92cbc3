//! The screen in cells.

mod changes;
mod popup;

use gate::columns::middle;
use gate::review::Severity;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::cells::{self, Pen};
use super::keys::KEYS;
use super::popup::is_of_use;
use super::screen::{Focus, Screen};
use super::tree::Node;

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
            if self.how.blanks_off {
                right.push("blanks hidden".to_owned());
            }
            if self.model.left_out() > 0 {
                right.push(format!("{} left out", self.model.left_out()));
            }
            right.extend(overview.graves());
        }
        let right = right.join("  ");
        let title = match self.model.commit() {
            Some((_, line)) => format!("{}/{} {line}", self.model.at, overview.commits.len()),
            None => overview.title.clone(),
        };
        let room = end.saturating_sub(u16::try_from(cells::width(&right)).unwrap_or(end) + 3);
        let place = match self.file.map(|file| self.model.scope().files[file].name()) {
            // The name of the file counts for more than where it goes.
            Some(name) if cells::width(&title) + cells::width(&name) + 3 > usize::from(room) => {
                // Which of the commits it is, is told in any case.
                let commit = self.model.commit().map(|_| format!("{}/{} ", self.model.at, overview.commits.len()));
                commit.unwrap_or_default() + &name
            }
            Some(name) => format!("{title}: {name}"),
            None => title,
        };
        let mut pen = Pen { buffer, x: 0, y: 0, end: room };
        pen.put(" ", bar);
        pen.put(&middle(&place, usize::from(room).saturating_sub(2)), bar.add_modifier(Modifier::BOLD));
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
            let named = KEYS.iter().filter(|bound| !bound.short.is_empty() && is_of_use(bound.of_use, &self.model));
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
                    let graves = self.model.overview.graves();
                    let severity = if self.model.overview.high.is_empty() { Severity::Medium } else { Severity::High };
                    if !graves.is_empty() {
                        pen.cut(&format!("  {}", graves.join(", ")), back.patch(self.theme.warning(severity)));
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
        let severity =
            file.warnings.first().map(|(severity, _)| *severity).filter(|severity| *severity > Severity::Low);
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
}
