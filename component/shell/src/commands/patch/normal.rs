//! Hunks as `diff` writes them.

use bstr::BString;

use super::hunk::{Hunk, Kind, malformed, number};
use super::text::Text;

/// Reads the next hunk.
pub fn next(text: &mut Text) -> Result<Option<Hunk>, String> {
    let mark = text.mark;
    let Some(line) = text.line() else {
        text.mark = mark;
        return Ok(None);
    };
    if !is_command(&line) {
        text.mark = mark;
        return Ok(None);
    }
    let (old, old_last, rest) = range(&line, text)?;
    let what = rest[0];
    let (new, new_last, _) = range_of(&rest[1..], text, &line)?;
    let count = |first: usize, last: usize| (last + 1).checked_sub(first).ok_or_else(|| malformed(text, &line));
    let old_count = if what == b'a' { 0 } else { count(old, old_last)? };
    let new_count = if what == b'd' { 0 } else { count(new, new_last)? };
    let mut lines = Vec::new();
    side(text, old_count, b'<', Kind::Delete, &mut lines)?;
    if what == b'c' {
        let line = next_line(text)?;
        if !line.starts_with(b"-") {
            return Err(format!("'---' expected at line {} of patch", text.mark.line));
        }
    }
    side(text, new_count, b'>', Kind::Insert, &mut lines)?;
    Ok(Some(Hunk::new(old, new, lines, BString::default())))
}

/// Whether a line says where something is added, changed or deleted.
pub fn is_command(line: &[u8]) -> bool {
    let numbers = |line: &[u8]| line.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b',').count();
    if !line.first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let rest = &line[numbers(line)..];
    let Some((b'a' | b'c' | b'd', rest)) = rest.split_first() else { return false };
    if !rest.first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let rest = &rest[numbers(rest)..];
    let rest = &rest[rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()..];
    matches!(rest, b"\n" | b"\r\n" | b"")
}

fn range<'a>(line: &'a [u8], text: &Text) -> Result<(usize, usize, &'a [u8]), String> {
    let (first, last, rest) = range_of(line, text, line)?;
    if rest.is_empty() { Err(malformed(text, line)) } else { Ok((first, last, rest)) }
}

fn range_of<'a>(rest: &'a [u8], text: &Text, line: &[u8]) -> Result<(usize, usize, &'a [u8]), String> {
    let (first, rest) = number(rest, text, line)?;
    match rest.strip_prefix(b",") {
        Some(rest) => number(rest, text, line).map(|(last, rest)| (first, last, rest)),
        None => Ok((first, first, rest)),
    }
}

fn next_line(text: &mut Text) -> Result<Vec<u8>, String> {
    text.line().ok_or_else(|| format!("unexpected end of file in patch at line {}", text.mark.line))
}

fn side(text: &mut Text, count: usize, sign: u8, kind: Kind, lines: &mut Vec<(Kind, BString)>) -> Result<(), String> {
    for _ in 0..count {
        let line = next_line(text)?;
        if line[0] != sign || !matches!(line.get(1), Some(b' ' | b'\t')) {
            let sign = char::from(sign);
            return Err(format!("'{sign}' followed by space or tab expected at line {} of patch", text.mark.line));
        }
        let mut content = BString::from(&line[2..]);
        if text.says_endless() {
            content.pop();
        }
        lines.push((kind, content));
    }
    Ok(())
}
