//! How values are printed.

use super::ledger;
use super::map::{Key, Map};
use super::number;
use super::value::{List, Val};

/// How values are printed.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// What each level is indented by. None for all in one line.
    pub indent: Option<String>,
    /// Whether fields are sorted by name.
    pub sorts: bool,
    /// Whether all that is not ASCII is escaped.
    pub ascii: bool,
    /// Whether there are colours.
    pub colours: bool,
}

const RESET: &str = "\x1b[0m";
const NESTED: &str = "\x1b[1;39m";
const FIELD: &str = "\x1b[34;1m";

/// Bytes of a value that an error shows.
const BRIEF: usize = 11;

/// A value in one line.
pub fn compact(value: &Val) -> String {
    let mut writer = Writer { style: &Style::default(), out: String::new() };
    writer.value(value, 0);
    writer.out
}

/// A value as it is printed.
pub fn styled(value: &Val, style: &Style) -> String {
    let mut writer = Writer { style, out: String::new() };
    writer.value(value, 0);
    writer.out
}

/// The beginning of a value.
pub fn brief(value: &Val) -> String {
    let text = match value {
        // No more than is shown is worth the work.
        Val::Text(text) => quoted(&text.text().chars().take(2 * BRIEF).collect::<String>()),
        value => compact(value),
    };
    if text.len() <= BRIEF + 3 {
        return text;
    }
    let end = text.floor_char_boundary(BRIEF);
    format!("{}...", &text[..end])
}

/// A text as a JSON string.
pub fn quoted(text: &str) -> String {
    let mut out = String::new();
    quote(&mut out, text, false);
    out
}

fn quote(out: &mut String, text: &str, ascii: bool) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            letter if letter.is_ascii_control() => out.push_str(&format!("\\u{:04x}", u32::from(letter))),
            letter if ascii && !letter.is_ascii() => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
}

struct Writer<'a> {
    style: &'a Style,
    out: String,
}

impl Writer<'_> {
    fn value(&mut self, value: &Val, level: usize) {
        if !ledger::term() || !ledger::room(self.out.len()) {
            return;
        }
        let colour = match value {
            Val::Null => "\x1b[1;30m",
            Val::Text(_) => "\x1b[0;32m",
            Val::List(_) | Val::Map(_) => NESTED,
            Val::Bool(_) | Val::Num(_) => "\x1b[0;39m",
        };
        self.colour(colour);
        match value {
            Val::Null => self.out.push_str("null"),
            Val::Bool(truth) => self.out.push_str(if *truth { "true" } else { "false" }),
            Val::Num(number) => self.out.push_str(&number::shown(*number)),
            Val::Text(text) => {
                ledger::bytes(text.text().len());
                quote(&mut self.out, text.text(), self.style.ascii);
            }
            Val::List(list) => self.list(list, level),
            Val::Map(map) => self.map(map, level),
        }
        self.colour(RESET);
    }

    fn colour(&mut self, colour: &str) {
        if self.style.colours {
            self.out.push_str(colour);
        }
    }

    fn line(&mut self, level: usize) {
        if let Some(indent) = &self.style.indent {
            self.out.push('\n');
            for _ in 0..level {
                self.out.push_str(indent);
            }
        }
    }

    fn list(&mut self, list: &List, level: usize) {
        self.out.push('[');
        for (at, item) in list.items().iter().enumerate() {
            if at > 0 {
                self.colour(NESTED);
                self.out.push(',');
            }
            self.line(level + 1);
            self.value(item, level + 1);
        }
        self.close(list.items().is_empty(), level, ']');
    }

    fn map(&mut self, map: &Map, level: usize) {
        self.out.push('{');
        if self.style.sorts {
            self.fields(map.sorted().into_iter(), level);
        } else {
            self.fields(map.iter(), level);
        }
        self.close(map.len() == 0, level, '}');
    }

    fn fields<'v>(&mut self, fields: impl Iterator<Item = &'v (Key, Val)>, level: usize) {
        for (at, (key, value)) in fields.enumerate() {
            if at > 0 {
                self.colour(NESTED);
                self.out.push(',');
            }
            self.line(level + 1);
            self.colour(RESET);
            self.colour(FIELD);
            quote(&mut self.out, key.text(), self.style.ascii);
            self.colour(RESET);
            self.colour(NESTED);
            self.out.push_str(if self.style.indent.is_some() { ": " } else { ":" });
            self.colour(RESET);
            self.value(value, level + 1);
        }
    }

    fn close(&mut self, empty: bool, level: usize, end: char) {
        if !empty {
            self.colour(NESTED);
            self.line(level);
            self.colour(NESTED);
        }
        self.out.push(end);
    }
}
