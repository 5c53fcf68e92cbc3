//! Paths that a call names although a `.gitignore` excludes them.

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

/// What git says of them; nothing, if there are none.
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

/// The first folder or file on the way to what the item names that is excluded. A glob names something as far as its first wildcard.
fn excluded(repo: &Repo, index: &State, item: &Item, deadline: &Deadline) -> Result<Option<BString>, ToolError> {
    let named = item.literal();
    let ends = named.find_iter(b"/").chain((!named.ends_with(b"/")).then_some(named.len()));
    for path in ends.map(|end| named[..end].as_bstr()).filter(|path| !path.is_empty()) {
        let Ok(stat) = repo.stat(path) else { break };
        let tracked = index.entry_range(path).map(|range| &index.entries()[range]).unwrap_or_default();
        let is_folder = stat.kind == Kind::Folder;
        // Nothing is looked for in a submodule; in a folder that stands in a tracked file's place it is.
        if !tracked.is_empty() && (!is_folder || tracked.iter().any(|entry| entry.mode.is_submodule())) {
            break;
        }
        if excludes::is_ignored(repo, index, path, deadline)? {
            // What is tracked is not to be added anyway.
            return Ok(tracked.is_empty().then(|| path.to_owned()));
        }
        if !is_folder {
            break;
        }
    }
    Ok(None)
}
