//! Finds the value of a name: `NAME=value`, `name: "value"`, `--name value`, `<name>value</name>`, `{"name": "NAME", "value": "value"}` and
//! similar forms in many languages.

mod cursor;

use std::ops::Range;

use cursor::Cursor;

/// The most characters of a name on each side of a keyword, and of the command before it.
const NAME: usize = 48;
const COMMAND: usize = 16;
/// The most values of a list, or of a flat table, that are judged.
const VALUES: usize = 16;

/// An assignment. The search for its parts covers a few hundred bytes.
pub(super) struct Assigned {
    /// The whole name.
    pub name: Range<usize>,
    /// Where the value starts, inside its quotes.
    pub value: usize,
    /// The quotes it is in.
    pub quote: Option<u8>,
    /// The collection that the value is part of.
    many: Option<Many>,
    /// The number of values before this one.
    before: usize,
}

/// Several values of one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Many {
    /// `["a", "b"]`, `{x: "a", y: "b"}`: each in quotes.
    Brackets,
    /// `- a` on separate lines.
    Dashes,
}

/// The assignment to the name that contains the keyword at `key`.
pub(super) fn to(text: &[u8], key: Range<usize>) -> Option<Assigned> {
    let part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'_' | b'-' | b'.');
    let before = text[..key.start].iter().rev().take(NAME).take_while(part).count();
    let after = text[key.end..].iter().take(NAME).take_while(part).count();
    let (mut start, end) = (key.start - before, key.end + after);
    let option = text[start..].starts_with(b"--");
    while start < key.start && text[start] == b'-' {
        start += 1;
    }
    let mut at = Cursor { text, at: end };
    at.skip(4, |byte| matches!(byte, b'"' | b'\'' | b'`' | b']' | b'\\'));
    let bare_end = at.at == end;
    at.after_name();
    let spaces = at.spaces();
    at.value_of_pair();
    at.default_of_variable(start);
    at.type_of_name();
    if at.eat(b">") && spaces == 0 {
        return Some(Assigned { name: start..end, value: at.at, quote: None, many: None, before: 0 });
    }
    let separator = at.separator();
    let argument = || spaces > 0 && bare_end && (option || at.is_argument(start));
    if separator.is_none() && !argument() {
        return None;
    }
    let many = separator.and_then(|sign| at.enter_value(sign, indentation(text, start)));
    let quote = at.open();
    if many == Some(Many::Brackets) && quote.is_none() {
        return None;
    }
    Some(Assigned { name: start..end, value: at.at, quote, many, before: 0 })
}

impl Assigned {
    /// The next value of the same name, after the one that ends at `end`.
    pub fn next(&self, text: &[u8], end: usize) -> Option<Assigned> {
        let many = self.many.filter(|_| self.before < VALUES)?;
        let mut at = Cursor { text, at: end };
        at.close(self.quote);
        if !at.enter_next(many) {
            return None;
        }
        let quote = at.open();
        let known = quote.is_some() || many == Many::Dashes;
        known.then(|| Assigned {
            name: self.name.clone(),
            value: at.at,
            quote,
            many: Some(many),
            before: self.before + 1,
        })
    }
}

/// The spaces before the first word of the line with a name, if they are near enough.
fn indentation(text: &[u8], start: usize) -> usize {
    let line = text[..start].iter().rev().take(NAME).take_while(|byte| **byte != b'\n').count();
    let blank = |byte: &&u8| matches!(**byte, b' ' | b'\t');
    text[start - line..start].iter().take_while(blank).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of the first name that contains `token`.
    fn value(text: &str) -> Option<(&str, Option<char>)> {
        let at = text.to_lowercase().find("token").unwrap();
        let assigned = to(text.as_bytes(), at..at + 5)?;
        Some((&text[assigned.value..], assigned.quote.map(char::from)))
    }

    #[test]
    fn assignments_of_many_languages_are_read() {
        for text in [
            "API_TOKEN=v",
            "token: v",
            "token = v",
            "TOKEN := v",
            "--token v",
            "--token=v",
            "<token>v",
            "token ?= v",
            "  auth.token.main: v",
            "- name: API_TOKEN\n  value: v",
        ] {
            assert_eq!(value(text), Some(("v", None)), "{text}");
        }
        for text in [
            "token: \"v",
            "\"token\": \"v",
            "'token' => \"v",
            "const TOKEN: &str = \"v",
            "let t: Token = \"v",
            "token = b\"v",
            "token = r#\"v",
            "set_token(\"v",
            "setenv(\"TOKEN\", \"v",
            "token=\\\"v",
            "{\\\"token\\\":\\\"v",
            "var token string = \"v",
            "config[\"token\"] = \"v",
            "token = String::from(\"v",
            "token = \"\"\"v",
            "<add key=\"Token\" value=\"v",
            "{\"name\": \"TOKEN\", \"value\": \"v",
            "if token == \"v",
        ] {
            assert_eq!(value(text), Some(("v", Some('"'))), "{text}");
        }
    }

    #[test]
    fn what_is_no_assignment_is_none() {
        for text in ["token", "the token v", "token(v", "token, v", "token -> v", "token; x=v", "token > v"] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
