//! The patterns of `rg`, in the syntax of Rust's library.

use bstr::{BString, ByteSlice};

use super::flags::{DOTALL, NO_DOTALL, NO_FIXED, NO_MULTILINE, NO_UNICODE};
use super::options::holds;
use crate::commands::arguments::Given;
use crate::commands::grep::dialect::{self, Dialect};
use crate::commands::grep::matcher::{Matcher, literal};
use crate::commands::grep::scan::Part;
use crate::regexp::{Around, Regex, wrong};

const BREAKS: &str = "the literal '\"\\n\"' is not allowed in a regex

Consider enabling multiline mode with the --multiline flag (or -U for short).
When multiline mode is enabled, new line characters can be matched.";

/// Reads patterns. The error is in ripgrep's words.
pub fn matcher(patterns: &[BString], given: &Given) -> Result<Matcher, String> {
    if patterns.is_empty() {
        return Ok(Matcher::nothing());
    }
    let fixed = holds(given, 'F', NO_FIXED);
    let multiline = holds(given, 'U', NO_MULTILINE);
    let dotall = multiline && holds(given, DOTALL, NO_DOTALL);
    let texts: Vec<String> = match fixed {
        true => patterns.iter().map(|pattern| literal(pattern)).collect(),
        false => patterns.iter().map(|pattern| pattern.to_str_lossy().into_owned()).collect(),
    };
    let all = texts.join("|");
    if let Some(message) = wrong(&all) {
        return Err(message);
    }
    let has_break = patterns.iter().any(|pattern| pattern.contains(&b'\n'));
    if !multiline && (has_break || (!fixed && texts.iter().any(|text| has_escaped_break(text)))) {
        return Err(BREAKS.to_owned());
    }
    let ignores_case = match given.last(&['i', 's', 'S']) {
        Some('i') => true,
        Some('S') if fixed => is_small(patterns.iter().flat_map(|pattern| pattern.chars()).collect()),
        Some('S') => is_small(texts.iter().flat_map(|text| literals(text)).collect()),
        _ => false,
    };
    let spans = multiline && (has_break || (!fixed && may_span(&all, dotall)));
    let written = if fixed || spans { all } else { dialect::written(&all, Dialect { perl: false, lines: true }) };
    let is_whole = fixed || !dialect::may_break(&written);
    let around = Around { words: given.has('w'), lines: given.has('x'), breaks: false };
    let mut flags = String::from("m");
    for (letter, is_on) in [('i', ignores_case), ('s', dotall)] {
        if is_on {
            flags.push(letter);
        }
    }
    if given.has(NO_UNICODE) {
        flags.push_str("-u");
    }
    let regex = Regex::rust(&format!("(?{flags}){}", around.put(&written)))?;
    Ok(Matcher::of(regex, is_whole && !spans, spans))
}

/// Whether there are letters, and none of them is a capital one.
fn is_small(chars: Vec<char>) -> bool {
    !chars.is_empty() && !chars.iter().any(|char| char.is_uppercase())
}

/// The characters of a pattern that stand for themselves.
fn literals(pattern: &str) -> Vec<char> {
    let mut out = Vec::new();
    let mut rest = pattern;
    while let Some(char) = rest.chars().next() {
        rest = &rest[char.len_utf8()..];
        match char {
            '\\' => {
                let Some(next) = rest.chars().next() else { break };
                rest = &rest[next.len_utf8()..];
                match next {
                    'p' | 'P' | 'x' | 'u' | 'U' => {
                        let length = match rest.strip_prefix('{') {
                            Some(inside) => inside.find('}').map_or(rest.len(), |end| end + 2),
                            None => rest.chars().next().map_or(0, char::len_utf8),
                        };
                        rest = &rest[length..];
                    }
                    next if next.is_ascii_alphanumeric() => (),
                    next => out.push(next),
                }
            }
            '(' if rest.starts_with('?') => {
                // Flags, or the name of a group.
                let length = rest.find([')', ':', '>']).map_or(rest.len(), |end| end + 1);
                rest = &rest[length..];
            }
            '{' if rest.starts_with(|next: char| next.is_ascii_digit()) => {
                rest = &rest[rest.find('}').map_or(rest.len(), |end| end + 1)..];
            }
            '.' | '*' | '+' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' => (),
            char => out.push(char),
        }
    }
    out
}

/// Whether a pattern has `\n` outside of its classes.
fn has_escaped_break(pattern: &str) -> bool {
    let (mut escapes, mut depth) = (false, 0_usize);
    for byte in pattern.bytes() {
        match byte {
            b'n' if escapes && depth == 0 => return true,
            _ if escapes => (),
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            _ => (),
        }
        escapes = byte == b'\\' && !escapes;
    }
    false
}

/// Whether a match may have a line break in it.
fn may_span(pattern: &str, dotall: bool) -> bool {
    const PARTS: &[&str] = &["\\n", "\\s", "\\W", "\\D", "[^", "[:", "\\x", "\\p", "\\P", "\\z", "\\A", "\\u", "\\U"];
    let is_dot = dotall && pattern.contains('.');
    let has_flag = pattern.split("(?").skip(1).any(|rest| {
        let flags = rest.split([')', ':', '<', 'P']).next().unwrap_or_default();
        flags.split('-').next().is_some_and(|flags| flags.contains('s'))
    });
    is_dot || has_flag || PARTS.iter().any(|part| pattern.contains(part))
}

/// What is printed instead of a match: `$1`, `${name}` and `$$` are special.
pub fn replacement(text: &[u8], matcher: &Matcher) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut plain = BString::default();
    let mut rest = text;
    while let Some((byte, behind)) = rest.split_first() {
        let (name, length) = match behind.first() {
            Some(b'$') if *byte == b'$' => {
                plain.push(b'$');
                rest = &behind[1..];
                continue;
            }
            Some(b'{') if *byte == b'$' => match behind.find_byte(b'}') {
                Some(end) => (&behind[1..end], end + 1),
                None => (&behind[..0], 0),
            },
            Some(_) if *byte == b'$' => {
                let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                let length = behind.iter().take_while(|byte| is_name(byte)).count();
                (&behind[..length], length)
            }
            _ => (&behind[..0], 0),
        };
        if length == 0 {
            plain.push(*byte);
            rest = behind;
            continue;
        }
        rest = &behind[length..];
        if !plain.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut plain)));
        }
        let name = name.to_str_lossy();
        if let Some(number) = name.parse().ok().or_else(|| matcher.group(&name)) {
            parts.push(Part::Group(number));
        }
    }
    if !plain.is_empty() {
        parts.push(Part::Text(plain));
    }
    parts
}
