//! A tag object.

use gix::ObjectId;
use gix::bstr::ByteSlice;

use super::commit::Commits;
use super::report::Report;
use crate::error::ToolError;
use crate::git::entries::Entries;

/// Appends the tag with the content `data`, and gives the object that it names.
pub fn append(
    commits: &Commits<'_>,
    data: &[u8],
    entries: &mut Entries,
    report: &mut Report,
) -> Result<ObjectId, ToolError> {
    let end = match data.starts_with(b"\n") {
        true => 0,
        false => data.find(b"\n\n").map_or(data.len(), |at| at + 1),
    };
    let header = &data[..end];
    let line = |name: &[u8]| header.lines().find_map(|line| line.strip_prefix(name));
    let mut text = Vec::new();
    if entries.has_any() {
        text.push(b'\n');
    }
    let name = line(b"tag ").unwrap_or_default();
    text.extend_from_slice(b"tag ");
    text.extend_from_slice(name);
    text.push(b'\n');
    for tagger in header.lines().filter_map(|line| line.strip_prefix(b"tagger ")) {
        commits.printer.tagger(commits.format, tagger.as_bstr(), &mut text)?;
    }
    text.extend_from_slice(&data[end..]);
    entries.append(&text);
    entries.begin();
    report.tag(name, &data[end..]);
    let named = line(b"object ").and_then(|id| ObjectId::from_hex(id).ok());
    named.ok_or_else(|| ToolError::failed("A tag names no object"))
}
