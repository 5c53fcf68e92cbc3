//! Writing a tree into an empty working folder, and the index that goes with it.

use std::rc::Rc;

use gix::ObjectId;
use gix::index::{State, entry};

use crate::deadline::Deadline;
use crate::error::ToolError;
use crate::git::flat_tree;
use crate::git::packed::Packs;
use crate::git::repo::{Repo, damaged};
use crate::git::writer::{Writer, is_file};

/// Writes every file of `tree` below the root of the working folder, which is empty, and gives the index.
pub fn checkout(
    trees: &mut flat_tree::Cache,
    repo: &Repo,
    tree: ObjectId,
    deadline: &Deadline,
) -> Result<State, ToolError> {
    let tree = flat_tree::load(trees, repo, tree, deadline)?;
    let mut state = flat_tree::index_of(&tree)?;
    // Every blob is read once: keeping them would only cost memory.
    let mut objects = gix::Repository::clone(&repo.gix);
    objects.object_cache_size(0);
    let rules = Rc::new(state.clone());
    let packs = Packs::of(repo)?;
    let mut writer = Writer::of_checkout(repo, &rules, deadline);
    let (entries, backing) = state.entries_mut_and_pathbacking();
    for entry in entries {
        deadline.poll_units(8)?;
        let (path, mode) = (entry.path_in(backing), entry.mode);
        let packed = if is_file(mode) { packs.blob(entry.id) } else { None };
        entry.stat = match packed {
            Some(packed) if !writer.converts() => writer.write_inflated(path, mode, packed)?,
            packed => {
                let content = match mode {
                    entry::Mode::COMMIT => Vec::new(),
                    _ => objects.find_blob(entry.id).map_err(|error| damaged(&error))?.take_data(),
                };
                match (writer.converted(path, mode, &content)?, packed) {
                    (None, Some(packed)) => writer.write_inflated(path, mode, packed)?,
                    (converted, _) => writer.write_as_it_is(path, mode, converted.unwrap_or(content))?,
                }
            }
        };
    }
    Ok(state)
}
