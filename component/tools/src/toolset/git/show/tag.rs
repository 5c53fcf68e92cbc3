//! Shows a tag object.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::Kind;

use super::commit::Commits;
use super::report::Report;
use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};
use crate::git::text::log_entries::Entries;
use crate::git::worktree::sparse::Sparse;

/// The object that a tag names.
pub struct Tagged {
    pub id: ObjectId,
    /// Its kind, according to the tag.
    kind: Kind,
}

impl Tagged {
    /// Parses the tag `tag` with the content `data`, whose fields must have git's order. The error has git's words, if git has any.
    fn of(tag: ObjectId, data: &[u8]) -> Result<Tagged, Option<String>> {
        let rest = data.strip_prefix(b"object ").ok_or(None)?;
        let (id, rest) = rest.split_once_str("\n").ok_or(None)?;
        let id = ObjectId::from_hex(id).map_err(|_| None)?;
        let (kind, rest) = rest.strip_prefix(b"type ").and_then(|rest| rest.split_once_str("\n")).ok_or(None)?;
        if kind.len() > LONGEST_TYPE {
            return Err(None);
        }
        let unknown = || Some(format!("error: unknown tag type '{}' in {tag}", kind.to_str_lossy()));
        let kind = Kind::from_bytes(kind).map_err(|_| unknown())?;
        let name = rest.strip_prefix(b"tag ").filter(|name| name.contains(&b'\n'));
        name.map(|_| Tagged { id, kind }).ok_or(None)
    }

    /// Fails if the object has another kind, or is missing. In a sparse sandbox a missing object may still arrive.
    pub fn ensure(&self, repo: &Repo) -> Result<(), ToolError> {
        let Tagged { id, kind } = self;
        let header = repo.gix.try_find_header(*id).map_err(|error| damaged(&error))?;
        let mismatch = match header {
            Some(header) if header.kind() == *kind => return Ok(()),
            Some(header) => format!("error: object {id} is a {kind}, not a {}\n", header.kind()),
            None if Sparse::load(repo)?.is_some() => return Ok(()),
            None => String::new(),
        };
        Err(ToolError::failed(format!("{mismatch}error: could not read object {id}")))
    }
}

/// Maximum length in bytes of a type that git reads.
const LONGEST_TYPE: usize = 19;

/// Appends the tag `id` with the content `data`. Returns the object that it names. `source` is the caller's name for this tag, if any.
pub fn append(
    commits: &Commits<'_>,
    (id, data): (ObjectId, &[u8]),
    source: Option<&str>,
    entries: &mut Entries,
    report: &mut Report,
) -> Result<Tagged, ToolError> {
    let tagged = Tagged::of(id, data).map_err(|reason| {
        let reason = reason.map_or_else(String::new, |reason| reason + "\n");
        ToolError::failed(match source {
            Some(source) => format!("{reason}fatal: bad object {source}"),
            None => format!("{reason}error: could not read object {id}"),
        })
    })?;
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
    Ok(tagged)
}
