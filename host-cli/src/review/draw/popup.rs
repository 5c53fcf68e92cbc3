//! What stands above everything else, in cells.

use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

use crate::review::cells::{self, Pen};
use crate::review::overview::Tone;
use crate::review::popup::{self, Popup, Purpose, Sure};
use crate::review::screen::Screen;

impl Screen<'_> {
    pub(super) fn draw_popup(&self, buffer: &mut Buffer, popup: &Popup) {
        let columns = self.popup_columns() + 4;
        let inner = self.popup_columns();
        let mut lines: Vec<Vec<(String, Style)>> = Vec::new();
        let mut cursor = None;
        let keys = match popup {
            Popup::Help(_) => "any key goes back, j and k move".to_owned(),
            Popup::Sure { rows, top, .. } if top + self.popup_height() < self.popup_rows(rows).len() => {
                let more = self.popup_rows(rows).len() - top - self.popup_height();
                format!("{more} more rows: j or y shows them   n not")
            }
            Popup::Sure { what, .. } => match what {
                Sure::Leave => "y leave   n stay".to_owned(),
                Sure::Approve | Sure::Remember => "y approve   n not".to_owned(),
                Sure::Name => "y go on to its name   n not".to_owned(),
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
                        let blanks = " ".repeat(10_usize.saturating_sub(cells::width(named)));
                        lines.push(vec![(format!("{named}{blanks}"), self.theme.key()), (part, Style::new())]);
                    }
                }
            }
            Popup::Sure { rows, .. } => lines.extend(self.popup_rows(rows)),
            Popup::Text { rows, input, purpose } => {
                lines.extend(self.popup_rows(rows));
                let (before, behind) = input.halves();
                let lead = match purpose {
                    Purpose::Search => "/",
                    Purpose::Filter => "files: ",
                    _ => "",
                };
                let whole = format!("{lead}{before}");
                let (row, column) = (whole.matches('\n').count(), whole.rsplit('\n').next().unwrap_or_default());
                let text = host::screen::block(&format!("{whole}{behind}"));
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
            }
        }
        let most = self.popup_height();
        let last = lines.len().saturating_sub(most);
        let top = match popup {
            Popup::Help(top) | Popup::Sure { top, .. } => (*top).min(last),
            // What is typed stands at the end.
            Popup::Text { .. } => last,
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

    /// Columns for what a popup says.
    pub fn popup_columns(&self) -> usize {
        self.size.0.saturating_sub(8).clamp(12, 80)
    }

    /// Rows for it.
    pub fn popup_height(&self) -> usize {
        self.size.1.saturating_sub(4).max(1)
    }

    /// What a popup says, in rows.
    pub fn popup_rows(&self, rows: &[(Tone, String)]) -> Vec<Vec<(String, Style)>> {
        let columns = self.popup_columns();
        let of = |(tone, text): &(Tone, String)| {
            let style = self.tone(*tone);
            cells::in_words(text, columns).into_iter().map(move |part| vec![(part, style)])
        };
        rows.iter().flat_map(of).collect()
    }
}
