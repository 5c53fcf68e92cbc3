//! Refuses ignored paths that a call names explicitly.

use std::collections::BTreeSet;

use gix::bstr::{BString, ByteSlice};
use gix::index::State;

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::pathspec::Item;
use crate::git::store::repo::Repo;
use crate::git::words::advice::advice;
use crate::git::worktree::excludes;
use crate::platform::Kind;

/// git's message about them, or an empty text without any.
pub fn complaint(repo: &Repo, index: &State, items: &[Item], deadline: &Deadline) -> Result<String, ToolError> {
    let mut ignored: BTreeSet<BString> = BTreeSet::new();
    for item in items {
        ignored.extend(excluded(repo, index, item, deadline)?);
    }
    if ignored.is_empty() {
        return Ok(String::new());
    }
    let list: String = ignored.iter().map(|path| format!("{path}\n")).collect();
    let use_force = advice("Use -f if you really want to add them.", "addIgnoredFile");
    Ok(format!("The following paths are ignored by one of your .gitignore files:\n{list}{use_force}"))
}

/// The first excluded folder or file on the way to the named path. Of a glob, only the part before its first wildcard counts.
fn excluded(repo: &Repo, index: &State, item: &Item, deadline: &Deadline) -> Result<Option<BString>, ToolError> {
    let named = item.literal();
    let ends = named.find_iter(b"/").chain((!named.ends_with(b"/")).then_some(named.len()));
    for path in ends.map(|end| named[..end].as_bstr()).filter(|path| !path.is_empty()) {
        let Ok(stat) = repo.stat(path) else { break };
        let tracked = index.entry_range(path).map(|range| &index.entries()[range]).unwrap_or_default();
        let is_folder = stat.kind == Kind::Folder;
        // git does not search submodules, but does search a folder in place of a tracked file.
        if !tracked.is_empty() && (!is_folder || tracked.iter().any(|entry| entry.mode.is_submodule())) {
            break;
        }
        if excludes::is_ignored(repo, index, path, deadline)? {
            // Nobody needs to add a tracked path.
            return Ok(tracked.is_empty().then(|| path.to_owned()));
        }
        if !is_folder {
            break;
        }
    }
    Ok(None)
}
