//! The lines as git prints them: what they come from in columns, then what they say.

use std::collections::BTreeMap;

use gix::bstr::{BStr, ByteSlice};

use super::author::Author;
use super::found::{Found, Group};
use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::git::abbrev::Abbrev;
use crate::git::columns;
use crate::output::{TRUNCATION_MARKER, truncate};

/// How wide the columns are.
struct Columns {
    /// Digits of an id, with the mark of a boundary.
    id: usize,
    /// Bytes of a path; none if all lines come from the path that was named.
    path: Option<usize>,
    author: usize,
    number: usize,
}

/// The text, as far as there is room for it.
pub struct Text {
    pub bytes: Vec<u8>,
    /// How many lines of it are whole once it is cut to its room.
    pub whole: usize,
    /// Whether there are more.
    pub is_cut: bool,
}

/// Writes what was found, and stops when there is more than `max_bytes`.
pub fn write(found: &Found, abbrev: &Abbrev<'_>, max_bytes: usize, deadline: &Deadline) -> Result<Text, ToolError> {
    let columns = columns(found, abbrev, deadline)?;
    let prefixes: BTreeMap<usize, (String, Vec<u8>)> =
        found.groups.iter().map(|group| (group.source, prefix(found, group, &columns))).collect();
    let mut bytes = Vec::new();
    // The length at the end of each line, once control characters are visible.
    let (mut shown, mut ends) = (0, Vec::new());
    'groups: for group in &found.groups {
        let (id, who) = &prefixes[&group.source];
        for at in 0..group.count {
            if shown > max_bytes {
                break 'groups;
            }
            let number = group.line + at + 1;
            let content = found.line(group.line + at);
            if deadline.passed(1 + units(content.len())) {
                return Err(deadline.timeout(truncate(patch::escape::escape(&bytes).into_owned(), max_bytes).0));
            }
            let start = bytes.len();
            bytes.extend_from_slice(id.as_bytes());
            bytes.extend_from_slice(who);
            bytes.extend_from_slice(format!(" {number:width$}) ", width = columns.number).as_bytes());
            bytes.extend_from_slice(content);
            if !content.ends_with(b"\n") {
                bytes.push(b'\n');
            }
            shown += patch::escape::escape(&bytes[start..]).len();
            ends.push(shown);
        }
    }
    let is_cut = shown > max_bytes;
    let room = if is_cut { max_bytes.saturating_sub(TRUNCATION_MARKER.len()) } else { max_bytes };
    let whole = ends.partition_point(|end| *end <= room);
    Ok(Text { bytes, whole, is_cut })
}

fn columns(found: &Found, abbrev: &Abbrev<'_>, deadline: &Deadline) -> Result<Columns, ToolError> {
    let (mut id, mut path, mut author) = (0, 0, 0);
    for source in &found.sources {
        deadline.poll()?;
        id = id.max(abbrev.length_of(&source.commit)?);
        path = path.max(source.path.len());
        author = author.max(columns::width(&source.author.name));
    }
    let is_elsewhere = found.sources.iter().any(|source| source.path != found.path);
    let last = found.groups.last().map_or(0, |group| group.line + group.count);
    Ok(Columns { id: id + 1, path: is_elsewhere.then_some(path), author, number: last.to_string().len() })
}

/// What stands before the number of each line of `group`: the id with the path, and the author with the date.
fn prefix(found: &Found, group: &Group, columns: &Columns) -> (String, Vec<u8>) {
    let source = &found.sources[group.source];
    let hex = source.commit.to_string();
    let mark = usize::from(source.is_boundary);
    let digits = (columns.id - mark).min(hex.len());
    let id = format!("{}{}", &"^"[..mark], &hex[..digits]);
    let mut who = Vec::new();
    if let Some(width) = columns.path {
        who.push(b' ');
        who.extend_from_slice(&source.path);
        who.resize(1 + width, b' ');
    }
    let Author { name, date, .. } = &source.author;
    who.extend_from_slice(b" (");
    who.extend_from_slice(until_nul(name.as_ref()));
    let pad = columns.author - columns::width(name);
    who.extend(std::iter::repeat_n(b' ', pad + 1));
    who.extend_from_slice(date.as_bytes());
    (id, who)
}

/// git's strings end at a NUL.
fn until_nul(text: &BStr) -> &[u8] {
    text.find_byte(0).map_or(text, |end| text[..end].as_bstr())
}
