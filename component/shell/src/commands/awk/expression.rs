//! Regular expressions as awk writes them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::value::Text;
use crate::regexp::{Regex, Syntax};

/// The most expressions that are kept compiled.
const KEPT: usize = 200;

/// An expression as it stands in the program.
#[derive(Debug)]
pub struct Literal {
    /// Its text.
    pub source: Text,
    /// What matches it, if case matters.
    pub regex: Rc<Regex>,
}

/// Expressions that were used.
#[derive(Debug, Default)]
pub struct Cache(BTreeMap<(Vec<u8>, bool), Rc<Regex>>);

impl Cache {
    /// The expression of a text.
    pub fn get(&mut self, source: &[u8], ignores_case: bool) -> Result<Rc<Regex>, String> {
        let key = (source.to_vec(), ignores_case);
        if let Some(regex) = self.0.get(&key) {
            return Ok(Rc::clone(regex));
        }
        let regex = Rc::new(compiled(source, ignores_case)?);
        if self.0.len() >= KEPT {
            self.0.clear();
        }
        self.0.insert(key, Rc::clone(&regex));
        Ok(regex)
    }
}

/// Reads an expression.
pub fn compiled(source: &[u8], ignores_case: bool) -> Result<Regex, String> {
    let syntax = Syntax { extended: true, ignores_case, multiline: false };
    syntax.read(&posix(source)).map_err(|why| format!("invalid regexp: {why}: /{}/", String::from_utf8_lossy(source)))
}

/// The byte that an escape stands for, and how long it is without the backslash.
pub fn escape(rest: &[u8]) -> Option<(u8, usize)> {
    let byte = match rest.first()? {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        b'/' => b'/',
        b'"' => b'"',
        b'0'..=b'7' => {
            let count = rest.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            let value = rest[..count].iter().fold(0_u32, |sum, byte| sum * 8 + u32::from(byte - b'0'));
            return Some((u8::try_from(value & 255).expect("it is masked"), count));
        }
        b'x' => {
            let count = rest[1..].iter().take(2).take_while(|byte| byte.is_ascii_hexdigit()).count();
            let text = std::str::from_utf8(&rest[1..=count]).expect("they are digits");
            return u8::from_str_radix(text, 16).ok().map(|byte| (byte, 1 + count));
        }
        _ => return None,
    };
    Some((byte, 1))
}

/// The same expression without what only awk has.
fn posix(source: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(source.len());
    let mut at = 0;
    while let Some(byte) = source.get(at) {
        match byte {
            b'[' => at += bracket(&source[at..], &mut out),
            b'\\' => {
                let rest = &source[at + 1..];
                if let Some((byte, length)) = escape(rest) {
                    // It stands for itself, whatever it is.
                    if byte.is_ascii_punctuation() && byte != b'/' && byte != b'"' {
                        out.push(b'\\');
                    }
                    out.push(byte);
                    at += 1 + length;
                } else {
                    match rest.first() {
                        Some(b'y') => out.extend_from_slice(b"\\b"),
                        Some(b'8' | b'9' | b'&') => out.push(rest[0]),
                        Some(other) => out.extend_from_slice(&[b'\\', *other]),
                        None => out.extend_from_slice(b"\\\\"),
                    }
                    at += 2;
                }
            }
            byte => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    out
}

/// A set of characters, where awk has escapes as well. Returns how long it was.
fn bracket(source: &[u8], out: &mut Vec<u8>) -> usize {
    let mut at = 1;
    out.push(b'[');
    if source.get(at) == Some(&b'^') {
        out.push(b'^');
        at += 1;
    }
    if source.get(at) == Some(&b']') {
        out.push(b']');
        at += 1;
    }
    while let Some(byte) = source.get(at) {
        match byte {
            b']' => {
                out.push(b']');
                return at + 1;
            }
            b'[' if matches!(source.get(at + 1), Some(b':' | b'.' | b'=')) => {
                let end = [source[at + 1], b']'];
                let length = source[at + 2..].windows(2).position(|pair| pair == end).map_or(1, |found| found + 4);
                out.extend_from_slice(&source[at..at + length]);
                at += length;
            }
            b'\\' if at + 1 < source.len() => {
                let (byte, length) = escape(&source[at + 1..]).unwrap_or((source[at + 1], 1));
                if byte.is_ascii_punctuation() {
                    out.extend_from_slice(&[b'[', b'.', byte, b'.', b']']);
                } else {
                    out.push(byte);
                }
                at += 1 + length;
            }
            byte => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    at
}
