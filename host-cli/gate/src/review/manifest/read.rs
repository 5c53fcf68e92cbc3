//! Reads the formats of manifests.

use serde::Deserialize;
use serde_json::{Map, Value};

/// How a manifest is written.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    Json,
    /// JSON with comments and commas at ends, as deno and editors read it.
    Jsonc,
    Toml,
    /// Sections, as Python's `configparser` reads them.
    Ini,
}

impl Format {
    /// Reads `content`. `None` if it is not of this format.
    pub fn read(self, content: &str) -> Option<Value> {
        match self {
            Format::Json => serde_json::from_str(content).ok(),
            Format::Jsonc => serde_json::from_str(&without_comments(content)).ok(),
            Format::Toml => serde_json::to_value(toml::from_str::<toml::Table>(content).ok()?).ok(),
            Format::Ini => ini(content).map(Value::Object),
        }
    }
}

fn without_comments(content: &str) -> String {
    let mut plain = String::with_capacity(content.len());
    let mut chars = content.chars().peekable();
    while let Some(char) = chars.next() {
        match (char, chars.peek()) {
            ('"', _) => {
                plain.push(char);
                let mut escaped = false;
                for char in chars.by_ref() {
                    plain.push(char);
                    if char == '"' && !escaped {
                        break;
                    }
                    escaped = char == '\\' && !escaped;
                }
            }
            ('/', Some('/')) => chars.by_ref().take_while(|char| *char != '\n').for_each(drop),
            ('/', Some('*')) => {
                chars.next();
                let mut last = ' ';
                for char in chars.by_ref() {
                    if last == '*' && char == '/' {
                        break;
                    }
                    last = char;
                }
            }
            ('}' | ']', _) => {
                let end = plain.trim_end().len();
                if plain[..end].ends_with(',') {
                    plain.truncate(end - 1);
                }
                plain.push(char);
            }
            _ => plain.push(char),
        }
    }
    plain
}

/// The section whose options every other one has, unless it sets them.
const DEFAULT: &str = "DEFAULT";

/// A line goes on with the value before it if it is indented more than the line where that began.
fn ini(content: &str) -> Option<Map<String, Value>> {
    let mut sections = Map::new();
    let (mut section, mut key, mut level) = (None::<String>, None::<String>, 0);
    for line in content.lines() {
        let text = line.trim();
        if text.is_empty() || text.starts_with(['#', ';']) {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let open = section.as_ref().and_then(|section| sections.get_mut(section)).and_then(Value::as_object_mut);
        if let (Some(key), true) = (&key, indent > level) {
            if let Some(Value::String(value)) = open?.get_mut(key) {
                value.push(' ');
                value.push_str(text);
            }
            continue;
        }
        level = indent;
        if let Some((name, _)) = text.strip_prefix('[').and_then(|text| text.split_once(']')) {
            sections.entry(name).or_insert_with(|| Value::Object(Map::new()));
            (section, key) = (Some(name.to_owned()), None);
        } else {
            let (name, value) = text.split_once(['=', ':'])?;
            let name = name.trim().to_lowercase();
            open?.insert(name.clone(), value.trim().into());
            key = Some(name);
        }
    }
    if let Some(Value::Object(default)) = sections.remove(DEFAULT) {
        for section in sections.values_mut().filter_map(Value::as_object_mut) {
            let inherited = default.iter().map(|(name, value)| (name.clone(), value.clone()));
            let all: Map<String, Value> = inherited.chain(std::mem::take(section)).collect();
            *section = all;
        }
    }
    Some(sections)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What Python 3.11 makes of each text.
    #[test]
    fn ini_is_read_as_configparser_reads_it() {
        for (text, expected) in [
            ("[a]\nx = 1\n  y = 2\n  z\nb=3\n", json!({"a": {"x": "1 y = 2 z", "b": "3"}})),
            ("[a]\n  x = 1\n  y = 2\n", json!({"a": {"x": "1", "y": "2"}})),
            ("[a]\nx = 1\n\n  more\nb: 3\n", json!({"a": {"x": "1 more", "b": "3"}})),
            ("[a]\nx=1\n [b]\ny=2\n", json!({"a": {"x": "1 [b]", "y": "2"}})),
            ("[a]\n  x=1\n [b]\ny=2\n", json!({"a": {"x": "1"}, "b": {"y": "2"}})),
            ("[a]\nX=1\n# c\n z\n[A]x\n", json!({"a": {"x": "1 z"}, "A": {}})),
            ("[DEFAULT]\nx=1\ny=1\n[a]\ny=2\n", json!({"a": {"x": "1", "y": "2"}})),
        ] {
            assert_eq!(Format::Ini.read(text), Some(expected), "{text:?}");
        }
        for text in ["x = 1\n", "[a]\nx\n", "[a\n"] {
            assert_eq!(Format::Ini.read(text), None, "{text:?}");
        }
    }

    #[test]
    fn jsonc_has_comments_and_commas_at_ends() {
        let text = "{ // a comment\n\"a\": {\"b\": \"//x\\\"/*\", /* , */ },}";
        assert_eq!(Format::Jsonc.read(text), Some(json!({"a": {"b": "//x\"/*"}})));
    }
}
