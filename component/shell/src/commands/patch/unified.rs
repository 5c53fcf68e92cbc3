//! Hunks as `diff -u` writes them.

use bstr::BString;

use super::hunk::{Hunk, Kind, function, malformed, number};
use super::text::Text;

/// The most lines that may be missing at the end of a patch, because blank lines get lost.
const LOST: usize = 3;

/// Reads the next hunk.
pub fn next(text: &mut Text) -> Result<Option<Hunk>, String> {
    let mark = text.mark;
    let Some(heading) = text.line() else {
        text.mark = mark;
        return Ok(None);
    };
    let Some(rest) = heading.strip_prefix(b"@@ -") else {
        text.mark = mark;
        return Ok(None);
    };
    let (old, count, rest) = range(rest, text, &heading)?;
    let Some(rest) = rest.strip_prefix(b" +") else { return Err(malformed(text, &heading)) };
    let (new, new_count, rest) = range(rest, text, &heading)?;
    let Some(rest) = rest.strip_prefix(b" @@") else { return Err(malformed(text, &heading)) };
    let function = function(rest);
    let lines = lines(text, count, new_count)?;
    Ok(Some(Hunk::new(old, new, lines, function)))
}

fn range<'a>(rest: &'a [u8], text: &Text, heading: &[u8]) -> Result<(usize, usize, &'a [u8]), String> {
    let (first, rest) = number(rest, text, heading)?;
    match rest.strip_prefix(b",") {
        Some(rest) => number(rest, text, heading).map(|(count, rest)| (first, count, rest)),
        None => Ok((first, 1, rest)),
    }
}

fn lines(text: &mut Text, mut old: usize, mut new: usize) -> Result<Vec<(Kind, BString)>, String> {
    let mut lines = Vec::new();
    while old > 0 || new > 0 {
        let line = match text.line() {
            Some(line) => line,
            None if new <= LOST && !lines.is_empty() => b" \n".to_vec(),
            None => return Err("unexpected end of file in patch".to_owned()),
        };
        let (kind, mut content) = match line[0] {
            b'-' | b'=' if old > 0 => (Kind::Delete, BString::from(&line[1..])),
            b'+' if new > 0 => (Kind::Insert, BString::from(&line[1..])),
            b' ' if old > 0 && new > 0 => (Kind::Context, BString::from(&line[1..])),
            // The blank that marks a line which stays gets lost if nothing else is in that line.
            b'\t' | b'\n' if old > 0 && new > 0 => (Kind::Context, BString::from(&line[..])),
            _ => return Err(malformed(text, &line)),
        };
        old -= usize::from(kind != Kind::Insert);
        new -= usize::from(kind != Kind::Delete);
        // Only the last line of a side can lack its end.
        let last = match kind {
            Kind::Context => old == 0 && new == 0,
            Kind::Delete => old == 0,
            Kind::Insert => new == 0,
        };
        if last && text.says_endless() {
            content.pop();
        }
        lines.push((kind, content));
        let changes = lines.iter().any(|(kind, _)| *kind != Kind::Context);
        if old == 0 && new == 0 && !changes {
            return Err(malformed(text, &line));
        }
    }
    Ok(lines)
}
