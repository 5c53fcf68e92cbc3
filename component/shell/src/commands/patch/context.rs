//! Hunks as `diff -c` writes them.

use std::collections::VecDeque;

use bstr::{BString, ByteSlice};

use super::hunk::{Hunk, Kind, function, malformed, number};
use super::text::Text;

/// The line that a hunk begins with, up to here.
pub const STARS: &[u8] = b"********";

/// How many lines are not just lost at the end of a patch, as blank ones are.
const LOST: usize = 3;

/// The lines of one side, with their marks.
type Side = VecDeque<(u8, BString)>;

/// Reads the next hunk.
pub fn next(text: &mut Text) -> Result<Option<Hunk>, String> {
    let start = text.mark;
    let Some(function) = heading(text) else {
        text.mark = start;
        return Ok(None);
    };
    let Some(line) = text.line() else { return Err("unexpected end of file in patch".to_owned()) };
    let Some(rest) = line.strip_prefix(b"*** ") else {
        text.mark = start;
        return Ok(None);
    };
    let (old_first, mut old_count) = range(rest, text, &line)?;
    let old = old_side(text, old_count)?;
    let Some(line) = text.line() else { return Err("unexpected end of file in patch".to_owned()) };
    let Some(rest) = line.strip_prefix(b"--- ") else {
        return Err(format!("no '---' found in patch at line {}", text.mark.line));
    };
    let (new_first, mut new_count) = range(rest, text, &line)?;
    let new = new_side(text, new_count)?;
    // A number alone may stand for no lines, behind that one.
    let none = |count: usize, side: &Side, other: &Side| {
        count == 1 && side.is_empty() && other.iter().all(|(mark, _)| *mark != b' ')
    };
    if none(old_count, &old, &new) {
        old_count = 0;
    } else if none(new_count, &new, &old) {
        new_count = 0;
    }
    let lines = merged(old, new, text)?;
    let hunk = Hunk::new(old_first, new_first, lines, function);
    if hunk.count(Kind::Insert) != old_count || hunk.count(Kind::Delete) != new_count {
        return Err(format!("context mangled in hunk at line {}", start.line + 1));
    }
    Ok(Some(hunk))
}

fn heading(text: &mut Text) -> Option<BString> {
    let line = text.line()?;
    if !line.starts_with(STARS) {
        return None;
    }
    let rest = line.trim_start_with(|char| char == '*');
    Some(function(rest))
}

/// The first line of a side, and how many it has.
fn range(rest: &[u8], text: &Text, line: &[u8]) -> Result<(usize, usize), String> {
    let (first, rest) = number(rest, text, line)?;
    match rest.strip_prefix(b",") {
        Some(rest) => {
            let (last, _) = number(rest, text, line)?;
            let count = (last + 1).checked_sub(first).ok_or_else(|| malformed(text, line))?;
            Ok((first, count))
        }
        None => Ok((first, usize::from(first > 0))),
    }
}

/// The old lines. They are left out if none of them goes.
fn old_side(text: &mut Text, count: usize) -> Result<Side, String> {
    let mut side = Side::new();
    while side.len() < count {
        let mark = text.mark;
        let Some(line) = text.line() else { return Err("unexpected end of file in patch".to_owned()) };
        if side.is_empty() && line.starts_with(b"--- ") {
            text.mark = mark;
            break;
        }
        let Some(found) = line_of(&line, b"-!") else { return Err(wrong(text, &line)) };
        push(text, &mut side, found);
    }
    Ok(side)
}

/// The new lines. They are left out if none of them comes.
fn new_side(text: &mut Text, count: usize) -> Result<Side, String> {
    let mut side = Side::new();
    while side.len() < count {
        let mark = text.mark;
        let line = text.line();
        let lost = line.is_none() && !side.is_empty() && count - side.len() < LOST;
        let line = line.or_else(|| lost.then(|| b"  \n".to_vec()));
        let found = line.and_then(|line| line_of(&line, b"+!"));
        match found {
            Some(found) => push(text, &mut side, found),
            None if side.is_empty() => {
                text.mark = mark;
                break;
            }
            None => return Err(format!("unexpected end of hunk at line {}", text.mark.line)),
        }
    }
    Ok(side)
}

fn push(text: &mut Text, side: &mut Side, (mark, mut content): (u8, BString)) {
    if text.says_endless() {
        content.pop();
    }
    side.push_back((mark, content));
}

fn wrong(text: &Text, line: &[u8]) -> String {
    let at = text.mark.line;
    if line.starts_with(b"--- ") {
        return format!("unexpected '---' at line {at}; check line numbers");
    }
    if line.starts_with(b"***") {
        return format!("unexpected '***' at line {at}: {}", line.as_bstr());
    }
    malformed(text, line)
}

/// A line's mark and what is behind it, if the line can be one of these.
fn line_of(line: &[u8], marks: &[u8]) -> Option<(u8, BString)> {
    let mark = line[0];
    match line {
        b"\n" => Some((b' ', "\n".into())),
        [_, b' ' | b'\t', rest @ ..] if mark == b' ' || marks.contains(&mark) => Some((mark, rest.into())),
        // The blanks that mark a line which stays get lost if nothing else is in that line.
        b" \n" => Some((b' ', "\n".into())),
        [b'\t', rest @ ..] => Some((b' ', rest.into())),
        _ => None,
    }
}

/// Both sides as one. A side that was left out has what stays of the other.
fn merged(old: Side, new: Side, text: &Text) -> Result<Vec<(Kind, BString)>, String> {
    let staying = |side: &Side| side.iter().filter(|(mark, _)| *mark == b' ').cloned().collect::<Side>();
    let (mut old, mut new) = match (old.is_empty(), new.is_empty()) {
        (true, false) => (staying(&new), new),
        (false, true) => {
            let new = staying(&old);
            (old, new)
        }
        _ => (old, new),
    };
    let mut lines = Vec::new();
    loop {
        let goes = old.pop_front_if(|(mark, _)| *mark != b' ');
        if let Some((_, content)) = goes {
            lines.push((Kind::Delete, content));
            continue;
        }
        let comes = new.pop_front_if(|(mark, _)| *mark != b' ');
        if let Some((_, content)) = comes {
            lines.push((Kind::Insert, content));
            continue;
        }
        match (old.pop_front(), new.pop_front()) {
            (None, None) => return Ok(lines),
            // They are alike. If not, the old one is what is looked for.
            (Some((_, content)), Some(_)) => lines.push((Kind::Context, content)),
            _ => {
                let at = text.mark.line;
                return Err(format!("replacement text or line numbers mangled in hunk at line {at}"));
            }
        }
    }
}
