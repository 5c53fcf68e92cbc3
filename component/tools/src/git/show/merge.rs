//! What a merge makes of all its parents at once: the paths that are as they are in none of them.

use std::collections::BTreeMap;

use gix::bstr::{BStr, BString, ByteSlice};
use patch::combined::{Combined, Outcome, combined};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::changes::{Change, Version};
use crate::git::content::Contents;
use crate::git::diff::file::File;
use crate::git::diff::form::Form;
use crate::git::diff::select::Queue;
use crate::git::diff::sides::side;
use crate::git::diff::text::Writer;
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
            _ => render(&joined, contents, writer, &mut text)?,
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
    writer: &Writer<'_>,
    out: &mut Vec<u8>,
) -> Result<(), ToolError> {
    let read = |version: &Option<Version>| -> Result<Option<Vec<u8>>, ToolError> {
        version.as_ref().map_or(Ok(None), |version| contents.read(joined.path, version))
    };
    let before = joined.parents.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let after = read(&joined.result)?;
    let parents: Vec<_> = joined
        .parents
        .iter()
        .zip(&before)
        .map(|(version, content)| version.as_ref().map(|version| side(joined.path, version, content.as_deref())))
        .collect();
    let outcome = match &joined.result {
        Some(version) => Outcome::Committed(side(joined.path, version, after.as_deref())),
        None => Outcome::Removed,
    };
    let change = Combined::new(joined.path, &parents, outcome)
        .map_err(|error| ToolError::failed(error.to_string()).hint("Compare it with one parent at a time."))?;
    let attribute = contents.attributes.diff_kind(joined.path)?.attribute();
    writer.with_options(|options| {
        let options = patch::Options { attribute, ..options };
        combined(&change, &options, out).map_err(|_| writer.timeout(out))
    })
}
