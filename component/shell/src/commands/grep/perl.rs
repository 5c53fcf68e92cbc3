//! Patterns in Perl's syntax, as far as Rust's library has it. What Perl looks at without taking it is taken, and left out of the match.

use bstr::{BString, ByteSlice};

use super::dialect::{self, Dialect, written};
use super::matcher::Meaning;
use crate::regexp::Regex;

/// Reads patterns: the expression, the group that is meant, and whether no match has a line break.
pub fn read(patterns: &[BString], meaning: Meaning) -> Result<(Regex, usize, bool), String> {
    let texts: Vec<String> = patterns.iter().map(|pattern| pattern.to_str_lossy().into_owned()).collect();
    let is_whole = texts.iter().all(|text| !dialect::may_break(text));
    let mode = match (meaning.around.breaks, meaning.ignores_case) {
        (false, false) => "(?m)",
        (false, true) => "(?mi)",
        (true, false) => "(?s)",
        (true, true) => "(?si)",
    };
    let dialect = Dialect { perl: true, lines: !meaning.around.breaks };
    let rust = |text: &str| written(text, dialect);
    let (text, group) = match &*texts {
        [only] => match parted(only)? {
            Some((before, text, after)) => {
                let (before, text, after) = (rust(&before), rust(&text), rust(&after));
                let group = Regex::rust(&before).map_err(worded)?.groups;
                (format!("(?:{before})({text})(?:{after})"), group)
            }
            None => (rust(only), 0),
        },
        many => (many.iter().map(|text| format!("(?:{})", rust(text))).collect::<Vec<_>>().join("|"), 0),
    };
    let whole = format!("{mode}{}", meaning.around.put(&text));
    Ok((Regex::rust(&whole).map_err(worded)?, group, is_whole))
}

/// What is wrong, on one line.
pub fn worded(message: String) -> String {
    if message.contains("look-around") {
        return "look-around, including look-ahead and look-behind, is not supported".to_owned();
    }
    match message.rsplit_once("error: ") {
        Some((_, text)) => text.trim().to_owned(),
        None => message,
    }
}

/// A pattern with `\K`, or with something that is looked at before or behind it: these, and what is between them.
fn parted(pattern: &str) -> Result<Option<(String, String, String)>, String> {
    let mut depth = 0_usize;
    let (mut in_class, mut escapes) = (false, false);
    let (mut kept, mut ahead, mut has_ways) = (None, None, false);
    let behind = pattern.strip_prefix("(?<=").and_then(closing);
    let begin = behind.map_or(0, |length| "(?<=".len() + length + 1);
    for (at, byte) in pattern.bytes().enumerate().skip(begin) {
        match byte {
            b'K' if escapes && depth == 0 => kept = Some(at - 1),
            _ if escapes => (),
            b'[' => in_class = true,
            b']' => in_class = false,
            _ if in_class => (),
            b'(' => {
                if depth == 0 && pattern[at..].starts_with("(?=") {
                    ahead =
                        closing(&pattern[at + 3..]).filter(|length| at + 3 + length + 1 == pattern.len()).map(|_| at);
                }
                depth += 1;
            }
            b')' => depth = depth.saturating_sub(1),
            b'|' if depth == 0 => has_ways = true,
            _ => (),
        }
        escapes = byte == b'\\' && !escapes;
    }
    if has_ways || (kept.is_none() && ahead.is_none() && behind.is_none()) {
        return Ok(None);
    }
    let end = ahead.unwrap_or(pattern.len());
    let after = ahead.map_or("", |at| &pattern[at + 3..pattern.len() - 1]);
    let before = behind.map_or("", |length| &pattern[4..4 + length]);
    Ok(Some(match kept {
        Some(at) => (format!("(?:{before}){}", &pattern[begin..at]), pattern[at + 2..end].to_owned(), after.to_owned()),
        None => (before.to_owned(), pattern[begin..end].to_owned(), after.to_owned()),
    }))
}

/// How long the inside of a group is that was opened before.
fn closing(pattern: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let (mut in_class, mut escapes) = (false, false);
    for (at, byte) in pattern.bytes().enumerate() {
        match byte {
            _ if escapes => (),
            b'[' => in_class = true,
            b']' => in_class = false,
            _ if in_class => (),
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(at),
            b')' => depth -= 1,
            _ => (),
        }
        escapes = byte == b'\\' && !escapes;
    }
    None
}
