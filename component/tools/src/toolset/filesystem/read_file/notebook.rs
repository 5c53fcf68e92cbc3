//! A Jupyter notebook as its cells, instead of JSON with their lines in strings (nbformat 4).

use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
struct Notebook {
    cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct Cell {
    cell_type: String,
    #[serde(default)]
    id: Option<String>,
    source: Lines,
    #[serde(default)]
    outputs: Vec<Output>,
}

/// A text, whole or in parts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Lines {
    Whole(String),
    Parts(Vec<String>),
}

#[derive(Deserialize)]
struct Output {
    text: Option<Lines>,
    data: Option<Map<String, Value>>,
    ename: Option<String>,
    evalue: Option<String>,
}

/// The cells of the notebook, or `None` if it is none.
pub fn cells(content: &[u8]) -> Option<String> {
    let notebook: Notebook = serde_json::from_slice(content).ok()?;
    let mut text = String::new();
    for (at, cell) in notebook.cells.into_iter().enumerate() {
        let id = cell.id.map_or_else(String::new, |id| format!(", id {id}"));
        text.push_str(&format!("[cell {}, {}{id}]\n", at + 1, cell.cell_type));
        line(&mut text, &cell.source.joined());
        if !cell.outputs.is_empty() {
            text.push_str("[output]\n");
        }
        for output in cell.outputs {
            output.show(&mut text);
        }
    }
    Some(text)
}

impl Lines {
    fn joined(self) -> String {
        match self {
            Lines::Whole(text) => text,
            Lines::Parts(parts) => parts.concat(),
        }
    }
}

impl Output {
    /// Its text. What is no text is named.
    fn show(self, text: &mut String) {
        if let Some(lines) = self.text {
            line(text, &lines.joined());
        }
        for (kind, data) in self.data.into_iter().flatten() {
            match serde_json::from_value::<Lines>(data) {
                Ok(lines) if kind == "text/plain" => line(text, &lines.joined()),
                _ => line(text, &format!("({kind})")),
            }
        }
        if let Some(name) = self.ename {
            line(text, &format!("{name}: {}", self.evalue.unwrap_or_default()));
        }
    }
}

fn line(text: &mut String, more: &str) {
    text.push_str(more);
    if !more.ends_with('\n') {
        text.push('\n');
    }
}
