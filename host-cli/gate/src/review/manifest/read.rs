//! Reads the formats of manifests.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::toml;

/// The format of a manifest.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    Json,
    /// JSON with comments and trailing commas, as deno and editors read it.
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
            Format::Toml => toml::from_str(content).ok().map(Value::Object),
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

/// The section of defaults: every other section has its options, unless it sets them.
const DEFAULT: &str = "DEFAULT";

/// The lines of a text by Python's rules: a carriage return ends a line too.
fn lines(content: &str) -> impl Iterator<Item = &str> {
    content.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

/// White space for Python's `str.strip` and `\s`.
fn is_blank(char: char) -> bool {
    char.is_whitespace() || ('\x1c'..='\x1f').contains(&char)
}

/// A line continues the value above if it is indented further, in characters, than the line where
/// that value began. Versions of Python disagree about a header with several brackets, so it is not
/// read.
fn ini(content: &str) -> Option<Map<String, Value>> {
    let mut sections = Map::new();
    let (mut section, mut key, mut level) = (None::<String>, None::<String>, 0);
    for line in lines(content) {
        let text = line.trim_matches(is_blank);
        if text.is_empty() || text.starts_with(['#', ';']) {
            continue;
        }
        let indent = line.chars().take_while(|char| is_blank(*char)).count();
        let open = section.as_ref().and_then(|section| sections.get_mut(section)).and_then(Value::as_object_mut);
        if let (Some(key), true) = (&key, indent > level) {
            if let Some(Value::String(value)) = open?.get_mut(key) {
                value.push(' ');
                value.push_str(text);
            }
            continue;
        }
        level = indent;
        if let Some((name, behind)) = text.strip_prefix('[').and_then(|text| text.split_once(']')) {
            if behind.contains(']') {
                return None;
            }
            sections.entry(name).or_insert_with(|| Value::Object(Map::new()));
            (section, key) = (Some(name.to_owned()), None);
        } else {
            let (name, value) = text.split_once(['=', ':'])?;
            let name = name.trim_matches(is_blank).to_lowercase();
            open?.insert(name.clone(), value.trim_matches(is_blank).into());
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

    /// Python 3.11's result for each text.
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
        for text in ["x = 1\n", "[a]\nx\n", "[a\n", "[a] x]\ny=1\n"] {
            assert_eq!(Format::Ini.read(text), None, "{text:?}");
        }
    }

    #[test]
    fn attack_18_no_odd_blank_hides_an_option_from_the_reader() {
        for text in [
            "[metadata]\nname = x\r[options]\rsetup_requires = evil\r\n",
            "[metadata]\n# note\r[options]\rsetup_requires = evil\n",
            "[metadata]\n\x1c[options] x=y\nsetup_requires = evil\n",
            "[options]\n  zip_safe = no\n\u{a0} setup_requires = evil\n",
        ] {
            let read = Format::Ini.read(text).unwrap();
            assert_eq!(read["options"]["setup_requires"], "evil", "{text:?}");
        }
    }

    #[test]
    fn jsonc_has_comments_and_commas_at_ends() {
        let text = "{ // a comment\n\"a\": {\"b\": \"//x\\\"/*\", /* , */ },}";
        assert_eq!(Format::Jsonc.read(text), Some(json!({"a": {"b": "//x\"/*"}})));
    }
}
