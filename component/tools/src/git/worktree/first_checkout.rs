//! Checks out a tree into an empty working folder and builds its index.

use std::rc::Rc;

use gix::ObjectId;
use gix::index::{State, entry};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::store::flat_tree;
use crate::git::store::repo::{Repo, damaged};
use crate::git::worktree::writer::Writer;

/// Writes every file of `tree` to the empty working folder, and returns the index.
pub fn checkout(
    trees: &mut flat_tree::Cache,
    repo: &Repo,
    tree: ObjectId,
    deadline: &Deadline,
) -> Result<State, ToolError> {
    let tree = flat_tree::load(trees, repo, tree, deadline)?;
    let mut state = flat_tree::index_of(&tree)?;
    // This reads each blob once, so a cache would only cost memory.
    let mut objects = gix::Repository::clone(&repo.gix);
    objects.object_cache_size(0);
    let rules = Rc::new(state.clone());
    let mut writer = Writer::of_checkout(repo, &rules, deadline);
    let (entries, backing) = state.entries_mut_and_pathbacking();
    for entry in entries {
        deadline.poll_units(8)?;
        let (path, mode) = (entry.path_in(backing), entry.mode);
        entry.stat = match writer.write_unread(path, mode, entry.id)? {
            Some(stat) => stat,
            None => {
                let content = match mode {
                    entry::Mode::COMMIT => Vec::new(),
                    _ => objects.find_blob(entry.id).map_err(|error| damaged(&error))?.take_data(),
                };
                writer.write_object(path, mode, entry.id, content)?
            }
        };
    }
    Ok(state)
}
