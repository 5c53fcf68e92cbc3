//! Compares a merge with all its parents, and keeps the paths that differ from each of them.

use gix::bstr::{BString, ByteSlice};
use patch::combined::{Combined, MOST_PARENTS, Outcome, ParentCount, combined};
use patch::sort::map;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::version::Version;
use crate::git::text::patch_text::file::File;
use crate::git::text::patch_text::form::Form;
use crate::git::text::patch_text::queue::Queue;
use crate::git::text::patch_text::sides::side;
use crate::git::text::patch_text::writer::Writer;
use crate::git::text::workspace_path;
use crate::git::worktree::changes::Change;
use crate::git::worktree::content::Contents;

/// The paths of a merge that differ from every parent compared so far.
pub struct Joint {
    /// In the order of the first parent's queue.
    paths: Vec<Joined>,
    /// The number of parents.
    parents: usize,
}

/// A path with its version in each parent and in the merge.
struct Joined {
    path: BString,
    /// Empty if the merge has more parents than a combined diff can have.
    parents: Vec<Option<Version>>,
    was_anywhere: bool,
    result: Option<Version>,
}

impl Joint {
    /// Starts with the changes against the first of `parents` parents.
    pub fn new(first: Queue, parents: usize) -> Joint {
        let join = |change: Change| {
            Joined { path: change.path, parents: Vec::new(), was_anywhere: false, result: change.new }
                .meet(change.old, parents)
        };
        Joint { paths: first.changes.into_iter().map(join).collect(), parents }
    }

    /// Keeps only paths that also differ from another parent.
    pub fn meet(&mut self, other: Queue) {
        let other = map(other.changes.into_iter().map(|change| (change.path, change.old)));
        let met = std::mem::take(&mut self.paths).into_iter().filter_map(|joined| {
            let old = *other.get(&joined.path)?;
            Some(joined.meet(old, self.parents))
        });
        self.paths = met.collect();
    }

    /// Appends the remaining paths after all parents were compared.
    pub fn append(
        &self,
        contents: &Contents<'_>,
        form: Form,
        writer: &mut Writer<'_>,
        deadline: &Deadline,
    ) -> Result<Vec<File>, ToolError> {
        let mut files = Vec::new();
        for joined in &self.paths {
            deadline.poll()?;
            let path = workspace_path::absolute(joined.path.as_bstr());
            let mut text = Vec::new();
            match form {
                Form::Names => {
                    text.extend_from_slice(&patch::quote::quote_path(joined.path.as_bstr()));
                    text.push(b'\n');
                }
                _ if self.parents > MOST_PARENTS => return Err(refused(ParentCount(self.parents))),
                _ => render(joined, contents, writer, &mut text)?,
            }
            writer.patch(path.clone(), &text);
            files.push(File::plain(path, joined.status()));
        }
        Ok(files)
    }
}

impl Joined {
    /// Adds the version in one more of `parents` parents.
    fn meet(mut self, old: Option<Version>, parents: usize) -> Joined {
        self.was_anywhere |= old.is_some();
        if parents <= MOST_PARENTS {
            self.parents.push(old);
        }
        self
    }

    fn status(&self) -> &'static str {
        match (&self.result, self.was_anywhere) {
            (None, _) => "deleted",
            (Some(_), false) => "added",
            (Some(_), true) => "modified",
        }
    }
}

fn refused(error: ParentCount) -> ToolError {
    ToolError::failed(error.to_string()).hint("Compare it with one parent at a time.")
}

fn render(joined: &Joined, contents: &Contents<'_>, writer: &Writer<'_>, out: &mut Vec<u8>) -> Result<(), ToolError> {
    let path = joined.path.as_bstr();
    let read = |version: &Option<Version>| -> Result<Option<Vec<u8>>, ToolError> {
        version.as_ref().map_or(Ok(None), |version| contents.read(path, version))
    };
    let before = joined.parents.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let after = read(&joined.result)?;
    let parents: Vec<_> = joined
        .parents
        .iter()
        .zip(&before)
        .map(|(version, content)| version.as_ref().map(|version| side(path, version, content.as_deref())))
        .collect();
    let outcome = match &joined.result {
        Some(version) => Outcome::Committed(side(path, version, after.as_deref())),
        None => Outcome::Removed,
    };
    let change = Combined::new(path, &parents, outcome).map_err(refused)?;
    let attribute = contents.attributes.diff_kind(path)?.attribute();
    writer.with_options(|options| {
        let options = patch::Options { attribute, ..options };
        combined(&change, &options, out).map_err(|_| writer.timeout(out))
    })
}
