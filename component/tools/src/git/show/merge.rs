//! What a merge makes of all its parents at once: the paths that are as they are in none of them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use patch::combined::{Combined, Outcome, combined};
use patch::{Content, Side};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::abbrev::Abbrev;
use crate::git::attributes::DiffKind;
use crate::git::changes::{Change, Version};
use crate::git::content::{Contents, SUBMODULE};
use crate::git::diff::report::File;
use crate::git::diff::select::Queue;
use crate::git::diff::text::{Form, Writer};
use crate::git::shown;

/// A path, what it was in each parent, and what it is in the merge.
struct Joined<'q> {
    path: &'q BStr,
    parents: Vec<Option<Version>>,
    result: Option<Version>,
}

/// Appends the paths that differ from every parent, as `queues` say, one for each.
pub fn append(
    queues: &[Queue],
    contents: &Contents<'_>,
    form: Form,
    writer: &mut Writer<'_>,
    deadline: &Deadline,
) -> Result<Vec<File>, ToolError> {
    let abbrev = Abbrev::of(contents.repo)?;
    let mut files = Vec::new();
    for joined in joined(queues) {
        deadline.poll()?;
        let path = shown::absolute(joined.path);
        let mut text = Vec::new();
        match form {
            Form::Names => {
                text.extend_from_slice(&patch::quote::quote_path(joined.path));
                text.push(b'\n');
            }
            _ => render(&joined, contents, &abbrev, deadline, &mut text)?,
        }
        writer.patch(path.clone(), &text);
        files.push(File::plain(path, joined.status()));
    }
    Ok(files)
}

impl Joined<'_> {
    fn status(&self) -> &'static str {
        match (&self.result, self.parents.iter().any(Option::is_some)) {
            (None, _) => "deleted",
            (Some(_), false) => "added",
            (Some(_), true) => "modified",
        }
    }
}

/// The paths that all queues have, in the order of the first.
fn joined(queues: &[Queue]) -> Vec<Joined<'_>> {
    let Some((first, others)) = queues.split_first() else {
        return Vec::new();
    };
    let by_path = |queue: &'_ Queue| -> BTreeMap<BString, Option<Version>> {
        queue.changes.iter().map(|change| (change.path.clone(), change.old)).collect()
    };
    let others: Vec<_> = others.iter().map(by_path).collect();
    let join = |change: &'_ Change| -> Option<Vec<Option<Version>>> {
        let mut parents = vec![change.old];
        for other in &others {
            parents.push(*other.get(&change.path)?);
        }
        Some(parents)
    };
    first
        .changes
        .iter()
        .filter_map(|change| Some(Joined { path: change.path.as_bstr(), parents: join(change)?, result: change.new }))
        .collect()
}

fn render(
    joined: &Joined<'_>,
    contents: &Contents<'_>,
    abbrev: &Abbrev<'_>,
    deadline: &Deadline,
    out: &mut Vec<u8>,
) -> Result<(), ToolError> {
    let read = |version: &Option<Version>| -> Result<Option<Vec<u8>>, ToolError> {
        version.as_ref().map_or(Ok(None), |version| contents.read(joined.path, version))
    };
    let before = joined.parents.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let after = read(&joined.result)?;
    let parents: Vec<_> =
        joined.parents.iter().zip(&before).map(|(version, content)| side(joined.path, version, content)).collect();
    let outcome = side(joined.path, &joined.result, &after).map_or(Outcome::Removed, Outcome::Committed);
    let change = Combined::new(joined.path, &parents, outcome)
        .map_err(|error| ToolError::failed(error.to_string()).hint("Compare it with one parent at a time."))?;
    let poll = || deadline.flow(1024);
    let failure = RefCell::new(None);
    let length_of = |id: &ObjectId| {
        abbrev.length_of(id).unwrap_or_else(|error| {
            failure.borrow_mut().get_or_insert(error);
            id.kind().len_in_hex()
        })
    };
    let options = patch::Options {
        abbrev: patch::Abbrev::Unique(&length_of),
        attribute: match contents.attributes.diff_kind(joined.path)? {
            DiffKind::Auto => patch::DiffAttribute::Unspecified,
            DiffKind::Text => patch::DiffAttribute::Set,
            DiffKind::Binary => patch::DiffAttribute::Unset,
        },
        deadline: patch::Deadline::new(&poll),
        ..Default::default()
    };
    combined(&change, &options, out).map_err(|_| deadline.timeout(String::new()))?;
    failure.into_inner().map_or(Ok(()), Err)
}

fn side<'c>(path: &'c BStr, version: &Option<Version>, content: &'c Option<Vec<u8>>) -> Option<Side<'c>> {
    let version = version.as_ref()?;
    let content = match content {
        _ if version.mode == SUBMODULE => Content::Submodule,
        Some(bytes) => Content::Bytes(bytes),
        None => Content::Absent,
    };
    Some(Side { path, mode: version.mode, id: version.id, content })
}
