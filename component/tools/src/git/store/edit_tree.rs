//! Edits trees as git does.

use std::borrow::Cow;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::Tree;
use gix::objs::tree::{Editor, Entry, EntryKind, EntryMode};

use crate::error::ToolError;
use crate::git::store::index_edit::Edits;
use crate::git::store::repo::{Repo, damaged};

/// Applies `edits` to the tree `base`. This reads and writes only the folders that change; the others may be missing.
pub fn edit_tree(repo: &Repo, base: ObjectId, edits: &Edits) -> Result<ObjectId, ToolError> {
    let base = if base.is_empty_tree() { Tree::empty() } else { decode(repo, base)? };
    let mut editor = Editor::new(base, &repo.gix.objects, gix::hash::Kind::Sha1);
    // Remove first, so that a folder can replace a file.
    for path in edits.iter().filter(|(_, slot)| slot.is_none()).map(|(path, _)| path) {
        editor.remove(path.split(|byte| *byte == b'/').map(|name| name.as_bstr())).map_err(|error| damaged(&error))?;
    }
    for (path, slot) in edits.iter().filter_map(|(path, slot)| Some((path, slot.as_ref()?))) {
        let mode = slot.mode.to_tree_entry_mode().map_or(EntryKind::Blob, |mode| mode.kind());
        editor
            .upsert(path.split(|byte| *byte == b'/').map(|name| name.as_bstr()), mode, slot.id)
            .map_err(|error| damaged(&error))?;
    }
    write_tree(repo, editor)
}

fn decode(repo: &Repo, id: ObjectId) -> Result<Tree, ToolError> {
    let tree = repo.gix.find_tree(id).map_err(|error| damaged(&error))?;
    let decoded = tree.decode().map_err(|error| damaged(&error))?;
    Ok(decoded.into())
}

/// Writes the edited trees, and returns the id of the root.
fn write_tree(repo: &Repo, mut editor: Editor<'_>) -> Result<ObjectId, ToolError> {
    editor
        .write(|tree| repo.gix.write_object(as_git_writes(tree).as_ref()).map(gix::Id::detach))
        .map_err(|error| damaged(&error))
}

/// The tree with canonical modes. Long ago git wrote others, such as 100664. It corrects them in every tree that it rewrites.
fn as_git_writes(tree: &Tree) -> Cow<'_, Tree> {
    let canonical = |entry: &Entry| EntryMode::from(entry.mode.kind());
    if tree.entries.iter().all(|entry| entry.mode == canonical(entry)) {
        return Cow::Borrowed(tree);
    }
    let mut tree = tree.clone();
    for entry in &mut tree.entries {
        entry.mode = canonical(entry);
    }
    Cow::Owned(tree)
}
