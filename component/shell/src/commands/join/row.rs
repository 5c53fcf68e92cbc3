//! The lines of `join`, with their fields.

use std::cmp::Ordering;
use std::ops::Range;

/// A line, with where its fields are.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The line without its end.
    pub text: Vec<u8>,
    fields: Vec<Range<usize>>,
}

/// What separates fields.
#[derive(Clone, Copy, Debug)]
pub enum Separator {
    /// Runs of blanks.
    Blanks,
    /// Each such byte.
    Byte(u8),
    /// Nothing: the line is the only field.
    Nothing,
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n')
}

impl Row {
    /// Finds the fields of a line.
    pub fn of(text: &[u8], separator: Separator) -> Row {
        let fields = match separator {
            _ if text.is_empty() => Vec::new(),
            Separator::Nothing => std::iter::once(0..text.len()).collect(),
            Separator::Blanks => blank_fields(text),
            Separator::Byte(byte) => {
                let mut begin = 0;
                let parts = text.split(|other| *other == byte).map(|part| {
                    let field = begin..begin + part.len();
                    begin = field.end + 1;
                    field
                });
                parts.collect()
            }
        };
        Row { text: text.to_vec(), fields }
    }

    /// How many fields it has.
    pub fn count(&self) -> usize {
        self.fields.len()
    }

    /// A field. One that is not there is empty.
    pub fn field(&self, at: usize) -> &[u8] {
        self.fields.get(at).map_or(b"", |field| &self.text[field.clone()])
    }
}

/// Blanks in front do not count, but behind blanks at the end there is an empty field.
fn blank_fields(text: &[u8]) -> Vec<Range<usize>> {
    let run = |at: usize, blank: bool| text[at..].iter().take_while(|byte| is_blank(byte) == blank).count();
    let mut at = run(0, true);
    let mut fields = Vec::new();
    while at < text.len() {
        let end = at + run(at, false);
        fields.push(at..end);
        at = end + run(end, true);
        if at == text.len() && end < at {
            fields.push(at..at);
        }
    }
    fields
}

/// Compares keys.
pub fn order(one: &[u8], other: &[u8], ignores_case: bool) -> Ordering {
    if ignores_case {
        let upper = |text: &[u8]| text.to_ascii_uppercase();
        return upper(one).cmp(&upper(other));
    }
    one.cmp(other)
}
