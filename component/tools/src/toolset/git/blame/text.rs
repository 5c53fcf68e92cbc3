//! Formats the lines as git does: their source in columns, then their content.

use gix::bstr::{BStr, ByteSlice};
use patch::escape::{beginning, escaped_len, into_escaped};

use super::author::Author;
use super::found::{Found, Group};
use crate::deadline::{Deadline, units};
use crate::error::ToolError;
use crate::git::store::abbrev::Abbrev;
use crate::output::{TRUNCATION_MARKER, truncate};

/// The column widths.
struct Columns {
    /// Digits of an id, plus one for the mark of a boundary.
    id: usize,
    /// Bytes of a path. `None` if all lines come from the named path.
    path: Option<usize>,
    author: usize,
    number: usize,
}

/// The text, cut soon after its size limit, with git's error stream at the end.
pub struct Text {
    pub bytes: Vec<u8>,
    /// The number of lines that remain whole after the cut.
    pub whole: usize,
    /// Whether lines or git's error stream do not fit.
    pub is_cut: bool,
}

/// Formats the result, and stops after more than `max_bytes`.
pub fn write(found: &Found, abbrev: &Abbrev<'_>, max_bytes: usize, deadline: &Deadline) -> Result<Text, ToolError> {
    let columns = columns(found, abbrev, deadline)?;
    let mut bytes = Vec::new();
    // The length at the end of each line, with control characters escaped.
    let (mut shown, mut ends) = (0, Vec::new());
    'groups: for group in &found.groups {
        if shown > max_bytes {
            break;
        }
        // Padded to the widest column of all, so it is built only for shown groups.
        let (id, who) = prefix(found, group, &columns);
        deadline.poll_units(units(who.len()))?;
        for at in 0..group.count {
            if shown > max_bytes {
                break 'groups;
            }
            let number = group.line + at + 1;
            let content = found.line(group.line + at);
            if deadline.passed(1 + units(content.len())) {
                let safe = into_escaped(beginning(bytes, max_bytes));
                return Err(deadline.timeout(truncate(safe, max_bytes).0));
            }
            let start = bytes.len();
            bytes.extend_from_slice(id.as_bytes());
            bytes.extend_from_slice(&who);
            bytes.extend_from_slice(format!(" {number:width$}) ", width = columns.number).as_bytes());
            bytes.extend_from_slice(content);
            if !content.ends_with(b"\n") {
                bytes.push(b'\n');
            }
            shown += escaped_len(&bytes[start..], max_bytes);
            ends.push(shown);
        }
    }
    let mut tail = String::new();
    if !found.warnings.is_empty() {
        tail = format!("\n\n[stderr]\n{}", found.warnings);
    }
    bytes.extend_from_slice(tail.as_bytes());
    let is_cut = shown + escaped_len(tail.as_bytes(), max_bytes) > max_bytes;
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
        author = author.max(source.width);
    }
    let is_elsewhere = found.sources.iter().any(|source| source.path != found.path);
    let last = found.groups.last().map_or(0, |group| group.line + group.count);
    Ok(Columns { id: id + 1, path: is_elsewhere.then_some(path), author, number: last.to_string().len() })
}

/// The columns before the line numbers of `group`: first the id, then the path, author and date.
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
    let pad = columns.author - source.width;
    who.extend(std::iter::repeat_n(b' ', pad + 1));
    who.extend_from_slice(date.as_bytes());
    (id, who)
}

/// The text up to a NUL, which ends git's strings.
fn until_nul(text: &BStr) -> &[u8] {
    text.find_byte(0).map_or(text, |end| text[..end].as_bstr())
}

#[cfg(all(test, not(target_os = "wasi")))]
mod tests {
    use gix::ObjectId;

    use super::*;
    use crate::testing::Sandbox;
    use crate::toolset::git::blame::found::Source;

    #[test]
    fn of_what_has_no_room_nothing_is_made() {
        let mut sandbox = Sandbox::with_two_commits();
        let repo = sandbox.session.repo().unwrap();
        let author = |name: &str| Author {
            name: name.into(),
            email: String::new(),
            date: String::new(),
            time: String::new(),
            summary: String::new(),
        };
        let commit = ObjectId::null(gix::hash::Kind::Sha1);
        let source = |width| Source {
            commit,
            is_committed: true,
            path: "a".into(),
            is_boundary: false,
            author: author("A"),
            width,
        };
        // The second group has an invalid source, so accessing it would panic.
        let groups = [(0, 0), (1, 2)].map(|(line, source)| Group { line, origin: line, count: 1, source });
        let found = Found::for_test("a", b"1\n2\n", vec![source(1), source(1000)], groups.into());
        let text = write(&found, &Abbrev::of(&repo).unwrap(), 100, &Deadline::after(|| 0, u64::MAX)).unwrap();
        assert_eq!((text.whole, text.is_cut), (0, true));
        assert!(text.bytes.starts_with(b"00000000 (A   "), "{:?}", text.bytes.as_bstr());
    }
}
