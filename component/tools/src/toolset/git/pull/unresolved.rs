//! Refuses to pull while the conflicts of an earlier pull or merge are unresolved.

use std::rc::Rc;

use gix::bstr::{BString, ByteSlice};
use gix::index::State;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::change::labels::LABELS;
use crate::git::store::pathspec::Pathspec;
use crate::git::store::repo::Repo;
use crate::git::text::workspace_path;
use crate::git::worktree::attributes::Attributes;
use crate::git::worktree::{diff_files, merge_markers};

/// The maximum number of files that the hint names.
const NAMED: usize = 5;

/// Fails, in git's words, if a file is unresolved: the index has it unmerged, or the working folder has it with the markers of a pull. A pull
/// marks the conflict in the file only, so the file is resolved when the markers are gone or it is staged.
pub fn ensure_none(repo: &Repo, index: &Rc<State>, deadline: &Deadline) -> Result<(), ToolError> {
    let unresolved = unresolved(repo, index, deadline)?;
    if unresolved.is_empty() {
        return Ok(());
    }
    let names: Vec<String> =
        unresolved.iter().take(NAMED).map(|path| workspace_path::absolute(path.as_bstr())).collect();
    let more = match unresolved.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Err(ToolError::failed("Pulling is not possible because you have unmerged files.").hint(format!(
        "Resolve {}{more}: edit the text between the markers <<<<<<< and >>>>>>>, remove the markers, then stage the files with git_stage.",
        names.join(", ")
    )))
}

fn unresolved(repo: &Repo, index: &Rc<State>, deadline: &Deadline) -> Result<Vec<BString>, ToolError> {
    let attributes = Attributes::of(repo, index.clone(), deadline);
    let options =
        diff_files::Options { untracked: false, pathspec: &Pathspec::all(), compare: diff_files::Compare::Content };
    let scan = diff_files::scan(repo, index, &attributes, &options, deadline)?;
    let mut found = Vec::new();
    for change in scan.changes {
        deadline.poll()?;
        if change.unmerged.is_some() || has_markers(repo, &change.path) {
            found.push(change.path);
        }
    }
    Ok(found)
}

/// Whether the file has the markers that a pull writes, with the names that a pull gives to the sides.
fn has_markers(repo: &Repo, path: &BString) -> bool {
    let opening = [b"<<<<<<< ", LABELS.ours].concat();
    merge_markers::search(repo, path.as_bstr()).is_some_and(|content| content.contains_str(&opening))
}
