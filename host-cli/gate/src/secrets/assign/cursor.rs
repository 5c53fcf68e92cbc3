//! Steps over the text between a name and its value.

use super::{COMMAND, Many};
use crate::secrets::{check, generic::LONGEST};

/// Spaces, a type, a call around a value, the text in a variable's block before its default.
const SPACES: usize = 64;
const TYPE: usize = 32;
const CALL: usize = 40;
const BLOCK: usize = 300;

/// The text between a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Equals,
    Colon,
    Call,
}

pub(super) struct Cursor<'a> {
    pub text: &'a [u8],
    pub at: usize,
}

impl Cursor<'_> {
    fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }

    pub fn skip(&mut self, most: usize, what: impl Fn(u8) -> bool) -> usize {
        let count = self.rest().iter().take(most).take_while(|byte| what(**byte)).count();
        self.at += count;
        count
    }

    pub fn spaces(&mut self) -> usize {
        self.skip(SPACES, |byte| matches!(byte, b' ' | b'\t'))
    }

    pub fn eat(&mut self, what: &[u8]) -> bool {
        let there = self.rest().starts_with(what);
        if there {
            self.at += what.len();
        }
        there
    }

    /// Syntax directly after a name: `[]` in C, `{ get; set; }` in C#.
    pub fn after_name(&mut self) {
        self.eat(b"[]");
        let start = self.at;
        self.spaces();
        if !self.eat(b"{ get; set; }") && !self.eat(b"{ get; init; }") && !self.eat(b"{ get; }") {
            self.at = start;
        }
    }

    /// `, "value"` or, on the next line, `value` or `<value>`: the name was a value itself.
    pub fn value_of_pair(&mut self) {
        let start = self.at;
        if self.eat(b"</key>") || self.eat(b"</name>") {
            self.skip(SPACES, |byte| byte.is_ascii_whitespace());
            if self.rest().starts_with(b"<string>") || self.rest().starts_with(b"<value>") {
                self.skip(TYPE, |byte| byte != b'>');
                return;
            }
            self.at = start;
        }
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
    pub fn type_of_name(&mut self) {
        let start = self.at;
        self.eat(b":");
        self.spaces();
        let kind = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'&' | b'\'' | b'<' | b'>' | b'?' | b' ');
        let typed = self.skip(TYPE, kind) > 0 && self.text[self.at - 1] == b' ';
        if !(typed && matches!(self.rest(), [b'=', b' ' | b'\n' | b'\r', ..])) {
            self.at = start;
        }
    }

    /// The sign between a name and its value.
    pub fn separator(&mut self) -> Option<Sign> {
        let quoted = |rest: &[u8]| rest.first().is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`'));
        for sign in [&b":="[..], b"=>", b"===", b"==", b"?=", b"||=", b"+=", b"="] {
            if self.eat(sign) {
                return Some(Sign::Equals);
            }
        }
        if self.eat(b":") {
            return Some(Sign::Colon);
        }
        if self.otherwise() {
            return Some(Sign::Call);
        }
        let rest = self.rest();
        let call = rest.strip_prefix(b"(").is_some_and(quoted);
        let list = rest.strip_prefix(b", ").or(rest.strip_prefix(b",")).is_some_and(quoted);
        self.at += usize::from(call || list);
        (call || list).then_some(Sign::Call)
    }

    /// `|| "value"`, `?? "value"`, `or "value"`: a fallback for the name.
    fn otherwise(&mut self) -> bool {
        let start = self.at;
        self.skip(1, |byte| byte == b')');
        self.spaces();
        if self.eat(b"||") || self.eat(b"??") || self.eat(b"or ") {
            self.spaces();
            if matches!(self.rest(), [b'"' | b'\'' | b'`', ..]) {
                return true;
            }
        }
        self.at = start;
        false
    }

    /// `default = ` in the block of `variable "name" {` in Terraform.
    pub fn default_of_variable(&mut self, name: usize) {
        let before = self.text[..name].strip_suffix(b"\"").unwrap_or_default().trim_ascii_end();
        if !before.ends_with(b"variable") || !self.rest().starts_with(b"{") {
            return;
        }
        let block = &self.rest()[..self.rest().len().min(BLOCK)];
        let block = block.windows(2).position(|pair| pair == b"\n}").map_or(block, |end| &block[..end]);
        let default = block.windows(8).position(|word| word[0].is_ascii_whitespace() && &word[1..] == b"default");
        if let Some(place) = default {
            self.at += place + 8;
            self.spaces();
        }
    }

    /// Whether the name at `name` and the word here form a command: `ENV NAME value`, or are the whole line.
    pub fn is_argument(&self, name: usize) -> bool {
        const COMMANDS: [&str; 8] = ["env", "arg", "setenv", "setx", "set", "-x", "-gx", "-ux"];
        let before = &self.text[name.saturating_sub(COMMAND)..name];
        let before = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let alone = before.len() < COMMAND && before.trim_ascii().is_empty();
        let command = before.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
        let commanded =
            before.ends_with(b" ") && COMMANDS.iter().any(|known| command.eq_ignore_ascii_case(known.as_bytes()));
        commanded || alone && self.is_last_word()
    }

    /// Whether the line has one more word.
    fn is_last_word(&self) -> bool {
        let rest = self.rest();
        let word = rest.iter().take(LONGEST).take_while(|byte| !byte.is_ascii_whitespace()).count();
        let after = rest[word..].iter().take(SPACES).find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        word > 0 && after.is_none_or(|byte| *byte == b'\n')
    }

    /// Moves to a value: in this line, in the next one, where YAML and JSON allow it, or to the first of many. `indent` is that of the
    /// name.
    pub fn enter_value(&mut self, sign: Sign, indent: usize) -> Option<Many> {
        self.spaces();
        if sign == Sign::Colon && (self.rest().starts_with(b"!!") || self.rest().starts_with(b"&")) {
            // YAML's types and anchors.
            self.skip(TYPE, |byte| !byte.is_ascii_whitespace());
            self.spaces();
        }
        if self.enter_next_line(sign, indent) && self.eat(b"- ") {
            self.spaces();
            return Some(Many::Dashes);
        }
        self.open_brackets().then_some(Many::Brackets)
    }

    /// Skips the mark of a YAML block and the end of the line, if the following lines are the value of the name.
    fn enter_next_line(&mut self, sign: Sign, indent: usize) -> bool {
        let start = self.at;
        if matches!(self.rest(), [b'|' | b'>', ..]) {
            self.skip(3, |byte| matches!(byte, b'|' | b'>' | b'-' | b'+') || byte.is_ascii_digit());
        }
        if self.end_line() {
            let deeper = self.spaces() > indent;
            let quoted = matches!(self.rest(), [b'"' | b'\'' | b'`', ..]);
            let listed = sign == Sign::Colon && self.rest().starts_with(b"- ");
            if quoted || listed || deeper && sign == Sign::Colon {
                return true;
            }
        }
        self.at = start;
        false
    }

    fn end_line(&mut self) -> bool {
        self.spaces();
        self.eat(b"\r\n") || self.eat(b"\n")
    }

    /// Skips `[`, `{`, `vec![`, `new String[] {` and everything else before the first value.
    fn open_brackets(&mut self) -> bool {
        let start = self.at;
        self.eat(b"&");
        self.eat(b"new ");
        let named = self.skip(CALL, |byte| byte.is_ascii_alphanumeric()) > 0;
        let many = !named || self.eat(b"!") || self.eat(b"[]");
        self.spaces();
        // `[]byte(` in Go is a call.
        let call = self.rest().starts_with(b"[]");
        if many && !call && matches!(self.rest(), [b'[' | b'{' | b'(', ..]) {
            self.at += 1;
            self.enter_element();
            true
        } else {
            self.at = start;
            false
        }
    }

    /// Skips blanks and the key of an element.
    fn enter_element(&mut self) {
        self.skip(SPACES, |byte| byte.is_ascii_whitespace());
        let start = self.at;
        self.skip(1, |byte| matches!(byte, b'"' | b'\''));
        let key = self.skip(CALL, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')) > 0;
        self.skip(1, |byte| matches!(byte, b'"' | b'\''));
        self.spaces();
        if key && matches!(self.separator(), Some(Sign::Colon | Sign::Equals)) {
            self.spaces();
        } else {
            self.at = start;
        }
    }

    /// Skips the end of a value that was in `quote`, and method calls on it.
    pub fn close(&mut self, quote: Option<u8>) {
        self.skip(1, |byte| byte == b'\\');
        self.skip(3, |byte| Some(byte) == quote);
        self.skip(CALL, |byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.' | b'(' | b')'));
    }

    /// Moves to the next of many values.
    pub fn enter_next(&mut self, many: Many) -> bool {
        match many {
            Many::Brackets => {
                self.skip(SPACES, |byte| byte.is_ascii_whitespace());
                let more = self.eat(b",");
                self.enter_element();
                more
            }
            Many::Dashes => {
                let more = self.end_line();
                self.spaces();
                more && self.eat(b"- ")
            }
        }
    }

    /// Steps inside the quotes of a value, if it has any, and inside a call around it.
    pub fn open(&mut self) -> Option<u8> {
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

    /// `String::from(`, but no environment lookup.
    fn call(&mut self) {
        let start = self.at;
        self.eat(b"[]");
        let named = self.skip(CALL, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.')) > 0;
        let environment = check::contains_word(&self.text[start..self.at], "env");
        if !named || environment || !self.eat(b"(") {
            self.at = start;
        }
    }
}
