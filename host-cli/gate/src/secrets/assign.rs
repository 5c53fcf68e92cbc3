//! What stands on the other side of a name: `NAME=value`, `name: "value"`, `--name value`, `<name>value</name>`,
//! `{"name": "NAME", "value": "value"}` and their like in many languages.

use std::ops::Range;

/// Characters of a name on each side of a keyword, of spaces, of a type, of a call around a value.
const NAME: usize = 48;
const SPACES: usize = 64;
const TYPE: usize = 32;
const CALL: usize = 40;

/// An assignment. Everything in it is looked for within a few hundred bytes.
pub(super) struct Assigned {
    /// The whole name.
    pub name: Range<usize>,
    /// Where the value starts, inside its quotes.
    pub value: usize,
    /// The quotes it is in.
    pub quote: Option<u8>,
}

/// The assignment to a name in which the keyword at `key` stands.
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
    let spaces = at.spaces();
    at.value_of_pair();
    at.type_of_name();
    if at.eat(b">") && bare_end && spaces == 0 {
        return Some(Assigned { name: start..end, value: at.at, quote: None });
    }
    let separated = at.separator();
    let argument = option && spaces > 0;
    if !separated && !argument {
        return None;
    }
    at.spaces();
    let quote = at.open();
    Some(Assigned { name: start..end, value: at.at, quote })
}

struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }

    fn skip(&mut self, most: usize, what: impl Fn(u8) -> bool) -> usize {
        let count = self.rest().iter().take(most).take_while(|byte| what(**byte)).count();
        self.at += count;
        count
    }

    fn spaces(&mut self) -> usize {
        self.skip(SPACES, |byte| matches!(byte, b' ' | b'\t'))
    }

    fn eat(&mut self, what: &[u8]) -> bool {
        let there = self.rest().starts_with(what);
        if there {
            self.at += what.len();
        }
        there
    }

    /// `, "value"` or, on the next line, `value`: the name was itself a value.
    fn value_of_pair(&mut self) {
        let start = self.at;
        self.eat(b",");
        self.skip(SPACES, |byte| byte.is_ascii_whitespace());
        self.skip(1, |byte| byte == b'"');
        if self.rest().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"value")) {
            self.at += 5;
            self.skip(1, |byte| byte == b'"');
            self.spaces();
        } else {
            self.at = start;
        }
    }

    /// `: &str` or ` string` before an equals sign with spaces around it.
    fn type_of_name(&mut self) {
        let start = self.at;
        self.eat(b":");
        self.spaces();
        let kind = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'&' | b'\'' | b'<' | b'>' | b'?' | b' ');
        let typed = self.skip(TYPE, kind) > 0 && self.text[self.at - 1] == b' ';
        if !(typed && self.rest().starts_with(b"= ")) {
            self.at = start;
        }
    }

    fn separator(&mut self) -> bool {
        let quoted = |rest: &[u8]| rest.first().is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`'));
        for sign in [&b":="[..], b"=>", b"===", b"==", b"?=", b"||=", b"+=", b"=", b": ", b":"] {
            if self.eat(sign) {
                return true;
            }
        }
        let rest = self.rest();
        let call = rest.strip_prefix(b"(").is_some_and(quoted);
        let list = rest.strip_prefix(b", ").or(rest.strip_prefix(b",")).is_some_and(quoted);
        if call || list {
            self.at += 1;
        }
        call || list
    }

    /// Steps inside the quotes of a value, if it has any, and of what is called with it.
    fn open(&mut self) -> Option<u8> {
        let start = self.at;
        self.call();
        // b"", r#""#, @"" and quotes in a string.
        self.skip(4, |byte| matches!(byte, b'b' | b'r' | b'u' | b'f' | b'@' | b'#' | b'\\'));
        match self.rest().first() {
            Some(quote @ (b'"' | b'\'' | b'`')) => {
                let quote = *quote;
                self.skip(3, |byte| byte == quote);
                Some(quote)
            }
            _ => {
                self.at = start;
                None
            }
        }
    }

    /// `String::from(`, but no look-up in the environment.
    fn call(&mut self) {
        let start = self.at;
        let named = self.skip(CALL, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.')) > 0;
        let environment = super::check::contains_word(&self.text[start..self.at], "env");
        if !named || environment || !self.eat(b"(") {
            self.at = start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is assigned to the first name with `token` in it.
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
