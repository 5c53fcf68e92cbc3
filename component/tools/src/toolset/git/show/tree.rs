//! Shows the names in a tree.

use gix::ObjectId;

use super::report::Report;
use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::repo::{Repo, damaged};
use crate::git::text::log_entries::Entries;

/// Appends a line with the caller's name for the tree `id`, then the names in it, with a slash after folders.
pub fn append(
    repo: &Repo,
    named: &str,
    id: ObjectId,
    deadline: &Deadline,
    entries: &mut Entries,
    report: &mut Report,
) -> Result<(), ToolError> {
    if entries.has_any() {
        entries.append(b"\n");
    }
    entries.begin();
    entries.append(format!("tree {named}\n\n").as_bytes());
    if id == ObjectId::empty_tree(id.kind()) {
        return Ok(());
    }
    let tree = repo.gix.find_tree(id).map_err(|error| damaged(&error))?;
    for entry in tree.iter() {
        deadline.poll()?;
        let entry = entry.map_err(|error| damaged(&error))?;
        let mut line = entry.filename().to_vec();
        if entry.mode().is_tree() {
            line.push(b'/');
        }
        report.name(&line);
        line.push(b'\n');
        entries.append(&line);
    }
    Ok(())
}
